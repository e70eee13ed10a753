/**
 * One JSON-RPC call, or a batch of them, with a deadline.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { errorIn, refusalOf } from "../../config/format/refusal.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { createRedactor } from "../../config/redact.ts";

/** A call failed. The message completes "<node> …" and contains no part of the URL. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** What to do about it: a sentence. */
  readonly remedy: string;
  /** Whether the endpoint was asked too often. */
  readonly isRateLimit: boolean;

  constructor(message: string, remedy: string, isRateLimit = false) {
    super(message);
    this.remedy = remedy;
    this.isRateLimit = isRateLimit;
  }
}

type Destination = {
  readonly url: string;
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number;
  /** Whether a call that comes too soon after others is made again; default true. */
  readonly isPatient?: boolean;
};

export type RpcRequest = { readonly method: string; readonly params?: readonly unknown[] };
export type RpcCall = Destination & RpcRequest;

/** The method of a batch in messages. */
const A_BATCH = "a batch";
/** Milliseconds before a call is made again; doubled each time. */
const FIRST_PAUSE = 250;

/** @throws {RpcError} unless the node answers with a result in time. */
export async function callRpc({ method, params = [], ...destination }: RpcCall): Promise<unknown> {
  const { url } = destination;
  return exchange(destination, { jsonrpc: "2.0", id: 1, method, params }, method, (text, status) =>
    resultOf(text, { method, url, status }),
  );
}

/**
 * The results of several calls in one request, in the order of the calls.
 * @throws {RpcError} unless there is one for each
 */
export async function callBatch(
  destination: Destination,
  requests: readonly RpcRequest[],
): Promise<readonly unknown[]> {
  const { url } = destination;
  const calls = requests.map(({ method, params = [] }, id) => ({ jsonrpc: "2.0", id, method, params }));
  return exchange(destination, calls, A_BATCH, (text, status) => {
    const answers = parse(text);
    // One answer to all of them is a refusal, or nothing of JSON-RPC.
    if (!Array.isArray(answers)) return [resultOf(text, { method: A_BATCH, url, status })];
    const refused = answers.find((one) => isObject(one) && typeof one.id !== "number" && errorIn(one));
    if (refused !== undefined) resultOf(JSON.stringify(refused), { method: A_BATCH, url, status });
    return requests.map(({ method }, id) => {
      const answer = answers.find((one) => isObject(one) && one.id === id);
      return resultOf(JSON.stringify(answer ?? null), { method: `${method} in a batch`, url, status });
    });
  });
}

async function exchange<Result>(
  { url, timeout, isPatient = true }: Destination,
  body: unknown,
  what: string,
  read: (text: string, status: number) => Result,
): Promise<Result> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeout);
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
      text = await response.text();
    } catch (error) {
      if (signal.aborted) throw new RpcError(`did not answer ${what} within ${timeout / 1000} s`, UNREACHED);
      throw new RpcError(`cannot be reached${codeOf(error)}`, UNREACHED);
    }
    try {
      return read(text, response.status);
    } catch (error) {
      if (!(error instanceof RpcError && error.isRateLimit && isPatient)) throw error;
      await sleep(pause, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

const UNREACHED =
  "Look whether the endpoint is up, and reachable from this machine (its name, port, firewall); or name another one.";
const TOO_OFTEN =
  "Look at the quota and the rate of the provider's plan: take a larger one, or add endpoints.";

/** Parses an answer that came over HTTP or a WebSocket. @throws {RpcError} unless it carries a result */
export function resultOf(
  text: string,
  { method, url, status }: { method: string; url: string; status?: number },
): unknown {
  const answer = parse(text);
  const error = errorIn(answer);
  if (error !== undefined) {
    const { kind, message } = refusalOf(error, { status, isBatch: method === A_BATCH });
    const isRateLimit = kind === "rate";
    const remedy = isRateLimit
      ? TOO_OFTEN
      : `Ask the provider whether your key and plan allow ${method}, or name another endpoint.`;
    throw new RpcError(
      `refuses ${method}: ${quote(createRedactor([url])(message))}`,
      method === "eth_getLogs" && !isRateLimit ? NO_LOGS : remedy,
      isRateLimit,
    );
  }
  if (status !== undefined && status !== 200)
    throw new RpcError(
      `answered ${method} with HTTP status ${status}`,
      REMEDIES[status] ?? FAILED,
      status === 429,
    );
  if (!isObject(answer) || !("result" in answer)) {
    const what = `does not speak JSON-RPC: it answered ${method} with something else`;
    throw new RpcError(
      what,
      "Take the URL of the JSON-RPC endpoint from the provider's pages, with its path.",
    );
  }
  return answer.result;
}

const NO_LOGS =
  "Name an endpoint that allows eth_getLogs: BSC's own public endpoints do not, other providers' do.";
const KEY = "Check the key in its URL: the endpoint does not accept it.";
const FAILED = "The provider has a failure: look at its status page, or name another endpoint.";
const REMEDIES: Readonly<Record<number, string>> = {
  401: KEY,
  402: TOO_OFTEN,
  403: KEY,
  404: "Check the path of its URL.",
  429: TOO_OFTEN,
};

/** A node's name in messages: its origin, since a key can be anywhere else in the URL. */
export function nodeName(url: string): string {
  return new URL(url).origin;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}
