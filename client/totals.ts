/**
 * The arithmetic of a listing's totals: from the event that carries a total, over what later events add and take away, to the figure.
 * @module
 */
import type { Emitted } from "./decoded.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";

export type ProvenTotal = components["schemas"]["ProvenTotal"];
type Part = NonNullable<ProvenTotal["sumOf"]>[number];

type Rule = {
  /** by kind, the field that has the total after the event; null where the event makes it 0 */
  carriers: Readonly<Record<string, string | null>>;
  /** by kind, the fields that change the total */
  parts: Readonly<Record<string, Readonly<Record<string, "+" | "-">>>>;
  /** of the contracts, with the same figure */
  view: string | null;
};

/** What the contracts' interface says that events mean for a total. */
export const RULES: Readonly<Record<string, Rule>> = {
  raisedAmount: {
    carriers: { subscribed: "totalRaised", listing_closed: "raisedAmount" },
    parts: { subscribed: { amount: "+" }, refunded: { amount: "-" } },
    view: "raisedAmount",
  },
  refundedAmount: { carriers: { refunded: "totalRefunded" }, parts: {}, view: "refundedAmount" },
  reserveBalance: { carriers: { reserve_changed: "reserveBalance" }, parts: {}, view: "reserveBalance" },
  outstandingPrincipal: {
    carriers: { drawn_down: "amount", repaid: "outstandingPrincipal", listing_settled: null },
    parts: {},
    view: "outstandingPrincipal",
  },
  claimedAmount: { carriers: { payout_claimed: "totalClaimed" }, parts: {}, view: "claimedAmount" },
  repaidAmount: { carriers: {}, parts: { repaid: { principal: "+", interest: "+" } }, view: null },
};

/** The reasons of a refund that lower the amount raised; the others return it later. */
const LOWERING: readonly unknown[] = [0, 1];

/**
 * Checks that the figure is the source's total and the parts together.
 * @param source the proven event that carries the total
 * @param parts with the proven event of each
 * @throws {Refusal} when it is not
 */
export function checkSum(
  name: string,
  { value, field }: ProvenTotal,
  source: Emitted | null,
  parts: readonly { part: Part; emitted: Emitted }[],
): void {
  const rule = RULES[name];
  must(rule !== undefined, `there is no total ${name}`);
  const from = source === null ? 0n : carriedBy(rule, source, field);
  must(source !== null || field === null, "a field is named, and no event");
  const sum = parts.reduce((total, { part, emitted }) => total + changeOf(rule, part, emitted), from);
  must(`${sum}` === value, `the events come to ${sum}, and not to ${value}`);
}

function carriedBy({ carriers }: Rule, { kind, name, args }: Emitted, field: string | null): bigint {
  must(
    Object.hasOwn(carriers, kind) && carriers[kind] === field,
    `${name} does not carry the total in ${field}`,
  );
  return field === null ? 0n : BigInt(`${args[field]}`);
}

function changeOf({ parts }: Rule, { field, sign, amount }: Part, { kind, name, args }: Emitted): bigint {
  must(parts[kind]?.[field] === sign, `${field} of ${name} is no ${sign} of the total`);
  must(
    kind !== "refunded" || LOWERING.includes(args.reason),
    "a refund for this reason does not lower the amount raised",
  );
  must(`${args[field]}` === amount, `${field} of ${name} is ${args[field]}, and not ${amount}`);
  return sign === "+" ? BigInt(amount) : -BigInt(amount);
}
