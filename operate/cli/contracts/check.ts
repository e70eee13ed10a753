/** @module Tries the contracts' module on real logs: `raisebook contracts check`. */
import { RegistryError } from "../../../api/registry/error.ts";
import type { Registry } from "../../../api/registry/schema.ts";
import { readDraft } from "../../../api/registry/source.ts";
import { blockRequest, RpcError } from "../../../chain/call.ts";
import { createChainClient } from "../../../chain/client.ts";
import { type FollowedContracts, followContracts } from "../../../chain/contracts.ts";
import { createRanges } from "../../../chain/limits.ts";
import { InconsistentChainError, type Log, readLogs } from "../../../chain/logs.ts";
import { isBlock, type RawBlock, readPages } from "../../../chain/pages.ts";
import { print } from "../../../config/command.ts";
import type { Settings } from "../../../config/environment.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { runCommand } from "../../../config/run-command.ts";
import { firstBlock } from "../../../config/sources.ts";
import { contractsOf, freshContracts } from "../../../src/contracts/contracts.ts";
import { checkedNode } from "../../daemon/check-chain.ts";
import { contractsCheckCommand } from "../options.ts";
import { createTrial, type EventReport, type Trial } from "./trial.ts";

/** Milliseconds after which an endpoint that keeps failing is given up. */
const PATIENCE = 30_000;
/** Blocks at a time: so often the bar moves. */
const STEP = 2_000;

type Span = { from?: number | undefined; to?: number | undefined; limit: number };

/** @throws {SettingsError | RpcError | InconsistentChainError} */
async function tryModule(
  settings: Settings,
  { from, to, limit }: Span,
): Promise<Trial & { from: number; to: number }> {
  const contracts = contractsOf(settings);
  const { head } = await checkedNode(settings);
  const span = { from: from ?? Number(firstBlock(settings)), to: Math.min(to ?? head, head) };
  const client = createChainClient({
    ...{ urls: settings.rpcUrls, concurrency: settings.rpcConcurrency, patience: PATIENCE },
  });
  const ranges = createRanges(settings.logsRange);
  const followed = await followedIn(settings, client, span.to);
  const escrows = followed.escrows();
  const addresses = settings.desk === null ? escrows : [...escrows, settings.desk.address];
  // Logs that nothing follows are counted too.
  const isRead = (log: Log) =>
    contracts.byTopic.has(log.topic) ? followed.counts(log) : log.topic !== contracts.factory?.topic;
  const registry = await registryOf(settings);
  const trial = createTrial(
    contracts,
    () => freshContracts(settings),
    registry && { ...registry, followed: new Set(escrows) },
  );
  const bar = progressBar("Reading logs");
  let [count, reached] = [0, span.from - 1];
  let last: RawBlock | null = null;
  try {
    for (let first = span.from; first <= span.to && count < limit; first = reached + 1) {
      const end = Math.min(span.to, first + STEP - 1);
      const read = await readLogs(client, { addresses, topics: [], from: first, to: end, ranges });
      const logs = read.filter(isRead);
      const taken = logs.slice(0, limit - count);
      const blocks = await blocksOf(client, [...taken.map(({ block }) => block), end]);
      trial.add(taken.map((log) => [log, blocks.get(log.block) as RawBlock]));
      count += taken.length;
      reached = taken.length < logs.length ? (taken.at(-1) as Log).block : end;
      last = blocks.get(reached) ?? null;
      bar.update(reached - span.from + 1, span.to - span.from + 1);
    }
  } finally {
    bar.end();
  }
  return { ...trial.result(BigInt(last?.timestamp ?? 0)), from: span.from, to: reached };
}

/** The configured contracts, and those that a factory has announced. */
async function followedIn(
  settings: Settings,
  client: ReturnType<typeof createChainClient>,
  to: number,
): Promise<FollowedContracts> {
  const followed = followContracts({ ...settings, holders: false });
  const { factory } = contractsOf(settings);
  if (settings.escrowFactory !== null && factory !== null) {
    const { startBlock: from } = settings.escrowFactory;
    const pages = { client, followed, ranges: createRanges(settings.logsRange), from, to };
    // Reading them is what makes the escrows known.
    for await (const _ of readPages({ ...pages, topics: [factory.topic], ahead: 4, withBlocks: false }));
  }
  return followed;
}

/** Null where there is none yet: the check comes before it, and does not need it. */
async function registryOf({ registry }: Settings): Promise<Registry | null> {
  try {
    return (await (await readDraft(registry)).finish()).registry;
  } catch (error) {
    if (error instanceof RegistryError) return null;
    throw error;
  }
}

async function blocksOf(
  client: ReturnType<typeof createChainClient>,
  numbers: readonly number[],
): Promise<Map<number, RawBlock>> {
  const wanted = [...new Set(numbers)];
  const answers = await client.requestAll(wanted.map(blockRequest));
  const blocks = answers.filter(isBlock).map((block) => [Number(block.number), block] as const);
  if (blocks.length < wanted.length) throw new InconsistentChainError("a block with logs is not there");
  return new Map(blocks);
}

function textOf(trial: Trial & { from: number; to: number }): string {
  const { name, logs, from, to, events, unfollowed, listings, anomalies, notes } = trial;
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([word, count]) => `${count} ${word}`)
      .join(", ");
  const seen = events.filter(({ count, failures }) => count + failures > 0);
  const never = events.filter((event) => !seen.includes(event)).map(({ event }) => event);
  return [
    `${name}: ${logs} logs in the blocks ${from} to ${to}.`,
    ...seen.flatMap(linesOf),
    ...(never.length === 0 ? [] : [`Never seen: ${never.join(", ")}`]),
    ...unfollowed.map(({ event, count }) => `Not followed: ${count} × ${event}`),
    `Listings: ${counts(listings) || "none"}.`,
    ...notes,
    ...(Object.keys(anomalies).length === 0 ? [] : [`Anomalies: ${counts(anomalies)} (docs/anomalies.md).`]),
  ].join("\n");
}

function linesOf({ event, count, kinds, samples, failures, firstProblem }: EventReport): string[] {
  const means = Object.entries(kinds).map(
    ([kind, times]) => `${kind}${times === count ? "" : ` ${times} ×`}`,
  );
  return [
    `${count} × ${event}: ${means.join(", ")}`,
    ...(firstProblem === null ? [] : [`  error: ${failures} × ${firstProblem}`]),
    ...samples.map(
      ({ block, logIndex, args, means: meanings }) =>
        `  block ${block}, log ${logIndex}: ${JSON.stringify(args)} → ${meanings.map((one) => JSON.stringify(one)).join(", ") || "nothing"}`,
    ),
  ];
}

/** The message for the user; other errors are bugs. */
function messageOf(error: unknown): string | null {
  const isOfChain = error instanceof RpcError || error instanceof InconsistentChainError;
  return isOfChain ? `The chain cannot be read: ${error.message}` : null;
}

const { json = false, ...span } = contractsCheckCommand().parse().opts();
process.exitCode = await runCommand(async (settings) => {
  const trial = await tryModule(settings, span);
  print(`${json ? JSON.stringify(trial, null, 2) : textOf(trial)}\n`);
  return trial.events.some(({ failures }) => failures > 0) ? 1 : 0;
}, messageOf);
