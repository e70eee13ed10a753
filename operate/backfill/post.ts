/**
 * One HTTP request to an endpoint: a call, or a batch of them.
 * @module
 */
import { errorIn, refusalOf } from "../../config/format/refusal.ts";
import { quote } from "../../config/format/untrusted-text.ts";

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] };

/** An endpoint refuses the request itself. The message contains no part of a URL. */
export class RequestRefusedError extends Error {
  override readonly name = "RequestRefusedError";
  /** of the request, among those that were sent together */
  place: number;
  constructor(message: string, place = 0) {
    super(message);
    this.place = place;
  }
}

/** A range that takes too long is too long a range. */
export class TimedOutError extends RequestRefusedError {}

export class RateLimitError extends Error {
  /** milliseconds; undefined where the endpoint names no time */
  readonly retryAfter: number | undefined;
  constructor(reason: string, retryAfter?: number) {
    super(`limits the rate of requests: ${reason}`);
    this.retryAfter = retryAfter;
  }
}

/** A batch was answered as a whole, and not with the results. The same requests may be answered in smaller ones. */
export class BatchRefusedError extends Error {
  /** whether the endpoint says that it takes no batch of this size */
  readonly isLimit: boolean;
  constructor(message: string, isLimit = false) {
    super(message);
    this.isLimit = isLimit;
  }
}

/** Longest text of an answer that is not JSON-RPC in which a reason is looked for. */
const LONGEST_REASON = 500;

/**
 * The results in the order of the requests.
 * @throws {RateLimitError | BatchRefusedError | RequestRefusedError | Error} the last one where the endpoint fails
 */
export async function post(
  url: string,
  requests: readonly RpcRequest[],
  timeout: number,
): Promise<unknown[]> {
  const calls = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
  const isBatch = calls.length > 1;
  const signal = AbortSignal.timeout(timeout);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(isBatch ? calls : calls[0]),
      signal,
    });
    text = await response.text();
  } catch {
    if (signal.aborted) throw new TimedOutError(`no answer within ${timeout / 1000} s`);
    throw new Error("cannot be reached");
  }
  const { status } = response;
  const answer = parse(text);
  const answers = (Array.isArray(answer) ? answer : [answer]) as unknown[];
  const refusals = answers.flatMap((one) => {
    const error = one === null && status >= 400 ? reasonIn(text, status) : errorIn(one);
    return error === undefined ? [] : [{ ...refusalOf(error, { status, isBatch }), place: placeOf(one) }];
  });
  const [first] = refusals;
  const limited = refusals.find(({ kind }) => kind === "rate");
  if (limited !== undefined || status === 429) {
    throw new RateLimitError(quote(limited?.message ?? `HTTP status ${status}`), retryAfterOf(response));
  }
  if (!isBatch && first !== undefined && answer !== null) throw new RequestRefusedError(quote(first.message));
  if (isBatch && first !== undefined) {
    const limit = refusals.find(({ kind }) => kind === "batch");
    const isWhole = refusals.length === calls.length || !isPlace(first.place, calls.length);
    if (limit !== undefined || isWhole || !Array.isArray(answer))
      throw new BatchRefusedError(quote((limit ?? first).message), limit !== undefined);
    throw new RequestRefusedError(quote(first.message), first.place);
  }
  const results: unknown[] = Array(calls.length);
  const seen = new Set<number>();
  for (const one of answers) {
    if (typeof one !== "object" || one === null || !("result" in one) || one.result === undefined)
      throw new Error(`HTTP status ${status}`);
    const place = isBatch ? placeOf(one) : 0;
    if (!isPlace(place, calls.length)) continue;
    results[place] = one.result;
    seen.add(place);
  }
  if (seen.size !== calls.length) throw new Error("answers only a part of a batch");
  return results;
}

/** The index of an answer in its batch; NaN if the answer has no id. */
function placeOf(answer: unknown): number {
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === "number" || (typeof id === "string" && id !== "") ? Number(id) : Number.NaN;
}

function isPlace(place: number, count: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < count;
}

/** The text of an error that is not JSON-RPC; pages are left out, whose words are of any kind. */
function reasonIn(text: string, status: number): string {
  const isReason = text.length > 0 && text.length <= LONGEST_REASON && !text.includes("<");
  return isReason ? text : `HTTP status ${status}`;
}

/** Milliseconds; undefined where the endpoint names no time. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const duration = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(duration) ? Math.max(0, duration) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
