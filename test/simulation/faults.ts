/** @module The effect of each kind of fault on the world, and its end. */
import { getAbiItem, toEventSelector } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { RpcLog, RpcRequest } from "../harness/rpc-proxy.ts";
import type { RunChain } from "./chain.ts";
import type { Finding } from "./judge.ts";
import { ancestorOf, chainTo } from "./record.ts";
import type { LastingFault, UpstreamFault, Upstreams } from "./schedule.ts";
import type { Disturbance } from "./upstreams.ts";
import type { World } from "./world.ts";

/** Begins it. Returns what ends it. */
type Begin = (world: World, amount: number, upstreams: Upstreams) => Promise<End> | End;
export type End = () => Promise<void> | void;

const HTML = "<!doctype html><title>502</title><h1>Bad gateway</h1>";
const asText = { "content-type": "text/html" };
const always = (refusal: ReturnType<NonNullable<Disturbance["refuses"]>>): Disturbance => ({
  refuses: () => refusal,
});

const UPSTREAM: Record<UpstreamFault, (world: World, amount: number) => Disturbance> = {
  slow: (_, milliseconds) => ({ delay: milliseconds }),
  dropped: () => always({ ends: "without an answer" }),
  truncated: () => always({ ends: "within the answer" }),
  limited: () => always({ status: 429, text: "Too many requests" }),
  "limited-until": () => always({ status: 429, headers: { "retry-after": "1" }, text: "Too many requests" }),
  failing: () => always({ status: 503, text: "" }),
  "wrong-json": () => always({ status: 200, text: '{"jsonrpc":"2.0","id":1,"result":[{"addr' }),
  html: () => always({ status: 200, headers: asText, text: HTML }),
  "stale-head": ({ chain }, blocks) => ({ tip: () => ancestorOf(chain.record.head(), blocks) }),
  "head-back": ({ chain }, blocks) => {
    let asked = 0;
    return { tip: () => ancestorOf(chain.record.head(), asked++ % 3 === 0 ? blocks : 0) };
  },
  "doubled-logs": () => ({ alters: (logs) => logs.flatMap((log) => [log, log]) }),
  "refused-range": (_, most) => ({
    refuses: (requests) => (requests.some(isWider(most)) ? TOO_WIDE : undefined),
  }),
  "finality-back": ({ chain }, blocks) => ({
    final: () => ancestorOf(chain.finality.below(chain.record.head()), blocks),
  }),
  "omitted-log": ({ chain }, place) => ({
    alters: (logs, request) => (isOfBlock(request) ? logs.filter(isKept(chain, place)) : logs),
  }),
  "omitted-old-log": ({ chain }, place) => ({
    alters: (logs, request) => (isOfBlock(request) ? logs : logs.filter(isKept(chain, place))),
  }),
  "lying-bloom": () => ({ shows: (block) => ({ ...block, logsBloom: OTHER_BLOOM }) }),
  pruned({ chain }, blocks) {
    const first = chain.record.head().number - BigInt(blocks);
    return {
      denies(request) {
        if (blockIn(request) < first) throw Object.assign(new Error(PRUNED), { code: 4444 });
      },
    };
  },
};

/** Not empty: Ponder takes an empty bloom for one that is not known yet. */
const OTHER_BLOOM = `0x${"00".repeat(255)}01`;
const PRUNED = "pruned history unavailable";
/** The methods that a node without old blocks refuses for them. */
const OF_HISTORY = ["eth_getLogs", "eth_getBlockReceipts"];

/** Whether the logs of one block are asked for, as of those that come, and not those of a range. */
function isOfBlock({ params = [] }: RpcRequest): boolean {
  return (params[0] as { blockHash?: string }).blockHash !== undefined;
}

/**
 * Leaves one log out of each block that has a later one of the followed contracts: which one, is by the block's hash and the place.
 * No filter of a header need show the last one, and nothing a block without any.
 */
function isKept({ record, escrows, desk }: RunChain, place: number) {
  const followed = new Set<string>([...escrows, desk].map(({ address }) => address));
  return ({ blockHash, blockNumber, logIndex }: RpcLog) => {
    const block = record.numbered(BigInt(blockNumber)).find(({ hash }) => hash === blockHash);
    const ours = block?.logs.filter(({ address }) => followed.has(address)).slice(0, -1) ?? [];
    const left = ours[(Number(BigInt(blockHash) % 997n) + place) % Math.max(1, ours.length)];
    return left?.logIndex !== logIndex;
  };
}

