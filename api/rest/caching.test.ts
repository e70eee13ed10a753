import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { DOLLAR, entryDraft, everyState, HEAD, listingRow, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { createAnswerValidator } from "../../test/harness/validate.ts";

const DATA_PATHS = ["/v1/listings", "/v1/listings/lst_1", "/v1/originators", "/v1/originators/org_northwind"];
const TAGGED_PATHS = [...DATA_PATHS, "/openapi.json"];

let app: Hono;
beforeAll(async () => {
  app = await appIn();
});

const get = (path: string, headers: Record<string, string> = {}, from = app) =>
  from.request(`http://raises.example${path}`, { headers });
const tagOf = async (path: string, from = app) => (await get(path, {}, from)).headers.get("etag") ?? "";

describe("entity tags", () => {
  it.each(TAGGED_PATHS)("%s has a weak one, the same for every encoding", async (path) => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    for (const encoding of ["br", "gzip", "identity"]) {
      expect((await get(path, { "Accept-Encoding": encoding })).headers.get("etag")).toBe(tag);
    }
  });

  it("differ between bodies", async () => {
    expect(new Set(await Promise.all(TAGGED_PATHS.map((path) => tagOf(path)))).size).toBe(
      TAGGED_PATHS.length,
    );
  });

  it.each(TAGGED_PATHS)("%s: the same on every replica", async (path) => {
    expect(await tagOf(path, await appIn())).toBe(await tagOf(path));
  });

  it.each(DATA_PATHS)(
    "%s: unchanged when only the head moves, and the head is in the headers",
    async (path) => {
      const head = { number: HEAD.number + 7n, timestamp: HEAD.timestamp + 3n };
      const later = await appIn({ snapshot: await snapshotOf(tablesOf({ head })) });
      const answer = await get(path, { "If-None-Match": await tagOf(path) }, later);
      expect(answer.status).toBe(304);
      expect(answer.headers.get("x-indexed-block")).toBe("48211041");
      expect(answer.headers.get("x-indexed-at")).toBe("2026-03-01T12:00:03Z");
    },
  );

  it("change where the body changes, and only there", async () => {
    const rows = everyState().rows.map((row) =>
      row.onchainId === 8n ? { ...row, repaidInterest: row.repaidInterest + DOLLAR } : row,
    );
    const changed = await appIn({ snapshot: await snapshotOf(tablesOf({ listings: rows })) });
    for (const path of [
      "/v1/listings",
      "/v1/listings/lst_8",
      "/v1/originators",
      "/v1/originators/org_northwind",
    ]) {
      expect(await tagOf(path, changed), path).not.toBe(await tagOf(path));
    }
    for (const path of ["/v1/listings/lst_1", "/v1/originators/org_unverified"]) {
      expect(await tagOf(path, changed), path).toBe(await tagOf(path));
    }
  });
});

