/** @module The contracts that are followed: their code, where each was deployed, and its first events. */
import type { Hex } from "viem";
import { codeAt, nullIfRefused, RpcError } from "../../chain/call.ts";
import { createRanges } from "../../chain/limits.ts";
import { InconsistentChainError, type Log, readLogs } from "../../chain/logs.ts";
import type { Settings } from "../../config/environment.ts";
import { contractsOf, missingParts } from "../../src/contracts/contracts.ts";
import { type ChainEndpoint, checkContracts, configuredContracts } from "../daemon/check-chain.ts";
import { checkModule, type EventCounts } from "../daemon/check-module.ts";
import {
  fromDeployment,
  type Kind,
  NAMES,
  otherKindOf,
  type TopicsOfKinds,
  topicsOfKinds,
  wrongKind,
} from "../daemon/contract-kinds.ts";
import { type Chain, type LogSource, logSourceOf } from "./endpoints.ts";
import { createNotes, type Notes, type Proposal } from "./notes.ts";

/** Blocks before the deployment that are not worth a word. */
const NEEDLESS = 1_000;
/** Calls for logs before and after a start block. */
const MOST_CALLS = 20;
/** Contracts at the same time. */
const AT_A_TIME = 4;

const KINDS = ["ESCROWS", "ESCROW_FACTORY", "DESK"] as const;

type Contract = ReturnType<typeof configuredContracts>[number];

type Seen = {
  readonly contract: Contract;
  /** the first block with code; null: no node has the states of old blocks */
  readonly deployed: number | null;
  /** the first event that is known, also of before the start block */
  readonly firstEvent: number | null;
  /** whether there may be earlier events */
  readonly isUnsure: boolean;
  /** what it is, by its events or its code, unless it may be what the variable stands for */
  readonly otherKind: Kind | "unknown" | null;
};

export type ExaminedContracts = {
  readonly notes: Notes;
  /** addresses with a problem that explains why their listings are not found */
  readonly blamed: ReadonlySet<string>;
};

export async function examineContracts(
  settings: Settings,
  { nodes, costs }: Chain,
): Promise<ExaminedContracts> {
  const notes = createNotes("contracts");
  const [node] = nodes;
  if (node === undefined) return { notes, blamed: new Set() };
  const problems = [...missingParts(settings), ...(await checkContracts(settings, nodes))];
  notes.take({ problems });
  const isBlamed = ({ address, startBlock }: Contract) =>
    startBlock > node.head || problems.some(({ problem }) => problem.includes(address));
  const all = configuredContracts(settings);
  const contracts = all.filter((contract) => !isBlamed(contract));
  const source = logSourceOf(node, costs);
  const topics = topicsOfKinds(settings);
  const { blocksPerCall } = source;
  const { warnings, counts } = await checkModule(settings, { node, blocksPerCall, mostCalls: MOST_CALLS });
  if (settings.contracts !== null) {
    const { name, escrow } = contractsOf(settings);
    const facts = { module: name, events: escrow.events.length, decimals: escrow.decimals };
    notes.fact("CONTRACTS", counts === null ? facts : { ...facts, ...seenIn(counts) });
  }
  const seen: Seen[] = [];
  for (let next = 0; next < contracts.length; next += AT_A_TIME) {
    const group = contracts.slice(next, next + AT_A_TIME);
    seen.push(
      ...(await Promise.all(
        group.map((contract) => look(source, nodes, contract, { topicsOf: topics, all })),
      )),
    );
  }
  notes.take({ warnings });
  for (const one of seen) report(one, proposalOf(settings, seen, one), notes);
  const wrong = seen.filter((one) => isLate(one) || one.otherKind !== null).map(({ contract }) => contract);
  return { notes, blamed: new Set([...all.filter(isBlamed), ...wrong].map(({ address }) => address)) };
}

function seenIn({ from, to, byTopic }: EventCounts) {
  const logs = [...byTopic.values()].reduce((sum, count) => sum + count, 0);
  return { logs, inBlocks: `${from} to ${to}` };
}

async function look(
  source: LogSource,
  nodes: readonly ChainEndpoint[],
  contract: Contract,
  { topicsOf, all }: { topicsOf: TopicsOfKinds; all: readonly Contract[] },
): Promise<Seen> {
  const { address, startBlock, variable } = contract;
  let deployed: number | null = null;
  for (const node of nodes) deployed ??= await deploymentOf(node, contract).catch(nullIfRefused);
  const logs = (from: number, to: number) =>
    firstLogs(source, { address, topics: KINDS.flatMap((kind) => topicsOf[kind]) }, from, to).catch(
      (error) => {
        // The endpoints are examined elsewhere.
        if (error instanceof RpcError || error instanceof InconsistentChainError)
          return { logs: [], upTo: to };
        throw error;
      },
    );
  // Without its deployment what is just before the start block is all that can be looked at.
  const since = deployed ?? Math.max(0, startBlock - MOST_CALLS * source.blocksPerCall);
  const before = await logs(since, startBlock - 1);
  const { logs: found } =
    before.logs.length > 0 ? before : await logs(Math.max(startBlock, since), source.head);
  const topics = new Set<string | undefined>(found.map(({ topic }) => topic));
  const emits = (kind: Kind) => topicsOf[kind].some((topic) => topics.has(topic));
  // One contract may be two kinds, and its first events are of one of them.
  const isNamed = (kind: Kind) => all.some((one) => one.variable === kind && one.address === address);
  const isOther = (kind: Kind) => emits(kind) && !isNamed(kind);
  const otherKind = emits(variable)
    ? null
    : (KINDS.find(isOther) ?? (await otherKindByCode(source, contract, topicsOf)));
  return {
    contract,
    deployed,
    firstEvent: found[0]?.block ?? null,
    isUnsure: before.logs.length === 0 && before.upTo < startBlock - 1,
    otherKind,
  };
}

