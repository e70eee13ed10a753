/**
 * Raises of contracts with three events and terms in the registry: chains of them, random stories, and what a model makes of these.
 * @module
 */
import fc from "fast-check";
import { expect } from "vitest";
import type { ChainRows } from "../../api/market/chain-rows.ts";
import { moneyFlows } from "../../api/market/flows.ts";
import type { Market } from "../../api/market/market.ts";
import { indexed, type Registry } from "../../api/registry/schema.ts";
import { isoTime } from "../../config/format/time.ts";
import { lifecycleOf, unknowable } from "../../src/fold/derived.ts";
import type { ListingEvent } from "../../src/fold/events.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import type { MoneyDeltas, StoredRow } from "../../src/fold/state.ts";
import { recordEvent } from "../../src/fold/step.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { derivedRaise, type Terms, type Told } from "../model/derived.ts";
import { ALICE, BOB, ESCROW, HASH, placeAt, ROUTER } from "./book.ts";
import { type Dice, dice, diceSeeds } from "./dice.ts";
import { business } from "./market.ts";
import { project } from "./project.ts";
import { type EntryDraft, entryDraft, registryOf } from "./rows.ts";
import { totalsOf } from "./series-totals.ts";
import { SITE } from "./snapshot.ts";

export const THREE: ReadonlySet<EventKind> = new Set([
  "subscribed",
  "refunded",
  "repaid",
  "listing_cancelled",
  "listing_voided",
]);
export const TOKEN = `0x${"70".repeat(20)}`;
export const TERMS: Terms = { targetAmount: 100n, minRaise: 60n, tenorDays: 1, goLiveAt: 10n, closeAt: 50n };
/** The rest of the terms, which no rule here depends on. */
export const OTHERS = { couponRateBps: 1450, insuranceBps: 500, pricingMode: "fixed" } as const;

export const contractsOf = (kinds: ReadonlySet<EventKind>, closesAtTarget: boolean) => ({
  lifecycle: lifecycleOf(kinds, closesAtTarget),
  follows: (escrow: string) => escrow === ESCROW,
});

type Asked = { kinds?: ReadonlySet<EventKind>; now?: bigint; closesAtTarget?: boolean };

/** The market of a chain whose contracts have events of these kinds. */
export function marketOf(chain: Chain, registry: Registry, asked: Asked = {}): Market {
  const { kinds = THREE, now = 40n, closesAtTarget = false } = asked;
  return project({
    ...{ rows: chain.rows(), registry, head: chain.head(now), finalized: 0n },
    publicSettings: SITE,
    contracts: contractsOf(kinds, closesAtTarget),
  });
}

export function entryOf(terms: Terms | null, changes: Partial<EntryDraft> = {}): EntryDraft {
  const { goLiveAt, closeAt, targetAmount, minRaise, tenorDays } = terms ?? TERMS;
  const written = {
    ...{ ...OTHERS, tenorDays, targetAmount: `${targetAmount}`, minRaise: `${minRaise}` },
    goLiveAt: isoTime(goLiveAt),
    ...(closeAt !== null && { closeAt: isoTime(closeAt) }),
  };
  return entryDraft({
    ...{ escrowAddress: ESCROW, refnum: "FX00001", tokenAddress: TOKEN, ...changes },
    ...(terms !== null && { terms: written }),
  });
}

/** Unchanged originators are the same objects, as in a registry that is read again. */
const { originators } = registryOf([], [business()]);
export const registryWith = (...entries: EntryDraft[]): Registry =>
  indexed(
    { originators: [...originators], listings: [...registryOf(entries, [business()]).listings] },
    "0x01",
  );

export function eventOf(one: Told): ListingEvent {
  if (one.kind === "subscribed") {
    const { backer, amount } = one as { backer: `0x${string}`; amount: bigint };
    return { kind: "subscribed", args: { backer, payer: backer, amount, bidRateBps: 0, totalRaised: null } };
  }
  if (one.kind === "refunded") {
    const { backer, amount } = one as { backer: `0x${string}`; amount: bigint };
    return { kind: "refunded", args: { backer, amount, reason: null, totalRefunded: null } };
  }
  if (one.kind !== "repaid") return { kind: one.kind, args: { reason: null } };
  const payment =
    "amount" in one
      ? { principal: null, interest: null, amount: one.amount }
      : { principal: one.principal, interest: one.interest };
  return { kind: "repaid", args: { payer: null, outstandingPrincipal: null, ...payment } } as ListingEvent;
}

/** Records events as the handlers do, each in its own block. */
export function createChain(kinds: ReadonlySet<EventKind>) {
  const tables = createTables({});
  const silent = unknowable(lifecycleOf(kinds, false));
  let position = 0;
  const rows = (): ChainRows => ({
    ...{ listings: [...tables.listing.values()], repayments: [...tables.repayment] },
    ...{ offers: [], trades: [], holders: new Map(), events: tables.ledger.slice() as StoredRow[] },
    flows: flowsOf(tables.ledger as StoredRow[]),
  });
  return {
    anomalies: () => tables.anomaly.map(({ kind }) => kind),
    rows,
    /** @returns the rows that the event changed */
    add(event: ListingEvent, at: bigint, id = 1n): ChainRows {
      const before = rows();
      position += 1;
      const { escrowAddress, onchainId, ...place } = placeAt(position, at, { onchainId: id });
      const origin = { ...place, address: escrowAddress, blockHash: HASH };
      runStep(tables, recordEvent({ ...origin, source: "escrow", onchainId, event }, silent));
      const after = rows();
      return {
        ...after,
        repayments: after.repayments.slice(before.repayments.length),
        events: (after.events ?? []).slice((before.events ?? []).length),
        flows: flowsOf((after.events ?? []).slice((before.events ?? []).length)),
      };
    },
    head: (timestamp: bigint) => ({ number: BigInt(position) + 1n, timestamp }),
  };
}

