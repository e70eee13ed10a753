/** @module The amounts due and paid on a raise. */

import { counted } from "../../../config/format/counted.ts";
import { DOLLAR, formatAmount, formatRate } from "../../market/amount.ts";
import { acceptedNow, isNeverDue, isPastDue, neverPaidOf, type Owed, owedOf } from "../../market/schedule.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { clearingWords } from "../../market/sentences.ts";
import { fact, facts, links, linkTo, paragraph, section, table, tableOf } from "../blocks.ts";
import { dueAndPaid } from "../charts/due-and-paid.tsx";
import type { Block, Section, Table } from "../page.ts";
import { amount, text, time, txCode } from "../value.ts";

/** Payments shown, newest first. A raise may be repaid in thousands of parts. */
const SHOWN_PAYMENTS = 50;

/** @param until end of the time line of a loan that is overdue; unix seconds */
export function scheduleSection(listing: Listing, schedule: Schedule, until: bigint): Section {
  const { status, publicId, drawnDownAt } = listing;
  const { estimated, payments } = schedule;
  const neverDue = isNeverDue(listing, schedule);
  const more =
    payments.length > SHOWN_PAYMENTS
      ? [linkTo(`All ${counted(payments.length, "payments")}`, `/v1/listings/${publicId}/schedule`, "JSON")]
      : [];
  const shown = shownPayments(payments);
  const isOver = status === "matured";
  const paymentsTable = tableOfPayments(shown, payments.length, isOver);
  const isDrawn = !estimated && drawnDownAt !== null;
  const left = isOver ? neverPaidOf(listing, schedule) : owedOf(listing, schedule);
  return section("schedule", "Schedule and payments", [
    paragraph(neverDue ? "Nothing is due: no money was drawn." : introduction(listing, schedule)),
    neverDue
      ? null
      : facts("grid", [
          fact("maturityAt", estimated ? "Due date, estimated" : "Due date", time(schedule.maturityAt)),
        ]),
    isDrawn
      ? {
          kind: "chart",
          chart: dueAndPaid({
            id: "due-and-paid",
            refnum: listing.refnum,
            schedule,
            left,
            isOver,
            drawnDownAt,
            isOverdue: isPastDue(listing),
            until,
            payments: paymentsTable,
            paymentTimes: shown.map(({ at }) => at),
          }),
        }
      : null,
    neverDue ? null : dueTable(listing, schedule, left),
    !isDrawn && payments.length > 0 ? { kind: "table", table: paymentsTable } : null,
    links(more),
  ]);
}

function introduction(listing: Listing, { estimated }: Schedule): string {
  const { status, closeAt, couponIsMaximum, raisedAmount, targetAmount } = listing;
  if (!estimated) {
    return status === "matured"
      ? "Principal and interest were due in one payment at maturity."
      : "Principal and interest are due in one payment at maturity. The business may pay earlier or in parts.";
  }
  const from = closeAt === null ? "now" : "the closing time";
  const isTooMuch = couponIsMaximum && BigInt(raisedAmount) > BigInt(targetAmount);
  const most = isTooMuch
    ? ` No more than the target of ${formatAmount(targetAmount)} will be accepted: the rest goes back at the close.`
    : "";
  return `An estimate: what would be due on the amount committed so far, with the term counted from ${from}. The actual term begins with the drawdown. Simple interest, on a 365-day year.${most}`;
}

/** @param left what is still owed, or was never paid */
function dueTable(listing: Listing, schedule: Schedule, left: Owed): Block {
  const { principal, interest, total, paidPrincipal, paidInterest, estimated } = schedule;
  const { couponIsMaximum, indicativeRateBps, status } = listing;
  const indicativeInterest = schedule.indicativeInterest ?? "0";
  const accepted = acceptedNow(listing);
  const due = [
    "due",
    estimated ? `Due${couponIsMaximum ? " at most" : ""}, estimated` : "Due",
    ({ due }: Line) => amount(due, null),
    "end",
  ] as const;
  return table<Line>({
    caption: `${estimated ? "What would be due" : "What is due, and what was paid"}, in ${DOLLAR}`,
    items: [
      {
        ...{ key: "principal", label: "Principal", due: principal, indicative: `${accepted}` },
        ...{ paid: paidPrincipal, left: left.principal },
      },
      {
        ...{ key: "interest", label: "Interest", due: interest, indicative: indicativeInterest },
        ...{ paid: paidInterest, left: left.interest },
      },
      {
        ...{
          key: "total",
          label: "Total",
          due: total,
          indicative: `${accepted + BigInt(indicativeInterest)}`,
        },
        ...{ paid: listing.repaidAmount, left: left.total },
      },
    ],
    keyOf: ({ key }) => `due-${key}`,
    look: "small",
    columns: [
      ["part", "Part", ({ label }) => text(label)],
      due,
      ...(indicativeRateBps === null
        ? []
        : ([
            [
              "indicative",
              `At ${formatRate(indicativeRateBps)}, ${clearingWords(listing)}`,
              ({ indicative }: Line) => amount(indicative, null),
              "end",
            ],
          ] as const)),
      ...(estimated
        ? []
        : ([
            ["paid", "Paid", ({ paid }: Line) => amount(paid, null), "end"],
            [
              "owed",
              status === "matured" ? "Never paid" : "Still owed",
              ({ left }: Line) => amount(left, null),
              "end",
            ],
          ] as const)),
    ],
    empty: "",
  });
}

type Line = { key: string; label: string; due: string; indicative: string; paid: string; left: string };
type ShownPayment = Schedule["payments"][number] & { place: number };

/** A transaction can pay twice; a payment's number never changes. */
function shownPayments(payments: Schedule["payments"]): ShownPayment[] {
  const first = Math.max(0, payments.length - SHOWN_PAYMENTS);
  return payments
    .slice(first)
    .map((payment, index) => ({ ...payment, place: first + index + 1 }))
    .reverse();
}

function tableOfPayments(shown: readonly ShownPayment[], count: number, isOver: boolean): Table {
  return tableOf({
    caption: `${count === shown.length ? "Payments" : `The last ${SHOWN_PAYMENTS} payments`}, newest first, in ${DOLLAR}`,
    items: shown,
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
