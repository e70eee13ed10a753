import { expect, it, vi } from "vitest";
import { createDelivererCheck } from "../../api/database/deliverer.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { serve } from "../../test/harness/serve.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { createReaderClient, ReaderError, readerKey } from "./source.ts";
import { openStore } from "./store.ts";

const typeOf = (url = "") => (url.startsWith("/v1/stream") ? "text/event-stream" : "application/json");

it("says what a reader answers that refuses, and that one does not answer only when it does not", async () => {
  const problem = { code: "busy", detail: "1000 streams are open already; ask again later." };
  let isRefusing = true;
  const { url: root, stop } = await serve(({ url }, response) => {
    const isRefused = isRefusing && url?.startsWith("/v1/stream") === true;
    const type = isRefused ? "application/problem+json" : typeOf(url);
    response.writeHead(isRefused ? 503 : 200, { "Content-Type": type });
    response.end(JSON.stringify(isRefused ? problem : { listings: [] }));
  });
  const { log, lines } = recordedLog();
  const source = createReaderClient(root, log);
  const ask = async () => {
    await source.listings(performance.now());
    await source.fetch(new Request(`${source.baseUrl}/stream`)).catch(() => {});
  };
  await ask();
  await ask();
  isRefusing = false;
  await ask();
  await stop();
  await expect(source.listings(performance.now())).rejects.toThrow();
  const path = "/v1/stream";
  expect(lines).toMatchObject([
    {
      msg: "The reader refuses what webhooks are made from; it is asked again",
      path,
      status: 503,
      ...problem,
    },
    { msg: "The reader answers again", path },
    { msg: "The reader does not answer; no webhook is made meanwhile", path: "/v1/listings" },
  ]);
});

it("says once that a reader refuses its listings, however often it is asked", async () => {
  await using reader = await serve((_request, response) => {
    response.writeHead(503, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ code: "database_silent", detail: "Try again in a few seconds." }));
  });
  const { log, lines } = recordedLog();
  const source = createReaderClient(reader.url, log);
  for (let time = 0; time < 3; time++)
    await expect(source.listings(performance.now())).rejects.toThrow("Try again");
  expect(lines.map(({ msg, code }) => [msg, code])).toEqual([
    ["The reader refuses what webhooks are made from; it is asked again", "database_silent"],
  ]);
});

it.each([200, 404, 502])("takes a page with status %i for a refusal, and says so once", async (status) => {
  let isPage = true;
  await using reader = await serve(({ url }, response) => {
    response.writeHead(isPage ? status : 200, { "Content-Type": isPage ? "text/html" : typeOf(url) });
    response.end(isPage ? "<!doctype html><title>Another site</title>" : `{"listings": []}`);
  });
  const { log, lines } = recordedLog();
  const source = createReaderClient(reader.url, log);
  const ask = () => source.fetch(new Request(`${source.baseUrl}/stream`));
  for (let time = 0; time < 2; time++) {
    await expect(ask()).rejects.toThrow(ReaderError);
    await expect(source.listings(performance.now())).rejects.toThrow(ReaderError);
  }
  isPage = false;
  await (await ask()).text();
  await source.listings(performance.now());
  const refused = {
    msg: "The reader refuses what webhooks are made from; it is asked again",
    ...{ status, detail: "The answer is of the type text/html, and not the service's." },
  };
  expect(lines).toMatchObject([
    { ...refused, path: "/v1/stream" },
    { ...refused, path: "/v1/listings" },
    { msg: "The reader answers again", path: "/v1/stream" },
    { msg: "The reader answers again", path: "/v1/listings" },
  ]);
});

it("reads the listings page by page, once for all that ask meanwhile, and waits where a limit is reached", async () => {
  const pages: Record<string, object> = {
    null: { listings: [{ publicId: "lst_a", originator: "org_a" }], page: { nextCursor: "2" } },
    2: { listings: [{ publicId: "lst_b", originator: "org_b" }], page: { nextCursor: null } },
  };
  const asked: string[] = [];
  await using reader = await serve(({ url }, response) => {
    const cursor = `${new URL(`${url}`, "http://a").searchParams.get("cursor")}`;
    const isLimited = cursor === "2" && asked.at(-1) !== "2";
    asked.push(cursor);
    response.writeHead(isLimited ? 429 : 200, { "Content-Type": "application/json", "Retry-After": "0" });
    response.end(JSON.stringify(pages[cursor]));
  });
  const source = createReaderClient(reader.url, recordedLog().log);
  const since = performance.now();
  const first = source.listings(since);
  await vi.waitFor(() => expect(asked).not.toEqual([]));
  // The read that is under way may lack what is there by now.
  const later = performance.now();
  const found = await Promise.all([
    first,
    source.listings(since),
    source.listings(later),
    source.listings(later),
  ]);
  for (const listings of found)
    expect([...listings]).toEqual([
      ["lst_a", "org_a"],
      ["lst_b", "org_b"],
    ]);
  expect(asked).toEqual(["null", "2", "2", "null", "2", "2"]);
});

it("is known by its key to a service with the same data directory, and by no other", async () => {
  const dataDirectory = temporaryFolder();
  const settings = {
    ...{ chainId: 97, publicUrl: "http://raises.localhost" },
    database: { kind: "pglite" as const, dataDirectory, directory: "" },
  };
  const store = openStore(settings);
  const database = { statement: () => Promise.reject(new Error("is not asked")) };
  expect(await createDelivererCheck(settings, database)("")).toBe(false);
  const key = await readerKey(store);
  expect(await readerKey(store)).toBe(key);
  const isDeliverer = createDelivererCheck(settings, database);
  expect(await isDeliverer(key)).toBe(true);
  expect(await isDeliverer("é".repeat(key.length))).toBe(false);
  expect(await isDeliverer(key.replace(/^./, (first) => (first === "A" ? "B" : "A")))).toBe(false);
});
