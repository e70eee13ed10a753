/**
 * JSON-RPC over one or several endpoints, each at its own pace (`pace.ts`): requests go where the answer is expected first,
 * and what an endpoint leaves unanswered is asked again.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createRedactor } from "../config/redact.ts";
import { RATE_LIMITED } from "../format/rate-limited.ts";
import { quote } from "../format/untrusted-text.ts";
import { createPace, type Pace } from "./pace.ts";

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] };

/** An endpoint refuses the request itself. The message contains no part of a URL. */
export class RequestRefusedError extends Error {
  override readonly name = "RequestRefusedError";
  /** of the request, in its batch */
  readonly place: number;
  constructor(message: string, place = 0) {
    super(message);
    this.place = place;
  }
}

/** No endpoint has answered for minutes. The message contains no part of a URL but its host. */
export class UpstreamSilentError extends Error {
  override readonly name = "UpstreamSilentError";
}

/** A filter of `eth_getLogs`; numbers in hex. */
type LogFilter = {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly [name: string]: unknown;
};

export type Upstream = {
  /** Whatever is refused is asked again. */
  request(request: RpcRequest): Promise<unknown>;
  /**
   * The logs of a range, from an endpoint that has its last block: of blocks that it does not have yet, one that is behind says
   * that they have no logs.
   * @throws {RequestRefusedError}
   */
  requestLogs(filter: LogFilter): Promise<unknown>;
  /** The results in the order of the requests, fetched in batches where the endpoints take them. */
  requestAll(requests: readonly RpcRequest[]): Promise<unknown[]>;
  /** HTTP requests so far */
  count(): number;
};

export type UpstreamParameters = {
  urls: readonly string[];
  /** most HTTP requests at the same time, over all endpoints */
  concurrency: number;
  /** milliseconds for one answer */
  timeout?: number;
  /** milliseconds after which a request that keeps failing is given up */
  patience?: number;
};

type Endpoint = { url: string; pace: Pace };
type Task = {
  requests: readonly RpcRequest[];
  /** of the first failure */
  failedAt: number | null;
  resolve(results: unknown[]): void;
  reject(error: Error): void;
};

const BATCH_SIZE = 50;

class RateLimitError extends Error {
  readonly retryAfter: number | undefined;
  constructor(retryAfter?: number) {
    super("limits the rate of requests");
    this.retryAfter = retryAfter;
  }
}
class BatchRefusedError extends Error {}
class BehindError extends Error {}
/** A range that takes too long is too long a range. */
class TimedOutError extends RequestRefusedError {}

