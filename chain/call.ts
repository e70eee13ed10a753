/** @module One HTTP request to an endpoint, a JSON-RPC call or a batch of them, and what went wrong with it. */
import { setTimeout as sleep } from "node:timers/promises";
import { quote } from "../config/format/untrusted-text.ts";
import { createRedactor, type Redact } from "../config/redact.ts";
import { errorIn, type RefusalKind, refusalOf } from "./refusals.ts";

export type RpcRequest = { readonly method: string; readonly params?: readonly unknown[] };

/**
 * The meaning of a refusal, or:
 * - `timeout`: the answer did not come in time
 * - `failure`: the endpoint cannot be reached, fails, or does not speak JSON-RPC
 */
export type RpcErrorKind = RefusalKind | "timeout" | "failure";

type RpcErrorDetails = {
  /** what to do about it: a sentence */
  readonly remedy?: string;
  /** milliseconds to wait; undefined where the endpoint names no time */
  readonly retryAfter?: number | undefined;
  /** index of the request that is refused or unanswered; null where it is not about one request */
  readonly place?: number | null;
};

/** A request gave no result. The message completes "<node> …" and contains no secret of a URL. */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly kind: RpcErrorKind;
  readonly remedy: string;
  readonly retryAfter: number | undefined;
  readonly place: number | null;

  constructor(
    kind: RpcErrorKind,
    message: string,
    { remedy = FAILED, retryAfter, place = null }: RpcErrorDetails = {},
  ) {
    super(message);
    this.kind = kind;
    this.remedy = remedy;
    this.retryAfter = retryAfter;
    this.place = place;
  }
}

type Destination = {
  readonly url: string;
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number;
  /** Whether a call that comes too soon after others is made again; default true. */
  readonly isPatient?: boolean;
};

export type RpcCall = Destination & RpcRequest;

/** Milliseconds before a call is made again; doubled each time, up to the longest. The endpoint may ask for more. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2_000;

/** @throws {RpcError} unless the node answers with a result in time. */
export async function callRpc({ method, params, ...destination }: RpcCall): Promise<unknown> {
  const [result] = await callBatch(destination, [{ method, params: params ?? [] }]);
  return result;
}

/**
 * The results of several calls in one request, in the order of the calls.
 * @throws {RpcError} unless there is one for each
 */
export async function callBatch(
  { url, timeout, isPatient = true }: Destination,
  requests: readonly RpcRequest[],
): Promise<unknown[]> {
  const signal = AbortSignal.timeout(timeout);
  let limit: RpcError | null = null;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await post(url, requests, { timeout, signal });
    } catch (error) {
      // The time may be over while the endpoint is asked again: its limit is the reason.
      if (limit !== null && signal.aborted) throw limit;
      if (!(error instanceof RpcError && error.kind === "rate" && isPatient)) throw error;
      limit = error;
      await sleep(Math.min(Math.max(pause, error.retryAfter ?? 0), timeout), undefined, { signal }).catch(
        () => {
          throw error;
        },
      );
    }
  }
}

export type PostOptions = {
  /** milliseconds, for messages too */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** hides secrets in what the endpoint says; default: those of its URL */
  readonly redact?: Redact;
};

