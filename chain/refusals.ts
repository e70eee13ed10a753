/**
 * Classifies an endpoint's errors. Each provider words them differently and codes are not shared: few rate limits come with
 * HTTP 429, and -32005 means too many requests, too many results, or a disabled method. The known wordings are in
 * `refusals.test.ts`, with their sources.
 * @module
 */
import { isObject } from "../config/is-object.ts";

/**
 * - `rate`: too many requests for now; a retry may succeed
 * - `batch`: too many requests in one batch, or no support for batches
 * - `pruned`: the endpoint has dropped blocks or logs that old; another may have them
 * - `range`: too many blocks or results; a smaller range may succeed
 * - `other`: anything else
 */
export type RefusalKind = "rate" | "batch" | "pruned" | "range" | "other";

export type Refusal = { readonly kind: RefusalKind; readonly message: string };

const TOO_MANY_REQUESTS = 429;
const PAYLOAD_TOO_LARGE = 413;
/** JSON-RPC's "Invalid Request": the answer to a batch from an endpoint without batches. */
const INVALID_REQUEST = -32600;

/** EIP-4444: "pruned history unavailable". */
const PRUNED_CODE = 4444;

const BATCH = /\bbatch/i;
/** Checked before ranges: "logs of these blocks are pruned" is not about their number. */
const PRUNED =
  /\bprun(ed|ing)\b|\breceipts? (is |are )?not available\b|\bdata before \S+ is not available\b/i;
/** Checked before rates: "limited to a 10 block range" is not a rate limit. */
const RANGE = /\b(range|blocks|results|logs|size)\b|response (is )?too large|query time/i;
const RATE = new RegExp(
  [
    /\b(rate|rps|qps|quota|capacity|throughput|credits|throttl\w*|slow down|compute units)\b/,
    /too many (requests|calls)|(requests?|calls?) (per|a) /,
    /(\/|per ) ?(second|sec|s|minute|min|hour|day)\b/,
    /\b(requests?|calls?|daily|monthly|usage)\b.{0,30}\blimit\b|\blimit\b.{0,30}\b(requests|calls|plan)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/**
 * @param error the `error` of a JSON-RPC answer in any form, or the text of another answer
 * @param status HTTP status
 */
export function refusalOf(
  error: unknown,
  { status, isBatch = false }: { status?: number; isBatch?: boolean } = {},
): Refusal {
  const { code, message, data } = partsOf(error);
  const text = `${message} ${data}`;
  const isTooMany = status === TOO_MANY_REQUESTS || code === TOO_MANY_REQUESTS;
  const isRefusedBatch =
    isBatch && (BATCH.test(text) || status === PAYLOAD_TOO_LARGE || code === INVALID_REQUEST);
  if (isTooMany) return { kind: "rate", message };
  if (isRefusedBatch) return { kind: "batch", message };
  if (code === PRUNED_CODE || PRUNED.test(text)) return { kind: "pruned", message };
  if (RANGE.test(text)) return { kind: "range", message };
  return { kind: RATE.test(text) ? "rate" : "other", message };
}

/** The error in an answer; undefined if it has a result. QuickNode sends its rate limits without an `error` around them. */
export function errorIn(answer: unknown): unknown {
  if (!isObject(answer)) return undefined;
  const { error, result, message } = answer;
  if (error !== undefined && error !== null) return error;
  return result === undefined && typeof message === "string" ? answer : undefined;
}

/** Classifies an error thrown by viem. */
export function refusalKindOf(error: unknown): RefusalKind {
  let status: number | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("status" in cause && typeof cause.status === "number") status = cause.status;
  const { details } = (error ?? {}) as { details?: unknown };
  return refusalOf(typeof details === "string" ? details : "", { status }).kind;
}

function partsOf(error: unknown): { code: unknown; message: string; data: string } {
  if (typeof error === "string") return { code: null, message: error, data: "" };
  const { code = null, message, data } = Object(error) as Record<"code" | "message" | "data", unknown>;
  return {
    code,
    message: typeof message === "string" ? message : "an error without a message",
    data: typeof data === "string" ? data : (JSON.stringify(data) ?? ""),
  };
}
