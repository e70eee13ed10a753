/** @module A chain of made-up blocks, with the updater and the reader of its followers. It grows and is reorganised when a test says so. */
import type {
  Continuation,
  KnownBlock,
  OnwardQuery,
  OnwardReader,
  OnwardRow,
} from "../../api/ledger/read-onward.ts";
import { Listings } from "../../api/market/listings.ts";
import type { Market } from "../../api/market/market.ts";
import type { Listing } from "../../api/market/schema.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import type { Registry } from "../../api/registry/schema.ts";
import { NOW } from "./rows.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

/** A block with this many events. Two with the same number belong to different forks. */
export type StreamedBlock = {
  number: bigint;
  fork: number;
  rows: number;
  /** of its rows; the chain's own if left out */
  of?: Listing;
};

export function hashOf({ number, fork }: Pick<StreamedBlock, "number" | "fork">): `0x${string}` {
  const digits = number.toString(16).padStart(4, "0") + fork.toString(16).padStart(4, "0");
  return `0x${digits}${"0".repeat(56)}`;
}

/** Repayments of a listing, in blocks after every raise of the made-up market has opened. */
export function rowsOf(block: StreamedBlock, { escrowAddress, onchainId }: Listing): OnwardRow[] {
  return Array.from({ length: block.rows }, (_, logIndex) => ({
    escrowAddress: escrowAddress as `0x${string}`,
    onchainId: BigInt(onchainId),
    eventId: `${block.number}-${logIndex}`.padStart(75, "0"),
    kind: "repaid" as const,
    blockNumber: block.number,
    blockTime: NOW + block.number,
    txHash: hashOf(block),
    logIndex,
    part: 0,
    args: {},
    blockHash: hashOf(block),
  }));
}

/** As the interface has it. */
export function idOf({ blockNumber, logIndex, blockHash }: OnwardRow): string {
  return `${blockNumber}-${logIndex}-${blockHash.slice(2, 10)}`;
}

export type StreamedFrame = { event: string; id: string; data: Record<string, string> };

/** The whole events of a text; comments and what is cut off at its end are left out. */
export function framesOf(text: string): StreamedFrame[] {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return whole
    .split("\n\n")
    .filter((frame) => frame.includes("event:"))
    .map((frame) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1] ?? "";
      return { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
    });
}

/** The ids of the rows of a reader that has applied these events. */
export function heldAfter(frames: readonly StreamedFrame[], before: readonly string[] = []): string[] {
  let held = [...before];
  for (const { event, id, data } of frames) {
    if (event === "reorg") held = held.filter((one) => blockOf(one) < BigInt(data.from ?? 0));
    if (event === "ledger") held.push(id);
  }
  return held;
}

const blockOf = (id: string) => BigInt(id.split("-")[0] ?? 0);

export type StreamedChain = Awaited<ReturnType<typeof createStreamedChain>>;

