/** @module Tables that change at random from block to block, and the times of the blocks: for tests of a market that follows the chain. */
import { isDeepStrictEqual } from "node:util";
import type { ChainRows } from "../../api/market/chain-rows.ts";
import type { FlowRow } from "../../api/market/flows.ts";
import { gradeTurnsOf } from "../../api/market/grade.ts";
import { dayOf } from "../../api/market/periods.ts";
import { turnsOf } from "../../api/market/turns.ts";
import { pairKey } from "../../api/registry/schema.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { Dice } from "./dice.ts";
import { CREATOR, ESCROW, STRANGER } from "./market.ts";
import { BUYER, DAY, DOLLAR, DRAWN, listingRow, offerRow, repaymentRow, SELLER, tradeRow } from "./rows.ts";

/** Raises of one escrow, numbered from 1. */
export const PAIRS = 7;

/** All rows of the tables. */
export type Rows = {
  [Table in Exclude<
    keyof ChainRows,
    "holders" | "bids" | "events" | "restarted" | "replaced" | "flows"
  >]: ChainRows[Table][number][];
} & {
  flows: FlowRow[];
  holders: Map<`0x${string}`, number>;
};
export const noRows = (): Rows => ({
  ...{ listings: [], repayments: [], offers: [], trades: [], flows: [] },
  holders: new Map(),
});

/** The tables after each block: what changed, and all rows. */
type Tables = {
  rows: Rows;
  block(roll: Dice, head: Block): Rows;
  /** As they are now, to go back to. */
  copy(): Rows;
  /** Goes back, as in a reorg. @returns the pairs with other rows */
  goBack(to: Rows): Set<string>;
};

export function createTables(): Tables {
  const rows = noRows();
  let events = 0;
  const replace = <Row>(all: Row[], row: Row, isSame: (other: Row) => boolean) => {
    const at = all.findIndex(isSame);
    if (at < 0) all.push(row);
    else all[at] = row;
  };
  const changeListing = (
    roll: Dice,
    onchainId: bigint,
    { timestamp: now, number: block }: Block,
    createdEventId: string,
  ): ListingRow => {
    const before = rows.listings.find((row) => row.onchainId === onchainId);
    const ended = {
      ...{
        ...DRAWN,
        drawnDownAt: now - BigInt(roll.below(200)) * DAY,
        outstandingPrincipal: 0n,
        clearedAt: now,
      },
      ...{ maturityAt: now + BigInt(roll.below(80) - 40) * DAY, repaidPrincipal: 80_000n * DOLLAR },
      ...{ terminalKind: "settled", terminalAt: now },
    } as const;
    const shape = roll.one([
      {},
      ...[ended, ended, { ...ended, writtenOffPrincipal: 40_000n * DOLLAR }],
      { raisedAmount: BigInt(roll.below(5)) * 30_000n * DOLLAR, subscriberCount: roll.below(4) },
      { closeAt: now + BigInt(roll.below(3)) * DAY, firstSubscribedAt: now - 1n },
      { goLiveAt: now + BigInt(roll.below(3)) * DAY },
      { ...DRAWN, maturityAt: now + BigInt(roll.below(40)) * DAY, drawnDownAt: now },
      { ...DRAWN, outstandingPrincipal: 0n, clearedAt: now, repaidPrincipal: 80_000n * DOLLAR },
      { terminalKind: "settled", terminalAt: now, writtenOffPrincipal: BigInt(roll.below(2)) * DOLLAR },
      { terminalKind: "voided", terminalAt: now },
      { couponRateBps: roll.one([0, 900, 1450]), refnum: roll.one(["RB00001", "rb00001", "odd"]) },
      { token: null },
    ] as Partial<ListingRow>[]);
    const base =
      before ??
      listingRow({ onchainId, createdEventId, originator: roll.one([CREATOR ?? STRANGER, STRANGER]) });
    return { ...base, ...shape, updatedAt: now, updatedBlock: block };
  };

  const pairsIn = ({ listings, repayments, offers, trades, flows }: Rows) =>
    Map.groupBy([...listings, ...repayments, ...offers, ...trades, ...flows], pairKey);

  return {
    rows,
    copy: () => structuredClone(rows),
    goBack(to) {
      const [before, after] = [pairsIn(rows), pairsIn(to)];
      Object.assign(rows, structuredClone(to));
      return new Set(
        [...before.keys()].filter((pair) => !isDeepStrictEqual(before.get(pair), after.get(pair))),
      );
    },
    block(roll, head) {
      const { timestamp: now } = head;
      const changed = noRows();
      for (let changes = roll.below(4); changes > 0; changes--) {
        const onchainId = BigInt(1 + roll.below(PAIRS));
        const eventId = `${++events}`.padStart(75, "0");
        const known = rows.listings.some((row) => row.onchainId === onchainId);
        const what = known ? roll.below(7) : 0;
        const amount = BigInt(1 + roll.below(9)) * DOLLAR;
        if (what < 2) changed.listings.push(changeListing(roll, onchainId, head, eventId));
        const { token } = listingRow({ onchainId });
        if (!known && token !== null) changed.holders.set(token, 0);
        if (what === 2) {
          changed.offers.push(
            offerRow({
              onchainId,
              offerId: BigInt(roll.below(3)) + 10n * onchainId,
              priceBps: BigInt(9_000 + roll.below(900)),
              remaining: BigInt(roll.below(3)) * DOLLAR,
              expiresAt: now + BigInt(roll.below(3)) * DAY,
              cancelledAt: roll.below(4) === 0 ? now : null,
              createdAt: now,
            }),
          );
        }
        if (what === 3) {
          const parties = { seller: roll.one([SELLER, BUYER]), buyer: BUYER } as const;
          changed.trades.push(
            tradeRow({ onchainId, eventId, amount, cost: amount, blockTime: now, ...parties }),
          );
        }
        if (what === 4) {
          changed.repayments.push(repaymentRow({ onchainId, eventId, principal: amount, blockTime: now }));
        }
        if (what === 6) {
          const measure = roll.one(["committed", "outstanding", "outstanding", "reservesPosted"] as const);
          changed.flows.push({ escrowAddress: ESCROW, onchainId, day: dayOf(now), measure, amount });
        }
        if (what === 5) changed.holders.set(token ?? "0x", roll.below(5));
      }
      // A row is read once, as the block left it.
      const last = <Row>(all: Row[], keyOf: (row: Row) => unknown) => [
        ...new Map(all.map((row) => [keyOf(row), row])).values(),
      ];
      changed.listings = last(changed.listings, ({ onchainId }) => onchainId);
      changed.offers = last(changed.offers, ({ offerId }) => offerId);
      for (const row of changed.listings)
        replace(rows.listings, row, ({ onchainId }) => onchainId === row.onchainId);
      for (const row of changed.offers) replace(rows.offers, row, ({ offerId }) => offerId === row.offerId);
      rows.trades.push(...changed.trades);
      rows.flows.push(...changed.flows);
      rows.repayments.push(...changed.repayments);
      for (const [token, count] of changed.holders) rows.holders.set(token, count);
      return changed;
    },
  };
}

