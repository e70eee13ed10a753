/**
 * Whether a contracts module fits the contracts: what they emit, and the decimals of their dollar.
 * @module
 */
import { erc20Abi, type Hex, toEventSelector, toEventSignature } from "viem";
import { RpcError } from "../../chain/call.ts";
import { createChainClient } from "../../chain/client.ts";
import { followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import { InconsistentChainError, readLogs } from "../../chain/logs.ts";
import { createViewClient } from "../../chain/views.ts";
import type { Settings } from "../../config/environment.ts";
import { counted } from "../../config/format/counted.ts";
import type { Warning } from "../../config/problems.ts";
import { firstBlock } from "../../config/sources.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
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

/** What the contracts emitted in a range of blocks, by topic. */
export type EventCounts = {
  readonly from: number;
  readonly to: number;
  readonly byTopic: ReadonlyMap<Hex | undefined, number>;
  /** logs with another number of topics than their event has in the ABI */
  readonly misfits: ReadonlyMap<Hex | undefined, number>;
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

/** Reads from the first block on, as far as so many calls reach. */
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
  { factory, byTopic: events }: Contracts,
  { node, blocksPerCall, mostCalls }: Look,
): Promise<{ escrows: readonly Hex[]; counts: EventCounts | null }> {
  const followed = followContracts({ ...settings, holders: false });
  const { escrowFactory, desk } = settings;
  const escrowsSoFar = () =>
    followed.contracts.filter((address) => address !== escrowFactory?.address && address !== desk?.address);
  if (settings.contracts === null) return { escrows: escrowsSoFar(), counts: null };
  const { url, timeout } = node;
  const client = createChainClient({ urls: [url], concurrency: AT_A_TIME, timeout, patience: timeout });
  const ranges = createRanges(blocksPerCall);
  const from = Math.min(Number(firstBlock(settings)), node.head);
  const to = Math.min(node.head, from + mostCalls * blocksPerCall - 1);
  if (escrowFactory !== null && factory !== null) {
    const announcements = { addresses: [escrowFactory.address], topics: [factory.topic] };
    for (const log of await readLogs(client, { ...announcements, from, to, ranges })) followed.learn(log);
  }
  const addresses = followed.contracts.filter((address) => address !== escrowFactory?.address);
  const byTopic = new Map<Hex | undefined, number>();
  const misfits = new Map<Hex | undefined, number>();
  if (addresses.length > 0) {
    for (const { topic, raw } of await readLogs(client, { addresses, topics: [], from, to, ranges })) {
      byTopic.set(topic, (byTopic.get(topic) ?? 0) + 1);
      const indexed = events.get(topic)?.abiItem.inputs.filter((input) => input.indexed === true);
      if (indexed !== undefined && indexed.length !== raw.topics.length - 1)
        misfits.set(topic, (misfits.get(topic) ?? 0) + 1);
    }
  }
  return { escrows: escrowsSoFar(), counts: { from, to, byTopic, misfits } };
}

/** Warns of events that have a handler and do not occur, and of frequent events without a handler. */
export function warnOfEvents(
  { escrow, unhandled, byTopic }: Pick<Contracts, "escrow" | "unhandled" | "byTopic">,
  counts: EventCounts,
): Warning[] {
  const within = `in the blocks ${counts.from} to ${counts.to}`;
  const total = [...counts.byTopic.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  const never = escrow.events.filter(({ topic }) => !counts.byTopic.has(topic));
  const warnings: Warning[] = [];
  if (never.length > 0) {
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
    const event = byTopic.get(topic);
    if (event === undefined) continue;
    warnings.push({
      variable: "CONTRACTS",
      warning: `has other indexed parameters of ${toEventSignature(event.abiItem)} than ${counted(count, "logs")} ${within}: the indexer skips them`,
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

/** Warns of a dollar whose decimals differ from the module's. Escrows that do not say which dollar they take are left out. */
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
  const dollarOf = async (escrow: Hex): Promise<Hex | null> => {
    if ("address" in dollar) return dollar.address;
    const call = { address: escrow, abi: [dollar.view], functionName: dollar.view.name };
    return client.readContract(call).then(
      (address) => String(address).toLowerCase() as Hex,
      () => null,
    );
  };
  const dollars = new Set<Hex>();
  const asked = "address" in dollar ? escrows.slice(0, 1) : escrows.slice(0, MOST_ESCROWS);
  for (let next = 0; next < asked.length && dollars.size < MOST_DOLLARS; next += AT_A_TIME) {
    for (const address of await Promise.all(asked.slice(next, next + AT_A_TIME).map(dollarOf)))
      if (address !== null) dollars.add(address);
  }
  const warnings = [...dollars].map(async (address): Promise<Warning[]> => {
    const call = { address, abi: erc20Abi, functionName: "decimals" } as const;
    const decimals = await client.readContract(call).catch(() => null);
    if (decimals === null || decimals === expected) return [];
    const remedy =
      settings.contracts === null
        ? "The project's contracts need a dollar with 18 decimals; follow others through a module (docs/contracts.md)."
        : `Set escrow.decimals to ${decimals}: everything is indexed again.`;
    const warning = `counts in ${expected} decimals, but the dollar at ${address} has ${decimals}: every amount is wrong by a power of ten`;
    return [{ variable: settings.contracts === null ? "ESCROWS" : "CONTRACTS", warning, remedy }];
  });
  return (await Promise.all(warnings)).flat();
}
