/** @module The endpoints of the chain: what each answers, how fast and how old, and whether they say the same. */
import { firstDispute, type Statement, statementOf } from "../../chain/agreement.ts";
import {
  blockRequest,
  callBatch,
  callRpc,
  nodeName,
  quantity,
  RpcError,
  refusalIn,
} from "../../chain/call.ts";
import { type ChainClient, createChainClient } from "../../chain/client.ts";
import { followContracts } from "../../chain/contracts.ts";
import { finalBlockOf, reorgWindow } from "../../chain/finality.ts";
import { createRanges } from "../../chain/limits.ts";
import { InconsistentChainError } from "../../chain/logs.ts";
import { awaitBlock } from "../../chain/web-socket.ts";
import type { Settings } from "../../config/environment.ts";
import { firstBlock, REQUESTS_PER_BATCH } from "../../config/sources.ts";
import {
  ARCHIVE,
  type ChainEndpoint,
  lacksHistory,
  parseQuantity,
  probeEndpoints,
  probeWebSocket,
  SETTLED_BLOCKS,
} from "../daemon/check-chain.ts";
import { type Costs, checkCosts, type DailyCalls, dailyCalls, ORDINARY_RATE } from "../daemon/check-costs.ts";
import { createNotes, type Notes } from "./notes.ts";
import { measureRate } from "./rate.ts";

/** Milliseconds for an answer, above which the index falls behind. */
const SLOW = 1_000;
/** Seconds since the newest block: as many block times, and this at least. */
const OLD = 60;
const OLD_BLOCKS = 20;
/** Blocks that an endpoint may be behind another. */
const BEHIND = 10;
/** Most blocks in which the logs of the endpoints are compared. */
const COMPARED = 100;
/** Requests for logs at the same time, and pages fetched ahead. */
export const AT_A_TIME = 4;

export type Chain = {
  /** Usable nodes, the most advanced first. */
  readonly nodes: readonly ChainEndpoint[];
  readonly costs: Costs;
};

/** @param now seconds since the epoch, by the machine's clock */
export async function examineEndpoints(
  settings: Settings,
  { timeout, now }: { timeout: number; now: () => number },
): Promise<{ notes: Notes; chain: Chain }> {
  const notes = createNotes("endpoints");
  const [probed, webSocket] = await Promise.all([
    probeEndpoints(settings, timeout),
    probeWebSocket(settings, timeout),
  ]);
  notes.take(probed);
  notes.take(webSocket);
  const { nodes } = probed;
  const costs = await checkCosts(settings, nodes);
  const narrowest = Math.min(...[...costs.ranges.values()].map(({ blocksPerCall }) => blocksPerCall));
  notes.take(costs, { ETH_GET_LOGS_RANGE: `${narrowest}` });
  const { secondsPerBlock, firstIndexing } = costs;
  const isWebSocketUsable = webSocket.problems.length + webSocket.warnings.length === 0;
  const compared = compare(settings, { nodes, costs }, notes);
  const newest = nodes[0]?.head ?? 0;
  await Promise.all([
    ...nodes.map((node) => examineNode(settings, node, { notes, costs, newest, now, compared })),
    ...(isWebSocketUsable ? [examineWebSocket(settings, timeout, notes)] : []),
  ]);
  if (firstIndexing !== null) notes.fact("a first indexing", firstIndexing);
  if (secondsPerBlock !== null) {
    const { emptyShare, possibleShare } = costs;
    const daily = dailyCalls(settings, { secondsPerBlock, emptyShare, possibleShare });
    notes.fact("each block with events", { calls: costs.callsPerEventBlock });
    for (const { about, values } of costFacts(daily)) notes.fact(about, values);
  }
  return { notes, chain: { nodes, costs } };
}

type Patient = { notes: Notes; costs: Costs; newest: number; now: () => number; compared: Promise<unknown> };