/** The first logs in a range, as far as `MOST_CALLS` calls reach, and the block up to which there are no others. */
async function firstLogs(
  { client, blocksPerCall }: LogSource,
  { address, topics }: { address: string; topics: readonly Hex[] },
  from: number,
  to: number,
): Promise<{ logs: Log[]; upTo: number }> {
  const query = { addresses: [address], topics, ranges: createRanges(blocksPerCall) };
  let upTo = from - 1;
  for (let calls = 0; upTo < to && calls < MOST_CALLS; calls++) {
    const last = Math.min(to, upTo + blocksPerCall);
    const logs = await readLogs(client, { ...query, from: upTo + 1, to: last });
    upTo = last;
    if (logs.length > 0) return { logs, upTo };
  }
  return { logs: [], upTo };
}

/** Also null if the node does not say. */
async function otherKindByCode(
  node: ChainEndpoint,
  contract: Contract,
  topics: TopicsOfKinds,
): Promise<Kind | "unknown" | null> {
  const code = String(await codeAt(node, contract.address).catch(nullIfRefused));
  return otherKindOf(node, contract, code, topics);
}

/** The first block with code, by bisection. @throws {RpcError} when the node does not have the states of old blocks */
async function deploymentOf(node: ChainEndpoint, { address, startBlock }: Contract): Promise<number> {
  const hasCode = async (block: number) => (await codeAt(node, address, block)) !== "0x";
  // Mostly it is the start block.
  const isThere = await hasCode(startBlock);
  const wasThere = isThere && startBlock > 0 && (await hasCode(startBlock - 1));
  if (isThere && !wasThere) return startBlock;
  let [without, having] = isThere ? [-1, startBlock - 1] : [startBlock, node.head];
  while (having - without > 1) {
    const middle = without + Math.floor((having - without) / 2);
    if (await hasCode(middle)) having = middle;
    else without = middle;
  }
  return having;
}

function isLate({ contract, firstEvent }: Seen): boolean {
  return firstEvent !== null && firstEvent < contract.startBlock;
}

function report(seen: Seen, proposal: Proposal, notes: Notes): void {
  const { contract, deployed, firstEvent, isUnsure, otherKind } = seen;
  const { variable, address, startBlock } = contract;
  notes.fact(address, { variable, startBlock, deployedAt: deployed, firstEvent: firstEvent ?? "none seen" });
  const starts = `starts ${address} at block ${startBlock}`;
  if (otherKind === "unknown") {
    const what = `names ${address}, whose code has no event of ${NAMES[variable]}`;
    notes.problem(variable, what, fromDeployment(variable));
  } else if (otherKind !== null) {
    const { what, remedy } = wrongKind(variable, address, otherKind);
    notes.problem(variable, what, remedy);
  } else if (isLate(seen)) {
    const what = `${starts}, after its first events (block ${firstEvent}): they are left out`;
    notes.problem(variable, what, AT_DEPLOYMENT, proposal);
  } else if (deployed !== null && isUnsure) {
    const what = `${starts}, ${startBlock - deployed} blocks after it was deployed: earlier events are left out`;
    notes.warn(variable, what, AT_DEPLOYMENT, proposal);
  } else if (deployed !== null && deployed - startBlock > NEEDLESS) {
    const what = `${starts}, ${deployed - startBlock} blocks before it was deployed: a first indexing reads them for nothing`;
    notes.warn(variable, what, AT_DEPLOYMENT, proposal);
  }
}

const AT_DEPLOYMENT = "Start it at the block of its deployment.";

/** The value of the variable with each contract at its deployment, where it is known and another. */
function proposalOf(settings: Settings, seen: readonly Seen[], { contract }: Seen): Proposal {
  const startOf = ({ address, startBlock, variable }: Contract) => {
    const found = seen.find((one) => one.contract.address === address && one.contract.variable === variable);
    const { deployed = null, firstEvent = null } = found ?? {};
    return deployed ?? Math.min(startBlock, firstEvent ?? startBlock);
  };
  const value = configuredContracts(settings)
    .filter(({ variable }) => variable === contract.variable)
    .map((one) => `${one.address}@${startOf(one)}`)
    .join(",");
  return { [contract.variable]: value };
}
