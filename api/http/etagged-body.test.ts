import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createBody, createBoundedBodyCache, formNow, joinedBody, jsonBody } from "./etagged-body.ts";

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

it("holds on to no memory but its own, however small it is", async () => {
  const one = jsonBody({ status: "ready" });
  const joined = joinedBody(["one, ", one, " and another"]);
  const compressed = await Promise.all(
    (["br", "gzip"] as const).map((coding) => jsonBody(LONG).encode(coding)),
  );
  for (const bytes of [one.bytes, joined.bytes, ...compressed])
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  expect(joined.bytes.toString()).toBe('one, {"status":"ready"} and another');
  expect(joined.length).toBe(joined.bytes.length);
});

it("compresses no body that is hardly larger than its headers", () => {
  expect(formNow(jsonBody({ status: "ready" }), "br", true)?.encoding).toBe("identity");
  expect(formNow(jsonBody(LONG), "br", true)).toBeNull();
});

describe("a bounded cache", () => {
  it("holds bodies of all sources together within its bytes", () => {
    const kept = createBoundedBodyCache(1_000);
    const make = (bytes: number) => vi.fn(() => createBody("text/plain", Buffer.alloc(bytes)));
    const [one, other] = [{}, {}];
    const made = { small: make(200), elsewhere: make(200), more: make(200), large: make(5_000) };
    kept(one, "a", made.small);
    kept(other, "a", made.elsewhere);
    kept(one, "a", made.small);
    expect([made.small, made.elsewhere].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);

    // Three with room for their compressed forms are too many: the one that was not asked for again goes.
    kept(other, "b", made.more);
    kept(one, "a", made.small);
    expect(made.small).toHaveBeenCalledTimes(1);
    kept(other, "a", made.elsewhere);
    expect(made.elsewhere).toHaveBeenCalledTimes(2);

    kept(one, "large", made.large);
    kept(one, "large", made.large);
    expect(made.large).toHaveBeenCalledTimes(1);
  });
});