export function createUpstream(parameters: UpstreamParameters): Upstream {
  const { concurrency, timeout = 30_000, patience = 180_000 } = parameters;
  const urls = [...new Set(parameters.urls)];
  const redact = createRedactor(urls);
  const endpoints = urls.map((url): Endpoint => ({ url, pace: createPace(concurrency) }));
  const waiting: Task[] = [];
  let inFlight = 0;
  let count = 0;
  let takesBatches = true;
  let timer: NodeJS.Timeout | undefined;

  const pump = () => {
    clearTimeout(timer);
    while (waiting.length > 0 && inFlight < concurrency) {
      const now = performance.now();
      const [endpoint] = endpoints
        .filter(({ pace }) => pace.isFree(now))
        .sort((a, b) => a.pace.expected() - b.pace.expected());
      if (endpoint === undefined) {
        const pauses = endpoints.map(({ pace }) => pace.pausedUntil() - now).filter((pause) => pause > 0);
        if (pauses.length > 0) timer = setTimeout(pump, Math.min(...pauses) + 1);
        return;
      }
      const task = waiting.shift();
      if (task !== undefined) void run(endpoint, task);
    }
  };

  const run = async ({ url, pace }: Endpoint, task: Task) => {
    const { requests } = task;
    const [first] = requests;
    const startedAt = performance.now();
    inFlight += 1;
    pace.begin();
    try {
      const results = await postTogether(url, requests);
      if (first?.method === "eth_getLogs" && results.at(-1) === null) {
        throw new BehindError(`does not have block ${requests.at(-1)?.params[0]}`);
      }
      pace.succeed(`${first?.method}/${requests.length}`, performance.now() - startedAt);
      task.resolve(results);
    } catch (thrown) {
      const now = performance.now();
      const error = thrown as Error;
      if (error instanceof RateLimitError) pace.slowDown(now, error.retryAfter);
      else if (error instanceof TimedOutError || !isAnswer(error)) pace.fail(now);
      else pace.succeed("refused", now - startedAt);

      task.failedAt ??= now;
      const isRefused =
        error instanceof RequestRefusedError && requests[error.place]?.method === "eth_getLogs";
      if (error instanceof BatchRefusedError) task.reject(error);
      else if (isRefused) task.reject(new RequestRefusedError(redact(error.message)));
      else if (now - task.failedAt > patience) {
        const what = `${new URL(url).host} has not answered ${first?.method} for minutes`;
        task.reject(new UpstreamSilentError(`${what}: ${redact(error.message)}`));
      } else {
        // What one endpoint refuses another may have, or the same one a moment later.
        if (error instanceof RequestRefusedError) await sleep(500);
        waiting.push(task);
      }
    } finally {
      inFlight -= 1;
      pump();
    }
  };

  /** To the same endpoint, in a batch where it takes them. */
  const postTogether = async (url: string, requests: readonly RpcRequest[]): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (const batch of takesBatches ? [requests] : requests.map((request) => [request])) {
      count += 1;
      results.push(...(await post(url, batch, timeout)));
    }
    return results;
  };

  const submit = (requests: readonly RpcRequest[]) =>
    new Promise<unknown[]>((resolve, reject) => {
      waiting.push({ requests, failedAt: null, resolve, reject });
      pump();
    });

  /** Null when batches are refused, from then on. */
  const submitBatch = async (requests: readonly RpcRequest[]): Promise<unknown[] | null> => {
    try {
      return await submit(requests);
    } catch (error) {
      if (!(error instanceof BatchRefusedError)) throw error;
      takesBatches = false;
      return null;
    }
  };

  const requestBatch = async (requests: readonly RpcRequest[]): Promise<unknown[]> =>
    (takesBatches && requests.length > 1 ? await submitBatch(requests) : null) ??
    (await Promise.all(requests.map((request) => submit([request])))).flat(1);

  return {
    request: async (request) => (await submit([request]))[0],
    async requestLogs(filter) {
      const requests = [
        { method: "eth_getLogs", params: [filter] },
        { method: "eth_getBlockByNumber", params: [filter.toBlock, false] },
      ];
      const [logs] = (await submitBatch(requests)) ?? (await submit(requests));
      return logs;
    },
    async requestAll(requests) {
      const batches = Array.from({ length: Math.ceil(requests.length / BATCH_SIZE) }, (_, index) =>
        requests.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
      );
      return (await Promise.all(batches.map(requestBatch))).flat(1);
    },
    count: () => count,
  };
}

/** One HTTP request. */
async function post(url: string, requests: readonly RpcRequest[], timeout: number): Promise<unknown[]> {
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
  if (response.status === 429) throw new RateLimitError(retryAfterOf(response));
  const answer = parse(text);
  if (isBatch && !Array.isArray(answer)) {
    if (response.status >= 500 || answer === null) throw new Error(`HTTP status ${response.status}`);
    throwIfRateLimited(answer, response);
    throw new BatchRefusedError();
  }
  const results: unknown[] = Array(calls.length);
  const seen = new Set<number>();
  for (const one of [answer].flat()) {
    if (typeof one !== "object" || one === null) throw new Error(`HTTP status ${response.status}`);
    const { id, result, error } = one as { id?: unknown; result?: unknown; error?: unknown };
    const place = isBatch ? Number(id) : 0;
    if (error !== undefined && error !== null) {
      throwIfRateLimited(one, response);
      throw new RequestRefusedError(quote(messageOf(error)), place);
    }
    if (result === undefined) throw new Error(`HTTP status ${response.status}`);
    results[place] = result;
    seen.add(place);
  }
  if (seen.size !== calls.length) throw new Error("answers only a part of a batch");
  return results;
}

function isAnswer(error: Error): boolean {
  return error instanceof BatchRefusedError || error instanceof RequestRefusedError;
}

function throwIfRateLimited(answer: unknown, response: Response): void {
  const { error } = answer as { error?: unknown };
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  if (code === 429 || RATE_LIMITED.test(messageOf(error))) throw new RateLimitError(retryAfterOf(response));
}

function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return typeof message === "string" ? message : "an error without a message";
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
