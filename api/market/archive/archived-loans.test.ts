import { expect, it, vi } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import { cohortsIn } from "../../../test/harness/over-time.ts";
import { project } from "../../../test/harness/project.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  HEAD,
  listingRow,
  NOW,
  registryOf,
} from "../../../test/harness/rows.ts";
import { SITE } from "../../../test/harness/snapshot.ts";
import type { ChainRows } from "../chain-rows.ts";
import type { Market } from "../market.ts";
import { createProjection } from "../project.ts";
import { COHORTS_BY } from "../series-schema.ts";
import type { Archive } from "./archive.ts";
import { MOST_READ } from "./archived-loans.ts";

const publicSettings = { ...SITE, desk: null };

const ENDED: Partial<ListingRow> = {
  ...{ ...DRAWN, drawnDownAt: NOW - 200n * DAY, maturityAt: NOW - 20n * DAY, outstandingPrincipal: 0n },
  ...{ terminalKind: "settled", terminalAt: NOW - 30n * DAY, repaidPrincipal: 80_000n * DOLLAR },
  updatedBlock: HEAD.number - 100n,
};

function rowsOf(listings: ListingRow[]): ChainRows {
  return { listings, repayments: [], offers: [], trades: [], flows: [], holders: new Map() };
}

function registryOfIds(ids: readonly bigint[]) {
  return registryOf(ids.map((id) => entryDraft({ onchainId: `${id}`, publicId: `lst_${id}` })));
}

it("a loan that the registry changes while loans are counted counts once", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
  const registryWith = (title: string) =>
    registryOf(ids.map((onchainId) => entryDraft({ onchainId, title: onchainId === "10" ? title : "One" })));
  const archive = { atOnce: 4, block: 2 };
  const start = { registry: registryWith("One"), publicSettings, start: HEAD, archive };
  const projection = createProjection(start);
  const listings = ids.map((id) => listingRow({ ...ENDED, onchainId: BigInt(id) }));
  const { overTime } = projection.advance(rowsOf(listings), HEAD, HEAD.number);
  overTime?.countOn(3);
  expect(projection.useEntries(registryWith("Other"))).toBe(true);
  // The next market comes later, when its rows have been read.
  while (overTime?.countOn(10));
  const next = projection.advance(rowsOf([]), { ...HEAD, number: HEAD.number + 1n }, HEAD.number);
  while (next.overTime?.countOn(10));
  for (const market of [overTime, next.overTime])
    expect(cohortsIn(market, { by: "month" }).map(({ loans }) => loans)).toEqual([12]);
});

it("loans beyond those that are read for one answer are counted first, and a part of them is refused", () => {
  const ids = Array.from({ length: MOST_READ + 16 }, (_, index) => BigInt(index + 1));
  const rows = rowsOf(ids.map((onchainId) => listingRow({ ...ENDED, onchainId })));
  const registry = registryOfIds(ids);
  const { overTime, listings } = createProjection({ registry, publicSettings, start: HEAD }).advance(
    rows,
    HEAD,
    HEAD.number,
  );
  expect(listings.archived?.length).toBeGreaterThan(MOST_READ);
  expect(overTime?.cohorts({ by: "grade" })).toEqual({ reason: "counting" });
  for (const answer of [
    overTime?.cohorts({ grade: ["NR", "A"] }),
    overTime?.series({ grade: ["A"], jurisdiction: ["SG"] }),
  ])
    expect(answer).toMatchObject({ parameter: "grade", allowed: expect.any(Array) });
  let rounds = 1;
  while (overTime?.countOn(1_000)) rounds += 1;
  expect(rounds).toBe(6);
  const { overTime: whole } = project({ rows, registry, head: HEAD, finalized: HEAD.number, publicSettings });
  for (const by of COHORTS_BY.filter((one) => one !== "originator")) {
    const cohorts = cohortsIn(overTime, { by });
    expect(cohorts.map(({ loans }) => loans)).toEqual([ids.length]);
    expect(cohorts).toEqual(cohortsIn(whole, { by }));
  }
  expect(overTime?.cohorts({ by: "grade", originator: "org_northwind" })).toMatchObject({
    parameter: "originator",
  });
});

