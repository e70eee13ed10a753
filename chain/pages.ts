/**
 * The history as pages: the followed contracts' logs in the order of the chain, and the blocks that hold them. Several pages are
 * fetched ahead; the logs of a contract that an earlier page announces are then added to them.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { blockRequest } from "./call.ts";
import type { ChainClient } from "./client.ts";
import { type FollowedContracts, TRANSFER } from "./contracts.ts";
import type { Ranges } from "./limits.ts";
import { ATTEMPTS, InconsistentChainError, inOrder, type Log, RETRY_DELAY, readLogs } from "./logs.ts";

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
  /** those that hold the logs */
  readonly blocks: ReadonlyMap<number, RawBlock>;
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
  /** milliseconds until refused logs of a single block, or what was inconsistent, are asked for again */
  retryDelay?: number;
};

type Fetching = PagesParameters & { signal: AbortSignal };

/** What was fetched of a page, and for how many contracts. */
type Draft = {
  from: number;
  to: number;
  logs: Log[];
  contracts: number;
  tokens: number;
  blocks: Map<number, RawBlock>;
};

const LOGS_AHEAD = 8_000;
const PAGES_AT_FIRST = 4;

/** @throws as `readLogs` does. Pages that are under way are abandoned when no more are taken. */
export async function* readPages(parameters: PagesParameters): AsyncGenerator<Page> {
  const { ranges, from, to, ahead } = parameters;
  const abandoned = new AbortController();
  const fetching = { ...parameters, signal: abandoned.signal };
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
      logsPerPage = draft.logs.length;
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
  const logs = await logsOf(fetching, { ...known, from, to });
  const blocks = await blocksOf(fetching, logs);
  return { from, to, logs, contracts: known.contracts.length, tokens: known.tokens.length, blocks };
}

/** Asks for the logs of contracts that became known since, until the page announces no more. */
async function completed(fetching: Fetching, draft: Draft): Promise<Page> {
  const { followed, withBlocks = true, retryDelay = RETRY_DELAY } = fetching;
  const { from, to, blocks } = draft;
  let { logs, contracts, tokens } = draft;
  for (;;) {
    for (const log of logs) followed.learn(log);
    const more = { contracts: followed.contracts.slice(contracts), tokens: followed.tokens.slice(tokens) };
    if (more.contracts.length + more.tokens.length === 0) break;
    contracts += more.contracts.length;
    tokens += more.tokens.length;
    logs = inOrder([...logs, ...(await logsOf(fetching, { ...more, from, to }))]);
  }
  const counted = logs.filter(followed.counts);
  if (!withBlocks) return { to, logs: counted, blocks };
  for (let attempt = 1; ; attempt += 1) {
    const missing = counted.filter(({ block }) => !blocks.has(block));
    for (const [number, block] of await blocksOf(fetching, missing)) blocks.set(number, block);
    const inconsistent = counted.filter(({ block, raw }) => blocks.get(block)?.hash !== raw.blockHash);
    if (inconsistent.length === 0) return { to, logs: counted, blocks };
    const [first] = inconsistent;
    if (attempt === ATTEMPTS)
      throw new InconsistentChainError(`logs and block ${first?.block} have different hashes`);
    await sleep(retryDelay);
    for (const { block } of inconsistent) blocks.delete(block);
  }
}

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
