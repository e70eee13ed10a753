import { rename, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { ofRaises } from "../../test/harness/registry-document.ts";
import { NO_POLL, openStore } from "../../test/harness/registry-store.ts";
import { serve as startServer } from "../../test/harness/serve.ts";
import { documentHash } from "../../test/harness/signed-registry.ts";
import { RegistryError } from "./error.ts";
import type { RegistryStore } from "./store.ts";

const document = (count: number) => JSON.stringify(ofRaises(count));
const BAD = document(2).replace('"onchainId":"2"', '"onchainId":2');

/** A file with one raise, and a store that reads it. */
async function openFile(pollInterval?: number) {
  const folder = temporaryFolder();
  const path = join(folder, "registry.json");
  await writeFile(path, document(1));
  return { folder, path, ...(await openStore({ source: { kind: "file", path }, pollInterval })) };
}

const count = (store: RegistryStore) => store.current().listings.length;
const problemIs = (store: RegistryStore, text: string) =>
  vi.waitFor(() => expect(store.state().problem).toContain(text), { ...PATIENCE, interval: 10 });
const countIs = (store: RegistryStore, expected: number) =>
  vi.waitFor(() => expect(count(store)).toBe(expected), { ...PATIENCE, interval: 10 });
const looks = async (store: RegistryStore) => {
  for (let i = 0; i < 3; i++) await store.refresh();
};

describe("a registry file", () => {
  it("is loaded, and again when it changes in place", async () => {
    const { path, store, lines } = await openFile();
    expect(store.state()).toEqual({
      status: "ok",
      version: store.state().version,
      hash: documentHash(JSON.parse(document(1))),
      revision: null,
      signer: null,
      originators: 1,
      listings: 1,
      problem: null,
      images: 0,
      imageProblem: null,
    });
    expect(store.state().version).toMatch(/^[0-9a-f]{16}$/);
    const before = store.state().version;
    await writeFile(path, document(3));
    await countIs(store, 3);
    expect(store.state().version).not.toBe(before);
    expect(lines).toMatchObject([
      {
        ...{ msg: "Loaded a new registry", version: store.state().version, hash: store.state().hash },
        originatorChanges: { added: 0, removed: 0, changed: 0 },
        listingChanges: { added: 2, removed: 0, changed: 0 },
      },
    ]);
  });

  it("is noticed by the watch alone when an editor replaces it by a rename", async () => {
    const { path, store } = await openFile(NO_POLL);
    for (const listed of [2, 4]) {
      await writeFile(`${path}.new`, document(listed));
      await rename(`${path}.new`, path);
      await countIs(store, listed);
    }
  });

  it("keeps the last good copy when an update is bad, logs it once, and recovers", async () => {
    const { path, store, lines } = await openFile();
    const { version } = store.state();
    const registry = store.current();
    await writeFile(path, BAD);
    await problemIs(store, "listings[1].onchainId (the log says what is wrong)");
    await looks(store);
    expect(store.state()).toMatchObject({ status: "refused", version, listings: 1 });
    expect(lines.map(({ level }) => level)).toEqual(["error"]);
    expect(lines[0]?.problem).toContain("listings[1].onchainId: not an on-chain id: 2");
    await writeFile(path, document(1));
    await vi.waitFor(
      () => expect(store.state()).toMatchObject({ status: "ok", version, problem: null }),
      PATIENCE,
    );
    expect(store.current()).toBe(registry);
    expect(lines.map(({ msg }) => msg).at(-1)).toBe("The registry is valid again");
  });

  it("keeps the last good copy when it is deleted, and names no path", async () => {
    const { folder, path, store, lines } = await openFile();
    await rm(path);
    await problemIs(store, "the registry file does not exist");
    expect(count(store)).toBe(1);
    expect(JSON.stringify([store.state(), lines])).not.toContain(folder);
  });

  it("stays the same for a document that did not change", async () => {
    const { path, store, lines } = await openFile();
    const registry = store.current();
    await writeFile(path, document(1));
    await looks(store);
    expect(store.current()).toBe(registry);
    expect(lines).toEqual([]);
  });

  it("is looked at no more after stop", async () => {
    const { path, store } = await openFile();
    store.stop();
    await writeFile(path, document(2));
    await store.refresh();
    expect(count(store)).toBe(1);
  });

  it("must be there, be a file, be good and be small at the start", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "registry.json");
    const start = () => openStore({ source: { kind: "file", path }, maxBytes: 2_000 });
    await expect(start()).rejects.toThrow(new RegistryError(["the registry file does not exist"]));
    await writeFile(path, "{}");
    await expect(start()).rejects.toThrow("originators: is missing");
    await writeFile(path, document(100));
    await expect(start()).rejects.toThrow("larger than 2000 bytes");
    await expect(openStore({ source: { kind: "file", path: folder } })).rejects.toThrow("not a regular file");
  });
});

async function serve(handler: RequestListener) {
  const state = { handler, requests: [] as IncomingMessage[] };
  const served = await startServer((request, response) => {
    state.requests.push(request);
    state.handler(request, response);
  });
  onTestFinished(served.stop);
  return { ...served, state, source: { kind: "url", url: `${served.url}/registry.json` } as const };
}

/** A server that knows ETags. */
function tagged(body: string, tag: string): RequestListener {
  return (request, response) => {
    if (request.headers["if-none-match"] === tag) response.writeHead(304).end();
    else response.writeHead(200, { etag: tag }).end(body);
  };
}