it("loans in full, and those of the largest businesses, are counted first where they are too many for one answer", () => {
  const ids = Array.from({ length: MOST_READ + 16 }, (_, index) => BigInt(index + 1));
  // Some are owed, the others are in the archive.
  const isOwed = (id: bigint) => id <= MOST_READ + 8;
  const rows = rowsOf(
    ids.map((onchainId) => listingRow({ ...(isOwed(onchainId) ? DRAWN : ENDED), onchainId })),
  );
  const registry = registryOfIds(ids);
  const start = { registry, publicSettings, start: HEAD, archive: { block: 2 } };
  const { overTime, listings } = createProjection(start).advance(rows, HEAD, HEAD.number);
  expect(listings.archived?.length).toBe(8);
  const withoutSums = createProjection({ ...start, keepsDays: false }).advance(rows, HEAD, HEAD.number);
  for (const by of COHORTS_BY) expect(overTime?.cohorts({ by })).toEqual({ reason: "counting" });
  while (overTime?.countOn(1_000));
  for (const by of COHORTS_BY)
    expect(cohortsIn(overTime, { by })).toEqual(cohortsIn(withoutSums.overTime, { by }));
});

/** Raise 1 in full, and so many loans of the same business in the archive. */
function withArchive(loans: number, ended: (id: bigint) => Partial<ListingRow> = () => ({})) {
  const ids = Array.from({ length: loans + 1 }, (_, index) => BigInt(index + 1));
  const registry = registryOfIds(ids);
  const projection = createProjection({ registry, publicSettings, start: HEAD, archive: { block: 1 } });
  let number = HEAD.number;
  const rows = new Map<bigint, ListingRow>();
  const advance = (listings: ListingRow[], timestamp = NOW) => {
    const head = { number, timestamp };
    number += 1n;
    for (const row of listings) rows.set(row.onchainId, row);
    const market = projection.advance(rowsOf(listings), head, HEAD.number);
    const all = { rows: rowsOf([...rows.values()]), registry, publicSettings };
    const whole = () => project({ ...all, head, finalized: HEAD.number });
    const reads = vi.spyOn(market.listings.archived?.view.archive as Archive, "read");
    reads.mockClear();
    return { market, whole, reads, records: () => projection.save()?.records.of.get("org_northwind") };
  };
  const others = ids.slice(1).map((onchainId) => listingRow({ ...ENDED, onchainId, ...ended(onchainId) }));
  advance([listingRow(), ...others]);
  return advance;
}

const gradesOf = (market: Market) => market.originators.map((one) => market.gradesOf(one));
const ratingsOf = ({ originators }: Market) =>
  originators.map(({ ratingGrade, rating }) => [ratingGrade, rating]);

it("the grades of a business over time are made once while its records are the same", () => {
  const { market, whole } = withArchive(16)([]);
  const [steps] = gradesOf(market);
  expect([steps]).toEqual(gradesOf(whole()));
  expect(gradesOf(market)[0]).toBe(steps);
});

it("a loss of the archive becomes a part of the sums a year after it, when it caps the grade no more", () => {
  const terminalAt = NOW - 30n * DAY;
  const lost = { terminalAt, repaidPrincipal: 0n, writtenOffPrincipal: 80_000n * DOLLAR };
  const advance = withArchive(16, () => lost);
  const last = terminalAt + 365n * DAY;
  for (const [timestamp, cap, open] of [
    [last, "C", 16],
    [last + 1n, null, 0],
  ] as const) {
    const { market, whole, records } = advance([], timestamp);
    expect(market.originators.map(({ rating }) => rating.cap)).toEqual([cap]);
    for (const read of [gradesOf, ratingsOf]) expect(read(market)).toEqual(read(whole()));
    expect(records()?.open).toHaveLength(open);
  }
  // One of them is no loss any more.
  const row = listingRow({ ...ENDED, onchainId: 2n, updatedBlock: HEAD.number });
  const { market, whole } = advance([row], last + 2n);
  for (const read of [gradesOf, ratingsOf]) expect(read(market)).toEqual(read(whole()));
});