async function examineNode(
  settings: Settings,
  node: ChainEndpoint,
  { notes, costs, newest, now, compared }: Patient,
): Promise<void> {
  const { url, head, timeout } = node;
  const name = nodeName(url);
  const recent = quantity(Math.max(0, head - SETTLED_BLOCKS));
  const first = Math.min(Number(firstBlock(settings)), head);
  const refusalOf = (method: string, params: readonly unknown[]) =>
    refusalIn(callRpc({ url, method, params, timeout }));
  const [latest, noReceipts, noState, noArchive, history] = await Promise.all([
    callRpc({ url, timeout, ...blockRequest("latest") }).catch(() => null),
    refusalOf("eth_getBlockReceipts", [recent]),
    refusalOf("eth_getBalance", [ZERO, recent]),
    refusalOf("eth_getBalance", [ZERO, quantity(first)]),
    lacksHistory(settings, node),
  ]);
  // It may use up what the endpoint takes in a second.
  const batch = await largestBatch(node);
  const seconds = timestampOf(latest);
  const age = seconds === null ? null : now() - seconds;
  const allowed = Math.max(OLD, OLD_BLOCKS * (costs.secondsPerBlock ?? 0));
  if (age !== null && Math.abs(age) > allowed) {
    const what = `at ${name} has a newest block that is ${duration(age)} by the clock of this machine`;
    const remedy = `Wait until the node has caught up, or name another; and look at the machine's clock (timedatectl).`;
    notes.warn("RPC_URLS", what, remedy);
  }
  if (newest - head > BEHIND) {
    const what = `at ${name} is ${newest - head} blocks behind the others`;
    notes.warn("RPC_URLS", what, "Wait until it has caught up, or take it out.");
  }
  if (batch.refusal !== null) {
    const most = batch.size === 1 ? "no batches" : `${batch.size}`;
    const what = `at ${name} ${batch.refusal.message} (of ${REQUESTS_PER_BATCH} requests; it takes ${most})`;
    const how = batch.size === 1 ? "without batches" : "with smaller ones";
    const remedy = `It works ${how}, with more requests: ask the provider for larger batches, or take another.`;
    notes.warn("RPC_URLS", what, remedy);
  }
  if (noState !== null && takes(noState) === false) {
    const what = `at ${name} has no state of recent blocks (${noState.message}): audits ask for it`;
    const remedy = "Name an endpoint that answers eth_call at recent blocks, or run no audits.";
    notes.warn("RPC_URLS", what, remedy);
  }
  if (history !== null) {
    const what = `at ${name} does not have the history: ${history}`;
    notes.problem("RPC_URLS", what, ARCHIVE);
  }
  // Other requests would count towards the endpoint's limit.
  await compared;
  const { rate, latency, limit } = await measureRate(node);
  if (limit !== null && rate < ORDINARY_RATE) {
    const what = `at ${name} takes ${rate === 0 ? "less than one request" : `about ${rate} requests`} a second, then ${limit}`;
    const remedy = `Indexing begins with ${ORDINARY_RATE} a second and adapts: it takes longer. Take a larger plan, or add an endpoint.`;
    notes.warn("RPC_URLS", what, remedy);
  }
  if (latency !== null && latency > SLOW) {
    const what = `at ${name} takes ${latency} ms for an answer: the index falls behind the chain`;
    notes.warn("RPC_URLS", what, "Name an endpoint that is nearer, or put one before it in RPC_URLS.");
  }
  const { blocksPerCall: logsRange = null } = costs.ranges.get(url) ?? {};
  notes.fact(name, {
    ...{ head, headAgeSeconds: age === null ? null : Math.round(age), latencyMs: latency, logsRange },
    requestsPerSecond: limit === null ? `at least ${rate}` : rate,
    ...{ batchSize: batch.size, blockReceipts: takes(noReceipts), archive: takes(noArchive) },
  });
}

/** Whether it takes a request, by its refusal; null: not known, as it was asked too often or gave no answer. */
function takes(refusal: RpcError | null): boolean | null {
  if (refusal === null) return true;
  return ["rate", "timeout", "failure"].includes(refusal.kind) ? null : false;
}

/** The largest batch that it takes of those that a first indexing tries, and why it refuses the first. */
async function largestBatch(node: ChainEndpoint): Promise<{ size: number; refusal: RpcError | null }> {
  const { url, timeout } = node;
  let first: RpcError | null = null;
  for (let size = REQUESTS_PER_BATCH; size > 1; size = Math.floor(size / 2)) {
    const requests = Array.from({ length: size }, () => ({ method: "eth_chainId" }));
    const refused = await refusalIn(callBatch({ url, timeout }, requests));
    // Its rate is measured by itself.
    if (refused === null || refused.kind === "rate") return { size, refusal: first };
    first ??= refused;
  }
  return { size: 1, refusal: first };
}

const ZERO = `0x${"0".repeat(40)}`;

async function examineWebSocket({ wsUrl }: Settings, timeout: number, notes: Notes): Promise<void> {
  if (wsUrl === null) return;
  const name = nodeName(wsUrl);
  const reason = await refusalIn(awaitBlock(wsUrl, timeout));
  notes.fact(name, { announcesBlocks: reason === null });
  if (reason !== null) notes.warn("WS_URL", `at ${name} ${reason.message}`, reason.remedy);
}

/** A node from which logs are read, in calls that it accepts. */
export type LogSource = ChainEndpoint & { readonly client: ChainClient; readonly blocksPerCall: number };

export function logSourceOf(node: ChainEndpoint, { ranges }: Pick<Costs, "ranges">): LogSource {
  const { url, timeout } = node;
  const client = createChainClient({ urls: [url], concurrency: AT_A_TIME, timeout, patience: timeout });
  return { ...node, client, blocksPerCall: ranges.get(url)?.blocksPerCall ?? 1 };
}

