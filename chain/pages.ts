/**
 * The history as pages: the followed contracts' logs in the order of the chain, and the blocks that hold them. Several pages are
 * fetched ahead; the logs of a contract that an earlier page announces are then added to them. Where they are proven, so are the logs
 * that the endpoint has left out of a block that has others.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { TRANSFER } from "../src/contracts/contracts.ts";
import { blockRequest } from "./call.ts";
import type { ChainClient } from "./client.ts";
import type { FollowedContracts } from "./contracts.ts";
import type { Ranges } from "./limits.ts";
import { ATTEMPTS, InconsistentChainError, inOrder, type Log, RETRY_DELAY, readLogs } from "./logs.ts";
import type { Prover } from "./prover.ts";

/** A block as endpoints return it, with what Ponder needs of it: numbers in hex. */
export type RawBlock = {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
};

export type Page = {
  readonly to: number;
  /** those that count, in the order of the chain */
  readonly logs: readonly Log[];
  /** at least those that hold the logs */
  readonly blocks: ReadonlyMap<number, RawBlock>;
  /** numbers of the blocks of which these are certainly all logs that count */
  readonly proven: ReadonlySet<number>;
  /** numbers of the blocks of which logs were left out at first */
  readonly mended: ReadonlySet<number>;
};

export type PagesParameters = {
  client: ChainClient;
  followed: FollowedContracts;
  ranges: Ranges;
  /** the first and the last block */
  from: number;
  to: number;
  /** most pages fetched ahead */
  ahead: number;
  /** those of the contracts' logs; default: those of all their own events */
  topics?: readonly (Hex | undefined)[];
  /** whether the blocks are fetched, and the logs compared with them; default true */
  withBlocks?: boolean;
  /** proves the blocks that hold the logs; default: nothing is proven */
  prover?: Prover | undefined;
  /** whether every block that may have logs is proven, so that one whose only log was left out is found; default false */
  provesPossible?: boolean;
  /** milliseconds until refused logs of a single block, or what was inconsistent, are asked for again */
  retryDelay?: number;
  /** Aborts when no more are wanted. */
  signal?: AbortSignal | undefined;
};

type Fetching = PagesParameters & { signal: AbortSignal };

/** The fetched part of a page, and the number of contracts it covers. */
type Draft = {
  from: number;
  to: number;
  /** of the blocks that were not proven */
  logs: Log[];
  /** the places of all logs that the endpoint gave */
  said: Set<number>;
  contracts: number;
  tokens: number;
  blocks: Map<number, RawBlock>;
  proven: Map<number, readonly Log[]>;
};

const LOGS_AHEAD = 8_000;
const PAGES_AT_FIRST = 4;

/** @throws as `readLogs` does. Pages that are under way are abandoned when no more are taken. */
export async function* readPages(parameters: PagesParameters): AsyncGenerator<Page> {
  const { ranges, from, to, ahead, signal } = parameters;
  const abandoned = new AbortController();
  const either = signal === undefined ? abandoned.signal : AbortSignal.any([signal, abandoned.signal]);
  const fetching = { ...parameters, signal: either };
  const drafts: Promise<Draft>[] = [];
  let next = from;
  // At first nothing is known of them.
  let logsPerPage = LOGS_AHEAD / PAGES_AT_FIRST;
  try {
    while (next <= to || drafts.length > 0) {
      const most = Math.max(2, Math.min(ahead, LOGS_AHEAD / Math.max(1, logsPerPage)));
      while (next <= to && drafts.length < most) {
        const last = Math.min(to, next + ranges.span() - 1);
        const draft = fetchDraft(fetching, next, last);
        // Handled where it is awaited, maybe much later.
        draft.catch(() => {});
        drafts.push(draft);
        next = last + 1;
      }
      const draft = await drafts.shift();
      if (draft === undefined) return;
      logsPerPage = draft.said.size;
      yield await completed(fetching, draft);
    }
  } finally {
    abandoned.abort();
  }
}

/** Asks for the logs of the contracts known by now. */
async function fetchDraft(fetching: Fetching, from: number, to: number): Promise<Draft> {
  const { contracts, tokens } = fetching.followed;
  const known = { contracts: [...contracts], tokens: [...tokens] };
  const { prover, provesPossible, signal } = fetching;
  const [logs, possible] = await Promise.all([
    logsOf(fetching, { ...known, from, to }),
    provesPossible ? prover?.candidates(from, to, signal) : [],
  ]);
  const blocks = await blocksOf(fetching, logs);
  for (const block of possible ?? []) if (isBlock(block)) blocks.set(Number(block.number), block);
  const proven = new Map(await prover?.prove(blocks.values(), signal));
  return {
    ...{ from, to, blocks, proven },
    ...{ contracts: known.contracts.length, tokens: known.tokens.length },
    // Those of proven blocks are kept as they were proven: twice, they would outlive the young generation.
    logs: logs.filter(({ block }) => !proven.has(block)),
    said: new Set(logs.map(placeOf)),
  };
}

