/**
 * What each kind of fault does to the world, and what ends it.
 * @module
 */
import { getAbiItem, toEventSelector } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { RpcLog } from "../harness/rpc-proxy.ts";
import type { Finding } from "./judge.ts";
import { ancestorOf } from "./record.ts";
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
};

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
  /** the log that is kept back, once there is one */
  hidden(): RpcLog | null;
  end(): void;
};

/** Both upstreams keep one log back, the next by which money moves: with others of its block, so that no bloom filter tells. */
export function lie({ chain }: World): Lie {
  let hidden: RpcLog | null = null;
  const from = chain.record.head().number;
  const escrows = new Set<string>(chain.escrows.map(({ address }) => address));
  const isHidden = (log: RpcLog) => {
    if (
      hidden === null &&
      BigInt(log.blockNumber) > from &&
      escrows.has(log.address) &&
      [SUBSCRIBED, REFUNDED, REPAID].includes(log.topics[0])
    )
      hidden = log;
    return hidden !== null && log.blockNumber === hidden.blockNumber && log.logIndex === hidden.logIndex;
  };
  const alters: Disturbance["alters"] = (logs) => logs.filter((log) => !isHidden(log));
  for (const upstream of chain.upstreams) upstream.disturb("lie", { alters });
  return {
    hidden: () => hidden,
    end() {
      for (const upstream of chain.upstreams) upstream.lift("lie");
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
