/**
 * What a business has done with its raises so far: how many ended how, what is owed and how late.
 * @module
 */
import { formatAmount } from "../../market/amount.ts";
import type { Listing, Originator, Repayment } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import { acceptsMoney } from "../../market/status.ts";
import type { Tone } from "../page.ts";
import { NONE, type Value, word } from "../value.ts";

/** Where a raise is in its life, in the order of a reader's interest. */
const STAGES = ["open", "repaying", "repaid", "with a loss", "not funded"] as const;
type Stage = (typeof STAGES)[number];

export function stageOf({ status, repayment }: Pick<Listing, "status" | "repayment">): Stage {
  if (acceptsMoney(status)) return "open";
  if (status === "live") return "repaying";
  if (status !== "matured") return "not funded";
  return repayment === "written_off" ? "with a loss" : "repaid";
}

/** Such as "1 open, 3 repaid". */
export function stagesText(listings: readonly Listing[]): string {
  const counts = Map.groupBy(listings, stageOf);
  return STAGES.flatMap((stage) => {
    const number = counts.get(stage)?.length ?? 0;
    return number === 0 ? [] : [`${number} ${stage}`];
  }).join(", ");
}

/** Open raises first, then loans with the longest overdue first, then those that ended; otherwise as they come. */
export function byStage(listings: readonly Listing[]): readonly Listing[] {
  const rank = (listing: Listing) =>
    10 * STAGES.indexOf(stageOf(listing)) - OVERDUE.findIndex(({ state }) => state === listing.repayment);
  return listings.toSorted((a, b) => rank(a) - rank(b));
}

/** The ways to be overdue, each with how it is said after an amount. */
export const OVERDUE = [
  { state: "grace", label: "in grace", tone: "warn" },
  { state: "late", label: "late", tone: "warn" },
  { state: "default", label: "in default", tone: "bad" },
] as const satisfies readonly { state: Repayment; label: string; tone: Tone }[];

/** Base units. */
export type BusinessRecord = {
  raised: bigint;
  repaid: bigint;
  owed: bigint;
  /** the principal owed in each state */
  owedIn: Readonly<Record<"current" | (typeof OVERDUE)[number]["state"], bigint>>;
  /** principal that was written off */
  lost: bigint;
};

export function recordOf({ listings }: Pick<Originator, "listings">): BusinessRecord {
  const { raised, repaid, outstanding } = totalsOf(listings);
  const owedIn = { current: 0n, grace: 0n, late: 0n, default: 0n };
  let lost = 0n;
  for (const listing of listings) {
    const { repayment, outstandingPrincipal, writtenOffAmount } = listing;
    if (repayment in owedIn) owedIn[repayment as keyof typeof owedIn] += BigInt(outstandingPrincipal);
    lost += BigInt(writtenOffAmount);
  }
  return { raised: BigInt(raised), repaid: BigInt(repaid), owed: BigInt(outstanding), owedIn, lost };
}

/** How good or bad the worst loan of a business is; idle when it owes nothing. */
export function toneOf({ owed, owedIn }: BusinessRecord): Tone {
  const worst = OVERDUE.findLast(({ state }) => owedIn[state] > 0n);
  return worst?.tone ?? (owed > 0n ? "good" : "idle");
}

/** What is overdue, the worst first, such as "20,000 in default, 5,000 late"; for programs the sum. */
export function overdueValue(record: BusinessRecord): Value {
  const parts = OVERDUE.filter(({ state }) => record.owedIn[state] > 0n).toReversed();
  if (parts.length === 0) return NONE;
  const said = parts.map(
    ({ state, label }) => `${formatAmount(record.owedIn[state], { unit: null })} ${label}`,
  );
  const sum = parts.reduce((total, { state }) => total + record.owedIn[state], 0n);
  return word(said.join(", "), `${sum}`, toneOf(record));
}