/** The first block that is asked for; infinite where it is not of the history. */
function blockIn({ method, params = [] }: RpcRequest): number {
  if (!OF_HISTORY.includes(method)) return Number.POSITIVE_INFINITY;
  const [asked] = params as [string | { fromBlock?: string }];
  const first = typeof asked === "string" ? asked : asked.fromBlock;
  return first?.length !== 66 && first?.startsWith("0x") ? Number(first) : Number.POSITIVE_INFINITY;
}

const TOO_WIDE = { status: 200, error: "query exceeds max block range" };

function isWider(most: number) {
  return ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    return method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= most;
  };
}

const OTHERS: Record<Exclude<LastingFault, UpstreamFault>, Begin> = {
  async "database-restart"({ database }) {
    await database?.restart();
    return () => {};
  },
  async "database-cut"({ database }) {
    await database?.become("cut");
    return () => database?.become("open");
  },
  async "database-silent"({ database }) {
    await database?.become("silent");
    return () => database?.become("open");
  },
  "database-timeout": async ({ database, schema }) => (await database?.block(schema())) ?? (() => {}),
  "disk-full"({ database }) {
    database?.fill();
    return () => database?.empty();
  },
  "registry-invalid"(world) {
    world.publishText('{"originators": [], "listings": [{"publicId": 7}]}');
    return () => world.publishAgain();
  },
  "finality-stalled"({ chain }) {
    chain.hold();
    return () => chain.release();
  },
  clock(world, seconds) {
    world.setClock(seconds * 1000);
    return () => world.setClock(0);
  },
};

/** @param amount in the fault's own unit: milliseconds, blocks or seconds */
export async function begin(
  fault: LastingFault,
  world: World,
  amount: number,
  upstreams: Upstreams,
): Promise<End> {
  if (!isOfUpstream(fault)) return OTHERS[fault](world, amount, upstreams);
  const [first, second] = world.chain.upstreams;
  const disturbed = { first: [first], second: [second], both: [first, second] }[upstreams];
  for (const upstream of disturbed) upstream.disturb(fault, UPSTREAM[fault](world, amount));
  return () => {
    for (const upstream of disturbed) upstream.lift(fault);
  };
}

function isOfUpstream(fault: LastingFault): fault is UpstreamFault {
  return fault in UPSTREAM;
}

const [SUBSCRIBED, REFUNDED, REPAID] = (["Subscribed", "Refunded", "Repaid"] as const).map((name): string =>
  toEventSelector(getAbiItem({ abi: listingEscrowEventsAbi, name })),
);

export type Lie = {
  /** the log that is kept back */
  hidden: RpcLog;
  end(): void;
};

/**
 * Both upstreams keep one log of the history back, the newest by which money moved in a final block without another one that is
 * followed: of such a block nothing else is asked for. Null without one.
 */
export function lie({ chain }: World): Lie | null {
  const { record, finality, upstreams, factory, desk } = chain;
  const followed = new Set<string>([...chain.escrows, factory, desk].map(({ address }) => address));
  const alone = chainTo(record.head())
    .filter(({ number }) => number <= finality.due())
    .map(({ logs }) => logs.filter(({ address }) => followed.has(address)))
    .filter(({ length }) => length === 1)
    .flat();
  const hidden = alone.findLast(({ topics: [topic] }) => [SUBSCRIBED, REFUNDED, REPAID].includes(topic));
  if (hidden === undefined) return null;
  const isKept = (log: RpcLog) => log.blockHash !== hidden.blockHash || log.logIndex !== hidden.logIndex;
  for (const upstream of upstreams) upstream.disturb("lie", { alters: (logs) => logs.filter(isKept) });
  return {
    hidden,
    end() {
      for (const upstream of upstreams) upstream.lift("lie");
    },
  };
}

/**
 * Whether a finding is about what is missing with a log. Of a repayment the escrow alone may tell, by the dollars that it must hold: no
 * figure of the listing has interest, and none is left of a raise that is settled with it.
 */
export function isAbout({ address, topics }: RpcLog, { escrowAddress, onchainId }: Finding): boolean {
  const isOfListing = onchainId === `${BigInt(topics[1] ?? 0)}`;
  return escrowAddress === address && (isOfListing || (onchainId === null && topics[0] === REPAID));
}
