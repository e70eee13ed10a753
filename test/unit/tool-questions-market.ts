/** @module The market that the questions are about: raises in each state, three businesses, a desk, and a month of events. */
import type { ListingRow } from "../../src/fold/state.ts";
import { memoryRows } from "../harness/memory-ledger.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  offerRow,
  registryOf,
  repaymentRow,
  tradeRow,
} from "../harness/rows.ts";

const [NORTHWIND, TIDE, FRESH] = ["0a", "0b", "0c"].map((byte) => `0x${byte.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];
const OPEN = { raisedAmount: 40_000n * DOLLAR, subscriberCount: 4, firstSubscribedAt: NOW - DAY };
const settled = { terminalKind: "settled", terminalAt: NOW - 20n * DAY, outstandingPrincipal: 0n } as const;
const REPAID = {
  ...DRAWN,
  ...settled,
  drawnDownAt: NOW - 200n * DAY,
  maturityAt: NOW - 20n * DAY,
  outcome: "repaid",
  repaidPrincipal: 80_000n * DOLLAR,
  repaidInterest: 5_000n * DOLLAR,
  writtenOffPrincipal: 0n,
  clearedAt: NOW - 20n * DAY,
} as const;

type Raise = { title: string; originator: string; row: ListingRow };

function raise(id: bigint, title: string, owner: `0x${string}`, changes: Partial<ListingRow>): Raise {
  const originator = owner === NORTHWIND ? "org_northwind" : owner === TIDE ? "org_tide" : "org_fresh";
  return { title, originator, row: listingRow({ onchainId: id, originator: owner, ...changes }) };
}

const RAISES: readonly Raise[] = [
  raise(1n, "A second oven", NORTHWIND, {
    ...OPEN,
    closeAt: NOW + 3n * DAY,
    reserveBalance: 2_500n * DOLLAR,
  }),
  raise(2n, "Tidal pumps", TIDE, {
    ...OPEN,
    ...{ createdAt: NOW - 101n * DAY, goLiveAt: NOW - 100n * DAY, closeAt: NOW + 20n * DAY },
    ...{ couponRateBps: 900, tenorDays: 90 },
  }),
  raise(3n, "Delivery vans", NORTHWIND, { ...DRAWN, maturityAt: NOW + 20n * DAY }),
  raise(4n, "Harbour crane", TIDE, {
    ...DRAWN,
    drawnDownAt: NOW - 200n * DAY,
    maturityAt: NOW - 20n * DAY,
    outstandingPrincipal: 50_000n * DOLLAR,
    repaidPrincipal: 30_000n * DOLLAR,
    reserveBalance: 4_000n * DOLLAR,
  }),
  raise(5n, "Käsekeller im Berg", FRESH, {
    ...DRAWN,
    drawnDownAt: NOW - 300n * DAY,
    maturityAt: NOW - 100n * DAY - 5n,
    outstandingPrincipal: 10_000n * DOLLAR,
    repaidPrincipal: 70_000n * DOLLAR,
  }),
  raise(6n, "First oven", NORTHWIND, REPAID),
  raise(7n, "Milk tank", FRESH, {
    ...REPAID,
    outcome: "defaulted",
    repaidPrincipal: 75_000n * DOLLAR,
    writtenOffPrincipal: 5_000n * DOLLAR,
  }),
  raise(8n, "Flour silo", NORTHWIND, {
    ...DRAWN,
    drawnDownAt: NOW - 183n * DAY,
    maturityAt: NOW - 3n * DAY,
    outstandingPrincipal: 20_000n * DOLLAR,
    repaidPrincipal: 60_000n * DOLLAR,
  }),
  raise(9n, "Alpine trucks", FRESH, { ...DRAWN, couponRateBps: 1800, closedCouponRateBps: 1800 }),
  raise(10n, "Wave turbine", TIDE, {
    raisedAmount: 1_000n * DOLLAR,
    frozenAt: NOW - DAY,
    decidedAt: NOW - DAY,
    closedAt: NOW - DAY,
    refundedAmount: 400n * DOLLAR,
    returnedPrincipal: 400n * DOLLAR,
  }),
  raise(11n, "Bakery shop", NORTHWIND, REPAID),
];

export const REGISTRY = registryOf(
  RAISES.map(({ title, originator, row }) =>
    entryDraft({ onchainId: `${row.onchainId}`, title, originator }),
  ),
  [
    {
      publicId: "org_northwind",
      legalName: "Northwind Bakery Pte. Ltd.",
      jurisdiction: "SG",
      owner: NORTHWIND,
    },
    { publicId: "org_tide", legalName: "Tide Pools GmbH", jurisdiction: "DE", owner: TIDE },
    { publicId: "org_fresh", legalName: "Frische Käserei AG", jurisdiction: "CH", owner: FRESH },
  ].map(({ owner, ...one }) => ({ ...one, kybStatus: "approved", addresses: [owner] })),
);

const tokenOf = (id: bigint) => listingRow({ onchainId: id }).token ?? `0x${"00".repeat(20)}`;
const onDesk = (id: bigint) => ({ onchainId: id, token: tokenOf(id) });

export const TABLES = {
  listings: RAISES.map(({ row }) => row),
  repayments: [
    repaymentRow({
      onchainId: 4n,
      principal: 30_000n * DOLLAR,
      interest: 700n * DOLLAR,
      blockTime: NOW - 25n * DAY,
    }),
    repaymentRow({
      onchainId: 8n,
      principal: 60_000n * DOLLAR,
      interest: 900n * DOLLAR,
      blockTime: NOW - 4n * DAY,
    }),
  ],
  offers: [
    offerRow({ ...onDesk(3n), offerId: 1n, priceBps: 9_700n }),
    offerRow({ ...onDesk(3n), offerId: 2n, priceBps: 9_900n }),
    offerRow({ ...onDesk(9n), offerId: 3n, priceBps: 9_800n }),
    offerRow({ ...onDesk(4n), offerId: 4n, priceBps: 9_000n, expiresAt: NOW }),
  ],
  trades: [tradeRow({ ...onDesk(9n), offerId: 3n })],
};

const PERSON = `0x${"b1".repeat(20)}`;
const HOUR = 3_600n;
const repaid = (onchainId: bigint, ago: bigint, principal: bigint, interest: bigint, left: bigint) => ({
  onchainId,
  kind: "repaid" as const,
  ago,
  args: {
    payer: PERSON,
    principal: `${principal * DOLLAR}`,
    interest: `${interest * DOLLAR}`,
    outstandingPrincipal: `${left * DOLLAR}`,
  },
  repaidPrincipal: principal * DOLLAR,
  repaidInterest: interest * DOLLAR,
  outstanding: -principal * DOLLAR,
});
const subscribed = (onchainId: bigint, ago: bigint, amount: bigint, total: bigint) => ({
  onchainId,
  kind: "subscribed" as const,
  ago,
  args: {
    backer: PERSON,
    payer: PERSON,
    amount: `${amount * DOLLAR}`,
    bidRateBps: 0,
    totalRaised: `${total * DOLLAR}`,
  },
  committed: amount * DOLLAR,
});

export const LEDGER = memoryRows([
  subscribed(1n, 2n * HOUR, 25_000n, 40_000n),
  subscribed(1n, 30n * HOUR, 15_000n, 15_000n),
  subscribed(2n, 5n * HOUR, 40_000n, 40_000n),
  repaid(8n, 4n * DAY, 60_000n, 900n, 20_000n),
  repaid(4n, 25n * DAY, 30_000n, 700n, 50_000n),
  repaid(6n, 21n * DAY, 80_000n, 5_000n, 0n),
  repaid(11n, 40n * DAY, 80_000n, 5_000n, 0n),
  {
    onchainId: 10n,
    kind: "refunded",
    ago: HOUR,
    args: {
      backer: PERSON,
      reason: "min_not_met",
      amount: `${400n * DOLLAR}`,
      totalRefunded: `${400n * DOLLAR}`,
    },
    refunded: 400n * DOLLAR,
  },
  {
    onchainId: 3n,
    kind: "drawn_down",
    ago: 10n * DAY,
    args: { to: PERSON, amount: `${80_000n * DOLLAR}`, fee: "0", maturityAt: `${NOW + 20n * DAY}` },
    outstanding: 80_000n * DOLLAR,
  },
]);
