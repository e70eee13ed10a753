/**
 * What is due on a raise and what was paid, as a part of its page.
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import type { Block, Fact, Section, Table } from "../page.ts";
import { amount, counted, shortCode, time, yesOrNo } from "../value.ts";

/** How many payments are shown: the newest. A raise may have been repaid in thousands of parts. */
const SHOWN_PAYMENTS = 50;

export function scheduleSection(listing: Listing, schedule: Schedule): Section {
  const { status, acceptsMoney, publicId } = listing;
  // Without a drawdown before its end nothing of a raise is ever due.
  const isNeverDue = schedule.estimated && !acceptsMoney && status !== "live";
  const blocks: Block[] = isNeverDue
    ? [{ kind: "paragraph", text: "Nothing is due: no money was drawn." }]
    : [
        { kind: "paragraph", text: introduction(listing, schedule) },
        { kind: "facts", look: "grid", facts: factsOf(schedule) },
      ];
  const { payments } = schedule;
  if (!isNeverDue || payments.length > 0) {
    blocks.push({ kind: "table", table: paymentsTable(payments, status === "matured") });
  }
  if (payments.length > SHOWN_PAYMENTS) {
    const text = `All ${counted(payments.length, "payments")}`;
    blocks.push({
      kind: "links",
      links: [{ text, href: `/v1/listings/${publicId}/schedule`, note: "JSON" }],
    });
  }
  return { id: "schedule", title: "Schedule and payments", blocks };
}

function introduction({ status, closeAt }: Listing, { estimated }: Schedule): string {
  if (!estimated) {
    return status === "matured"
      ? "Principal and interest were due in one payment at maturity."
      : "Principal and interest are due in one payment at maturity. The business may pay earlier or in parts.";
  }
  const from = closeAt === null ? "now" : "the closing time";
  return `An estimate: what would be due on the money that is committed now, with the term counted from ${from}. It really begins with the drawdown.`;
}

function factsOf(schedule: Schedule): Fact[] {
  const { estimated } = schedule;
  return [
    {
      key: "estimated",
      label: "Estimated",
      value: yesOrNo(estimated),
      note: estimated ? "The money is still to be drawn." : "The money was drawn.",
    },
    { key: "maturityAt", label: estimated ? "Due, estimated" : "Due", value: time(schedule.maturityAt) },
    { key: "principal", label: "Principal due", value: amount(schedule.principal) },
    {
      key: "interest",
      label: "Interest due",
      value: amount(schedule.interest),
      note: "Simple interest, on a year of 365 days.",
    },
    { key: "total", label: "Due in all", value: amount(schedule.total) },
    { key: "paidPrincipal", label: "Principal paid", value: amount(schedule.paidPrincipal) },
    { key: "paidInterest", label: "Interest paid", value: amount(schedule.paidInterest) },
    { key: "outstandingPrincipal", label: "Outstanding", value: amount(schedule.outstandingPrincipal) },
  ];
}

function paymentsTable(payments: Schedule["payments"], isOver: boolean): Table {
  const first = Math.max(0, payments.length - SHOWN_PAYMENTS);
  const rows = payments.slice(first).map(({ at, principal, interest, txHash }, index) => ({
    // One transaction can pay twice; the place among all payments never changes.
    key: `payment-${first + index + 1}`,
    cells: [time(at), amount(principal, null), amount(interest, null), shortCode(txHash)],
  }));
  return {
    caption: `${first === 0 ? "Payments" : `The last ${SHOWN_PAYMENTS} payments`}, newest first, in ${DOLLAR}`,
    columns: [
      { key: "at", label: "Time" },
      { key: "principal", label: "Principal", align: "end" },
      { key: "interest", label: "Interest", align: "end" },
      { key: "txHash", label: "Transaction" },
    ],
    rows: rows.reverse(),
    empty: isOver ? "Nothing was repaid." : "Nothing was repaid so far.",
  };
}
