/**
 * The finalised history, folded: from an earlier ledger as far as it goes, then from the chain.
 * @module
 */
import { setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { blockRequest, nullIfRefused } from "../../chain/call.ts";
import { type ChainClient, EndpointsSilentError } from "../../chain/client.ts";
import { firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { finalBlockOf, reorgWindow } from "../../chain/finality.ts";
import { createRanges } from "../../chain/limits.ts";
import { ATTEMPTS, RETRY_DELAY } from "../../chain/logs.ts";
import { isBlock, type RawBlock, readPages } from "../../chain/pages.ts";
import type { Completeness } from "../../config/completeness.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { contractsOf, unmappedLog } from "../../src/contracts/contracts.ts";
import type { Book } from "./book.ts";
import { findPriorLedger, ledgerKey, type PriorLedger } from "./earlier.ts";
import type { createEventReader } from "./events.ts";
import { findImported } from "./imported.ts";
import type { FiledEvent } from "./ledger-line.ts";
import type { TableName } from "./ponder.ts";
import { createBackfillProofs } from "./proofs.ts";

export type Sender = {
  /** Takes rows of a table. Resolves when there is space for more. */
  send(table: TableName, rows: Iterable<object>): Promise<void>;
  /** Sends what has been taken. */
  end(): Promise<void>;
};

export type HistoryParameters = {
  settings: Settings;
  log: Logger;
  client: ChainClient;
  /** Called once there is a history. */
  prepare(): Promise<Sender>;
};

/** The end of a history, after all its rows were sent. */
export type History = {
  finalized: RawBlock;
  escrowChildren: Map<Hex, number>;
  tokenChildren: Map<Hex, number>;
  /** identifies the events in the ledger (`earlier.ts`) */
  ledgerKey: string | null;
  completeness: Completeness;
};

/** Milliseconds for an endpoint to say what is final. */
const TAG_TIMEOUT = 5_000;
/** This many new final blocks after a fetch are left to Ponder. */
const FEW = 30;

/** Rows that wait at most for becoming text, which takes a fraction of their memory, by `waiting` of the book. */
export const ROWS_AT_ONCE = 250;

/** @returns null if no block in which the contracts could have events is final yet */
export async function readHistory(parameters: HistoryParameters): Promise<History | null> {
  const { settings, log, client } = parameters;
  const first = firstBlockOf(settings);
  let finalized = await settledBlock(settings, client);
  if (Number(finalized.number) < first) return null;
  const { number, hash } = finalized;

  const followed = followContracts(settings);
  const ranges = createRanges(settings.logsRange);
  const proofs = createBackfillProofs(parameters, followed);
  const contracts = contractsOf(settings);
  const progress = startProgress({ log, first, requests: client.count, contracts: contracts.name });
  // The large modules load during the first requests.
  const modules = Promise.all([import("./events.ts"), import("./book.ts"), parameters.prepare()]);
  modules.catch(() => {});
  let book: Book | null = null;
  let eventsOf: ReturnType<typeof createEventReader> | null = null;
  const onUnmapped = unmappedLog(log);
  let from = first;
  try {
    const earlier = await earlierOn(parameters);
    if (earlier !== null) {
      const [, { createBook }, sender] = await modules;
      book = createBook(contracts.unknowable);
      // Its last block may be the chain's last one, which is left to Ponder.
      const last = Math.min(earlier.last, Number(finalized.number));
      const blocks = await foldEarlier(earlier.rows(), last, { book, sender, reached: progress.reached });
      await earlier.close();
      followed.know(new Map([...earlier.escrowChildren].filter(([, block]) => block <= last)));
      from = Math.max(first, last + 1);
      proofs.goOnFrom({ ...earlier, last, blocks });
      log.info({ msg: `Folded the ledger of ${earlier.of}`, block: last, events: book.count() });
    }
    for (;;) {
      const to = Number(finalized.number);
      const pages = readPages({ client, followed, ranges, from, to, ...proofs.asked });
      for await (const page of pages) {
        proofs.count(page);
        const [{ createEventReader }, { createBook }, sender] = await modules;
        book ??= createBook(contracts.unknowable);
        eventsOf ??= createEventReader(contracts, settings.chainId, onUnmapped);
        for (const event of eventsOf(page)) {
          book.add(event);
          if (book.waiting() >= ROWS_AT_ONCE) await sendAll(sender, book.take());
        }
        progress.reached(page.to, to, book.count());
      }
      // After a long fetch the chain has advanced: continue to its new final block.
      const next = await settledBlock(settings, client).catch(() => finalized);
      if (Number(next.number) - to <= FEW) break;
      from = to + 1;
      finalized = next;
    }
    // Otherwise a URL leads to another chain by now, and some of the history may be that chain's.
    await blockAt(client, Number(number), RETRY_DELAY, hash);
    const [, , sender] = await modules;
    if (book !== null) {
      await sendAll(sender, book.take());
      await sendAll(sender, book.rest());
    }
    await sender.end();
    progress.end();
  } finally {
    progress.stop();
  }
  const [escrowChildren, tokenChildren] = [new Map(followed.escrowChildren), new Map(followed.tokenChildren)];
  const completeness = await proofs.upTo(finalized);
  return { finalized, escrowChildren, tokenChildren, ledgerKey: ledgerKey(settings), completeness };
}

/** The ledgers that are there, to be closed. A failing one is skipped, as the history can be read without it. */
export async function findLedgers(
  settings: Settings,
  log: Pick<Logger, "info" | "warn">,
): Promise<PriorLedger[]> {
  const unreadable = (msg: string) => (error: Error) => {
    log.warn({ msg, error });
    return null;
  };
  const found = await Promise.all([
    findPriorLedger(settings, log).catch(unreadable("The ledgers of earlier versions cannot be read")),
    findImported(settings, log).catch(unreadable("The imported ledger file cannot be read")),
  ]);
  return found.filter((one) => one !== null);
}

/** The earlier ledger on this chain that has come furthest. */
async function earlierOn({ settings, client, log }: HistoryParameters): Promise<PriorLedger | null> {
  const furthest = (await findLedgers(settings, log)).sort((a, b) => b.last - a.last);
  let chosen: PriorLedger | null = null;
  for (const earlier of furthest) {
    if (chosen === null && (await isOfChain(earlier, client))) chosen = earlier;
    else await earlier.close();
  }
  return chosen;
}

/** @throws {EndpointsSilentError} if no endpoint has come as far as the ledger: it is waited for, as an import that is not taken is lost */
async function isOfChain({ knownBlock }: PriorLedger, client: ChainClient): Promise<boolean> {
  return knownBlock !== null && (await blockAt(client, knownBlock.number)).hash === knownBlock.hash;
}

/**
 * The last block that no reorg can take back: the lowest of the endpoints' final blocks, or a deep one where they name none, or
 * older ones. Never the chain's last block, as Ponder begins by asking for the one after it.
 */
export async function settledBlock(settings: Settings, client: ChainClient): Promise<RawBlock> {
  const latest = Number((await blockAt(client, "latest")).number);
  const named = await Promise.all(
    settings.rpcUrls.map((url) => finalBlockOf({ url, timeout: TAG_TIMEOUT }).catch(() => null)),
  );
  const finals = named.flatMap((block) => (block === null ? [] : Number(block.number)));
  const final = finals.length === 0 ? 0 : Math.min(...finals);
  const settled = Math.min(latest - 1, Math.max(final, latest - reorgWindow(settings)));
  return blockAt(client, Math.max(settled, 0));
}

/**
 * Asks again for a few seconds, and every endpoint: one that is behind gives null, and so does one node of several behind a URL.
 * @throws {EndpointsSilentError} if the endpoints do not answer, or do not have it
 */
export async function blockAt(
  client: ChainClient,
  place: number | "latest",
  retryDelay = RETRY_DELAY,
  hash?: Hex,
): Promise<RawBlock> {
  const request = blockRequest(place);
  const isWanted = (block: unknown): block is RawBlock =>
    isBlock(block) && (hash === undefined || block.hash === hash);
  let block = await client.request(request);
  for (let attempt = 2; !isWanted(block) && attempt <= ATTEMPTS; attempt += 1) {
    await sleep(retryDelay);
    [block] = (await client.requestOptional([request], undefined, isWanted).catch(nullUnlessSilent)) ?? [];
  }
  if (isWanted(block)) return block;
  const which = hash === undefined ? place : `${place} with the hash ${hash} any more`;
  throw new EndpointsSilentError("failure", `the endpoints have no block ${which}`);
}

type EarlierParameters = Pick<BackfillProgress, "reached"> & {
  book: Pick<Book, "addRow" | "waiting" | "take" | "count">;
  sender: Pick<Sender, "send">;
};

/** Folds the events up to the block `last`. @returns the number of their blocks */
export async function foldEarlier(
  events: Iterable<FiledEvent> | AsyncIterable<FiledEvent>,
  last: number,
  { book, sender, reached }: EarlierParameters,
): Promise<number> {
  let [blocks, newest] = [0, -1n];
  for await (const { row, blockHash } of events) {
    if (row.blockNumber > BigInt(last)) break;
    if (row.blockNumber !== newest) blocks += 1;
    newest = row.blockNumber;
    book.addRow(row, blockHash);
    if (book.waiting() < ROWS_AT_ONCE) continue;
    await sendAll(sender, book.take());
    reached(Number(newest), last, book.count());
  }
  reached(last, last, book.count());
  return blocks;
}

function nullUnlessSilent(error: unknown): null {
  if (error instanceof EndpointsSilentError) throw error;
  return nullIfRefused(error);
}

async function sendAll(
  sender: Pick<Sender, "send">,
  rows: Partial<Record<TableName, Iterable<object>>>,
): Promise<void> {
  for (const [table, some] of Object.entries(rows)) await sender.send(table as TableName, some);
}

type BackfillProgress = {
  /** All blocks up to `block` are folded, of those up to `last`. */
  reached(block: number, last: number, events: number): void;
  /** Logs the end. */
  end(): void;
  stop(): void;
};

const INTERVAL = 3_000;

type ProgressParameters = {
  log: Pick<Logger, "info">;
  /** the first block */
  first: number;
  /** HTTP requests so far */
  requests(): number;
  /** the name of the contracts */
  contracts: string;
};

function startProgress({ log, first, requests, contracts }: ProgressParameters): BackfillProgress {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let [at, last, events] = [first - 1, first, 0];
  log.info({ msg: "Started fetching the history", contracts, from: first });

  const timer = setInterval(() => {
    const done = (at - first + 1) / (last - first + 1);
    log.info({
      ...{ msg: "Fetching the history", block: at, last, progress: `${(100 * done).toFixed(1)}%`, events },
      requests: requests(),
      estimate: done > 0 ? `${Math.ceil((seconds() * (1 - done)) / done)}s` : undefined,
    });
  }, INTERVAL).unref();

  return {
    reached(block, to, count) {
      [at, last, events] = [block, to, count];
    },
    end() {
      const duration = `${seconds().toFixed(1)}s`;
      log.info({ msg: "Fetched and folded the history", block: at, events, requests: requests(), duration });
    },
    stop: () => clearInterval(timer),
  };
}
