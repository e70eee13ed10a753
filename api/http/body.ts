/**
 * A response body, encoded once: its bytes, its entity tag, and its compressed forms on demand.
 * @module
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

export type Encoding = "br" | "gzip" | "identity";

/** Bytes below which compression costs more than it saves. */
const WORTH_COMPRESSING = 1024;
const BROTLI_QUALITY = 5;

export type Body = {
  /** of the `Content-Type` header */
  type: string;
  /** shared by every answer: never written to */
  bytes: Buffer<ArrayBuffer>;
  /** weak, over the identity bytes: the same for every encoding and on every replica */
  etag: string;
  encode(encoding: Encoding): Promise<Buffer<ArrayBuffer>>;
};

/** The JSON of `value` as a body. Money must be in strings by now: a bigint throws. */
export function jsonBody(value: unknown): Body {
  return createBody("application/json", Buffer.from(JSON.stringify(value)));
}

/** Bytes as a body. */
export function createBody(type: string, bytes: Buffer<ArrayBuffer>): Body {
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
  const compressed = new Map<Encoding, Promise<Buffer<ArrayBuffer>>>();
  return {
    type,
    bytes,
    etag,
    encode(encoding) {
      if (encoding === "identity") return Promise.resolve(bytes);
      const known = compressed.get(encoding) ?? compress(bytes, encoding);
      compressed.set(encoding, known);
      return known;
    },
  };
}

/** The body cached under `key` for a source; made on first use. */
export type BodyCache = (source: object, key: string, make: () => Body) => Body;

/** Keeps bodies for as long as their source lives. A source must have a bounded number of keys. */
export function createBodyCache(): BodyCache {
  const kept = new WeakMap<object, Map<string, Body>>();
  return (source, key, make) => {
    const bodies = kept.get(source) ?? new Map<string, Body>();
    kept.set(source, bodies);
    const body = bodies.get(key) ?? make();
    bodies.set(key, body);
    return body;
  };
}

/**
 * Keeps the most recently used bodies of any number of sources.
 * @param mostBytes of all of them, with room for their compressed forms; the newest is kept however large it is
 */
export function createBoundedBodyCache(mostBytes: number): BodyCache {
  const kept = new LRUCache<string, Body>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.min(1 + 2 * bytes.length, mostBytes),
  });
  const ids = new WeakMap<object, number>();
  let sources = 0;
  return (source, key, make) => {
    const id = ids.get(source) ?? ++sources;
    ids.set(source, id);
    const name = `${id} ${key}`;
    const body = kept.get(name) ?? make();
    kept.set(name, body);
    return body;
  };
}

/** Whether the body is large enough to compress. */
export function worthCompressing(body: Body): boolean {
  return body.bytes.length >= WORTH_COMPRESSING;
}

function compress(bytes: Buffer, encoding: "br" | "gzip"): Promise<Buffer<ArrayBuffer>> {
  if (encoding === "gzip") return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
