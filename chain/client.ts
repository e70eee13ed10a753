/**
 * JSON-RPC over one or several endpoints, each within what it takes (`limits.ts`): a request goes where an answer is expected
 * first, and is made again where it fails.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createRedactor } from "../config/redact.ts";
import { blockRequest, type LogsFilter, logsRequest, post, RpcError, type RpcRequest } from "./call.ts";
import { type Batches, createBatches, createPace, type Pace } from "./limits.ts";

/** No endpoint has given a result in time. The message contains no part of a URL but its host. */
export class EndpointsSilentError extends RpcError {
  override readonly name = "EndpointsSilentError";
}

/**
 * Rejects with `EndpointsSilentError` when no endpoint gives a result in time. Messages name the endpoint by its host. A request that
 * is aborted is not made again.
 */
export type ChainClient = {
  /** Makes a request, and repeats it while it is refused, until `patience` is over. */
  request(request: RpcRequest): Promise<unknown>;
  /**
   * The logs of a range, from an endpoint that has its last block: one that is behind says that the blocks that it does not have
   * yet have no logs.
   * @throws {RpcError} at once when they are refused; those of a single block once every endpoint has refused them
   */
  requestLogs(filter: LogsFilter, signal?: AbortSignal): Promise<unknown>;
  /** The results of one endpoint that has the block `upTo`, in the order of the requests. */
  requestUpTo(upTo: number, requests: readonly RpcRequest[], signal?: AbortSignal): Promise<unknown[]>;
  /** The results in the order of the requests, fetched in batches where the endpoints take them. */
  requestAll(requests: readonly RpcRequest[], signal?: AbortSignal): Promise<unknown[]>;
  /**
   * As `requestAll`, for methods or blocks that not every endpoint has.
   * @param isUsable whether a result counts as an answer; an endpoint with any other result has refused the requests. Default: always true
   * @throws {RpcError} once every endpoint has refused the requests
   */
  requestOptional(
    requests: readonly RpcRequest[],
    signal?: AbortSignal,
    isUsable?: (result: unknown) => boolean,
  ): Promise<unknown[]>;
  /** HTTP requests so far */
  count(): number;
};

export type ChainClientParameters = {
  /** distinct */
  urls: readonly string[];
  /** most HTTP requests at the same time, over all endpoints */
  concurrency: number;
  /** milliseconds for one answer */
  timeout?: number;
  /** milliseconds after which a request that keeps failing is given up */
  patience?: number;
  /** Called with the host of an endpoint whenever it refuses blocks or logs as pruned that are not optional. */
  onPruned?: ((host: string) => void) | undefined;
};

type Endpoint = {
  url: string;
  pace: Pace;
  batches: Batches;
  /** Up to this block it is not asked: it has refused some as pruned, and is tried again ever further on. -1 before any. */
  prunedTo: number;
  /** blocks to the next try */
  prunedStep: number;
  /** `performance.now()` until which it is not asked for logs: it has refused some that another endpoint gave */
  logsRefusedUntil: number;
};
type Task = {
  requests: readonly RpcRequest[];
  /** the first block that is asked for; null where no request names one */
  block: number | null;
  /** whether all of them must go to one endpoint */
  isTogether: boolean;
  /** whether it is given up once every endpoint has refused it */
  isOptional: boolean;
  isUsable: ((result: unknown) => boolean) | undefined;
  /** the endpoints that are not asked again before all have refused it */
  refusedBy: Set<Endpoint>;
  /** time of the first failure */
  failedAt: number | null;
  /** index of the first request of the batch that was sent last, and the size of that batch */
  sentFrom: number;
  sent: number;
  signal: AbortSignal | undefined;
  resolve(results: unknown[]): void;
  reject(error: Error): void;
};

class BehindError extends RpcError {}

/** Milliseconds for which an endpoint that refuses logs is not asked for them. */
const LOGS_REFUSED_FOR = 300_000;
/** Milliseconds before a refused request is made again: another endpoint may answer it, or the same one a moment later. */
const REFUSED_PAUSE = 500;

