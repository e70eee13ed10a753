/** @module A market updater over tables that a test can change, with fake timers. */
import { vi } from "vitest";
import type { MarketKeeper } from "../../api/updater/market-keeper.ts";
import { startMarketUpdater } from "../../api/updater/market-updater.ts";
import type { MarketUpdater } from "../../api/updater/market-updater-form.ts";
import type { TableSnapshot } from "../../api/updater/tables.ts";
import type { TakePart } from "../../api/updater/whole.ts";
import { DOLLAR, entryDraft, HEAD, listingRow, registryOf } from "./rows.ts";
import { fixedRegistry, recordedLog, SITE, type TableDraft, tablesOf } from "./snapshot.ts";

/** Milliseconds between two looks. */
export const INTERVAL = 100;

const updaters: MarketUpdater[] = [];

export function useFakeTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
}

/** Stops the updaters too. */
export function useRealTime(): void {
  for (const updater of updaters.splice(0)) updater.stop();
  vi.useRealTimers();
}

/** Advances the clock by this many milliseconds and runs what is due. */
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A market updater over tables that the test can change, with one listing. @param saved takes the market when it is time to save it */
export function follow(
  first: TableSnapshot | null,
  { hears = false, saved }: { hears?: boolean; saved?: MarketKeeper } = {},
) {
  const tables: { now: TableSnapshot | null | Error } = { now: first };
  const look = async () => {
    if (tables.now instanceof Error) throw tables.now;
    return tables.now;
  };
  const read = vi.fn(look);
  const rows = vi.fn((_since: unknown, _restarted: unknown, _take: TakePart) => look());
  const registry = fixedRegistry(registryOf([entryDraft()]));
  const { log, lines } = recordedLog();
  let notice = () => {};
  const notices = { areHeard: true };
  const onBlock = (indexed: () => void) => {
    notice = indexed;
    return () => notices.areHeard;
  };
  const parameters = {
    tables: { position: read, read: rows },
    registry,
    publicSettings: SITE,
    log,
    interval: INTERVAL,
    saved,
  };
  const updater = startMarketUpdater(hears ? { ...parameters, onBlock } : parameters);
  updaters.push(updater);
  const raised = () => updater.current()?.market.listings.at(0)?.raisedAmount;
  const said = () => lines.filter(({ level }) => level !== "debug");
  return { updater, tables, read, rows, registry, said, raised, announce: () => notice(), notices };
}

export const at = (blocks: bigint, raised: bigint, overrides: TableDraft = {}): TableSnapshot =>
  tablesOf({
    head: { number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks },
    revisions: { listings: `${raised}` },
    listings: [listingRow({ raisedAmount: raised * DOLLAR })],
    ...overrides,
  });
export const dollars = (amount: bigint) => (amount * DOLLAR).toString();
