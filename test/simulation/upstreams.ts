/** @module The two RPC endpoints of a run, before one chain, and what is wrong with each. Several things may be wrong at once. */
import { type RpcLog, type RpcProxy, type RpcRequest, startRpcProxy } from "../harness/rpc-proxy.ts";
import { nodeAt, type RecordedBlock } from "./record.ts";

type Refusal = ReturnType<NonNullable<RpcProxy["refuses"]>>;

/** Faults of an upstream, which can be combined. */
export type Disturbance = {
  /** milliseconds */
  delay?: number;
  refuses?: (requests: RpcRequest[]) => Refusal;
  /** the newest block that it knows */
  tip?: () => RecordedBlock;
  alters?: <Log extends RpcLog>(logs: Log[], request: RpcRequest) => Log[];
  /** the block that it calls final, if that is lower than what it would */
  final?: () => RecordedBlock;
  /** what it shows of a block */
  shows?: (block: object) => object;
  /** Throws what it refuses, by itself and not with all that was asked together. */
  denies?: (request: RpcRequest) => void;
};

/** The chain behind an upstream. */
type Chain = {
  rpcUrl: string;
  head(): RecordedBlock;
  /** the block that is final for a node with this head */
  finalBelow(tip: RecordedBlock): RecordedBlock;
};

export type Upstream = {
  url: string;
  /** by a name; what has the same name is replaced */
  disturb(name: string, disturbance: Disturbance): void;
  lift(name: string): void;
  liftAll(): void;
  stop(): Promise<void>;
};

export async function startUpstream({ rpcUrl, head, finalBelow }: Chain): Promise<Upstream> {
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
    for (const { denies } of all()) denies?.(request);
    // The lowest of several heads is what anybody sees of it, and so are the lowest of several final blocks.
    const shown = lowestOf(all().flatMap(({ tip }) => (tip ? [tip()] : [])));
    const finals = all().flatMap(({ final }) => (final ? [final()] : []));
    const alters = all().flatMap(({ shows }) => shows ?? []);
    const isOfBlock = request.method.startsWith("eth_getBlockBy");
    if (shown === undefined && !(isOfBlock && finals.length + alters.length > 0)) return undefined;
    const tip = shown ?? head();
    const final = lowestOf([finalBelow(tip), ...finals]) ?? tip;
    const answer = nodeAt(tip, final)(request);
    if (!isOfBlock || answer === null) return answer;
    return alters.reduce((block, show) => show(block), answer as object);
  };
  proxy.alters = (logs, request) =>
    all().reduce((altered, { alters }) => alters?.(altered, request) ?? altered, logs);
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

function lowestOf(blocks: readonly RecordedBlock[]): RecordedBlock | undefined {
  return blocks.toSorted((one, other) => Number(one.number - other.number))[0];
}
