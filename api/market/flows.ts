/** @module The changes of a raise's money by events, in sums of days: the part of its history that its row does not have. Pure. */
import type { ListingRow, MoneyDeltas, StoredRow } from "../../src/fold/state.ts";
import { pairKey } from "../registry/schema.ts";
import { dayOf } from "./periods.ts";

const FLOWS = [
  "committed",
  "withdrawn",
  "repaidPrincipal",
  "repaidInterest",
  "outstanding",
  "reservesPosted",
  "reservesUsed",
  "reservesReleased",
] as const;

/** A change on one day. All but `outstanding`, which is signed, are amounts above 0 in base units. */
export type Flow = {
  /** days since 1970 in UTC */
  readonly day: number;
  readonly measure: (typeof FLOWS)[number];
  readonly amount: bigint;
};

export type FlowRow = Flow & Pick<ListingRow, "escrowAddress" | "onchainId">;

/** The flows of an event's deltas in the ledger. A lower amount raised counts as withdrawn. */
export function moneyFlows({
  committed,
  repaidPrincipal,
  repaidInterest,
  outstanding,
  blockTime,
}: MoneyDeltas & Pick<StoredRow, "blockTime">): Flow[] {
  const day = dayOf(blockTime);
  const flow = (measure: Flow["measure"], amount: bigint | null): Flow[] =>
    amount === null || amount === 0n ? [] : [{ day, measure, amount }];
  return [
    ...(committed !== null && committed < 0n ? flow("withdrawn", -committed) : flow("committed", committed)),
    ...flow("repaidPrincipal", repaidPrincipal),
    ...flow("repaidInterest", repaidInterest),
    ...flow("outstanding", outstanding),
  ];
}

/**
 * The flow of an event of the reserve, by its effect on the balance: `reservesUsed` is what it fell by when the reserve was applied.
 * @param reason the event's
 * @param before the balances before and after it, base units
 */
export function reserveFlows(
  { blockTime, args: { reason } }: Pick<StoredRow, "blockTime" | "args">,
  before: bigint,
  after: bigint,
): Flow[] {
  if (before === after) return [];
  const day = dayOf(blockTime);
  if (after > before) return [{ day, measure: "reservesPosted", amount: after - before }];
  return [
    { day, measure: reason === "applied" ? "reservesUsed" : "reservesReleased", amount: before - after },
  ];
}

/** Both as one list, with one sum for each day and measure. */
export function withFlows(flows: readonly Flow[], more: readonly Flow[]): readonly Flow[] {
  const sums = new Map(flows.map((flow) => [keyOf(flow), flow]));
  for (const { day, measure, amount } of more) {
    const key = keyOf({ day, measure });
    sums.set(key, { day, measure, amount: (sums.get(key)?.amount ?? 0n) + amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** The same for several raises. */
export function withFlowRows(rows: readonly FlowRow[]): FlowRow[] {
  return [...Map.groupBy(rows, pairKey).values()].flatMap((own) => {
    const [{ escrowAddress, onchainId }] = own as [FlowRow];
    return withFlows([], own).map((flow) => ({ escrowAddress, onchainId, ...flow }));
  });
}

function keyOf({ day, measure }: Pick<Flow, "day" | "measure">): number {
  return day * FLOWS.length + FLOWS.indexOf(measure);
}
