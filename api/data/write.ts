/**
 * Writes the open data: the final rows of the ledger, each once, in files of fixed ranges of blocks, and the raises and businesses as
 * of the last of these blocks. Files are the same wherever they are written.
 * @module
 */
import type { Hex } from "viem";
import { isoTime } from "../../config/format/time.ts";
import { type EventPosition, endOfBlock } from "../../src/fold/event-id.ts";
import type { Market } from "../market/market.ts";
import { byPublicId } from "../market/ordered.ts";
import { COHORTS_BY } from "../market/series-schema.ts";
import type { BookEvent } from "../proof/book-leaves.ts";
import { DATA_VERSION, type TableName } from "./columns.ts";
import type { DataFolder, LedgerState, OpenFile } from "./folder.ts";
import { type DataFile, type Manifest, tableOf } from "./manifest.ts";
import { type Cell, cohortCells, ledgerCells, listingCells, originatorCells } from "./rows.ts";

/** Rows read between two pauses. */
const BATCH = 100;

/** Why something about the past is not there yet. The detail is for the log. */
export type NotYet = { reason: string; detail: string };

export type DataSource = {
  chainId: number;
  /** identifies the followed contracts and the size of the files */
  dataset: string;
  firstBlock: bigint;
  blocksPerFile: bigint;
  /** an SPDX identifier or a URL; null: none is granted */
  licence: string | null;
  /** Final events after a position and up to a block, in the order of the chain. */
  events(after: EventPosition | null, until: bigint, limit: number): Promise<readonly BookEvent[]>;
  /** The market as of a final block, and the hash of the registry that it has its raises from. */
  marketAt(block: bigint): Promise<{ market: Market; registry: string } | NotYet>;
  /** The root of the book as of a final block. */
  rootAt(block: bigint): Promise<Hex | NotYet>;
};

export type WriteOptions = {
  /** called between two batches; other work runs until it resolves */
  pause(): Promise<void>;
  /** the last block that is read so far, and the last of all */
  onProgress?(block: bigint, until: bigint): void;
  /** the files do not have the book's rows any more, and are written again */
  onReplaced?(block: string): void;
};

const NO_HISTORY: NotYet = {
  reason: "backfilling",
  detail: "The history of the market is still being read.",
};

/** The last block of the last range that is wholly final; null before the first. */
export function lastWholeBlock(
  final: bigint,
  { blocksPerFile, firstBlock }: Pick<DataSource, "blocksPerFile" | "firstBlock">,
) {
  const until = ((final + 1n) / blocksPerFile) * blocksPerFile - 1n;
  return until < firstBlock ? null : until;
}

/**
 * Brings the folder up to a final block.
 *
 * @returns the manifest; null as long as no range is final; or why the past is not there yet
 * @throws when the disk is full or the database does not answer: what is written by then stays
 */
