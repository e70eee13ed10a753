/** @module The proceeds of an amount (`?amount=`) in a raise that takes money, or at the lowest price on the desk. */
import { isolatedQuote } from "../../../config/format/untrusted-text.ts";
import { DOLLAR, formatAmount, formatRate } from "../../market/amount.ts";
import type { DeskListing } from "../../market/desk.ts";
import { limitSentence, parseInvestment, projectionOf, resaleProjectionOf } from "../../market/projection.ts";
import { interestOn } from "../../market/schedule.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { fact, facts, paragraph, section } from "../blocks.ts";
import type { Block, Fact, Section } from "../page.ts";
import { raisePath } from "../paths.ts";
import { formatDate } from "../times.ts";
import { amount } from "../value.ts";

/** The amount in the address, as written and in base units; null base units for a text that is no amount. */
export type AskedAmount = { text: string; amount: bigint | null };

const TITLE = { lend: "What would I get?", buy: "What would I get for buying tokens?" } as const;
const DEFAULT = "1000";
const THOUSANDS = /^\d{1,3}(,\d{3})+(\.\d+)?$/;
const HINT = "With a point before the cents, such as 1000 or 250.50.";

/** Commas between thousands, spaces around and a dollar sign are no mistakes. @param text null for the example */
export function readAmount(text: string | null): AskedAmount {
  const written = (text ?? DEFAULT).trim();
  const bare = written.replace(/^\$\s*/, "");
  const digits = THOUSANDS.test(bare) ? bare.replaceAll(",", "") : bare;
  return { text: written, amount: parseInvestment(digits) };
}

export type EstimateParameters = {
  listing: Listing;
  schedule: Schedule;
  /** null where the desk has nothing of the listing */
  desk: DeskListing | null;
  asked: AskedAmount;
};

/** Null for a raise that takes no money and of which nothing is on offer. */
export function estimateSection(given: EstimateParameters): Section | null {
  const { listing, asked } = given;
  const outcomes = listing.acceptsMoney ? lendingOutcomes : resaleOutcomes(given);
  if (outcomes === null) return null;
  const blocks = asked.amount === null ? [] : outcomes(given, asked.amount);
  return {
    ...section("estimate", TITLE[listing.acceptsMoney ? "lend" : "buy"], [formBlock(given), ...blocks]),
    tone: "idle",
  };
}

function formBlock({ listing, schedule, desk, asked }: EstimateParameters): Block {
  const { text, amount: read } = asked;
  const problem = `${isolatedQuote(text.slice(0, 60))} is not an amount above 0. ${HINT}`;
  const limit = read === null ? null : limitOf({ listing, schedule, desk }, read);
  return {
    kind: "form",
    form: {
      // Without a script, the answer is where the question was.
      action: `${raisePath(listing)}#estimate`,
      label: "Estimate for an amount",
      submit: "Calculate",
      isSecondary: true,
      attributes: { "data-estimate": "" },
      reset: null,
      fields: [
        {
          name: "amount",
          label: `If you ${listing.acceptsMoney ? "lend" : "pay"}, in ${DOLLAR}`,
          description: `${DOLLAR} to ${listing.acceptsMoney ? "lend" : "pay"}: a decimal above 0.`,
          value: text,
          input: "amount",
          hint:
            read === null ? { text: problem, isProblem: true } : { text: limit ?? HINT, isProblem: false },
        },
      ],
    },
  };
}

/** Says how much can be had where it is less than the amount; null where it is enough. */
function limitOf(
  { listing, schedule, desk }: Omit<EstimateParameters, "asked">,
  investment: bigint,
): string | null {
  if (listing.acceptsMoney) return limitSentence(listing, investment);
  const bought = resaleProjectionOf(listing, schedule, desk?.bestAskBps ?? 0, investment);
  return desk !== null && bought !== null && bought.tokens > BigInt(desk.openAmount)
    ? `Only ${formatAmount(desk.openAmount, { unit: "tokens" })} are on offer.`
    : null;
}

