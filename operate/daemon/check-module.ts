/** @module Whether a contracts module fits the contracts: what they emit, and the decimals of their dollar. */
import { erc20Abi, type Hex, toEventSelector, toEventSignature, toFunctionSignature } from "viem";
import { codeAt, nullIfRefused, RpcError } from "../../chain/call.ts";
import { createChainClient } from "../../chain/client.ts";
import { followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import { InconsistentChainError, type Log, readLogs } from "../../chain/logs.ts";
import { createViewClient, refusalBytes } from "../../chain/views.ts";
import type { Settings } from "../../config/environment.ts";
import { counted } from "../../config/format/counted.ts";
import type { Warning } from "../../config/problems.ts";
import { firstBlock } from "../../config/sources.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { DECIMALS } from "../../src/contracts/market-event.ts";
import type { ChainEndpoint } from "./check-chain.ts";

/** Share of all logs, from 0 to 1, from which an event without a handler is worth a warning. */
const FREQUENT = 0.05;
/** Events in one sentence. */
const MOST_NAMED = 5;
/** Escrows that are asked for their dollar, and different dollars that are looked at: the audit looks at all. */
const MOST_ESCROWS = 60;
const MOST_DOLLARS = 10;
/** Requests at a time. */
const AT_A_TIME = 4;

/** The logs of the contracts in a range of blocks, by topic. */
export type EventCounts = {
  readonly from: number;
  readonly to: number;
  /** whether that reaches the head */
  readonly isWhole: boolean;
  readonly byTopic: ReadonlyMap<Hex | undefined, number>;
  /** logs with another number of topics than their event has in the ABI */
  readonly misfits: ReadonlyMap<Hex | undefined, number>;
  readonly escrows: number;
  /** null without one */
  readonly factory: FactoryCounts | null;
};

type FactoryCounts = {
  readonly address: Hex;
  readonly logs: number;
  /** of these the ones with the module's event */
  readonly announcements: number;
  /** announced escrows that were looked at, and have no code */
  readonly codeless: readonly Hex[];
};

type Look = {
  readonly node: ChainEndpoint;
  /** that the node takes for logs */
  readonly blocksPerCall: number;
  /** for logs; fewer read less of the history */
  readonly mostCalls: number;
};

export type CheckedModule = {
  readonly warnings: readonly Warning[];
  /** Null without a module, and where the node does not say. */
  readonly counts: EventCounts | null;
};

/** Reads from the first block on, as far as `mostCalls` reach. */
export async function checkModule(settings: Settings, look: Look): Promise<CheckedModule> {
  const contracts = contractsOf(settings);
  try {
    const { escrows, counts } = await countEvents(settings, contracts, look);
    const warnings = counts === null ? [] : warnOfEvents(contracts, counts);
    return { warnings: [...warnings, ...(await warnOfDecimals(settings, look.node, escrows))], counts };
  } catch (error) {
    // The endpoints are examined elsewhere.
    if (error instanceof RpcError || error instanceof InconsistentChainError)
      return { warnings: [], counts: null };
    throw error;
  }
}

/** The escrows, announced ones too, and the counts, which the project's own contracts do not need. */
async function countEvents(
  settings: Settings,
  contracts: Contracts,
  { node, blocksPerCall, mostCalls }: Look,
): Promise<{ escrows: readonly Hex[]; counts: EventCounts | null }> {
  const followed = followContracts({ ...settings, holders: false });
  const { escrowFactory, desk } = settings;
  const { factory } = contracts;
  if (settings.contracts === null) return { escrows: followed.escrows(), counts: null };
  const { url, timeout } = node;
  const client = createChainClient({ urls: [url], concurrency: AT_A_TIME, timeout, patience: timeout });
  const ranges = createRanges(blocksPerCall);
  const from = Math.min(Number(firstBlock(settings)), node.head);
  const to = Math.min(node.head, from + mostCalls * blocksPerCall - 1);
  const byTopic = new Map<Hex | undefined, number>();
  const misfits = new Map<Hex | undefined, number>();
  const add = (counts: Map<Hex | undefined, number>, topic: Hex | undefined) =>
    void counts.set(topic, (counts.get(topic) ?? 0) + 1);
  const addMisfit = ({ topic, raw }: Log) => {
    const inputs = eventOf(contracts, topic)?.abiItem.inputs.filter(({ indexed }) => indexed === true);
    if (inputs !== undefined && inputs.length !== raw.topics.length - 1) add(misfits, topic);
  };
  let ofFactory: FactoryCounts | null = null;
  if (escrowFactory !== null && factory !== null) {
    const { address } = escrowFactory;
    // All of its logs: other ones explain why there is no announcement.
    const logs = await readLogs(client, { addresses: [address], topics: [], from, to, ranges });
    const announcements = logs.filter(({ topic }) => topic === factory.topic);
    for (const log of announcements) {
      followed.learn(log);
      addMisfit(log);
    }
    const newest = [...followed.escrowChildren.keys()].slice(-AT_A_TIME);
    const codes = await Promise.all(newest.map((escrow) => codeAt(node, escrow).catch(nullIfRefused)));
    const codeless = newest.filter((_, index) => codes[index] === "0x");
    ofFactory = { address, logs: logs.length, announcements: announcements.length, codeless };
  }
  const escrows = followed.escrows();
  const addresses = desk === null ? escrows : [...escrows, desk.address];
  if (addresses.length > 0) {
    for (const log of await readLogs(client, { addresses, topics: [], from, to, ranges })) {
      // The factory may be one of the escrows.
      if (log.topic === factory?.topic && !contracts.byTopic.has(log.topic)) continue;
      add(byTopic, log.topic);
      addMisfit(log);
    }
  }
  const range = { from, to, isWhole: to === node.head };
  return { escrows, counts: { ...range, byTopic, misfits, escrows: escrows.length, factory: ofFactory } };
}

type Events = Pick<Contracts, "escrow" | "unhandled" | "byTopic" | "factory">;

/** Also the factory's, which is followed without a handler. */
function eventOf({ byTopic, factory }: Pick<Events, "byTopic" | "factory">, topic: Hex | undefined) {
  return factory !== null && factory.topic === topic ? factory : byTopic.get(topic);
}

/**
 * Warns of events that are followed and do not occur, and of frequent events without a handler. A range without any, which later blocks
 * follow, says nothing.
 */
export function warnOfEvents(events: Events, counts: EventCounts): Warning[] {
  const { escrow, unhandled, byTopic } = events;
  const within = `in the blocks ${counts.from} to ${counts.to}`;
  const total = [...counts.byTopic.values()].reduce((sum, count) => sum + count, 0);
  const never = escrow.events.filter(({ topic }) => !counts.byTopic.has(topic));
  const warnings = warnOfFactory(events, counts, within);
  if (never.length > 0 && counts.escrows > 0 && (total > 0 || counts.isWhole)) {
    const names = never.map(({ abiItem }) => toEventSignature(abiItem));
    const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
    warnings.push({
      variable: "CONTRACTS",
      warning: `has handlers for events that none of the escrows emitted ${within}: ${names.slice(0, MOST_NAMED).join(", ")}${more}`,
      remedy:
        "Compare their parameters with the contract's source: another type is another event. One that has not happened yet is fine.",
    });
  }
  for (const [topic, count] of counts.misfits) {
    const event = eventOf(events, topic);
    if (event === undefined) continue;
    const effect = event === events.factory ? "may take wrong addresses from them, or none" : "skips them";
    warnings.push({
      variable: "CONTRACTS",
      warning: `has other indexed parameters of ${toEventSignature(event.abiItem)} than ${counted(count, "logs")} ${within}: the indexer ${effect}`,
      remedy:
        "Take the event from the ABI of the contract as it is deployed: indexed is no part of a signature.",
    });
  }
  const known = new Map(unhandled.map((item) => [toEventSelector(item), toEventSignature(item)]));
  for (const [topic, count] of [...counts.byTopic].toSorted(([, a], [, b]) => b - a)) {
    if (topic === undefined || byTopic.has(topic) || count / total < FREQUENT) continue;
    const name = known.get(topic);
    const share = `${count} of ${total} logs (${Math.round((100 * count) / total)} %)`;
    warnings.push({
      variable: "CONTRACTS",
      warning: `has no handler for ${name ?? `an event that is not in its ABI, with the topic ${topic}`}: ${share} ${within}`,
      remedy: `${name === undefined ? "If it changes a raise, add it to escrow.abi with a handler" : "If it changes a raise, add a handler for it to escrow.events"}: raisebook contracts check shows samples.`,
    });
  }
  return warnings;
}

function warnOfFactory(
  { factory }: Pick<Events, "factory">,
  { factory: counts, isWhole }: EventCounts,
  within: string,
): Warning[] {
  if (factory === null || counts === null) return [];
  const signature = toEventSignature(factory.abiItem);
  const { address, logs, announcements, codeless } = counts;
  const warnings: Warning[] = [];
  if (announcements === 0 && (logs > 0 || isWhole))
    warnings.push({
      variable: "CONTRACTS",
      warning: `has a factory event that the factory ${address} did not emit ${within}: ${signature}${logs === 0 ? "" : `; it emitted ${counted(logs, "other logs")}`}`,
      remedy:
        "Compare its parameters with the factory's source: another type is another event. Before the first raise this is fine.",
    });
  if (codeless.length > 0)
    warnings.push({
      variable: "CONTRACTS",
      warning: `takes addresses without a contract from ${signature} of the factory: ${codeless.join(", ")}`,
      remedy: `Name the parameter with the escrow's address in factory.escrow (it is ${factory.parameter}), and take the event from the ABI of the factory as it is deployed.`,
    });
  return warnings;
}

/** Null where a contract has no such view; undefined where the node does not answer. */
function nullIfMissing(error: unknown): null | undefined {
  return refusalBytes(error) === null ? undefined : null;
}

/** Warns of a dollar whose decimals differ from the module's. Escrows that do not say which dollar they take are left out, but one has to. */
export async function warnOfDecimals(
  settings: Pick<Settings, "contracts">,
  { url, timeout }: Pick<ChainEndpoint, "url" | "timeout">,
  escrows: readonly Hex[],
  { decimals: expected, dollar }: Pick<Contracts["escrow"], "decimals" | "dollar"> = contractsOf(
    settings,
  ).escrow,
): Promise<Warning[]> {
  if (dollar === null) return [];
  const client = createViewClient([url], timeout);
  const dollarOf = async (escrow: Hex): Promise<Hex | null | undefined> => {
    if ("address" in dollar) return dollar.address;
    const call = { address: escrow, abi: [dollar.view], functionName: dollar.view.name };
    return client.readContract(call).then((address) => String(address).toLowerCase() as Hex, nullIfMissing);
  };
  const dollars = new Set<Hex>();
  let missing = 0;
  const asked = "address" in dollar ? escrows.slice(0, 1) : escrows.slice(0, MOST_ESCROWS);
  for (let next = 0; next < asked.length && dollars.size < MOST_DOLLARS; next += AT_A_TIME) {
    for (const address of await Promise.all(asked.slice(next, next + AT_A_TIME).map(dollarOf)))
      if (address === null) missing += 1;
      else if (address !== undefined) dollars.add(address);
  }
  if (missing > 0 && missing === asked.length && "view" in dollar)
    return noDollar(
      settings,
      `cannot be asked (no escrow has the view ${toFunctionSignature(dollar.view)}): neither its decimals nor balances are compared`,
    );
  const answers = await Promise.all(
    [...dollars].map(async (address) => {
      const call = { address, abi: erc20Abi, functionName: "decimals" } as const;
      return { address, decimals: await client.readContract(call).catch(nullIfMissing) };
    }),
  );
  const known = new Set(answers.map(({ decimals }) => decimals).filter((one) => typeof one === "number"));
  return answers.flatMap(({ address, decimals }): Warning[] => {
    if (decimals === null && "address" in dollar)
      return noDollar(
        settings,
        `cannot be asked for its decimals (${address} has no decimals()): they are not compared`,
      );
    if (decimals == null || decimals === expected) return [];
    const remedy =
      settings.contracts === null
        ? "The project's contracts need a dollar with 18 decimals; follow others through a module (docs/contracts.md)."
        : known.size > 1 || decimals > DECIMALS
          ? `A module has one escrow.decimals, from 0 to ${DECIMALS}, for all its raises: follow each dollar with a separate service.`
          : `Set escrow.decimals to ${decimals}: everything is indexed again.`;
    const warning = `counts in ${expected} decimals, but the dollar at ${address} has ${decimals}: every amount is wrong by a power of ten`;
    return [{ variable: settings.contracts === null ? "ESCROWS" : "CONTRACTS", warning, remedy }];
  });
}

function noDollar({ contracts }: Pick<Settings, "contracts">, what: string): Warning[] {
  if (contracts === null) return [];
  return [
    {
      variable: "CONTRACTS",
      warning: `has an escrow.dollar that ${what}`,
      remedy: "Name the view of the escrow as it is deployed, or the dollar's address.",
    },
  ];
}
