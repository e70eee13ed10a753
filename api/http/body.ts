/**
 * A response body, encoded once: its bytes, its entity tag, and its compressed forms when somebody asks.
 * @module
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

/** Below this size compressing costs more than it saves. Bytes. */
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

/** The body under `key`, made on first use and then kept. */
export type Bodies = (key: string, make: () => Body) => Body;

/** An empty store of bodies. It lives as long as what the bodies are made of, which keys must not outgrow. */
export function keepBodies(): Bodies {
  const kept = new Map<string, Body>();
  return (key, make) => {
    const body = kept.get(key) ?? make();
    kept.set(key, body);
    return body;
  };
}

/** Whether a compressed form is offered at all. */
export function worthCompressing(body: Body): boolean {
  return body.bytes.length >= WORTH_COMPRESSING;
}

function compress(bytes: Buffer, encoding: "br" | "gzip"): Promise<Buffer<ArrayBuffer>> {
  if (encoding === "gzip") return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
