/**
 * The arithmetic of a listing's totals: from the event with a total, plus and minus the amounts of later events, to the figure.
 * @module
 */
import type { Emitted } from "./fields.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";

export type ProvenTotal = components["schemas"]["ProvenTotal"];
export type Part = NonNullable<ProvenTotal["sumOf"]>[number];
type Sign = Part["sign"];

type Rule = {
  /** by kind, the field with the total after the event; null if the event sets it to 0 */
  carriers: Readonly<Record<string, string | null>>;
  /** by kind, the fields that change the total; a sign, or the sign by the event's reason */
  parts: Readonly<Record<string, Readonly<Record<string, Sign | Readonly<Record<string, Sign>>>>>>;
  /** the project's view of the same figure */
  view: string | null;
};

const RESERVE = { posted: "+", applied: "-", released: "-" } as const;

/** How events change each total. */
export const RULES: Readonly<Record<string, Rule>> = {
  raisedAmount: {
    carriers: { subscribed: "totalRaised", listing_closed: "raisedAmount" },
    // The refunds for other reasons return the amount raised, and do not lower it.
    parts: { subscribed: { amount: "+" }, refunded: { amount: { withdrawn: "-", outbid: "-", null: "-" } } },
    view: "raisedAmount",
  },
  refundedAmount: {
    carriers: { refunded: "totalRefunded" },
    parts: { refunded: { amount: "+" } },
    view: "refundedAmount",
  },
  reserveBalance: {
    carriers: { reserve_changed: "reserveBalance" },
    parts: { reserve_changed: { amount: RESERVE } },
    view: "reserveBalance",
  },
  outstandingPrincipal: {
    carriers: { drawn_down: "amount", repaid: "outstandingPrincipal", listing_settled: null },
    parts: { repaid: { principal: "-", paidAmount: "-" } },
    view: "outstandingPrincipal",
  },
  claimedAmount: {
    carriers: { payout_claimed: "totalClaimed" },
    parts: { payout_claimed: { amount: "+" } },
    view: "claimedAmount",
  },
  repaidAmount: {
    carriers: {},
    parts: { repaid: { principal: "+", interest: "+", paidAmount: "+" } },
    view: null,
  },
};

/** The total of which an event may be a part though it carries a total itself: contracts may contradict themselves. */
const RECOUNTED = "raisedAmount";

/**
 * Checks that the figure is the source's total plus the parts.
 * @param source the proven event with the total
 * @param parts each with its proven event, oldest first
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
  const sum = parts.reduce((total, { part, emitted }) => {
    const next = total + changeOf(name, rule, part, emitted);
    // An undivided amount pays principal first, and the rest is interest.
    return name === "outstandingPrincipal" && part.field === "paidAmount" && next < 0n ? 0n : next;
  }, from);
  must(`${sum}` === value, `the events come to ${sum}, and not to ${value}`);
}

function carriedBy({ carriers }: Rule, { event, name }: Emitted, field: string | null): bigint {
  const { kind } = event;
  const total = field === null ? "0" : event[field];
  must(
    Object.hasOwn(carriers, kind) && carriers[kind] === field && typeof total === "string",
    `${name} does not carry the total in ${field}`,
  );
  return BigInt(total);
}

function changeOf(
  total: string,
  { parts, carriers }: Rule,
  { field, sign, amount }: Part,
  { event, name, meaning }: Emitted,
): bigint {
  const allowed = Object.hasOwn(parts, event.kind) ? parts[event.kind]?.[field] : undefined;
  // The contracts of an operator need not give a reason.
  const reason = event.reason ?? (meaning === null ? undefined : "null");
  const expected = typeof allowed === "object" ? allowed[`${reason}`] : allowed;
  must(expected !== undefined && expected === sign, `${field} of ${name} is no ${sign} of the total`);
  const carrier = carriers[event.kind] ?? null;
  must(
    total === RECOUNTED || carrier === null || (event[carrier] ?? null) === null,
    `${name} carries the total itself`,
  );
  must(event[field] === amount, `${field} of ${name} is ${event[field]}, and not ${amount}`);
  return sign === "+" ? BigInt(amount) : -BigInt(amount);
}
