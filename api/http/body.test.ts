import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBody, worthCompressing } from "./body.ts";

const LONG = { text: "a bakery and its oven ".repeat(200) };

describe("jsonBody", () => {
  it("is the JSON in UTF-8", () => {
    expect(jsonBody({ title: "Çà 🥐" }).bytes.toString("utf8")).toBe('{"title":"Çà 🥐"}');
  });

  it("refuses an amount that is not in a string yet", () => {
    expect(() => jsonBody({ amount: 1n })).toThrow(TypeError);
  });

  it("tags by content alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(jsonBody(a).etag).toBe(jsonBody(JSON.parse(JSON.stringify(a))).etag);
        expect(jsonBody(a).etag === jsonBody(b).etag).toBe(same);
      }),
    );
  });

  it("is weak, and has enough of the hash that two bodies never share a tag", () => {
    expect(jsonBody(LONG).etag).toMatch(/^W\/"[A-Za-z0-9_-]{22,}"$/);
  });

  it("decodes to the same bytes from every encoding", async () => {
    const body = jsonBody(LONG);
    expect(brotliDecompressSync(await body.encode("br")).equals(body.bytes)).toBe(true);
    expect(gunzipSync(await body.encode("gzip")).equals(body.bytes)).toBe(true);
    expect((await body.encode("identity")).equals(body.bytes)).toBe(true);
  });

  it("compresses once", async () => {
    const body = jsonBody(LONG);
    const [first, second] = await Promise.all([body.encode("br"), body.encode("br")]);
    expect(second).toBe(first);
    expect(await body.encode("br")).toBe(first);
    expect(await body.encode("gzip")).not.toBe(first);
  });
});

it("compresses no body that is hardly larger than its headers", () => {
  expect(worthCompressing(jsonBody({ status: "ready" }))).toBe(false);
  expect(worthCompressing(jsonBody(LONG))).toBe(true);
});
