import { expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  registryOf,
  repaymentRow,
  SELLER,
  tradeRow,
} from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";

type Draft = {
  desk?: typeof DESK | null;
  repayments?: ReturnType<typeof repaymentRow>[];
  ended?: Partial<ListingRow>;
};

async function tradesAmong(
  trades: ReturnType<typeof tradeRow>[],
  { desk = DESK, repayments = [], ended = {} }: Draft = {},
) {
  const row = listingRow({ ...DRAWN, maturityAt: NOW + 100n * DAY, ...ended });
  const tables = tablesOf({ listings: [row], trades, repayments });
  const { market } = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk });
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  return market.tradesOf(listing);
}

it("each trade has its price, and its yield for the days that were left then", async () => {
  const trades = await tradesAmong([
    tradeRow({ blockTime: NOW - 20n * DAY }),
    tradeRow({ blockTime: NOW - 10n * DAY, buyer: SELLER }),
    tradeRow({ blockTime: NOW, cost: 10n * DOLLAR }),
  ]);
  // A coupon of 14.50% for 180 days pays 1.0715 per token: bought at 95% with 120 days to go, at par with 100.
  const yieldAt = (price: number, days: number) =>
    Math.floor(((Math.floor((10_715 * 10_000) / price) - 10_000) * 365) / days);
  expect(trades.map(({ at, priceBps, yieldToMaturityBps }) => [at, priceBps, yieldToMaturityBps])).toEqual([
    ["2026-02-09T12:00:00Z", 9_500, yieldAt(9_500, 120)],
    ["2026-03-01T12:00:00Z", 10_000, yieldAt(10_000, 100)],
  ]);
});

it("counts what was paid before a trade, and not what was paid after it", async () => {
  const paid = tradeRow({ blockTime: NOW - 15n * DAY });
  const trades = await tradesAmong(
    [tradeRow({ blockTime: NOW - 20n * DAY }), tradeRow({ blockTime: NOW - 10n * DAY, cost: 10n * DOLLAR })],
    {
      repayments: [
        repaymentRow({ eventId: paid.eventId, principal: 40_000n * DOLLAR, interest: 608n * DOLLAR }),
      ],
    },
  );
  // 10715 of 10000 at 9500 with 120 days to go: 1278·365/120; then 5639 at par with 110: −4361·365/110.
  expect(trades.map(({ yieldToMaturityBps }) => yieldToMaturityBps)).toEqual([3_887, -14_471]);
});

it("a trade of a raise that has ended has no yield", async () => {
  const ended = { terminalKind: "settled", terminalAt: NOW - 15n * DAY, writtenOffPrincipal: 0n } as const;
  const trades = await tradesAmong(
    [tradeRow({ blockTime: NOW - 20n * DAY }), tradeRow({ blockTime: NOW - 10n * DAY })],
    { ended },
  );
  expect(trades.map(({ yieldToMaturityBps }) => yieldToMaturityBps)).toEqual([3_887, null]);
});

it("a trade on the last day, or for nothing, has no yield", async () => {
  const trades = await tradesAmong([tradeRow({ cost: 0n }), tradeRow({ blockTime: NOW + 100n * DAY - 1n })]);
  expect(trades.map(({ yieldToMaturityBps }) => yieldToMaturityBps)).toEqual([null, null]);
});

it("shows the newest of many trades, oldest first, and none without a desk", async () => {
  const many = Array.from({ length: 130 }, (_, index) => tradeRow({ blockTime: NOW - 130n + BigInt(index) }));
  const trades = await tradesAmong(many);
  expect(trades).toHaveLength(100);
  expect(trades[0]?.at).toBe("2026-03-01T11:58:20Z");
  expect(trades.at(-1)?.at).toBe("2026-03-01T11:59:59Z");
  expect(await tradesAmong(many, { desk: null })).toEqual([]);
});
