import { expect, it } from "vitest";
import { business } from "../../test/harness/market.ts";
import { project } from "../../test/harness/project.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  HEAD,
  listingRow,
  NOW,
  registryOf,
  repaymentRow,
} from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import { projectInParts } from "./in-parts.ts";

/** The last part has one. */
const RAISES = 501;
const OWNERS = ["org_a", "org_b", "org_c"];
const ids = Array.from({ length: RAISES }, (_, index) => BigInt(index + 1));
const ownerOf = (id: bigint) => OWNERS[Number(id) % OWNERS.length] as string;
const registry = registryOf(
  ids.map((id) => entryDraft({ onchainId: `${id}`, originator: ownerOf(id) })),
  OWNERS.map((publicId) => business({ publicId })),
);
const LOST = {
  ...{ terminalKind: "settled", terminalAt: NOW, outcome: "defaulted", outstandingPrincipal: 0n },
  ...{ drawnDownAt: NOW - 280n * DAY, maturityAt: NOW - 100n * DAY, writtenOffPrincipal: 70_000n * DOLLAR },
} as const;
const ROWS: ChainRows = {
  listings: ids.map((onchainId) =>
    listingRow({
      onchainId,
      ...(onchainId % 7n === 0n ? { ...DRAWN, ...LOST } : onchainId % 5n === 0n ? DRAWN : {}),
    }),
  ),
  repayments: ids
    .filter((id) => id % 5n === 0n)
    .map((onchainId) => repaymentRow({ onchainId, eventId: `${onchainId}`.padStart(75, "0") })),
  ...{ offers: [], trades: [], flows: [], events: [], bids: new Map(), holders: new Map() },
};

it("a market that is made in parts is the one that is made at once", async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const of = { registry, publicSettings: SITE, start: HEAD };
  const made = await projectInParts(of, { rows: ROWS, finalized: HEAD.number }, pause);
  const whole = project({ rows: ROWS, registry, publicSettings: SITE, head: HEAD, finalized: HEAD.number });
  expect(made.listings.all()).toEqual(whole.listings.all());
  expect(made.originators.map(({ listings, ...one }) => [one, listings.all()])).toEqual(
    whole.originators.map(({ listings, ...one }) => [one, listings.all()]),
  );
  expect(made.originators.map((one) => made.gradesOf(one))).toEqual(
    whole.originators.map((one) => whole.gradesOf(one)),
  );
  expect(new Set(made.originators.map(({ ratingGrade }) => ratingGrade)).has("NR")).toBe(false);
  expect([made.stats, made.trading, made.unpublished]).toEqual([
    whole.stats,
    whole.trading,
    whole.unpublished,
  ]);
  expect(made.overTime?.series({ by: "month" })).toEqual(whole.overTime?.series({ by: "month" }));
  expect(made.overTime).not.toBeNull();
  expect(pauses).toBe(3);
});

it("no row makes an empty market", async () => {
  const rows = { ...ROWS, listings: [], repayments: [] };
  const made = await projectInParts(
    { registry, publicSettings: SITE, start: HEAD },
    { rows, finalized: 0n },
    async () => {},
  );
  expect(made.listings.length).toBe(0);
});
