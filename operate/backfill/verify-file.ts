/**
 * Verifies a ledger file: every event is folded, and a sample of its blocks is compared with the chain. A forger cannot predict
 * the sample. A small file is compared completely.
 * @module
 */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { Hex } from "viem";
import type { ChainClient } from "../../chain/client.ts";
import { type FollowedContracts, firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import { isRefusal } from "../../chain/logs.ts";
import { readPages } from "../../chain/pages.ts";
import type { Settings } from "../../config/environment.ts";
import { oneLine, quote } from "../../config/format/untrusted-text.ts";
import { ADDRESSES_PER_REQUEST } from "../../config/sources.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import type { ChainEvent } from "../../src/fold/events.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { createBook } from "./book.ts";
import { createEventReader } from "./events.ts";
import { blockAt, ROWS_AT_ONCE } from "./history.ts";
import type { LedgerFile } from "./ledger-file.ts";
import { type FiledEvent, LedgerFileError, toLine } from "./ledger-line.ts";

export type Verification = {
  readonly listings: number;
  /** number of anomalies by kind: facts of the chain, like the events */
  readonly anomalies: Readonly<Partial<Record<AnomalyKind, number>>>;
  /** blocks with events */
  readonly blocks: number;
  /** number of them that were compared with the chain */
  readonly compared: number;
  /** requests for old logs that the endpoints refused */
  readonly refused: number;
};

export type VerifyParameters = {
  file: LedgerFile;
  settings: Settings;
  client: ChainClient;
  /** milliseconds before retrying a refused request */
  retryDelay?: number;
  onProgress?(done: number, total: number): void;
  /** Aborts when the answer is not wanted any more. */
  signal?: AbortSignal | undefined;
};

/** The blocks after one with events, up to the next one with events or the file's last block. */
type Span = { readonly from: number; readonly to: number };

/** Maximum number of blocks with events, and of announcements, that are compared. */
const SAMPLE = 200;
const LEAST_SAMPLE = 20;
const RETRY_DELAY = 200;
/** Maximum number of blocks without events that are compared before one with events. */
const BLOCKS_BEFORE = 500;
/** Maximum length of a line in a message. */
const LONGEST = 800;

/**
 * @throws {LedgerFileError} if the file contradicts itself or the chain
 * @throws the reason of the signal, at once: an answer of an endpoint may take longer than a stop
 */
export async function verifyFile(parameters: VerifyParameters): Promise<Verification> {
  const { signal } = parameters;
  if (signal === undefined) return verify(parameters);
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason));
  return Promise.race([verify(parameters), aborted]);
}

async function verify(parameters: VerifyParameters): Promise<Verification> {
  const { file, client, settings, onProgress = () => {} } = parameters;
  const { last, escrowChildren } = file.header;
  const requests = Math.ceil((escrowChildren.length + settings.escrows.length) / ADDRESSES_PER_REQUEST);
  const sample = Math.max(LEAST_SAMPLE, Math.floor(SAMPLE / Math.max(1, requests)));
  const { hash } = await blockAt(client, last.number);
  if (hash !== last.hash) {
    const problem = `block ${last.number} is ${last.hash} in it, and ${quote(hash)} on the chain`;
    throw new LedgerFileError(`it is of another chain, or of blocks that are gone: ${problem}`);
  }
  const { spans, blocks } = await spansOf(parameters, sample);
  const children = sampleOf(escrowChildren, sample);
  const followed = followContracts(settings);
  followed.know(new Map(escrowChildren));
  const events = new Map<number, readonly ChainEvent[]>();
  let [done, refused] = [0, 0];
  const counted = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused += 1;
    }
    done += 1;
    onProgress(done, spans.length + children.length);
  };
  await Promise.all([
    ...children.map((child) => counted(requireAnnounced(parameters, child))),
    ...spans.map((span) =>
      counted(eventsIn(parameters, followed, span).then((found) => void events.set(span.to, found))),
    ),
  ]);
  requireKnown(followed, file);
  const folded = await foldBeside(file, events, contractsOf(settings).unknowable);
  return { blocks, refused, ...folded };
}

/** A sample of the spans that end with events, and the span after all events. */
async function spansOf(
  { file, settings }: VerifyParameters,
  sample: number,
): Promise<{ spans: Span[]; blocks: number }> {
  const chosen = createSample<Span>(sample);
  let before = firstBlockOf(settings) - 1;
  let blocks = 0;
  const spanTo = (to: number): Span => ({ from: Math.max(before + 1, to - BLOCKS_BEFORE), to });
  for await (const { row } of file.events()) {
    const number = Number(row.blockNumber);
    if (number === before) continue;
    chosen.add(spanTo(number));
    before = number;
    blocks += 1;
  }
  const { last } = file.header;
  return { spans: last.number > before ? [...chosen.all, spanTo(last.number)] : chosen.all, blocks };
}