/** Looks whether each endpoint's logs of the newest final blocks and of the first blocks can be used, and whether the endpoints agree. */
async function compare(settings: Settings, { nodes, costs }: Chain, notes: Notes): Promise<void> {
  const sources = nodes.map((node) => logSourceOf(node, costs));
  const span = Math.min(COMPARED, ...[...costs.ranges.values()].map(({ blocksPerCall }) => blocksPerCall));
  const deep = Math.max(0, Math.min(...nodes.map(({ head }) => head)) - reorgWindow(settings));
  const named = await Promise.all(nodes.map((node) => finalBlockOf(node).catch(() => null)));
  const final = Math.max(deep, Math.min(...named.map((block) => Number(block?.number ?? 0))));
  const first = Math.min(Number(firstBlock(settings)), final);
  for (const [from, to] of [
    [Math.max(first, final - span + 1), final],
    [first, Math.min(final, first + span - 1)],
  ] as const) {
    const stated = await Promise.all(
      sources.map((source) => statedBy(source, settings, { from, to }, notes)),
    );
    if (stated.includes("unusable")) return;
    const answers = stated.filter((one) => one !== null && one !== "unusable");
    const dispute = firstDispute(answers, to);
    if (dispute === null) continue;
    const hosts = dispute.sides.map((side) => side.map((place) => answers[place]?.name).join(", "));
    const what = `disagree about blocks ${from} to ${to} or their logs: ${hosts.join(" against ")}`;
    const remedy =
      "Compare with a block explorer, and take the wrong one out: nothing is served as final while they disagree.";
    notes.problem("RPC_URLS", what, remedy);
    return;
  }
}

/** Null where it does not say, which others report; `unusable` where that has been reported. */
async function statedBy(
  { url, client, blocksPerCall }: LogSource,
  settings: Settings,
  range: { from: number; to: number },
  notes: Notes,
): Promise<(Statement & { name: string }) | "unusable" | null> {
  const name = nodeName(url);
  const followed = followContracts({ ...settings, holders: false });
  try {
    const statement = await statementOf(client, { ...range, followed, ranges: createRanges(blocksPerCall) });
    return { name, ...statement };
  } catch (error) {
    if (error instanceof RpcError) return null;
    if (!(error instanceof InconsistentChainError)) throw error;
    notes.problem("RPC_URLS", `at ${name} gives logs that cannot be used: ${error.message}`, TAKE_OUT);
    return "unusable";
  }
}

export const TAKE_OUT = "Take the endpoint out of RPC_URLS, or ask its operator.";

/** Unix seconds; null when it is no block. */
function timestampOf(block: unknown): number | null {
  try {
    return parseQuantity(Object(block).timestamp, "eth_getBlockByNumber");
  } catch {
    return null;
  }
}

/** `90 s old`, or `90 s in the future`. */
function duration(age: number): string {
  const seconds = Math.round(Math.abs(age));
  const amount = seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
  return age > 0 ? `${amount} old` : `${amount} in the future`;
}

/** Units of a call; null: not known. */
type Weights = Record<"blocks" | "logs", number> & Record<"receipts" | "notices", number | null>;

const PROVIDERS: readonly { readonly name: string; readonly unit: string; readonly weights: Weights }[] = [
  // A notice is 0.04 a byte, and typically 1,000 bytes.
  { name: "Alchemy", unit: "compute units", weights: { blocks: 20, logs: 60, receipts: null, notices: 40 } },
  { name: "Ankr", unit: "API credits", weights: { blocks: 200, logs: 200, receipts: 200, notices: 100 } },
  { name: "Moralis", unit: "compute units", weights: { blocks: 3, logs: 12, receipts: 3, notices: null } },
  { name: "QuickNode", unit: "API credits", weights: { blocks: 20, logs: 20, receipts: 20, notices: 20 } },
];

type CostFact = { about: string; values: Record<string, number> };

/** The calls of a day, and their units at each provider of which the weight of all of them is known. */
export function costFacts(daily: DailyCalls): CostFact[] {
  const kinds = ["blocks", "logs", "receipts", "notices"] as const;
  const counts = Object.fromEntries(kinds.map((kind) => [kind, Math.round(daily[kind])]));
  const total = Math.round(daily.blocks + daily.logs + daily.receipts);
  const calls = { about: "calls a day", values: { total, ...counts } };
  const units = PROVIDERS.flatMap(({ name, unit, weights }) => {
    if (kinds.some((kind) => weights[kind] === null && daily[kind] > 0)) return [];
    const sum = kinds.reduce((before, kind) => before + daily[kind] * (weights[kind] ?? 0), 0);
    return [{ about: `${name}, a day`, values: { [unit]: Math.round(sum) } }];
  });
  return [calls, ...units];
}
