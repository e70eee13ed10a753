/** @module A response body, encoded once: its bytes, its entity tag, and its compressed forms on demand. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

export type Encoding = "br" | "gzip" | "identity";
type Bytes = Buffer<ArrayBuffer>;

/** Bytes below which compression costs more than it saves. */
const WORTH_COMPRESSING = 1024;
const BROTLI_QUALITY = 5;
/** Types whose bytes are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set([
  "application/gzip",
  "image/png",
  "image/jpeg",
  "image/webp",
]);
/** Bytes from which on requests no longer wait for a compressed form: compressing takes the time of many answers. */
const LARGE = 256 * 1024;
/** The share of the time spent on compressing large bodies, which may change with every block. */
const LARGE_SHARE = 0.25;

const JSON_TYPE = "application/json";

export type Body = {
  type: string;
  /** bytes of the identity form */
  length: number;
  /** whether another form is sent until the preferred one is there */
  isLarge: boolean;
  /** whether it is always sent as it is: its bytes have a published digest */
  isPlain: boolean;
  /** shared by every answer: never written to */
  readonly bytes: Bytes;
  /** weak, over the identity bytes: the same for every encoding and on every replica */
  etag: string;
  /** The bytes in a coding. The identity form at once, a compressed one off the event loop. */
  encode(encoding: Encoding): Promise<Bytes>;
  /** The same if it exists already, else null. */
  encoded(encoding: Encoding): Bytes | null;
};

/** The JSON of `value` as a body. Money must already be strings: a bigint throws. */
export function jsonBody(value: unknown): Body {
  return createBody(JSON_TYPE, Buffer.from(JSON.stringify(value)));
}

/** Bytes as a body. @param etag the tag of the source, if it is known before the bytes are made */
export function createBody(type: string, bytes: Bytes, etag = tagOf(bytes)): Body {
  const own = inOwnMemory(bytes);
  return bodyOf({ type, length: own.length, isLarge: false, isPlain: false, etag }, () => own);
}

/** The same body, never compressed: with `Cache-Control: no-transform` its digest holds for the bytes of the transfer, too. */
export function plainBody(body: Body): Body {
  return { ...body, isPlain: true };
}

/** Small buffers come from a 64 KB pool, which stays while any part is kept: a body would hold a hundred times its size. */
function inOwnMemory(bytes: Bytes): Bytes {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/**
 * JSON in pieces. Its tag is made from those of the pieces, so the work depends on their number; the bytes are joined when they are sent.
 * @param etag if it follows from the pieces in another way
 */
export function joinedBody(pieces: readonly (string | Body)[], etag?: string): Body {
  const length = pieces.reduce(
    (sum, piece) => sum + (typeof piece === "string" ? Buffer.byteLength(piece) : piece.length),
    0,
  );
  const tags = () => pieces.map((piece) => (typeof piece === "string" ? piece : piece.etag));
  const isLarge = length >= LARGE;
  return bodyOf(
    { type: JSON_TYPE, length, isLarge, isPlain: false, etag: etag ?? tagOf(tags().join("")) },
    () => {
      const buffers = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece.bytes));
      return inOwnMemory(Buffer.concat(buffers, length));
    },
  );
}

/** The weak entity tag over a text or bytes. */
export function tagOf(text: string | Bytes): string {
  return `W/"${hashOf(text).toString("base64url").slice(0, 27)}"`;
}

/** Entity tags are made of SHA-256. */
export function hashOf(text: string | Bytes): Buffer {
  return createHash("sha256").update(text).digest();
}

function bodyOf(
  about: Pick<Body, "type" | "length" | "isLarge" | "isPlain" | "etag">,
  make: () => Bytes,
): Body {
  // The function that makes them holds the pieces, which are not needed afterwards.
  let bytes: Bytes | (() => Bytes) = make;
  const promised = new Map<Encoding, Promise<Bytes>>();
  const ready = new Map<Encoding, Bytes>();
  const body: Body = {
    ...about,
    get bytes() {
      if (typeof bytes === "function") bytes = bytes();
      return bytes;
    },
    encode(encoding) {
      if (encoding === "identity") return Promise.resolve(body.bytes);
      const known = promised.get(encoding) ?? compress(body.bytes, encoding);
      promised.set(encoding, known);
      known.then(
        (compressed) => ready.set(encoding, compressed),
        () => promised.delete(encoding),
      );
      return known;
    },
    encoded: (encoding) => (encoding === "identity" ? body.bytes : (ready.get(encoding) ?? null)),
  };
  return body;
}

export type Form = { encoding: Encoding; bytes: Bytes };

/**
 * The form of a body for a client that prefers this coding; null if it has to be compressed first. A large body is sent in another
 * form until the preferred one is ready.
 * @param acceptsOthers whether the client takes gzip and identity too
 */
export function formNow(body: Body, preferred: Encoding, acceptsOthers: boolean): Form | null {
  const isWorthIt = !body.isPlain && body.length >= WORTH_COMPRESSING && !COMPRESSED.has(body.type);
  const encoding = isWorthIt ? preferred : "identity";
  const bytes = body.encoded(encoding);
  if (bytes !== null) return { encoding, bytes };
  if (!body.isLarge || !acceptsOthers) return null;
  compressLarge(body, encoding);
  const other = encoding === "br" && body.encoded("gzip") !== null ? "gzip" : "identity";
  return { encoding: other, bytes: body.encoded(other) ?? body.bytes };
}

let largeFrom = 0;

/** Compresses a large body, one at a time and with a rest after each. */
function compressLarge(body: Body, encoding: Encoding): void {
  const startedAt = performance.now();
  if (startedAt < largeFrom) return;
  largeFrom = Number.POSITIVE_INFINITY;
  const pauseAfter = () => {
    const now = performance.now();
    largeFrom = now + (now - startedAt) * (1 / LARGE_SHARE - 1);
  };
  body.encode(encoding).then(pauseAfter, pauseAfter);
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

/** Keeps the most recently used. @param mostBytes with room for compressed forms; the newest is kept however large it is */
export function createBoundedBodyCache(mostBytes: number): BodyCache {
  const kept = new LRUCache<string, Body>({
    maxSize: mostBytes,
    sizeCalculation: ({ length }, name) => Math.min(1 + name.length + 2 * length, mostBytes),
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

async function compress(bytes: Buffer, encoding: "br" | "gzip"): Promise<Bytes> {
  if (encoding === "gzip") return inOwnMemory(await promisify(gzip)(bytes));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return inOwnMemory(await promisify(brotliCompress)(bytes, { params }));
}