describe("If-None-Match", () => {
  it.each(TAGGED_PATHS)("%s: what names the tag, weakly compared, is 304", async (path) => {
    const tag = await tagOf(path);
    const strong = tag.replace("W/", "");
    const current = [tag, strong, `"other", ${tag}`, `"a","b",${strong} , W/"c"`, `  ${tag}  `, "*"];
    for (const header of current) {
      expect((await get(path, { "If-None-Match": header })).status, header).toBe(304);
    }
    const stale = ['"other"', 'W/"other"', strong.replaceAll('"', ""), '""', `${tag}x`, "", "garbage", '"*"'];
    for (const header of stale) {
      expect((await get(path, { "If-None-Match": header })).status, header).toBe(200);
    }
  });

  it.each(TAGGED_PATHS)("%s: 304 has no body and keeps its headers", async (path) => {
    const full = await get(path);
    const headers = { "If-None-Match": await tagOf(path), "X-Request-Id": "mine", "Accept-Encoding": "br" };
    for (const method of ["GET", "HEAD"]) {
      const answer = await app.request(`http://raises.example${path}`, { method, headers });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("x-request-id")).toBe("mine");
      for (const name of ["content-length", "content-encoding"]) {
        expect(answer.headers.get(name), name).toBeNull();
      }
      const kept = [
        "content-type",
        "access-control-allow-origin",
        "access-control-expose-headers",
        "etag",
        "vary",
      ];
      const fresh = ["cache-control", "x-indexed-block", "x-indexed-at", "content-security-policy"];
      for (const name of [...kept, ...fresh]) {
        expect(answer.headers.get(name), name).toBe(full.headers.get(name));
      }
    }
  });

  it("does not make up for a request that is wrong", async () => {
    const headers = { "If-None-Match": "*" };
    expect((await get("/v1/listings?x=1", headers)).status).toBe(400);
    expect((await get("/v1/listings", { ...headers, Accept: "text/html" })).status).toBe(406);
    expect((await get("/v1/listings/lst_404", headers)).status).toBe(404);
    expect((await get("/v1/health", headers)).status).toBe(200);
    expect((await get("/v1/listings", headers, await appIn({ snapshot: null }))).status).toBe(503);
  });

  it("is described", async () => {
    const assertAnswer = createAnswerValidator(await (await get("/openapi.json")).json());
    for (const path of TAGGED_PATHS) {
      const { status, headers } = await get(path, { "If-None-Match": "*" });
      assertAnswer(path, { status, headers, text: "" });
    }
  });
});

describe("content coding", () => {
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
  const decode = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    identity: (bytes: Buffer) => bytes,
  };

  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0, br;q=0", "identity"],
    ["*", "br"],
    ["*;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["deflate", "identity"],
    ["identity", "identity"],
    ["", "identity"],
    ["identity, gzip;q=0.5", "identity"],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    // Nothing is allowed: RFC 9110 lets the server send the bytes as they are.
    ["identity;q=0", "identity"],
    ["*;q=0", "identity"],
    ["gzip;q=banana", "gzip"],
    ["br;q=", "br"],
  ] as const)("Accept-Encoding: %s is answered in %s", async (header, coding) => {
    const plain = await bytesOf(await get("/v1/listings"));
    const answer = await get("/v1/listings", { "Accept-Encoding": header });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
    const bytes = await bytesOf(answer);
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    expect(decode[coding](bytes).equals(plain)).toBe(true);
    if (coding !== "identity") expect(bytes.length).toBeLessThan(plain.length / 2);
  });

  it.each(["br", "gzip", "identity"] as const)("HEAD in %s has the length of GET", async (coding) => {
    const headers = { "Accept-Encoding": coding };
    const head = await app.request("http://raises.example/v1/listings", { method: "HEAD", headers });
    const full = await get("/v1/listings", headers);
    for (const name of ["content-length", "content-encoding", "content-type", "etag", "vary"]) {
      expect(head.headers.get(name), name).toBe(full.headers.get(name));
    }
    expect((await bytesOf(head)).length).toBe(0);
  });

  it("counts bytes, not characters", async () => {
    const entry = entryDraft({ title: "Çà et là 🥐" });
    const snapshot = await snapshotOf(tablesOf({ listings: [listingRow()] }), registryOf([entry]));
    const answer = await get("/v1/listings/lst_1", {}, await appIn({ snapshot }));
    const bytes = await bytesOf(answer);
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    expect(JSON.parse(bytes.toString("utf8")).title).toBe("Çà et là 🥐");
  });

  it("gives many who ask at once the same bytes", async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, async () =>
        bytesOf(await get("/v1/originators", { "Accept-Encoding": "br" })),
      ),
    );
    expect(new Set(many.map((bytes) => bytes.toString("hex"))).size).toBe(1);
  });
});

describe("what caches are told", () => {
  it.each(DATA_PATHS)("%s", async (path) => {
    const { headers } = await get(path);
    expect(headers.get("cache-control")).toBe("public, max-age=1");
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
  });

  it("/openapi.json changes only with the service", async () => {
    const { headers } = await get("/openapi.json");
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(headers.get("x-indexed-block")).toBeNull();
  });

  it.each(["/v1/health", "/v1/ready"])("%s is never kept", async (path) => {
    expect((await get(path)).headers.get("cache-control")).toBe("no-store");
  });
});