export type Chain = ReturnType<typeof createChain>;

function flowsOf(rows: readonly StoredRow[]) {
  return rows.flatMap((row) => {
    const { escrowAddress, onchainId } = row;
    return moneyFlows(row).map((flow) => ({ escrowAddress, onchainId, ...flow }));
  });
}

/** The last point of the series by day. */
function lastDay({ overTime }: Market) {
  const series = overTime?.series({ by: "day" });
  return series !== undefined && "points" in series ? series.points.at(-1) : series;
}

export const NO_CHANGE: ChainRows = {
  ...{ listings: [], repayments: [], offers: [], trades: [], flows: [] },
  holders: new Map(),
};

/** All that the market says of its one raise, without provenance. */
export function shown(market: Market) {
  const [listing] = market.listings;
  if (listing === undefined) return null;
  return { ...listing, schedule: market.scheduleOf(listing) };
}

export function toldOf(market: Market) {
  const { stats, originators, unprojectable, contradictions, unpublished } = market;
  const [listing] = market.listings;
  const more = listing && [
    market.openedAt(listing),
    market.changedAt(listing),
    market.correctionsOf(listing),
  ];
  expect(lastDay(market)).toMatchObject(totalsOf(stats));
  const days = market.overTime?.series({ by: "day" });
  return {
    days,
    listing: shown(market),
    stats,
    originators,
    unprojectable,
    contradictions,
    unpublished,
    more,
  };
}

/** The ledger's deltas and the corrections, summed: what the series and sums over time add up to. */
export function summed(chain: Chain, market: Market) {
  const [listing] = market.listings;
  const all = [
    ...(chain.rows().events ?? []),
    ...(listing === undefined ? [] : market.correctionsOf(listing)),
  ];
  const sum = (name: keyof MoneyDeltas) => all.reduce((total, one) => total + (one[name] ?? 0n), 0n);
  return {
    committed: sum("committed"),
    refunded: sum("refunded"),
    repaidPrincipal: sum("repaidPrincipal"),
    repaidInterest: sum("repaidInterest"),
    outstanding: sum("outstanding"),
  };
}

export function summedBy(...story: Parameters<typeof derivedRaise>) {
  const { raised, refunded, paidPrincipal, paidInterest, outstanding } = derivedRaise(...story);
  return {
    committed: raised,
    refunded,
    repaidPrincipal: paidPrincipal,
    repaidInterest: paidInterest,
    outstanding,
  };
}

export function modelOf(told: readonly Told[], terms: Terms, now: bigint, closesAtTarget: boolean) {
  const one = derivedRaise(told, terms, { now, closesAtTarget });
  const iso = (time: bigint | null) => (time === null ? null : isoTime(time));
  return {
    status: one.status,
    statusSince: isoTime(one.statusSince),
    raisedAmount: `${one.raised}`,
    subscriberCount: one.subscribers,
    refundedAmount: `${one.refunded}`,
    refundableAmount: `${one.refundable}`,
    repaidAmount: `${one.paidPrincipal + one.paidInterest}`,
    outstandingPrincipal: `${one.outstanding}`,
    drawnDownAt: iso(one.drawnDownAt),
    maturityAt: iso(one.maturityAt),
    repayment: one.repayment,
    outcome: one.outcome,
    schedule: {
      estimated: one.drawn === null,
      paidPrincipal: `${one.paidPrincipal}`,
      paidInterest: `${one.paidInterest}`,
      ...(one.drawn !== null && { principal: `${one.drawn}` }),
    },
  };
}

const STEPS = [0n, 1n, 4n, 9n, 25n, 86_400n, 700_000n] as const;

function randomEvent(roll: Dice, at: bigint): Told {
  const backer = roll.one([ALICE, BOB, ROUTER]);
  const amount = roll.one([0n, 1n, 20n, 40n, 60n, 100n]);
  const kind = roll.below(20);
  if (kind < 8) return { kind: "subscribed", at, backer, amount };
  if (kind < 12) return { kind: "refunded", at, backer, amount };
  if (kind < 15) return { kind: "repaid", at, amount };
  if (kind < 18) return { kind: "repaid", at, principal: amount, interest: roll.one([0n, 3n]) };
  if (roll.below(3) > 0) return { kind: "subscribed", at, backer, amount: 100n };
  return { kind: kind === 18 ? "listing_cancelled" : "listing_voided", at };
}

type Story = { told: Told[]; terms: Terms; closesAtTarget: boolean; after: bigint };

export const stories = fc.tuple(diceSeeds(16), fc.maxSafeNat()).map(([seeds, first]): Story => {
  const about = dice(first);
  const terms = {
    ...TERMS,
    minRaise: about.one([0n, 1n, 60n, 100n]),
    closeAt: about.one([null, 12n, 20n, 50n, 50n, 90n]),
  };
  let at = 5n;
  const told = seeds.map((seed) => {
    const roll = dice(seed);
    at += roll.one(STEPS);
    return randomEvent(roll, at);
  });
  return { told, terms, closesAtTarget: about.below(2) === 0, after: about.one(STEPS) };
});

export const ended = ({ told, after }: Story) => (told.at(-1)?.at ?? 10n) + after + 10n;