export async function createStreamedChain() {
  const { market, ...rest } = await snapshotOf(tablesOf());
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the made-up market has listings");
  let blocks: StreamedBlock[] = [];
  let head = 0n;
  let finalized = 0n;
  let fork = 0;
  let reverts = 0;
  let shown: Market = market;
  let { registry } = rest;
  let snapshot: Snapshot;
  const orphans: { block: KnownBlock; revert: number }[] = [];
  const reads: (keyof OnwardReader)[] = [];

  const rows = () => blocks.flatMap((block) => rowsOf(block, block.of ?? listing));
  const publish = () => {
    const last = rows().at(-1);
    const lastRow = last === undefined ? "0" : idOf(last);
    const at = (number: bigint) => ({ number, timestamp: NOW + number });
    snapshot = {
      ...{ ...rest, registry },
      market: { ...shown, head: { ...at(head), lastRow } },
      ...{ finalized: at(finalized), lastChanged: at(last?.blockNumber ?? 0n) },
      ...{ ledgerRevision: `${rows().length}/${reverts}/${lastRow} undefined`, reverts },
    };
  };
  const grow = (counts: readonly number[], of = listing) => {
    for (const count of counts) {
      head += 1n;
      if (count > 0) blocks.push({ number: head, fork, rows: count, of });
    }
  };
  publish();

  const isAfter = (row: OnwardRow, after: OnwardQuery["after"]) =>
    after === null ||
    row.blockNumber > after.blockNumber ||
    (row.blockNumber === after.blockNumber && row.logIndex > after.logIndex);
  const isOf = (row: OnwardRow, pair: OnwardQuery["pair"]) =>
    pair === null || (row.escrowAddress === pair.escrowAddress && `${row.onchainId}` === `${pair.onchainId}`);

  const reader: OnwardReader = {
    async page({ after, until, pair, kinds, limit }) {
      reads.push("page");
      return rows()
        .filter((row) => isAfter(row, after) && row.blockNumber <= until && isOf(row, pair))
        .filter(({ kind }) => kinds === null || kinds.has(kind))
        .slice(0, limit);
    },
    async continue(known, from, until, limit): Promise<Continuation> {
      reads.push("continue");
      const hashes = new Set<string>(blocks.map(hashOf));
      const index = known.findIndex(({ hash }) => !hashes.has(hash));
      const left = index === -1 ? known : known.slice(0, index);
      const start = [from, ...left.map(({ number }) => number)].reduce((a, b) => (a > b ? a : b));
      return {
        progress: { ...tablesOf(), head: { number: head, timestamp: NOW + head }, reverts },
        lost: known[index]?.number ?? null,
        rows: rows()
          .filter(({ blockNumber }) => blockNumber > start && blockNumber <= until)
          .slice(0, limit),
      };
    },
    async place(id) {
      reads.push("place");
      const ofHash = (block: { hash: string }) => block.hash.startsWith(`0x${id.hash}`);
      const row = rows().find((one) => one.blockNumber === id.blockNumber && one.logIndex === id.logIndex);
      if (row !== undefined && ofHash({ hash: row.blockHash })) return "on chain";
      const gone = orphans.findLast(({ block }) => block.number === id.blockNumber && ofHash(block));
      if (gone === undefined) return "unknown";
      const since = orphans.filter(({ revert }) => revert >= gone.revert).map(({ block }) => block.number);
      return { lost: since.reduce((a, b) => (a < b ? a : b)) };
    },
    async lastRow(until) {
      reads.push("lastRow");
      const last = rows().findLast(({ blockNumber }) => blockNumber <= until);
      if (last === undefined) return null;
      const block = { number: last.blockNumber, hash: last.blockHash };
      return { id: idOf(last), block, blockTime: last.blockTime };
    },
    async refoldedFrom() {
      reads.push("refoldedFrom");
      return null;
    },
    async firstBlock(pairs) {
      reads.push("firstBlock");
      return rows().find((row) => pairs.some((pair) => isOf(row, pair)))?.blockNumber ?? null;
    },
  };

  return {
    /** of all rows but those of `mineOf` */
    listing,
    market,
    /** for tests to put something in between; each call is noted in `reads` */
    reader,
    reads,
    updater: { current: () => snapshot },
    ids: () => rows().map(idOf),
    head: () => head,
    /** Adds a block for each number, with this many events. */
    mine(...counts: number[]) {
      grow(counts);
      publish();
    },
    /** Adds a block with a row of this listing. */
    mineOf(of: Listing) {
      grow([1], of);
      publish();
    },
    /** Puts as many blocks as there are numbers into the place of the last `depth`. */
    reorganise(depth: number, ...counts: number[]) {
      const left = head - BigInt(depth);
      const gone = blocks.filter(({ number }) => number > left);
      if (gone.length > 0) reverts += 1;
      for (const { number, ...block } of gone)
        orphans.push({ block: { number, hash: hashOf({ number, ...block }) }, revert: reverts });
      blocks = blocks.filter(({ number }) => number <= left);
      const last = blocks.at(-1)?.number ?? 0n;
      // As the indexer notes it: the first block in which the forks can differ.
      if (gone.length > 0)
        orphans.push({
          block: { number: 1n + (last > finalized ? last : finalized), hash: "0x" },
          revert: reverts,
        });
      head = left;
      fork += 1;
      grow(counts);
      publish();
    },
    /** Adds a row to a block, as when tables that lacked it are filled again. */
    fill(number: bigint) {
      blocks = blocks.map((block) => (block.number === number ? { ...block, rows: block.rows + 1 } : block));
      publish();
    },
    finalise(number: bigint) {
      finalized = number;
      publish();
    },
    /** Shows these listings alone. */
    show(listings: readonly Listing[]) {
      const byPair = new Map(listings.map((one) => [`${one.escrowAddress}:${one.onchainId}`, one]));
      const factsByPair = (pair: string) => byPair.get(pair);
      shown = { ...market, listings: new Listings(listings), listingByPair: byPair, factsByPair };
      publish();
    },
    /** Shows the market of another registry. */
    republish(other: Market, itsRegistry: Registry) {
      [shown, registry] = [other, itsRegistry];
      publish();
    },
  };
}
