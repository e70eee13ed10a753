/** @module Tries a contracts module on logs: counts, samples, failures, and the market that the logs fold into. */
import { isDeepStrictEqual } from "node:util";
import { type Hex, toEventSelector, toEventSignature } from "viem";
import { named } from "../../../api/market/entries.ts";
import { createRefolds, isRefolded } from "../../../api/market/refolds.ts";
import { acceptsMoney, statusAt } from "../../../api/market/status.ts";
import { pairKey, pairOf, type Registry } from "../../../api/registry/schema.ts";
import type { Log } from "../../../chain/logs.ts";
import type { RawBlock } from "../../../chain/pages.ts";
import { counted } from "../../../config/format/counted.ts";
import { type Contracts, type LogPlace, lowered, type MappedLog } from "../../../src/contracts/compile.ts";
import { decodeLog, mapRawLog, placeIn } from "../../../src/contracts/contracts.ts";
import { closesByTimeAlone, type Lifecycle, lacksTerms } from "../../../src/fold/derived.ts";
import { eventIdOf } from "../../../src/fold/event-id.ts";
import { UNKNOWN_ID } from "../../../src/fold/events.ts";
import { toLedgerArgs } from "../../../src/fold/ledger.ts";
import { createTables, runStep } from "../../../src/fold/memory.ts";
import type { ListingRow, StoredRow } from "../../../src/fold/state.ts";
import { recordEvent } from "../../../src/fold/step.ts";

const MOST_SAMPLES = 3;

type Sample = { block: number; logIndex: number; args: unknown; means: readonly unknown[] };

export type EventReport = {
  /** such as `Deposited(uint256,address,uint256)` */
  event: string;
  count: number;
  /** how often it was mapped to each kind; `nothing` for null */
  kinds: Record<string, number>;
  samples: Sample[];
  /** logs that could not be mapped, or whose handler is not pure */
  failures: number;
  firstProblem: string | null;
};

export type Trial = {
  name: string;
  logs: number;
  events: readonly EventReport[];
  /** logs that nothing follows, by their event if the ABI has it, else by their topic; the most frequent first */
  unfollowed: readonly { event: string; count: number }[];
  /**
   * listings by status at the last block; `unknown` if they were never created, `without terms` or `without a reference number` if
   * nothing gives any
   */
  listings: Readonly<Record<string, number>>;
  /** what is missing in the answers though every handler works */
  notes: readonly string[];
  /** by kind */
  anomalies: Readonly<Record<string, number>>;
};

/** A log that is followed, and what it was mapped to. */
type Taken = { report: EventReport; log: Log; place: LogPlace; mapped: readonly MappedLog[] };

/** The raises of a registry that is in use with the contracts, and the escrows that are followed, in lowercase. */
export type TrialRegistry = Pick<Registry, "listings" | "listingByPair"> & { followed: ReadonlySet<string> };

/**
 * Takes logs in the order of the chain.
 * @param fresh makes a copy of the module that has not been given any log yet
 * @param registry null where it cannot be used: then nothing has terms from it
 */
export function createTrial(contracts: Contracts, fresh: () => Contracts, registry: TrialRegistry | null) {
  const tables = createTables({});
  const reports = new Map<Hex | undefined, EventReport>(
    [...contracts.byTopic].map(([topic, { abiItem }]) => [topic, emptyReport(toEventSignature(abiItem))]),
  );
  const names = new Map<Hex | undefined, string>(
    contracts.unhandled.map((item) => [toEventSelector(item), toEventSignature(item)]),
  );
  const unfollowed = new Map<string, number>();
  let logs = 0;
  let tokenless = 0;

  /** The event to which the log is mapped; null if nothing follows it. */
  const take = (log: Log, block: RawBlock): Taken | null => {
    logs += 1;
    const report = reports.get(log.topic);
    if (report === undefined) {
      const name = names.get(log.topic) ?? unknownName(log);
      unfollowed.set(name, (unfollowed.get(name) ?? 0) + 1);
      return null;
    }
    const decoded = decodeLog(contracts, log.raw);
    if (decoded === null) {
      fail(report, "its data does not fit the ABI: the indexer skips such a log");
      return null;
    }
    const { event, args } = decoded;
    const place = placeIn(log, block);
    const mapped = event.map(args, place);
    note(report, { log, args, mapped });
    for (const [part, { content }] of mapped.entries()) {
      const eventId = eventIdOf(logIdOf(log, block), part);
      const origin = { ...place, blockHash: block.hash, eventId, part };
      const writes = runStep(tables, recordEvent({ ...origin, ...content }, contracts.unknowable));
      if (writes.length === 0) tokenless += 1;
    }
    return { report, log, place, mapped };
  };

  return {
    /**
     * Calls each handler again, the last log first, and in a fresh copy of the module too: one that depends on earlier calls answers
     * differently there, as it would after a restart.
     */
    add(page: readonly (readonly [Log, RawBlock])[]): void {
      const taken = page.map(([log, block]) => take(log, block)).filter((one) => one !== null);
      if (taken.length === 0) return;
      const copies = [contracts, fresh()];
      for (const { report, log, place, mapped } of taken.reverse()) {
        const again = copies.map((copy) => mapRawLog(copy, log.raw, place));
        if (again.some((other) => !isDeepStrictEqual(mapped, other)))
          fail(report, "the handler answered differently when it was called again: it is not pure");
      }
    },
    /** @param now the time of the last block, unix seconds */
    result(now: bigint): Trial {
      const listings = listingsIn(tables, contracts.lifecycle, registry, now);
      const open = listings.filter(({ closes }) => !closes).length;
      const drawn = listings.filter(({ isDrawnOpen }) => isDrawnOpen).length;
      const later = listings.filter(({ isLater }) => isLater).length;
      return {
        name: contracts.name,
        logs,
        events: [...reports.values()],
        unfollowed: [...unfollowed]
          .map(([event, count]) => ({ event, count }))
          .toSorted((a, b) => b.count - a.count),
        listings: countsOf(listings.map(({ state }) => state)),
        notes: [
          ...(open === 0
            ? []
            : [
                `${counted(open, "listings")} without closeAt: as no event closes one, it stays open for good.`,
              ]),
          ...(drawn === 0
            ? []
            : [
                `${counted(drawn, "listings")} drawn down while open: if a drawdown ends the raise, return [{ kind: "listing_closed" }, { kind: "drawn_down", … }].`,
              ]),
          ...(later === 0
            ? []
            : [`${counted(later, "listings")} not shown yet: goLiveAt is later than the last block.`]),
          ...(tokenless === 0
            ? []
            : [
                `${counted(tokenless, "events")} of the desk left out: no listing_created in these blocks has the token.`,
              ]),
        ],
        anomalies: countsOf(tables.anomaly.map(({ kind }) => kind)),
      };
    },
  };
}