/** The results in the order of the requests. @throws {RpcError} */
export async function post(
  url: string,
  requests: readonly RpcRequest[],
  { timeout, signal = AbortSignal.timeout(timeout), redact }: PostOptions,
): Promise<unknown[]> {
  const calls = requests.map(({ method, params = [] }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const body = JSON.stringify(calls.length > 1 ? calls : calls[0]);
  let response: Response;
  let text: string;
  try {
    const headers = { "content-type": "application/json" };
    response = await fetch(url, { method: "POST", headers, body, signal });
    text = await response.text();
  } catch (error) {
    if (!signal.aborted)
      throw new RpcError("failure", `cannot be reached${codeOf(error)}`, { remedy: UNREACHED });
    const message = `did not answer ${nameOf(requests)} within ${timeout / 1000} s`;
    throw new RpcError("timeout", message, { remedy: UNREACHED, place: 0 });
  }
  const { status } = response;
  return resultsIn(text, requests, { url, redact, status, retryAfter: retryAfterOf(response) });
}

type AnswerOptions = {
  readonly url: string;
  readonly redact?: Redact | undefined;
  /** of HTTP */
  readonly status?: number;
  readonly retryAfter?: number | undefined;
};

/** Parses an answer that came over HTTP or a WebSocket. @throws {RpcError} unless it has a result for each request */
export function resultsIn(
  text: string,
  requests: readonly RpcRequest[],
  { url, redact, status = 200, retryAfter }: AnswerOptions,
): unknown[] {
  const isBatch = requests.length > 1;
  const what = nameOf(requests);
  const answer = parse(text);
  const answers = (Array.isArray(answer) ? answer : [answer]) as unknown[];
  const refusals = answers.flatMap((one) => {
    const error = one === null && status >= 400 ? reasonIn(text) : errorIn(one);
    if (error === undefined) return [];
    return [{ ...refusalOf(error, { status, isBatch }), place: isBatch ? placeOf(one) : 0 }];
  });
  const said = (message: string) => quote((redact ?? createRedactor([url]))(message));
  const failed = () =>
    status === 200
      ? `does not speak JSON-RPC: it answered ${what} with something else`
      : `answered ${what} with HTTP status ${status}${reasonIn(text) && `: ${said(reasonIn(text))}`}`;
  const [first] = refusals;

  const rate = refusals.find(({ kind }) => kind === "rate");
  if (rate !== undefined || status === 429) {
    const message =
      answer === null || rate === undefined ? failed() : `refuses ${what}: ${said(rate.message)}`;
    throw new RpcError("rate", message, { remedy: TOO_OFTEN, retryAfter });
  }
  if (answer === null) {
    const kind = first?.kind === "batch" ? "batch" : "failure";
    const remedy = status === 200 ? NOT_JSON_RPC : (REMEDIES[status] ?? FAILED);
    throw new RpcError(kind, failed(), { remedy });
  }
  if (first !== undefined) {
    const limit = refusals.find(({ kind }) => kind === "batch");
    const isOfAll =
      isBatch &&
      (limit !== undefined ||
        refusals.length === requests.length ||
        !isPlace(first.place, requests.length) ||
        !Array.isArray(answer));
    const { kind, message } = limit ?? first;
    const method = isOfAll ? what : (requests[first.place]?.method ?? what);
    const place = isOfAll ? null : first.place;
    const remedy = kind === "pruned" ? NO_HISTORY : method === "eth_getLogs" ? NO_LOGS : notAllowed(method);
    const where = isBatch && !isOfAll ? " in a batch" : "";
    throw new RpcError(kind, `refuses ${method}${where}: ${said(message)}`, { remedy, place });
  }
  const results: unknown[] = Array(requests.length);
  const seen = new Set<number>();
  for (const one of answers) {
    if (typeof one !== "object" || one === null || !("result" in one))
      throw new RpcError("failure", failed(), { remedy: NOT_JSON_RPC });
    const place = isBatch ? placeOf(one) : 0;
    if (!isPlace(place, requests.length)) continue;
    results[place] = one.result;
    seen.add(place);
  }
  if (seen.size !== requests.length) throw new RpcError("failure", `answers only a part of ${what}`);
  return results;
}

const UNREACHED =
  "Look whether the endpoint is up, and reachable from this machine (its name, port, firewall); or name another one.";
const TOO_OFTEN =
  "Look at the quota and the rate of the provider's plan: take a larger one, or add endpoints.";
const NO_LOGS = "Name an endpoint that allows eth_getLogs: not every public one does.";
const NO_HISTORY =
  "Add an endpoint that keeps all blocks and logs (an archive node), or start from a ledger file (LEDGER).";
const NOT_JSON_RPC = "Take the URL of the JSON-RPC endpoint from the provider's pages, with its path.";
const KEY = "Check the key in its URL: the endpoint does not accept it.";
const FAILED = "The provider has a failure: look at its status page, or name another endpoint.";
const REMEDIES: Readonly<Record<number, string>> = {
  401: KEY,
  402: TOO_OFTEN,
  403: KEY,
  404: "Check the path of its URL.",
};
const notAllowed = (method: string) =>
  `Ask the provider whether your key and plan allow ${method}, or name another endpoint.`;

/** For `catch`: null in place of what a node refuses or does not answer. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof RpcError) return null;
  throw error;
}

/** Whether the same request may succeed a moment later. */
export function isPassing({ kind }: RpcError): boolean {
  return kind === "timeout" || kind === "failure" || kind === "rate";
}

/** The error of a request that gives no result; null if it gives one. */
export async function refusalIn(asked: Promise<unknown>): Promise<RpcError | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

/** The code of a contract at the newest block or an earlier one; `0x` where there is none. */
export function codeAt(node: Destination, address: string, block?: number): Promise<unknown> {
  const params = [address, block === undefined ? "latest" : quantity(block)];
  return callRpc({ url: node.url, timeout: node.timeout, method: "eth_getCode", params });
}

/** A node's name in messages: its origin, since a key can be anywhere else in the URL. */
export function nodeName(url: string): string {
  return new URL(url).origin;
}

/** A number as JSON-RPC has it: `0x1f`. */
export function quantity(number: number): `0x${string}` {
  return `0x${number.toString(16)}`;
}

/** Asks for a block without its transactions. */
export function blockRequest(block: number | "latest" | "finalized"): RpcRequest {
  const place = typeof block === "string" ? block : quantity(block);
  return { method: "eth_getBlockByNumber", params: [place, false] };
}

export type LogsFilter = {
  /** the first and the last block */
  readonly from: number;
  readonly to: number;
  /** default: of any contract */
  readonly address?: string | readonly string[] | undefined;
  /** what each topic may be; default: anything */
  readonly topics?: readonly unknown[];
};

export function logsRequest({ from, to, address, topics }: LogsFilter): RpcRequest {
  const params = [{ address, topics, fromBlock: quantity(from), toBlock: quantity(to) }];
  return { method: "eth_getLogs", params };
}

/** The requests in messages. */
function nameOf([first, ...rest]: readonly RpcRequest[]): string {
  return rest.length > 0 ? "a batch" : `${first?.method}`;
}

/** The index of an answer in its batch; NaN if the answer has no id. */
function placeOf(answer: unknown): number {
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === "number" || (typeof id === "string" && id !== "") ? Number(id) : Number.NaN;
}

function isPlace(place: number, count: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < count;
}

/** Longest text of an answer that is not JSON-RPC in which a reason is looked for. */
const LONGEST_REASON = 500;

/** The text of an answer that is not JSON-RPC; empty for a page, whose words are of any kind. */
function reasonIn(text: string): string {
  return text.length <= LONGEST_REASON && !text.includes("<") ? text.trim() : "";
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

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}
