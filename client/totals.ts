/**
 * The arithmetic of a listing's totals: from the event with a total, plus and minus the amounts of later events, to the figure.
 * @module
 */
import type { Emitted } from "./decoded.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";

export type ProvenTotal = components["schemas"]["ProvenTotal"];
type Part = NonNullable<ProvenTotal["sumOf"]>[number];

type Rule = {
  /** by kind, the field with the total after the event; null if the event sets it to 0 */
  carriers: Readonly<Record<string, string | null>>;
  /** by kind, the fields that change the total */
  parts: Readonly<Record<string, Readonly<Record<string, "+" | "-">>>>;
  /** the contracts' view of the same figure */
  view: string | null;
};

/** What events mean for each total, according to the contracts' interface. */
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
 * Checks that the figure is the source's total plus the parts.
 * @param source the proven event with the total
 * @param parts each with its proven event
 * @throws {Refusal} if it is not
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
