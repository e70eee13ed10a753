import { expect, it } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import { cohortsIn } from "../../../test/harness/over-time.ts";
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
import { createProjection, project } from "../project.ts";
import { COHORTS_BY } from "../series-schema.ts";
import { MOST_READ } from "./archived-loans.ts";

const publicSettings = { ...SITE, desk: null };

const ENDED: Partial<ListingRow> = {
  ...{ ...DRAWN, drawnDownAt: NOW - 200n * DAY, maturityAt: NOW - 20n * DAY, outstandingPrincipal: 0n },
  ...{ terminalKind: "settled", terminalAt: NOW - 30n * DAY, repaidPrincipal: 80_000n * DOLLAR },
  updatedBlock: HEAD.number - 100n,
};
const NOTHING: ChainRows = {
  ...{ listings: [], repayments: [], offers: [], trades: [], flows: [], holders: new Map() },
};

it("a loan that the registry changes while loans are counted counts once", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
  const registryWith = (title: string) =>
    registryOf(ids.map((onchainId) => entryDraft({ onchainId, title: onchainId === "10" ? title : "One" })));
  const archive = { atOnce: 4, block: 2 };
  const start = { registry: registryWith("One"), publicSettings, start: HEAD, archive };
  const projection = createProjection(start);
  const listings = ids.map((id) => listingRow({ ...ENDED, onchainId: BigInt(id) }));
  const { overTime } = projection.advance({ ...NOTHING, listings }, HEAD, HEAD.number);
  overTime?.countOn(3);
  expect(projection.useEntries(registryWith("Other"))).toBe(true);
  // The next market comes later, when its rows have been read.
  while (overTime?.countOn(10));
  const next = projection.advance(NOTHING, { ...HEAD, number: HEAD.number + 1n }, HEAD.number);
  while (next.overTime?.countOn(10));
  for (const market of [overTime, next.overTime])
    expect(cohortsIn(market, { by: "month" }).map(({ loans }) => loans)).toEqual([12]);
});

it("loans beyond those that are read for one answer are counted first, and a part of them is refused", () => {
  const ids = Array.from({ length: MOST_READ + 16 }, (_, index) => BigInt(index + 1));
  const rows = { ...NOTHING, listings: ids.map((onchainId) => listingRow({ ...ENDED, onchainId })) };
  const registry = registryOf(ids.map((id) => entryDraft({ onchainId: `${id}`, publicId: `lst_${id}` })));
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
