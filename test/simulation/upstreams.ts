/**
 * The two RPC endpoints of a run, before one chain, and what is wrong with each. Several things may be wrong at once.
 * @module
 */
import { type RpcLog, type RpcProxy, type RpcRequest, startRpcProxy } from "../harness/rpc-proxy.ts";
import { nodeAt, type RecordedBlock } from "./record.ts";

type Refusal = ReturnType<NonNullable<RpcProxy["refuses"]>>;

/** What is wrong, each in its own way. */
export type Disturbance = {
  /** milliseconds */
  delay?: number;
  refuses?: (requests: RpcRequest[]) => Refusal;
  /** the newest block that it knows */
  tip?: () => RecordedBlock;
  alters?: <Log extends RpcLog>(logs: Log[]) => Log[];
};

export type Upstream = {
  url: string;
  /** by a name; what has the same name is replaced */
  disturb(name: string, disturbance: Disturbance): void;
  lift(name: string): void;
  liftAll(): void;
  stop(): Promise<void>;
};

export async function startUpstream(rpcUrl: string): Promise<Upstream> {
  const proxy = await startRpcProxy(rpcUrl);
  const disturbances = new Map<string, Disturbance>();
  const all = () => [...disturbances.values()];
  proxy.refuses = (requests) => {
    for (const { refuses } of all()) {
      const refusal = refuses?.(requests);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
  proxy.answers = (request) => {
    // The lowest of several heads is what anybody sees of it.
    const tips = all().flatMap(({ tip }) => (tip ? [tip()] : []));
    const [tip] = tips.sort((one, other) => Number(one.number - other.number));
    return tip && nodeAt(tip)(request);
  };
  proxy.alters = (logs) => all().reduce((altered, { alters }) => alters?.(altered) ?? altered, logs);
  const settle = () => {
    proxy.delay = Math.max(0, ...all().map(({ delay = 0 }) => delay));
  };
  return {
    url: proxy.url,
    disturb(name, disturbance) {
      disturbances.set(name, disturbance);
      settle();
    },
    lift(name) {
      disturbances.delete(name);
      settle();
    },
    liftAll() {
      disturbances.clear();
      settle();
    },
    stop: () => proxy.stop(),
  };
}