describe("a registry URL", () => {
  it("is asked conditionally, and a 304 changes nothing", async () => {
    const { state, source } = await serve(tagged(document(1), '"one"'));
    const { store } = await openStore({ source, pollInterval: NO_POLL });
    const registry = store.current();
    await looks(store);
    expect(state.requests.map(({ headers }) => headers["if-none-match"])).toEqual([
      undefined,
      '"one"',
      '"one"',
      '"one"',
    ]);
    expect(store.current()).toBe(registry);
    state.handler = tagged(document(2), '"two"');
    await store.refresh();
    expect(count(store)).toBe(2);
  });

  it("is asked by date when it sends no ETag", async () => {
    const modified = "Wed, 21 Oct 2026 07:28:00 GMT";
    const { state, source } = await serve((_, response) => {
      response.writeHead(200, { "last-modified": modified }).end(document(1));
    });
    const { store } = await openStore({ source, pollInterval: NO_POLL });
    await store.refresh();
    expect(state.requests.at(-1)?.headers["if-modified-since"]).toBe(modified);
  });

  it("is not asked by the date of the second of its answer, in which it may change again", async () => {
    const modified = new Date().toUTCString();
    let raises = 1;
    const { source } = await serve(({ headers }, response) => {
      if (headers["if-modified-since"] === modified) response.writeHead(304).end();
      else response.writeHead(200, { date: modified, "last-modified": modified }).end(document(raises));
    });
    const { store } = await openStore({ source, pollInterval: NO_POLL });
    raises = 2;
    await store.refresh();
    expect(count(store)).toBe(2);
  });

  it("is polled", async () => {
    const { state, source } = await serve(tagged(document(1), '"one"'));
    const { store } = await openStore({ source, pollInterval: 20 });
    state.handler = tagged(document(5), '"five"');
    await countIs(store, 5);
  });

  it.each<[string, RequestListener, string]>([
    ["a 500", (_, response) => response.writeHead(500).end("secret words"), "answered 500"],
    ["no answer", () => {}, "did not answer within 1000 ms"],
    [
      "half an answer",
      (_, response) => response.writeHead(200).write('{"orig'),
      "did not answer within 1000 ms",
    ],
    ["a broken connection", (request) => request.socket.destroy(), "could not be reached"],
    ["a document that is not JSON", (_, response) => response.end("<html>"), "the document is not JSON"],
    ["a bad document", (_, response) => response.end(BAD), "listings[1].onchainId"],
    ["an oversized document", (_, response) => response.end(document(100)), "larger than 5000 bytes"],
    [
      "a redirect in a circle",
      (_, response) => response.writeHead(302, { location: "/again" }).end(),
      "more than 3 times",
    ],
    [
      "a redirect off https",
      (_, response) => response.writeHead(302, { location: "http://a.example/" }).end(),
      "not https",
    ],
    [
      "a redirect to a file",
      (_, response) => response.writeHead(302, { location: "file:///etc/hosts" }).end(),
      "not https",
    ],
  ])("keeps the last good copy on %s, and recovers on a 304", async (_name, handler, expected) => {
    const good = tagged(document(1), '"one"');
    const { state, source } = await serve(good);
    // Only what never answers has to run into it.
    const timeout = expected.endsWith(" ms") ? 1_000 : undefined;
    const { store, lines } = await openStore({ source, pollInterval: NO_POLL, timeout, maxBytes: 5_000 });
    state.handler = handler;
    await looks(store);
    expect(store.state()).toMatchObject({ status: "refused", listings: 1 });
    expect(store.state().problem).toContain(expected);
    expect(lines).toHaveLength(1);
    state.handler = good;
    await store.refresh();
    expect(store.state()).toMatchObject({ status: "ok", problem: null });
  });

  it("stays refused while a bad document is answered with a 304", async () => {
    const { state, source } = await serve(tagged(document(1), '"one"'));
    const { store, lines } = await openStore({ source, pollInterval: NO_POLL });
    state.handler = tagged(BAD, '"bad"');
    await looks(store);
    expect(state.requests.at(-1)?.headers["if-none-match"]).toBe('"bad"');
    expect(store.state().status).toBe("refused");
    expect(lines).toHaveLength(1);
  });

  it("follows a redirect on its own host", async () => {
    const { source } = await serve((request, response) => {
      if (request.url === "/registry.json") response.writeHead(301, { location: "/moved" }).end();
      else response.end(document(2));
    });
    expect(count((await openStore({ source })).store)).toBe(2);
  });

  it("sends its password to its own host only, and never shows it", async () => {
    const other = await serve((_, response) => response.end(document(1)));
    const own = await serve((_, response) => {
      response.writeHead(302, { location: `${other.url}/` }).end();
    });
    const url = `http://reader:hunter2@127.0.0.1:${own.port}/registry.json`;
    const { store, lines } = await openStore({ source: { kind: "url", url }, pollInterval: NO_POLL });
    const sent = `Basic ${Buffer.from("reader:hunter2").toString("base64")}`;
    expect(own.state.requests[0]?.headers.authorization).toBe(sent);
    expect(other.state.requests[0]?.headers.authorization).toBeUndefined();
    own.state.handler = (request) => request.socket.destroy();
    await store.refresh();
    expect(JSON.stringify([store.state(), lines])).not.toMatch(/hunter2|127\.0\.0\.1/);
  });

  it("must answer at the start", async () => {
    const { source, stop, state } = await serve((_, response) => response.writeHead(404).end());
    await expect(openStore({ source })).rejects.toThrow("answered 404");
    state.handler = (_, response) => response.writeHead(304).end();
    await expect(openStore({ source })).rejects.toThrow("answered 304");
    await stop();
    await expect(openStore({ source })).rejects.toThrow("could not be reached (");
  });
});