export function createChainClient(parameters: ChainClientParameters): ChainClient {
  const { urls, concurrency, timeout = 30_000, patience = 180_000, onPruned } = parameters;
  const redact = createRedactor(urls);
  const endpoints = urls.map(
    (url): Endpoint => ({
      url,
      pace: createPace(concurrency),
      batches: createBatches(),
      prunedTo: -1,
      prunedStep: 1,
      logsRefusedUntil: Number.NEGATIVE_INFINITY,
    }),
  );
  const waiting: Task[] = [];
  let inFlight = 0;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  const pump = () => {
    clearTimeout(timer);
    while (waiting.length > 0 && inFlight < concurrency) {
      const now = performance.now();
      const free = endpoints
        .filter(({ pace }) => pace.isFree(now))
        .sort((a, b) => a.pace.expected() - b.pace.expected());
      const place = waiting.findIndex((task) => free.some((one) => mayHave(one, task)));
      const task = waiting[place];
      const endpoint = free.find((one) => task !== undefined && mayHave(one, task));
      if (endpoint === undefined || task === undefined) {
        const pauses = endpoints.map(({ pace }) => pace.pausedUntil() - now).filter((pause) => pause > 0);
        if (pauses.length > 0) timer = setTimeout(pump, Math.min(...pauses) + 1);
        return;
      }
      waiting.splice(place, 1);
      if (task.signal?.aborted) {
        task.reject(task.signal.reason);
        continue;
      }
      const size = endpoint.batches.size();
      if (task.isTogether || task.requests.length <= size) void run(endpoint, task);
      else waiting.unshift(...partsOf(task, size));
    }
  };

  /** Whether to ask it. An endpoint that has probably pruned the blocks, or refuses logs, is asked where all the others do, too. */
  const mayHave = (endpoint: Endpoint, { requests, block, refusedBy }: Task) => {
    const left = endpoints.filter((one) => !refusedBy.has(one));
    const isLikely = (one: Endpoint) =>
      (block === null || block > one.prunedTo) &&
      (!requests.some(isForLogs) || performance.now() > one.logsRefusedUntil);
    return left.includes(endpoint) && (isLikely(endpoint) || !left.some(isLikely));
  };

  const run = async (endpoint: Endpoint, task: Task) => {
    const { url, pace } = endpoint;
    const { requests } = task;
    const method = requests[0]?.method;
    const startedAt = performance.now();
    inFlight += 1;
    pace.begin();
    try {
      const results = await sendTogether(endpoint, task);
      if (task.isTogether && results.at(-1) === null)
        throw new BehindError("failure", `does not have block ${requests.at(-1)?.params?.[0]}`);
      const place = results.findIndex((result) => task.isUsable?.(result) === false);
      if (place >= 0) throw new RpcError("other", `gives no usable result of ${method}`, { place });
      pace.succeed(`${method}/${requests.length}`, performance.now() - startedAt);
      if (requests.some(isForLogs))
        for (const one of task.refusedBy) one.logsRefusedUntil = performance.now() + LOGS_REFUSED_FOR;
      task.resolve(results);
    } catch (thrown) {
      const now = performance.now();
      const error = thrown as RpcError;
      const isInParts = getsSmallerBatches(endpoint, task, error);
      // An endpoint may ask for hours: the request is given up before, with this error.
      if (error.kind === "rate") pace.slowDown(now, Math.min(error.retryAfter ?? 0, patience));
      else if (isInParts || isRefusal(error)) pace.succeed("refused", now - startedAt);
      else pace.fail(now);

      const { host } = new URL(url);
      const isPruned = error.kind === "pruned" && task.block !== null;
      if (isPruned) {
        if (!task.isOptional) onPruned?.(host);
        endpoint.prunedTo = Math.max(endpoint.prunedTo, Number(task.block) + endpoint.prunedStep);
        endpoint.prunedStep *= 2;
      }
      const isOptionalRefused = task.isOptional && isRefusal(error) && error.kind === "other";
      const logs = refusedLogs(error, task);
      if (isPruned || isOptionalRefused || (logs !== null && isOfOneBlock(logs))) {
        task.refusedBy.add(endpoint);
        if (task.refusedBy.size < endpoints.length) {
          waiting.push(task);
          return;
        }
      }
      const isRefusedByAll = task.refusedBy.size === endpoints.length;
      if (isRefusedByAll) task.refusedBy.clear();
      task.failedAt ??= now;
      const { kind, message, remedy, place } = error;
      if (logs !== null || (task.isOptional && isRefusedByAll) || task.signal?.aborted) {
        task.reject(new RpcError(kind, `${host} ${message}`, { remedy, place }));
      } else if (now - task.failedAt > patience) {
        const what = `${host} has given no result of ${method} for ${Math.round(patience / 1000)} s`;
        task.reject(new EndpointsSilentError(kind, `${what}: it ${message}`, { remedy }));
      } else {
        if (isRefusal(error)) await sleep(REFUSED_PAUSE);
        waiting.push(task);
      }
    } finally {
      inFlight -= 1;
      pump();
    }
  };

  /** To the same endpoint, in batches as large as it takes. */
  const sendTogether = async ({ url, batches }: Endpoint, task: Task): Promise<unknown[]> => {
    const results: unknown[] = [];
    while (results.length < task.requests.length) {
      const batch = task.requests.slice(results.length, results.length + batches.size());
      task.sentFrom = results.length;
      task.sent = batch.length;
      count += 1;
      results.push(...(await post(url, batch, { timeout, redact })));
      batches.took(batch.length);
    }
    return results;
  };

  const submit = (
    requests: readonly RpcRequest[],
    signal?: AbortSignal,
    { isTogether = false, isOptional = false, isUsable }: Partial<Task> = {},
  ) =>
    new Promise<unknown[]>((resolve, reject) => {
      const block = firstBlockIn(requests);
      const unsent = { refusedBy: new Set<Endpoint>(), failedAt: null, sentFrom: 0, sent: 0 };
      const wanted = { requests, block, signal, isTogether, isOptional, isUsable };
      waiting.push({ ...wanted, ...unsent, resolve, reject });
      pump();
    });

  const requestUpTo: ChainClient["requestUpTo"] = async (upTo, requests, signal) => {
    const results = await submit([...requests, blockRequest(upTo)], signal, { isTogether: true });
    return results.slice(0, -1);
  };

  return {
    request: async (request) => (await submit([request]))[0],
    requestLogs: async (filter, signal) => (await requestUpTo(filter.to, [logsRequest(filter)], signal))[0],
    requestUpTo,
    requestAll: (requests, signal) =>
      requests.length === 0 ? Promise.resolve([]) : submit(requests, signal),
    requestOptional: (requests, signal, isUsable) =>
      requests.length === 0 ? Promise.resolve([]) : submit(requests, signal, { isOptional: true, isUsable }),
    count: () => count,
  };
}