/** The logs with those of the proven blocks as they were proven, whatever the endpoint said of these blocks. */
function withProven(logs: readonly Log[], proven: Draft["proven"]): Log[] {
  return inOrder([...logs.filter(({ block }) => !proven.has(block)), ...[...proven.values()].flat()]);
}

/** Asks for the logs of contracts that became known since, and for their blocks, until the page announces no more. */
async function completed(fetching: Fetching, draft: Draft): Promise<Page> {
  const { followed, withBlocks = true, prover, signal, retryDelay = RETRY_DELAY } = fetching;
  const { from, to, blocks, proven, said } = draft;
  let { contracts, tokens } = draft;
  let given = draft.logs;
  let logs = withProven(given, proven);
  for (let attempt = 1; ; ) {
    for (const log of logs) followed.learn(log);
    const more = { contracts: followed.contracts.slice(contracts), tokens: followed.tokens.slice(tokens) };
    if (more.contracts.length + more.tokens.length > 0) {
      contracts += more.contracts.length;
      tokens += more.tokens.length;
      const added = await logsOf(fetching, { ...more, from, to });
      for (const log of added) said.add(placeOf(log));
      given = [...given, ...added];
      logs = withProven(given, proven);
      continue;
    }
    const counted = logs.filter(followed.counts);
    const page = { to, logs: counted, blocks };
    if (!withBlocks) return { ...page, proven: new Set(), mended: new Set() };
    const missing = counted.filter(({ block }) => !blocks.has(block));
    if (missing.length > 0) {
      const fetched = await blocksOf(fetching, missing);
      for (const [number, block] of fetched) blocks.set(number, block);
      for (const [number, all] of (await prover?.prove(fetched.values(), signal)) ?? [])
        proven.set(number, all);
      logs = withProven(given, proven);
      continue;
    }
    const inconsistent = counted.filter(({ block, raw }) => blocks.get(block)?.hash !== raw.blockHash);
    if (inconsistent.length === 0) {
      const left = counted.filter((log) => proven.has(log.block) && !said.has(placeOf(log)));
      return {
        ...page,
        proven: new Set(proven.keys()),
        mended: new Set(left.map(({ block }) => block)),
      };
    }
    const [first] = inconsistent;
    if (attempt === ATTEMPTS)
      throw new InconsistentChainError(`logs and block ${first?.block} have different hashes`);
    await sleep(retryDelay);
    attempt += 1;
    // The logs of a proven block are those of its hash.
    for (const { block } of inconsistent) blocks.delete(block);
  }
}

/** A number for each, as a block has less than a million logs. */
const placeOf = ({ block, logIndex }: Log) => block * 1_000_000 + logIndex;

type Wanted = { contracts: readonly Hex[]; tokens: readonly Hex[]; from: number; to: number };

/** In the order of the chain. */
async function logsOf(fetching: Fetching, { contracts, tokens, from, to }: Wanted): Promise<Log[]> {
  const { client, ranges, followed, topics = followed.topics, retryDelay, signal } = fetching;
  const query = { from, to, ranges, retryDelay, signal };
  // Transfers are too many, or too few, to say how many blocks hold a page of events.
  const ofTokens = { ...query, addresses: tokens, topics: [TRANSFER], ranges: { ...ranges, took() {} } };
  const parts = [readLogs(client, { ...query, addresses: contracts, topics }), readLogs(client, ofTokens)];
  return inOrder((await Promise.all(parts)).flat());
}

/** The blocks of these logs. */
async function blocksOf(fetching: Fetching, logs: readonly Log[]): Promise<Map<number, RawBlock>> {
  const { client, withBlocks = true, retryDelay = RETRY_DELAY, signal } = fetching;
  const blocks = new Map<number, RawBlock>();
  let numbers = withBlocks ? [...new Set(logs.map(({ block }) => block))] : [];
  for (let attempt = 1; numbers.length > 0; attempt += 1) {
    for (const block of await client.requestAll(numbers.map(blockRequest), signal)) {
      if (isBlock(block)) blocks.set(Number(block.number), block);
    }
    numbers = numbers.filter((number) => !blocks.has(number));
    if (numbers.length === 0) break;
    // A node may lag behind the one that had the logs.
    if (attempt === ATTEMPTS) throw new InconsistentChainError(`there is no block ${numbers[0]}`);
    await sleep(retryDelay);
  }
  return blocks;
}

export function isBlock(value: unknown): value is RawBlock {
  if (typeof value !== "object" || value === null) return false;
  const { number, hash, parentHash, timestamp } = value as Record<string, unknown>;
  return [number, hash, parentHash, timestamp].every((field) => typeof field === "string");
}
