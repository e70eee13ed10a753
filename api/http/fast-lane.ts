/**
 * The fast lane: gives an answer again, straight from memory, for as long as the app would give the same one. Whatever it
 * does not have goes on to the app, which says what may be kept (`respond.ts`).
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Block } from "../../src/fold/events.ts";
import { type Encoding, type Form, formNow } from "./body.ts";
import { requestIdOf } from "./common-headers.ts";
import { preferredCoding } from "./negotiate.ts";
import {
  encodedHeaders,
  type Headers,
  indexedHeaders,
  isCurrent,
  type Kept,
  notModifiedHeaders,
} from "./respond.ts";

const MOST_ENTRIES = 20_000;
/** Of the bodies that entries hold, most of which the market holds too. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Of an entry without its body. */
const ENTRY_BYTES = 2_048;

export type FastLane = {
  /** Answers a request; false when it has to go on to the app. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Takes the app's answer to a request. */
  keep(incoming: IncomingMessage, kept: Kept): void;
};

/** Names and values in turn, as Node takes them fastest. */
type Head = readonly string[];

/** An answer, and its heads as they were sent last. */
type Entry = Kept & { block: Block | null; heads: Map<Encoding | "not modified", Head> };

/** Values of `Accept-Encoding` whose meaning is kept; clients send a handful of them. */
const MOST_CODINGS = 100;

/** @param common headers of every answer */
export function createFastLane(common: Headers): FastLane {
  const codings = new LRUCache<string, ReturnType<typeof preferredCoding>>({ max: MOST_CODINGS });
  const codingOf = (accepted = "") => {
    const known = codings.get(accepted) ?? preferredCoding(accepted);
    codings.set(accepted, known);
    return known;
  };
  const entries = new LRUCache<string, Entry>({
    max: MOST_ENTRIES,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }) => Math.min(ENTRY_BYTES + body.length, MOST_BYTES / 8),
  });

  const headOf = (entry: Entry, form: Encoding | "not modified", make: (headers: Headers) => Headers) => {
    const block = entry.head();
    if (entry.block?.number !== block?.number || entry.block?.timestamp !== block?.timestamp) {
      entry.block = block;
      entry.heads.clear();
    }
    const known = entry.heads.get(form);
    if (known !== undefined) return known;
    const indexed = block === null ? {} : indexedHeaders(block);
    const headers = lowercase({
      ...common,
      ...make({ ...entry.headers, ...indexed, ETag: entry.body.etag }),
    });
    const head = Object.entries(headers).flat();
    entry.heads.set(form, head);
    return head;
  };

  return {
    answer(incoming, outgoing) {
      const key = keyOf(incoming);
      const entry = key === null ? undefined : entries.get(key);
      if (key === null || entry === undefined) return false;
      if (!entry.isCurrent()) {
        entries.delete(key);
        return false;
      }
      const { body } = entry;
      const { headers } = incoming;
      const id = requestIdOf(headers["x-request-id"] as string | undefined);
      if (isCurrent(headers["if-none-match"], body.etag)) {
        const head = headOf(entry, "not modified", (own) => notModifiedHeaders(body, own));
        outgoing.writeHead(304, [...head, "x-request-id", id]).end();
        return true;
      }
      const { coding, acceptsOthers } = codingOf(headers["accept-encoding"] as string | undefined);
      const write = (form: Form) => {
        const head = headOf(entry, form.encoding, (own) => encodedHeaders(body, own, form));
        outgoing.writeHead(200, [...head, "x-request-id", id]);
        outgoing.end(incoming.method === "HEAD" ? undefined : form.bytes);
      };
      const form = formNow(body, coding, acceptsOthers);
      if (form !== null) write(form);
      else
        body.encode(coding).then(
          (bytes) => write({ encoding: coding, bytes }),
          () => outgoing.destroy(),
        );
      return true;
    },
    keep(incoming, kept) {
      const key = keyOf(incoming);
      if (key !== null) entries.set(key, { ...kept, block: null, heads: new Map() });
    },
  };
}

/** What an answer depends on besides its coding; null for a request that does not only read, or has a body. */
function keyOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return null;
  return `${url} ${headers.accept ?? ""}`;
}

/** As the app's own answers are written. */
export function lowercase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