export async function writeData(
  folder: DataFolder,
  source: DataSource,
  final: bigint,
  options: WriteOptions,
): Promise<Manifest | NotYet | null> {
  const until = lastWholeBlock(final, source);
  if (until === null) return null;
  const published = await folder.manifest();
  const known = published?.dataset === source.dataset ? published : null;
  // Another reader may have written blocks that are not final here yet: the book cannot compare those.
  const root =
    known === null || BigInt(known.toBlock) > until ? null : await source.rootAt(BigInt(known.toBlock));
  if (root !== null && typeof root !== "string") return root;
  const isReplaced = known !== null && root !== null && root !== known.root;
  if (isReplaced) options.onReplaced?.(known.toBlock);
  else if (known !== null && BigInt(known.toBlock) >= until) {
    if (known.licence === source.licence) return known;
    const licensed = { ...known, licence: source.licence };
    await folder.publish(licensed);
    return licensed;
  }
  const { dataset } = source;
  const state = isReplaced ? { dataset, toBlock: null, files: [] } : await folder.state(dataset);
  const ledger = await writeLedger(folder, { source, state, until, options });
  const [found, newRoot] = [await source.marketAt(until), await source.rootAt(until)];
  if ("reason" in found) return found;
  if (typeof newRoot !== "string") return newRoot;
  const { market, registry } = found;
  const { listings, originators, overTime } = market;
  const cohorts = COHORTS_BY.flatMap((by) => overTime?.cohorts({ by }) ?? []);
  const counted = cohorts.filter((one) => "cohorts" in one);
  if (overTime === null || counted.length < cohorts.length) return NO_HISTORY;
  const tables = {
    ledger: tableOf("ledger", ledger.files),
    listings: tableOf("listings", [
      await writeTable(
        folder,
        "listings",
        until,
        inOrder(listings.all(), (one) => listingCells(one, market)),
      ),
    ]),
    originators: tableOf("originators", [
      await writeTable(folder, "originators", until, inOrder(originators, originatorCells)),
    ]),
    cohorts: tableOf("cohorts", [await writeTable(folder, "cohorts", until, cohortCells(counted))]),
  };
  const { chainId, blocksPerFile, licence } = source;
  const manifest: Manifest = {
    ...{ schemaVersion: DATA_VERSION, chainId, dataset },
    ...{ fromBlock: `${source.firstBlock}`, toBlock: `${until}`, at: isoTime(market.head.timestamp) },
    ...{ blocksPerFile: `${blocksPerFile}`, root: newRoot, registry, licence, tables },
  };
  await folder.publish(manifest);
  return manifest;
}

type LedgerParameters = { source: DataSource; state: LedgerState; until: bigint; options: WriteOptions };

async function writeLedger(folder: DataFolder, parameters: LedgerParameters): Promise<LedgerState> {
  const { source, until, options } = parameters;
  let { state } = parameters;
  let after: EventPosition | null = state.toBlock === null ? null : endOfBlock(BigInt(state.toBlock));
  let open: { file: OpenFile; toBlock: bigint } | null = null;
  const close = async () => {
    if (open === null) return;
    const file: DataFile = await open.file.close();
    open = null;
    state = { ...state, toBlock: file.toBlock, files: [...state.files, file] };
    await folder.saveState(state);
  };
  try {
    for (;;) {
      const rows = await source.events(after, until, BATCH);
      for (const row of rows) {
        if (open !== null && row.blockNumber > open.toBlock) await close();
        open ??= await beginRange(folder, row.blockNumber, source.blocksPerFile);
        await open.file.add(ledgerCells(row));
      }
      after = rows.at(-1) ?? after;
      options.onProgress?.(rows.at(-1)?.blockNumber ?? until, until);
      if (rows.length < BATCH) break;
      await options.pause();
    }
    await close();
  } catch (error) {
    // The compiler does not see the assignment in `close`.
    await (open as { file: OpenFile } | null)?.file.abandon();
    throw error;
  }
  state = { ...state, toBlock: `${until}` };
  await folder.saveState(state);
  return state;
}

async function beginRange(folder: DataFolder, block: bigint, size: bigint) {
  const fromBlock = (block / size) * size;
  const toBlock = fromBlock + size - 1n;
  const file = await folder.begin("ledger", { fromBlock: `${fromBlock}`, toBlock: `${toBlock}` });
  return { file, toBlock };
}

async function writeTable(
  folder: DataFolder,
  table: TableName,
  block: bigint,
  rows: Iterable<readonly Cell[]>,
) {
  const file = await folder.begin(table, { fromBlock: `${block}`, toBlock: `${block}` });
  try {
    for (const row of rows) await file.add(row);
    return await file.close();
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

/** Rows by public id: an order that no setting and no release changes. */
function* inOrder<Item extends { publicId: string }>(
  items: readonly Item[],
  toCells: (item: Item) => readonly Cell[],
): Generator<readonly Cell[]> {
  for (const item of items.toSorted(byPublicId)) yield toCells(item);
}