/** A uniform random sample of the added items. */
function createSample<Item>(most: number): { all: Item[]; add(item: Item): void } {
  const all: Item[] = [];
  let count = 0;
  return {
    all,
    add(item) {
      count += 1;
      if (all.length < most) all.push(item);
      else {
        const place = randomInt(count);
        if (place < most) all[place] = item;
      }
    },
  };
}

function sampleOf<Item>(items: readonly Item[], most: number): Item[] {
  const chosen = createSample<Item>(most);
  for (const item of items) chosen.add(item);
  return chosen.all;
}

/** @throws {RpcError} if the endpoints do not have the logs */
async function eventsIn(
  parameters: VerifyParameters,
  followed: FollowedContracts,
  span: Span,
): Promise<ChainEvent[]> {
  const { client, settings, retryDelay = RETRY_DELAY, signal } = parameters;
  const ranges = createRanges(settings.logsRange ?? BLOCKS_BEFORE);
  const eventsOf = createEventReader(contractsOf(settings), settings.chainId, () => {});
  const events: ChainEvent[] = [];
  for await (const page of readPages({ client, followed, ranges, ...span, ahead: 1, retryDelay, signal }))
    events.push(...eventsOf(page));
  return events;
}

async function requireAnnounced(
  parameters: VerifyParameters,
  [child, block]: readonly [Hex, number],
): Promise<void> {
  const followed = followContracts(parameters.settings);
  await eventsIn(parameters, followed, { from: block, to: block });
  if (followed.escrowChildren.get(child) !== block)
    throw new LedgerFileError(`the factory has announced no escrow ${child} in block ${block}`);
}

/** Checks that the file contains the contracts announced in the sample. */
function requireKnown({ escrowChildren }: FollowedContracts, { header }: LedgerFile): void {
  const known = new Map(header.escrowChildren);
  for (const [child, block] of escrowChildren) {
    if (known.get(child) !== block)
      throw new LedgerFileError(
        `the factory has announced escrow ${child} in block ${block}, which is not in it`,
      );
  }
}

/** Folds the file. For blocks in the sample it folds the chain's events, which must equal the file's. */
async function foldBeside(
  file: LedgerFile,
  chain: ReadonlyMap<number, readonly ChainEvent[]>,
  unknowable: ReadonlySet<AnomalyKind>,
): Promise<Pick<Verification, "listings" | "anomalies" | "compared">> {
  const book = createBook(unknowable);
  const anomalies: Partial<Record<AnomalyKind, number>> = {};
  let compared = 0;
  const take = () => {
    const { ledger = [], anomaly = [] } = book.take();
    for (const { kind } of anomaly) anomalies[kind] = (anomalies[kind] ?? 0) + 1;
    return [...ledger];
  };
  const compare = (number: number, events: readonly ChainEvent[], filed: readonly FiledEvent[]) => {
    take();
    for (const event of events) book.add(event);
    const hashes = new Map(events.map(({ eventId, blockHash }) => [eventId, blockHash]));
    const onChain = take().map((row) => toLine({ row, blockHash: hashes.get(row.eventId) ?? "0x" }));
    const lines = filed.map(toLine);
    for (let index = 0; index < Math.max(onChain.length, lines.length); index++) {
      if (onChain[index] === lines[index]) continue;
      const [theirs, ours] = [onChain[index], lines[index]].map((line) =>
        line === undefined ? "no event" : oneLine(line, LONGEST),
      );
      throw new LedgerFileError(
        `in block ${number} or before it the chain has\n  ${theirs}\nand the file has\n  ${ours}`,
      );
    }
  };
  let last = -1;
  for await (const filed of byBlock(file.events())) {
    const [first] = filed;
    if (first === undefined) continue;
    last = Number(first.row.blockNumber);
    const events = chain.get(last);
    if (events === undefined) for (const { row, blockHash } of filed) book.addRow(row, blockHash);
    else {
      compare(last, events, filed);
      compared += 1;
    }
    if (book.waiting() >= ROWS_AT_ONCE) take();
  }
  const { number } = file.header.last;
  if (number > last) compare(number, chain.get(number) ?? [], []);
  take();
  return { listings: [...(book.rest().listing ?? [])].length, anomalies, compared };
}

async function* byBlock(events: AsyncIterable<FiledEvent>): AsyncGenerator<FiledEvent[]> {
  let block: FiledEvent[] = [];
  for await (const event of events) {
    if (block[0] !== undefined && block[0].row.blockNumber !== event.row.blockNumber) {
      yield block;
      block = [];
    }
    block.push(event);
  }
  if (block.length > 0) yield block;
}
