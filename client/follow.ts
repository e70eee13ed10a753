/**
 * Follows the ledger: events in the order of the chain, after a given row. Reconnects automatically, to any server that
 * answers, and continues after the last row.
 * @module
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { abortable, type Fetch } from "./fetch.ts";
import { errorOf, hasType, isPermanent, RaisebookProblem } from "./problem.ts";
import type { components, operations } from "./schema.ts";

type LedgerEvent = components["schemas"]["LedgerEvent"];
type Query = NonNullable<operations["followEvents"]["parameters"]["query"]>;

/** A message of the stream. `id` is the position to resume at: after everything up to it. */
export type StreamMessage =
  /** a row of the ledger, after all rows before it */
  | { type: "ledger"; id: string; event: LedgerEvent }
  /** rows of blocks from this one on are withdrawn; their replacements follow */
  | { type: "reorg"; id: string; from: bigint }
  /** rows of blocks up to this one are final; with the root of the book as of it, null while the service does not know it */
  | { type: "final"; through: bigint; root: string | null }
  /** an indexed block, all of whose rows and earlier rows have been sent; `blockTime` ISO 8601 */
  | { type: "head"; id: string; blockNumber: bigint; blockTime: string };

/** With the filters of the stream, such as `listing`, `kind`, `status` or `grade`; `finality: "final"` has rows once they are final. */
export type FollowOptions = Omit<Query, "after"> & {
  /** ends in `/v1` */
  baseUrl: string;
  /** the id to resume after; `0` from the beginning, undefined from now on */
  after?: string | undefined;
  /** ends the iteration */
  signal?: AbortSignal;
  userAgent?: string;
  fetch?: Fetch;
};

/** The position before the first row. Servers of an earlier release take no moment with it. */
const BEFORE_ALL = "0";
const EVENT_STREAM = "text/event-stream";
/** Milliseconds. The server sends a keep-alive every 10 s. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;
const LONGEST_SILENCE = 30_000;
/** The longest pause that a server may ask for; timers take no more than 24 days. */
const LONGEST_WAIT = 86_400_000;

/**
 * Yields messages until the loop ends or is aborted. Each row comes once, unless a `reorg` has withdrawn it before.
 *
 * @throws {RaisebookProblem} for a permanent error: an invalid parameter, or an id that never existed
 * @throws {TypeError} if no request can be made of `baseUrl` and `userAgent`
 * @throws {Error} if another server answers at `baseUrl` before the service's first answer; later, such answers are retried
 * @example
 * for await (const message of follow({ baseUrl: "https://raises.example/v1", after: "0" })) {
 *   if (message.type === "ledger") console.log(message.event.kind, message.event.publicId);
 *   if (message.type === "reorg") console.log("withdrawn from block", message.from);
 * }
 */
export async function* follow(options: FollowOptions): AsyncGenerator<StreamMessage, void> {
  let id = options.after;
  /** as of which the server had sent everything up to the id; empty if unknown */
  let moment = "";
  let pause = FIRST_PAUSE;
  let isKnown = false;
  while (!options.signal?.aborted) {
    let wait = 0;
    const request = requestOf({ ...options, after: id && id !== BEFORE_ALL ? id + moment : id });
    try {
      const accepted = () => {
        isKnown = true;
      };
      for await (const [message, asOf] of readOnce(request, options, accepted)) {
        if (options.signal?.aborted) return;
        if ("id" in message) [id, moment] = [message.id, asOf];
        pause = FIRST_PAUSE;
        yield message;
        if (options.signal?.aborted) return;
      }
    } catch (error) {
      if (error instanceof RaisebookProblem) isKnown = true;
      // A server of an earlier release knows no moments.
      if (error instanceof RaisebookProblem && error.status === 400 && moment !== "") moment = "";
      else if (isPermanent(error, isKnown)) throw error;
      if (error instanceof RaisebookProblem) wait = Math.min((error.retryAfter ?? 0) * 1_000, LONGEST_WAIT);
    }
    // Many clients are disconnected at the same time and must not reconnect at the same time.
    await sleep(Math.max(wait, pause * (0.5 + Math.random() / 2)), options.signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/**
 * One connection: messages, each with the moment of its id. Returns when the server ends it; throws when it breaks, falls silent or is refused.
 * @param accepted called once the answer is known to be a stream
 */
async function* readOnce(
  request: Request,
  { signal, fetch }: FollowOptions,
  accepted: () => void,
): AsyncGenerator<[message: StreamMessage, moment: string]> {
  const send = abortable(fetch);
  const broken = new AbortController();
  const abort = () => broken.abort();
  signal?.addEventListener("abort", abort);
  let timer = setTimeout(abort, LONGEST_SILENCE);
  try {
    const response = await send(new Request(request, { signal: broken.signal }));
    if (!response.ok || response.body === null || !hasType(response, EVENT_STREAM))
      throw errorOf(await response.json().catch(() => null), response);
    accepted();
    const found: [EventSourceMessage, moment: string][] = [];
    let moment = "";
    const parser = createParser({
      onEvent: (event) => found.push([event, moment]),
      onComment(comment) {
        if (comment.startsWith("@")) moment = comment;
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        parser.feed(value);
        for (const [event, asOf] of found.splice(0)) {
          const message = messageOf(event);
          if (message !== null) yield [message, asOf];
        }
        timer = setTimeout(abort, LONGEST_SILENCE);
      }
    } finally {
      broken.abort();
      await reader.cancel().catch(() => {});
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    broken.abort();
  }
}

/** Null for an event type that this version does not know. */
function messageOf({ event, id = "", data }: EventSourceMessage): StreamMessage | null {
  const payload = JSON.parse(data);
  switch (event) {
    case "ledger":
      return { type: event, id, event: payload };
    case "reorg":
      return { type: event, id, from: BigInt(payload.from) };
    case "final":
      return { type: event, through: BigInt(payload.through), root: payload.root ?? null };
    case "head":
      return { type: event, id, blockNumber: BigInt(payload.blockNumber), blockTime: payload.blockTime };
    default:
      return null;
  }
}

/** The parameters of the stream; options of other callers, such as a replica's, are not sent. */
const PARAMETERS: Readonly<Record<keyof Query, true>> = {
  after: true,
  listing: true,
  kind: true,
  finality: true,
  heads: true,
  q: true,
  status: true,
  grade: true,
  originator: true,
  jurisdiction: true,
  repayment: true,
  minCouponBps: true,
  maxCouponBps: true,
  minTenorDays: true,
  maxTenorDays: true,
  closingBefore: true,
  dueBefore: true,
  pace: true,
  changedSince: true,
};

/** @throws {TypeError} if there can be no such request */
function requestOf({ baseUrl, userAgent = "raisebook-client", ...options }: FollowOptions): Request {
  const query = new URLSearchParams();
  for (const name of Object.keys(PARAMETERS) as (keyof Query)[]) {
    const value = options[name];
    if (value !== undefined) query.set(name, [value].flat().join(","));
  }
  const request = new Request(`${baseUrl.replace(/\/$/, "")}/stream?${query}`, {
    headers: { Accept: EVENT_STREAM, "User-Agent": userAgent },
    cache: "no-store",
  });
  if (!/^https?:/.test(request.url)) throw new TypeError(`${baseUrl} is not an HTTP URL`);
  return request;
}

/** Waits until the time is over or the signal aborts. */
function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal?.addEventListener("abort", over);
    if (signal?.aborted) over();
  });
}