/** To the tables of an earlier block, which seldom is before the final one. @returns the pairs with other rows */
export function goBack(
  tables: Tables,
  copies: Map<bigint, Rows>,
  roll: Dice,
  finalized: bigint,
): Set<string> | null {
  const least = roll.below(4) === 0 ? 0n : finalized;
  const reached = [...copies.keys()].filter((number) => number >= least);
  const to = reached.length === 0 ? null : roll.one(reached);
  const copy = to === null ? undefined : copies.get(to);
  if (to === null || copy === undefined) return null;
  for (const number of copies.keys()) if (number > to) copies.delete(number);
  return tables.goBack(copy);
}

/** The rows that a block changed, with all rows of the raises that a reorg changed. */
export function withAll(changed: Rows, all: Rows, lost: Set<string> | null): ChainRows {
  if (lost === null) return changed;
  const more = <Row extends Parameters<typeof pairKey>[0]>(own: Row[], every: Row[]) => [
    ...own.filter((row) => !lost.has(pairKey(row))),
    ...every.filter((row) => lost.has(pairKey(row))),
  ];
  return {
    listings: more(changed.listings, all.listings),
    repayments: more(changed.repayments, all.repayments),
    offers: more(changed.offers, all.offers),
    trades: more(changed.trades, all.trades),
    flows: more(changed.flows, all.flows),
    holders: all.holders,
    replaced: lost,
  };
}

/** The next head's time: the same second, some later one, or just where something turns. */
export function nextTime(roll: Dice, now: bigint, { listings, offers, trades }: Rows): bigint {
  const jump = now + roll.one([0n, 0n, 1n, 1n, 3n, 3_600n, DAY, 31n * DAY, 400n * DAY]);
  if (roll.below(2) === 0) return jump;
  const turns = [
    ...listings.flatMap((row) => turnsOf(row, now)),
    ...listings.flatMap(({ maturityAt, terminalAt }) =>
      maturityAt === null
        ? []
        : gradeTurnsOf({ maturityAt, settledAt: terminalAt } as Parameters<typeof gradeTurnsOf>[0]),
    ),
    ...offers.map(({ expiresAt }) => expiresAt),
    ...trades.flatMap(({ blockTime }) => [blockTime + DAY, blockTime + 30n * DAY]),
  ].filter((turn): turn is bigint => turn !== null && turn > now && turn < now + 500n * DAY);
  const turn = turns.length === 0 ? jump : roll.one(turns) + roll.one([-1n, 0n]);
  return turn > now ? turn : now;
}
