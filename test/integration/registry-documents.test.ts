/** Registries that are no short document: a server that answers in pages, and a document that is read entry by entry. */
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { changedListings } from "../../api/registry/schema.ts";
import type { RegistryStoreOptions } from "../../api/registry/store.ts";
import type { RegistrySource } from "../../config/values.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { parseRegistry } from "../harness/parsed-registry.ts";
import { PATIENCE } from "../harness/patience.ts";
import { listingEntry, ORIGINATOR } from "../harness/registry-document.ts";
import { idsIn, NO_POLL, openStore } from "../harness/registry-store.ts";
import { serve as startServer } from "../harness/serve.ts";
import { DEPLOYMENT, documentHash, OPERATOR, signed } from "../harness/signed-registry.ts";

const open = (source: RegistrySource, options: Partial<RegistryStoreOptions> = {}) =>
  openStore({ source, pollInterval: NO_POLL, ...options });

const raise = (n: number, description = "") => listingEntry(n, { title: `Raise ${n}`, description });

type Page = { body: unknown; headers?: Record<string, string> };

/** A server with these pages by their paths; the first is `/registry`. */
async function serve(pages: Record<string, Page>) {
  const state = { pages, requests: [] as IncomingMessage[] };
  const { port, stop } = await startServer((request, response) => {
    state.requests.push(request);
    const page = state.pages[request.url ?? ""];
    const tag = page?.headers?.etag;
    if (page === undefined) response.writeHead(404).end();
    else if (tag !== undefined && request.headers["if-none-match"] === tag) response.writeHead(304).end();
    else response.writeHead(200, page.headers).end(JSON.stringify(page.body));
  });
  onTestFinished(stop);
  return { state, source: { kind: "url", url: `http://me:hunter22@127.0.0.1:${port}/registry` } as const };
}