it("a subscription leaves the loans of its business unread", () => {
  const loans = 1_200;
  const advance = withArchive(loans);
  const { market } = advance([]);
  while (market.overTime?.countOn(1_000));
  cohortsIn(market.overTime, { by: "grade" });
  const { market: next, whole, reads } = advance([listingRow({ subscriberCount: 3 })]);
  expect(next.originators).not.toBe(market.originators);
  expect(next.overTime?.countOn(10)).toBe(false);
  expect(cohortsIn(next.overTime, { by: "grade" })).toEqual(cohortsIn(whole().overTime, { by: "grade" }));
  expect(reads).not.toHaveBeenCalled();
});

it("a payment leaves the loans of its business unread, as their grades are those of earlier days", () => {
  const advance = withArchive(1_200);
  const row = listingRow({ ...DRAWN, drawnDownAt: NOW - 10n * DAY, maturityAt: NOW + 10n * DAY });
  const { market } = advance([row]);
  while (market.overTime?.countOn(1_000));
  cohortsIn(market.overTime, { by: "grade" });
  const paid = { ...row, outstandingPrincipal: 0n, clearedAt: NOW, repaidPrincipal: DRAWN.drawnAmount };
  const { market: next, whole, reads } = advance([paid]);
  while (next.overTime?.countOn(10));
  expect(cohortsIn(next.overTime, { by: "grade" })).toEqual(cohortsIn(whole().overTime, { by: "grade" }));
  expect(reads).not.toHaveBeenCalled();
});

it("loans that were drawn under another grade than was known are counted again, some at a time", () => {
  // The first two were repaid before the others were drawn.
  const advance = withArchive(48, (id) =>
    id > 3n
      ? {}
      : { drawnDownAt: NOW - 400n * DAY, maturityAt: NOW - 320n * DAY, terminalAt: NOW - 320n * DAY },
  );
  const { market } = advance([]);
  while (market.overTime?.countOn(1_000));
  const gradesIn = (of: Market) =>
    cohortsIn(of.overTime, { by: "grade" }).map(({ cohort, loans }) => [cohort, loans]);
  expect(gradesIn(market)).toEqual([
    ["B", 46],
    ["NR", 2],
  ]);
  const late = { ...DRAWN, drawnDownAt: NOW - 400n * DAY, maturityAt: NOW - 320n * DAY };
  const { market: next, whole } = advance([listingRow(late)]);
  let steps = 1;
  const compare = () =>
    expect(cohortsIn(next.overTime, { by: "grade" })).toEqual(cohortsIn(whole().overTime, { by: "grade" }));
  expect(gradesIn(next)).toEqual([
    ["E", 46],
    ["NR", 3],
  ]);
  for (; next.overTime?.countOn(10); steps++) compare();
  compare();
  expect(steps).toBe(5);
});

it("cohorts by grade leave raises that were never drawn unread", () => {
  const cancelled = {
    ...listingRow(),
    terminalKind: "cancelled",
    terminalAt: NOW,
    updatedBlock: 1n,
  } as const;
  for (const loans of [0, 8]) {
    const advance = withArchive(16, (id) => (id <= loans + 1 ? {} : { ...cancelled, onchainId: id }));
    const { market, reads, whole } = advance([]);
    while (market.overTime?.countOn(100));
    const [own, all] = [market, whole()].map((one) => cohortsIn(one.overTime, { by: "grade" }));
    expect(own).toEqual(all);
    expect(reads).toHaveBeenCalledTimes(loans);
  }
});
