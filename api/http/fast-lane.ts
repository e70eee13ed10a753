/** @module Repeats an answer from memory for as long as the app would give the same one; the app says so (`respond.ts`). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Backlog } from "./backlog.ts";
import { requestIdOf } from "./common-headers.ts";
import { type Encoding, type Form, formNow } from "./etagged-body.ts";
import { acceptedRanks, preferredCoding } from "./negotiate.ts";
import type { RequestMetrics, Tally } from "./request-metrics.ts";
import {
  encodedHeaders,
  type Headers,
  type Indexed,
  indexedHeaders,
  isCurrent,
  type Kept,
  notModifiedHeaders,
} from "./respond.ts";

const MOST_ENTRIES = 20_000;
/** Limit for all entries with their keys and bodies. The market holds most of these bodies too. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Overhead of an entry besides its key and its body, in bytes. */
const ENTRY_BYTES = 2_048;

type Head = {
  /** Alternating names and values, the form that Node writes fastest. The last one is the request's id. */
  fields: string[];
  status: 200 | 304;
  /** of requests by GET */
  tally: Tally | undefined;
};

/** An answer, and the headers last sent with it. */
type KeptEntry = Kept & { block: Indexed | null; heads: Map<Encoding | "not modified", Head> };

/** @param backlog learns of answers that the socket does not take at once */
export function createFastLane(
  common: Headers,
  backlog: Pick<Backlog, "add">,
  requests?: Pick<RequestMetrics, "fastTally">,
) {
  const entries = new LRUCache<string, KeptEntry>({
    max: MOST_ENTRIES,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }, key) => Math.min(ENTRY_BYTES + key.length + body.length, MOST_BYTES / 8),
  });

  const headOf = (entry: KeptEntry, form: Form | null, block: Indexed | null): Head => {
    const known = entry.block;
    const isSame =
      known?.number === block?.number &&
      known?.timestamp === block?.timestamp &&
      known?.lastRow === block?.lastRow;
    if (!isSame) {
      entry.block = block;
      entry.heads.clear();
    }
    const name = form?.encoding ?? "not modified";
    const cached = entry.heads.get(name);
    if (cached !== undefined) return cached;
    const { body } = entry;
    const own = {
      ...entry.headers,
      ...(block === null ? {} : indexedHeaders(block)),
      ETag: body.etag,
    };
    const full = form === null ? notModifiedHeaders(body, own) : encodedHeaders(body, own, form);
    const fields = [...Object.entries(lowercase({ ...common, ...full })).flat(), "x-request-id", ""];
    const status = form === null ? 304 : 200;
    const head: Head = { fields, status, tally: requests?.fastTally("GET", entry.route, status) };
    entry.heads.set(name, head);
    return head;
  };

  type Answer = { entry: KeptEntry; form: Form | null; block: Indexed | null };
  /** @param answer `form` is null for 304; `block` was read when the entry was checked */
  const send = ({ entry, form, block }: Answer, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers } = incoming;
    const head = headOf(entry, form, block);
    const { fields, status } = head;
    fields[fields.length - 1] = requestIdOf(headers["x-request-id"] as string | undefined);
    outgoing.writeHead(status, fields);
    if (form === null || method === "HEAD") outgoing.end();
    else outgoing.end(form.bytes);
    backlog.add(outgoing, form?.bytes);
    const tally = method === "GET" ? head.tally : requests?.fastTally(method, entry.route, status);
    if (tally !== undefined) tally.count += 1;
  };

  return {
    /** Answers a request; false when it has to go on to the app. */
    answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
      const key = keyOf(incoming);
      const entry = key === null ? undefined : entries.get(key);
      if (key === null || entry === undefined) return false;
      if (!entry.isCurrent()) {
        entries.delete(key);
        return false;
      }
      const { body } = entry;
      const block = entry.head();
      const { headers } = incoming;
      const isKnown = isCurrent(headers["if-none-match"], body.etag);
      if (entry.isStreamed && !isKnown) return false;
      const { coding, acceptsOthers } = preferredCoding(headers["accept-encoding"] as string | undefined);
      const form = isKnown ? null : formNow(body, coding, acceptsOthers);
      if (isKnown || form !== null) send({ entry, form, block }, incoming, outgoing);
      else {
        body.encode(coding).then(
          (bytes) => send({ entry, form: { encoding: coding, bytes }, block }, incoming, outgoing),
          () => outgoing.destroy(),
        );
      }
      return true;
    },
    /** Takes the app's answer to a request. */
    keep(incoming: IncomingMessage, kept: Kept): void {
      const key = keyOf(incoming);
      if (key !== null) entries.set(key, { ...kept, block: null, heads: new Map() });
    },
  };
}

/** The cache key of a request, without the coding; null for a request that writes or has a body. */
function keyOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return null;
  return `${acceptedRanks(headers.accept)} ${url}`;
}

/** As the app's own answers are written. */
export function lowercase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