/** As the projection has them: with the registry's terms, and with what is derived. */
function listingsIn(
  { listing, ledger }: { listing: ReadonlyMap<string, ListingRow>; ledger: readonly StoredRow[] },
  lifecycle: Lifecycle,
  registry: TrialRegistry | null,
  now: bigint,
): { state: string; closes: boolean; isDrawnOpen: boolean; isLater: boolean }[] {
  const refolds = createRefolds(lifecycle, (pair) => registry?.listingByPair.get(pair)?.terms ?? null);
  const rows = [...listing.values()].filter(({ onchainId }) => onchainId !== UNKNOWN_ID);
  const stored = new Map(rows.map((row) => [pairKey(row), row]));
  const pairs = new Set(stored.keys());
  for (const entry of registry?.listings ?? []) {
    if (!lifecycle.derivesCreation || !registry?.followed.has(entry.escrowAddress)) continue;
    refolds.begin(pairOf(entry));
    pairs.add(pairKey(entry));
  }
  refolds.add(ledger);
  const withoutStatus = (state: string) => ({ state, closes: true, isDrawnOpen: false, isLater: false });
  return [...pairs].map((pair) => {
    const row = stored.get(pair) ?? null;
    if (!lifecycle.derivesCreation && row?.createdEventId == null) return withoutStatus("unknown");
    const folded = isRefolded(row, lifecycle) ? (refolds.at(pair, now)?.row ?? row) : row;
    const entry = registry?.listingByPair.get(pair);
    const shown = folded !== null && entry !== undefined ? named(folded, entry) : folded;
    if (shown === null || lacksTerms(shown)) return withoutStatus("without terms");
    if (shown.refnum === null) return withoutStatus("without a reference number");
    const { status } = statusAt(shown, now);
    const isOpen = acceptsMoney(status);
    const closes = shown.closeAt !== null || !isOpen || !closesByTimeAlone(lifecycle);
    return {
      ...{ state: status, closes, isDrawnOpen: isOpen && shown.drawnDownAt !== null },
      isLater: shown.goLiveAt !== null && shown.goLiveAt > now,
    };
  });
}

function emptyReport(event: string): EventReport {
  return { event, count: 0, kinds: {}, samples: [], failures: 0, firstProblem: null };
}

function unknownName({ topic }: Log): string {
  return topic === undefined
    ? "an event without a topic, which is anonymous and cannot be followed"
    : `an event that the ABI does not have: topic ${topic}`;
}

function note(
  report: EventReport,
  { log, args, mapped }: { log: Log; args: unknown; mapped: readonly MappedLog[] },
): void {
  report.count += 1;
  const kinds = mapped.length === 0 ? ["nothing"] : mapped.map(({ content }) => content.event.kind);
  for (const kind of kinds) report.kinds[kind] = (report.kinds[kind] ?? 0) + 1;
  for (const { problem } of mapped) if (problem !== null) fail(report, problem);
  if (report.samples.length < MOST_SAMPLES) {
    const means = mapped.map(({ content }) => ({
      ...(content.source === "escrow" && { onchainId: content.onchainId.toString() }),
      kind: content.event.kind,
      ...toLedgerArgs(content.event.args),
    }));
    report.samples.push({ block: log.block, logIndex: log.logIndex, args: shownArgs(args), means });
  }
}

/** The arguments as the handler is given them, and as JSON has them. */
function shownArgs(args: unknown): unknown {
  return JSON.parse(
    JSON.stringify(lowered(args), (_, value) => (typeof value === "bigint" ? `${value}` : value)),
  );
}

function fail(report: EventReport, problem: string): void {
  report.failures += 1;
  report.firstProblem ??= problem;
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Sorts like the chain; without the chain's id. */
function logIdOf({ block, transactionIndex, logIndex }: Log, { timestamp }: RawBlock): string {
  const digits = (value: number | bigint, length: number) => value.toString().padStart(length, "0");
  const place = [digits(block, 16), digits(transactionIndex, 16), "5", digits(logIndex, 16)];
  return [digits(BigInt(timestamp), 10), digits(0, 16), ...place].join("");
}
