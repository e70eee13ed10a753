/** @module A market updater over tables that a test can change, with fake timers. */
import { afterEach, beforeEach, vi } from "vitest";
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

/** In each test of a file; the updaters stop with it. */
export function useFakeTime(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => {
    for (const updater of updaters.splice(0)) updater.stop();
    vi.useRealTimers();
  });
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
  /** Changes the tables, and lets this many milliseconds pass. */
  const show = (next: typeof tables.now, milliseconds = INTERVAL) => {
    tables.now = next;
    return pass(milliseconds);
  };
  const announce = () => notice();
  return { updater, tables, show, read, rows, registry, said, raised, announce, notices };
}

/** The same once the market of the first tables is shown. */
export async function showing(...given: Parameters<typeof follow>) {
  const followed = follow(...given);
  await pass(0);
  return followed;
}

export const at = (blocks: bigint, raised: bigint, overrides: TableDraft = {}): TableSnapshot =>
  tablesOf({
    head: { number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks },
    revisions: { listings: `${raised}` },
    listings: [listingRow({ raisedAmount: raised * DOLLAR })],
    ...overrides,
  });
export const dollars = (amount: bigint) => (amount * DOLLAR).toString();