/** A task in parts of at most so many requests. */
function partsOf(task: Task, size: number): Task[] {
  const parts = Array.from({ length: Math.ceil(task.requests.length / size) }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const requests = task.requests.slice(index * size, (index + 1) * size);
    return {
      promise,
      part: {
        ...task,
        requests,
        block: firstBlockIn(requests),
        refusedBy: new Set<Endpoint>(),
        resolve,
        reject,
      },
    };
  });
  const all = Promise.all(parts.map(({ promise }) => promise));
  all.then((results) => task.resolve(results.flat(1)), task.reject);
  return parts.map(({ part }) => part);
}

function firstBlockIn(requests: readonly RpcRequest[]): number | null {
  const blocks = requests.flatMap(({ params: [first] = [] }) => {
    const block = typeof first === "object" ? (first as { fromBlock?: unknown } | null)?.fromBlock : first;
    // A hash is no block's number, and neither is a tag.
    return typeof block === "string" && /^0x[0-9a-f]{1,15}$/i.test(block) ? [Number(block)] : [];
  });
  return blocks.length === 0 ? null : Math.min(...blocks);
}

/** Whether the endpoint gets smaller batches from now on, so that the task can be sent again at once. */
function getsSmallerBatches({ batches }: Endpoint, task: Task, error: RpcError): boolean {
  const isOther = isRefusal(error) || refusedLogs(error, task) !== null || error instanceof BehindError;
  if (task.sent === 1 || isOther) return false;
  // A rate limit may count the requests of a batch, which is then never answered as a whole.
  return batches.refused(task.sent, error.kind === "batch");
}

/** Whether the endpoint refuses one of the requests itself. */
function isRefusal({ kind, place }: RpcError): boolean {
  return place !== null && kind !== "timeout";
}

/** The request for logs that is refused; null where none is. A range that takes too long is too long a range. */
function refusedLogs({ place }: RpcError, { requests, sentFrom }: Task): RpcRequest | null {
  const refused = place === null ? undefined : requests[sentFrom + place];
  return refused !== undefined && isForLogs(refused) ? refused : null;
}

function isForLogs({ method }: RpcRequest): boolean {
  return method === "eth_getLogs";
}

function isOfOneBlock({ params: [filter] = [] }: RpcRequest): boolean {
  const { fromBlock, toBlock } = Object(filter) as { fromBlock?: unknown; toBlock?: unknown };
  return fromBlock !== undefined && fromBlock === toBlock;
}