describe("a URL that answers in pages", () => {
  test("is one registry: pages follow `next` or a Link header, with the password", async () => {
    const { state, source } = await serve({
      "/registry": { body: { originators: [ORIGINATOR], listings: [raise(1)], next: "?page=2" } },
      "/registry?page=2": {
        body: { listings: [raise(2)] },
        headers: { link: '</first>; rel="first", </registry?page=3>; title="x"; rel="next"' },
      },
      "/registry?page=3": { body: { listings: [raise(3)], next: null } },
    });
    const { store } = await open(source);
    expect(idsIn(store)).toEqual(["lst_1", "lst_2", "lst_3"]);
    expect(state.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Basic ${Buffer.from("me:hunter22").toString("base64")}`),
    );
    expect(store.state().hash).toBe(
      documentHash({ originators: [ORIGINATOR], listings: [1, 2, 3].map((n) => raise(n)) }),
    );
  });

  test("is asked for its first page alone while that is unchanged", async () => {
    const { state, source } = await serve({
      "/registry": {
        body: { originators: [ORIGINATOR], listings: [raise(1)], next: "/2" },
        headers: { etag: '"one"' },
      },
      "/2": { body: { listings: [raise(2)] } },
    });
    const { store } = await open(source);
    await store.refresh();
    expect(state.requests.map(({ url }) => url)).toEqual(["/registry", "/2", "/registry"]);
    state.pages = {
      "/registry": { body: { originators: [ORIGINATOR], listings: [raise(3)] }, headers: { etag: '"two"' } },
    };
    await store.refresh();
    expect(idsIn(store)).toEqual(["lst_3"]);
  });

  test("may be signed: what is signed is the joined document", async () => {
    const listings = [raise(1), raise(2)];
    const { revision, signature } = await signed({ originators: [ORIGINATOR], listings }, 5);
    const first = { originators: [ORIGINATOR], listings: [raise(1)], revision, signature, next: "/2" };
    const { store } = await open(
      (await serve({ "/registry": { body: first }, "/2": { body: { listings: [raise(2)], revision } } }))
        .source,
      { signer: { address: OPERATOR, publicUrl: DEPLOYMENT, chainId: 97 } },
    );
    expect(store.state()).toMatchObject({ revision: 5, listings: 2 });
  });

  test.each<[string, unknown, unknown, string]>([
    [
      "a page of another server",
      { next: "http://127.0.0.1:1/2" },
      {},
      "next: of page 1 is of another server",
    ],
    ["no URL", { next: 7 }, {}, "next: of page 1 is not a URL"],
    ["a circle", { next: "/2" }, { next: "/registry" }, "next: of page 2 leads back to an earlier page"],
    ["a missing page", { next: "/nowhere" }, {}, "answered 404 for page 2"],
    [
      "a bad entry",
      { next: "/2" },
      { listings: [raise(2), { ...raise(3), title: "" }] },
      "(page 2, listings[1])",
    ],
    [
      "a duplicate",
      { next: "/2" },
      { listings: [raise(1)] },
      'listings[1].publicId: "lst_1" is already in listings[0]',
    ],
    [
      "another revision",
      { next: "/2", revision: 1 },
      { revision: 2 },
      'page 2 does not have what the first page says in "revision"',
    ],
    ["no document", { next: "/2" }, [], "page 2 is not an object"],
    ["no listings at all", { listings: undefined, next: "/2" }, {}, "listings: is missing"],
  ])("is refused as a whole for %s", async (_name, first, second, expected) => {
    const good = { originators: [ORIGINATOR], listings: [raise(1)] };
    const { state, source } = await serve({ "/registry": { body: good } });
    const { store, lines } = await open(source);
    state.pages = { "/registry": { body: { ...good, ...(first as object) } }, "/2": { body: second } };
    await store.refresh();
    expect(lines.at(-1)?.problem).toContain(expected);
    expect([store.state().status, idsIn(store)]).toEqual(["refused", ["lst_1"]]);
    state.pages = { "/registry": { body: good } };
    await store.refresh();
    expect(store.state().status).toBe("ok");
  });

  test("is read from its first page again after a later page was refused", async () => {
    const good = { originators: [ORIGINATOR], listings: [raise(1)] };
    const { state, source } = await serve({ "/registry": { body: good, headers: { etag: '"1"' } } });
    const { store } = await open(source);
    const first = { body: { ...good, next: "/2" }, headers: { etag: '"2"' } };
    state.pages = { "/registry": first, "/2": { body: [] } };
    await store.refresh();
    expect(store.state().status).toBe("refused");
    state.pages = { "/registry": first, "/2": { body: { listings: [raise(2)] } } };
    await store.refresh();
    expect([store.state().status, idsIn(store)]).toEqual(["ok", ["lst_1", "lst_2"]]);
  });
});

describe("a document of more than 16 MiB", () => {
  /** About 20 MB. */
  const document = (change = "") => ({
    originators: [ORIGINATOR],
    listings: Array.from({ length: 5_000 }, (_, n) => raise(n + 1, n === 4_000 ? change : "é".repeat(2_000))),
  });
  const folder = temporaryFolder();
  let path: string;

  beforeAll(() => {
    path = join(folder, "registry.json");
  });

  test("is read entry by entry to the same registry, and unchanged entries are not validated again", async () => {
    const text = JSON.stringify(document(), null, 1);
    await writeFile(path, text);
    const lastGood = lastGoodFile(join(folder, "kept.json"));
    const { store } = await open({ kind: "file", path }, { lastGood });
    const whole = parseRegistry(Buffer.from(text));
    expect(store.current().hash).toBe(whole.hash);
    expect([...store.current().listings]).toEqual([...whole.listings]);
    const before = store.current();
    const kept = async () => parseRegistry((await lastGood.read()) ?? Buffer.from("{}")).hash;
    await writeFile(path, JSON.stringify(document("new")));
    await store.refresh();
    expect(store.current().listings.at(4_000)?.description).toBe("new");
    expect(changedListings(before, store.current())).toHaveLength(1);
    await expect.poll(kept, PATIENCE).toBe(store.state().hash);
    store.stop();
    await writeFile(path, "{");
    const later = await open({ kind: "file", path }, { lastGood });
    expect(later.store.state()).toMatchObject({
      status: "refused",
      hash: store.state().hash,
      listings: 5_000,
    });
  });

  test.each<[string, (text: string) => string | Buffer, string]>([
    ["an end too early", (text) => text.slice(0, -1), "the document is not JSON"],
    ["a comma too many", (text) => text.replace("}]", "},]"), "the document is not JSON"],
    [
      "bytes that are no UTF-8",
      (text) => Buffer.from(text.replaceAll("é", "\u00e9"), "latin1"),
      "the document is not UTF-8",
    ],
    ["an unknown member", (text) => `{"extra":1,${text.slice(1)}`, 'the document: unknown field "extra"'],
    ["a list twice", (text) => `${text.slice(0, -1)},"listings":[{}]}`, "listings: is in the document twice"],
    ["a bad entry", (text) => text.replace('"Raise 4500"', '""'), "listings[4499].title: not a text"],
    [
      "no list",
      (text) => text.replace('"originators":[', '"originators":7,"$schema":['),
      "originators: not a list",
    ],
    [
      "an entry without an end",
      (text) => text.replaceAll('"', "").replace("{", '{"listings":["'),
      "an entry of more than",
    ],
  ])("is refused for %s", async (_name, change, expected) => {
    await writeFile(path, change(JSON.stringify(document())));
    await expect(open({ kind: "file", path })).rejects.toThrow(expected);
  });

  test("may have a million listings, and no more", async () => {
    const entry = JSON.stringify(raise(1));
    const text = `{"originators":[],"listings":[${`${entry},`.repeat(1_000_000)}${entry}]}`;
    await writeFile(path, text);
    await expect(open({ kind: "file", path })).rejects.toThrow("listings: has more than 1000000 entries");
  });
});