/** An outcome with all its digits for programs. */
function outcome(key: string, label: string, value: bigint, note: string): Fact {
  return fact(key, label, amount(`${value}`, null), note);
}

const figure = (value: bigint) => formatAmount(value, { unit: null });

function lendingOutcomes({ listing, schedule }: EstimateParameters, investment: bigint): Block[] {
  const { interest, total, principal, repaid, reserveHeld, reserveRequired } = projectionOf(
    listing,
    investment,
  );
  const { couponIsMaximum, couponRateBps, indicativeRateBps, targetAmount } = listing;
  const due = `around ${formatDate(schedule.maturityAt)}`;
  const gain = (of: bigint, rateBps: number) => `${figure(of)} of interest at ${formatRate(rateBps)} a year`;
  const now =
    indicativeRateBps === null
      ? null
      : {
          rate: indicativeRateBps,
          interest: interestOn(investment, { ...listing, couponRateBps: indicativeRateBps }),
        };
  // A contract may pay back while it still takes money.
  const before = repaid > 0n ? "what has been repaid and " : "";
  const lost = (of: bigint, reserve: string) =>
    of === 0n
      ? `All of it from ${before}the reserve ${reserve}.`
      : `From ${before}the reserve ${reserve}. You lose ${figure(of)}.`;
  return [
    facts("grid", [
      outcome(
        "projection.total",
        couponIsMaximum ? "Repaid in full, at most" : "Repaid in full",
        total,
        `${gain(interest, couponRateBps)}, ${due}.`,
      ),
      ...(now === null
        ? []
        : [
            outcome(
              "projection.indicativeTotal",
              "At the rate if it closed now",
              investment + now.interest,
              `${gain(now.interest, now.rate)}, ${due}.`,
            ),
          ]),
      outcome(
        "projection.reserveHeldReturns",
        repaid > 0n ? "If nothing more is repaid" : "If nothing is repaid",
        reserveHeld.returned,
        lost(reserveHeld.lost, "posted so far"),
      ),
      ...(reserveRequired.returned > reserveHeld.returned
        ? [
            outcome(
              "projection.reserveRequiredReturns",
              "The same, once the reserve is complete",
              reserveRequired.returned,
              lost(reserveRequired.lost, "required before the money is drawn"),
            ),
          ]
        : []),
    ]),
    paragraph(
      `An estimate, not a promise: anything between these is possible, and payments can be late. The reserve is shared by ${formatAmount(principal)} of loans${principal === BigInt(targetAmount) ? ", the full target" : ""}.`,
    ),
  ];
}

type Outcomes = (given: EstimateParameters, investment: bigint) => Block[];

/** At the lowest price that is asked; null when nothing is on offer. */
function resaleOutcomes({ listing, schedule, desk }: EstimateParameters): Outcomes | null {
  const price = desk?.bestAskBps ?? null;
  if (desk === null || price === null) return null;
  if (resaleProjectionOf(listing, schedule, price, 1n) === null) return null;
  return (_, investment) => {
    const projected = resaleProjectionOf(listing, schedule, price, investment);
    if (projected === null) return [];
    const { tokens, cost, total, reserveHeld } = projected;
    const result =
      total >= cost
        ? `${figure(total - cost)} more than you pay`
        : `${figure(cost - total)} less than you pay`;
    return [
      facts("grid", [
        outcome(
          "projection.tokens",
          "Tokens you buy",
          tokens,
          `At the lowest asking price, ${formatRate(price)} of par, for ${figure(cost)}.`,
        ),
        outcome(
          "projection.total",
          "If all that is still due is paid",
          total,
          `Principal and interest: ${result}.`,
        ),
        outcome(
          "projection.reserveHeldReturns",
          "If nothing more is paid",
          reserveHeld.returned,
          reserveHeld.lost === 0n
            ? "From the reserve. You lose nothing."
            : `From the reserve. You lose ${figure(reserveHeld.lost)}.`,
        ),
      ]),
      paragraph(
        `An estimate, not a promise. What was paid on these tokens before is not counted, and other offers cost more.`,
      ),
    ];
  };
}
