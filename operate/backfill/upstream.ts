/**
 * JSON-RPC over one or several endpoints, each at its own pace (`pace.ts`): requests go where the answer is expected first,
 * and what an endpoint leaves unanswered is asked again.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createRedactor } from "../../config/redact.ts";
import { type Batches, createBatches } from "./batches.ts";
import { createPace, type Pace } from "./pace.ts";
import {
  BatchRefusedError,
  post,
  RateLimitError,
  RequestRefusedError,
  type RpcRequest,
  TimedOutError,
} from "./post.ts";

export { RequestRefusedError, type RpcRequest } from "./post.ts";

/** No endpoint has given a result for minutes. The message contains no part of a URL but its host. */
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

type Endpoint = { url: string; pace: Pace; batches: Batches };
type Task = {
  requests: readonly RpcRequest[];
  /** whether all of them must go to one endpoint */
  isTogether: boolean;
  /** of the first failure */
  failedAt: number | null;
  /** requests of the batch that was sent last */
  sent: number;
  resolve(results: unknown[]): void;
  reject(error: Error): void;
};

class BehindError extends Error {}

export function createUpstream(parameters: UpstreamParameters): Upstream {
  const { concurrency, timeout = 30_000, patience = 180_000 } = parameters;
  const urls = [...new Set(parameters.urls)];
  const redact = createRedactor(urls);
  const endpoints = urls.map(
    (url): Endpoint => ({ url, pace: createPace(concurrency), batches: createBatches() }),
  );
  const waiting: Task[] = [];
  let inFlight = 0;
  let count = 0;
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
      if (task === undefined) return;
      const size = endpoint.batches.size();
      if (task.isTogether || task.requests.length <= size) void run(endpoint, task);
      else waiting.unshift(...partsOf(task, size));
    }
  };

  const run = async (endpoint: Endpoint, task: Task) => {
    const { url, pace } = endpoint;
    const { requests } = task;
    const [first] = requests;
    const startedAt = performance.now();
    inFlight += 1;
    pace.begin();
    try {
      const results = await postTogether(endpoint, task);
      if (first?.method === "eth_getLogs" && results.at(-1) === null) {
        throw new BehindError(`does not have block ${requests.at(-1)?.params[0]}`);
      }
      pace.succeed(`${first?.method}/${requests.length}`, performance.now() - startedAt);
      task.resolve(results);
    } catch (thrown) {
      const now = performance.now();
      const error = thrown as Error;
      const isInParts = sendsInParts(endpoint, task, error);
      if (error instanceof RateLimitError) pace.slowDown(now, error.retryAfter);
      else if (isInParts || isRefusal(error)) pace.succeed("refused", now - startedAt);
      else pace.fail(now);

      task.failedAt ??= now;
      const isRefused =
        error instanceof RequestRefusedError && requests[error.place]?.method === "eth_getLogs";
      if (isRefused) task.reject(new RequestRefusedError(redact(error.message)));
      else if (now - task.failedAt > patience) {
        const what = `${new URL(url).host} has given no result of ${first?.method} for minutes`;
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

  /** To the same endpoint, in batches as large as it takes. */
  const postTogether = async ({ url, batches }: Endpoint, task: Task): Promise<unknown[]> => {
    const results: unknown[] = [];
    while (results.length < task.requests.length) {
      const batch = task.requests.slice(results.length, results.length + batches.size());
      task.sent = batch.length;
      count += 1;
      try {
        results.push(...(await post(url, batch, timeout)));
      } catch (error) {
        if (error instanceof RequestRefusedError) error.place += results.length;
        throw error;
      }
      batches.took(batch.length);
    }
    return results;
  };

  const submit = (requests: readonly RpcRequest[], isTogether = false) =>
    new Promise<unknown[]>((resolve, reject) => {
      waiting.push({ requests, isTogether, failedAt: null, sent: 0, resolve, reject });
      pump();
    });

  return {
    request: async (request) => (await submit([request]))[0],
    async requestLogs(filter) {
      const requests = [
        { method: "eth_getLogs", params: [filter] },
        { method: "eth_getBlockByNumber", params: [filter.toBlock, false] },
      ];
      const [logs] = await submit(requests, true);
      return logs;
    },
    requestAll: (requests) => (requests.length === 0 ? Promise.resolve([]) : submit(requests)),
    count: () => count,
  };
}

/** A task in parts of at most so many requests. */
function partsOf(task: Task, size: number): Task[] {
  const parts = Array.from({ length: Math.ceil(task.requests.length / size) }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const requests = task.requests.slice(index * size, (index + 1) * size);
    return { promise, part: { ...task, requests, resolve, reject } };
  });
  Promise.all(parts.map(({ promise }) => promise)).then(
    (results) => task.resolve(results.flat(1)),
    task.reject,
  );
  return parts.map(({ part }) => part);
}

/** Whether the endpoint gets smaller batches from now on, so that the task can be sent again at once. */
function sendsInParts({ batches }: Endpoint, task: Task, error: Error): boolean {
  const isOfRange = task.requests[0]?.method === "eth_getLogs" && error instanceof TimedOutError;
  if (task.sent === 1 || isRefusal(error) || isOfRange || error instanceof BehindError) return false;
  // A rate limit may count the requests of a batch, which is then never answered as a whole.
  return batches.refused(task.sent, error instanceof BatchRefusedError && error.isLimit);
}

/** Whether the endpoint refuses one of the requests. */
function isRefusal(error: Error): boolean {
  return error instanceof RequestRefusedError && !(error instanceof TimedOutError);
}
