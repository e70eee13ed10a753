/**
 * What is due on a raise, and what was paid.
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { fact, facts, links, linkTo, paragraph, section, table } from "../blocks.ts";
import type { Block, Fact, Section } from "../page.ts";
import { amount, counted, time, txCode, yesOrNo } from "../value.ts";

/** Payments shown, newest first. A raise may be repaid in thousands of parts. */
const SHOWN_PAYMENTS = 50;

export function scheduleSection(listing: Listing, schedule: Schedule): Section {
  const { status, acceptsMoney, publicId } = listing;
  const { estimated, payments } = schedule;
  // Without a drawdown, nothing is ever due.
  const isNeverDue = estimated && !acceptsMoney && status !== "live";
  const more =
    payments.length > SHOWN_PAYMENTS
      ? [linkTo(`All ${counted(payments.length, "payments")}`, `/v1/listings/${publicId}/schedule`, "JSON")]
      : [];
  return section("schedule", "Schedule and payments", [
    paragraph(isNeverDue ? "Nothing is due: no money was drawn." : introduction(listing, schedule)),
    isNeverDue ? null : facts("grid", factsOf(schedule)),
    isNeverDue && payments.length === 0 ? null : paymentsTable(payments, status === "matured"),
    links(more),
  ]);
}

function introduction({ status, closeAt }: Listing, { estimated }: Schedule): string {
  if (!estimated) {
    return status === "matured"
      ? "Principal and interest were due in one payment at maturity."
      : "Principal and interest are due in one payment at maturity. The business may pay earlier or in parts.";
  }
  const from = closeAt === null ? "now" : "the closing time";
  return `An estimate: what would be due on the amount committed so far, with the term counted from ${from}. The actual term begins with the drawdown.`;
}

function factsOf(schedule: Schedule): Fact[] {
  const { estimated } = schedule;
  return [
    fact(
      "estimated",
      "Estimated",
      yesOrNo(estimated),
      estimated ? "The money has not been drawn yet." : "The money was drawn.",
    ),
    fact("maturityAt", estimated ? "Due, estimated" : "Due", time(schedule.maturityAt)),
    fact("principal", "Principal due", amount(schedule.principal)),
    fact("interest", "Interest due", amount(schedule.interest), "Simple interest, on a 365-day year."),
    fact("total", "Total due", amount(schedule.total)),
    fact("paidPrincipal", "Principal paid", amount(schedule.paidPrincipal)),
    fact("paidInterest", "Interest paid", amount(schedule.paidInterest)),
    fact("outstandingPrincipal", "Outstanding", amount(schedule.outstandingPrincipal)),
  ];
}

function paymentsTable(payments: Schedule["payments"], isOver: boolean): Block {
  const first = Math.max(0, payments.length - SHOWN_PAYMENTS);
  // A transaction can pay twice; a payment's number never changes.
  const items = payments.slice(first).map((payment, index) => ({ ...payment, place: first + index + 1 }));
  return table({
    caption: `${first === 0 ? "Payments" : `The last ${SHOWN_PAYMENTS} payments`}, newest first, in ${DOLLAR}`,
    items: items.reverse(),
    keyOf: ({ place }) => `payment-${place}`,
    columns: [
      ["at", "Time", ({ at }) => time(at)],
      ["principal", "Principal", ({ principal }) => amount(principal, null), "end"],
      ["interest", "Interest", ({ interest }) => amount(interest, null), "end"],
      ["txHash", "Transaction", ({ txHash }) => txCode(txHash)],
    ],
    empty: isOver ? "Nothing was repaid." : "Nothing has been repaid yet.",
  });
}
