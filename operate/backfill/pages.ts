/**
 * The history as pages: the followed contracts' logs in the order of the chain, each page with the blocks that hold them.
 * Several pages are fetched ahead; a contract that an earlier page announces is asked for again in those.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { ADDRESSES_PER_REQUEST } from "../../config/sources.ts";
import { CONTRACT_TOPICS, type Followed, type Log, TRANSFER } from "./followed.ts";
import { InconsistentChainError, inOrder, parseLogs } from "./logs.ts";
import type { Ranges } from "./ranges.ts";
import { RequestRefusedError, type Upstream } from "./upstream.ts";

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
  readonly blocks: ReadonlyMap<number, RawBlock>;
};

export type PagesParameters = {
  upstream: Upstream;
  followed: Followed;
  ranges: Ranges;
  /** the first and the last block */
  from: number;
  to: number;
  /** most pages fetched ahead */
  ahead: number;
  /** of the contracts' logs; default: of all their own events */
  topics?: readonly (Hex | undefined)[];
  /** milliseconds until what was odd is asked for again */
  retryDelay?: number;
};

/** What was fetched of a page, and of how many contracts. */
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
const ATTEMPTS = 5;
const RETRY_DELAY = 1_000;

export async function* fetchPages(parameters: PagesParameters): AsyncGenerator<Page> {
  const { ranges, from, to, ahead } = parameters;
  const drafts: Promise<Draft>[] = [];
  let next = from;
  // At first nothing is known of them.
  let logsPerPage = LOGS_AHEAD / PAGES_AT_FIRST;
  while (next <= to || drafts.length > 0) {
    const most = Math.max(2, Math.min(ahead, LOGS_AHEAD / Math.max(1, logsPerPage)));
    while (next <= to && drafts.length < most) {
      const last = Math.min(to, next + ranges.span() - 1);
      const draft = fetchDraft(parameters, next, last);
      // Handled where it is awaited, maybe much later.
      draft.catch(() => {});
      drafts.push(draft);
      next = last + 1;
    }
    const draft = await drafts.shift();
    if (draft === undefined) return;
    logsPerPage = draft.logs.length;
    yield await completed(parameters, draft);
  }
}

/** Asks for the contracts known by now. */
async function fetchDraft(parameters: PagesParameters, from: number, to: number): Promise<Draft> {
  const { followed } = parameters;
  const contracts = followed.contracts.length;
  const tokens = followed.tokens.length;
  const logs = await fetchLogs(parameters, {
    contracts: [...followed.contracts],
    tokens: [...followed.tokens],
    from,
    to,
  });
  const blocks = await fetchBlocks(parameters, logs);
  return { from, to, logs, contracts, tokens, blocks };
}

/** Asks for the contracts that became known since, until the page announces no more. */
async function completed(parameters: PagesParameters, draft: Draft): Promise<Page> {
  const { followed, retryDelay = RETRY_DELAY } = parameters;
  const { from, to, blocks } = draft;
  let { logs, contracts, tokens } = draft;
  for (;;) {
    for (const log of logs) followed.learn(log);
    const more = { contracts: followed.contracts.slice(contracts), tokens: followed.tokens.slice(tokens) };
    if (more.contracts.length + more.tokens.length === 0) break;
    contracts += more.contracts.length;
    tokens += more.tokens.length;
    logs = inOrder([...logs, ...(await fetchLogs(parameters, { ...more, from, to }))]);
  }
  const counted = logs.filter(followed.counts);
  for (let attempt = 1; ; attempt += 1) {
    const missing = counted.filter(({ block }) => !blocks.has(block));
    for (const [number, block] of await fetchBlocks(parameters, missing)) blocks.set(number, block);
    const odd = counted.filter(({ block, raw }) => blocks.get(block)?.hash !== raw.blockHash);
    if (odd.length === 0) return { to, logs: counted, blocks };
    const [first] = odd;
    if (attempt === ATTEMPTS)
      throw new InconsistentChainError(`logs and block ${first?.block} have different hashes`);
    await sleep(retryDelay);
    for (const { block } of odd) blocks.delete(block);
  }
}

type LogsQuery = { contracts: readonly Hex[]; tokens: readonly Hex[]; from: number; to: number };

/** In the order of the chain. */
async function fetchLogs(parameters: PagesParameters, query: LogsQuery): Promise<Log[]> {
  const { upstream, ranges, topics = CONTRACT_TOPICS, retryDelay = RETRY_DELAY } = parameters;
  const { contracts, tokens, from, to } = query;
  const parts = [
    ...chunksOf(contracts).map((addresses) => ({ addresses, topics })),
    ...chunksOf(tokens).map((addresses) => ({ addresses, topics: [TRANSFER] })),
  ];
  const fetchPart = async (part: (typeof parts)[number], first: number, last: number): Promise<Log[]> => {
    const blocks = last - first + 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const fromBlock = toHex(first);
        const filter = { address: part.addresses, topics: [part.topics], fromBlock, toBlock: toHex(last) };
        const logs = logsIn(await upstream.requestLogs(filter), first, last);
        if (part.topics === topics) ranges.took(blocks, logs.length);
        return logs;
      } catch (error) {
        if (!(error instanceof RequestRefusedError)) throw error;
        if (blocks > 1) {
          ranges.refused(blocks);
          const middle = first + Math.floor(blocks / 2);
          const halves = [fetchPart(part, first, middle - 1), fetchPart(part, middle, last)];
          return (await Promise.all(halves)).flat();
        }
        if (attempt === ATTEMPTS) throw error;
        await sleep(retryDelay);
      }
    }
  };
  return inOrder((await Promise.all(parts.map((part) => fetchPart(part, from, to)))).flat());
}

/** The blocks of these logs. */
async function fetchBlocks(
  { upstream, retryDelay = RETRY_DELAY }: PagesParameters,
  logs: readonly Log[],
): Promise<Map<number, RawBlock>> {
  const blocks = new Map<number, RawBlock>();
  let numbers = [...new Set(logs.map(({ block }) => block))];
  for (let attempt = 1; numbers.length > 0; attempt += 1) {
    const method = "eth_getBlockByNumber";
    const requests = numbers.map((number) => ({ method, params: [toHex(number), false] }));
    for (const block of await upstream.requestAll(requests)) {
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

function logsIn(answer: unknown, first: number, last: number): Log[] {
  const logs = parseLogs(answer);
  const stray = logs.find(({ block }) => block < first || block > last);
  if (stray === undefined) return logs;
  throw new InconsistentChainError(
    `eth_getLogs returned a log of block ${stray.block} for the blocks ${first} to ${last}`,
  );
}

function chunksOf(addresses: readonly Hex[]): Hex[][] {
  return Array.from({ length: Math.ceil(addresses.length / ADDRESSES_PER_REQUEST) }, (_, index) =>
    addresses.slice(index * ADDRESSES_PER_REQUEST, (index + 1) * ADDRESSES_PER_REQUEST),
  );
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`;
}
