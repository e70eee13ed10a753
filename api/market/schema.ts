/** @module The documented answers as zod schemas. Interface document, "Resources and their fields". */
import { z } from "@hono/zod-openapi";
import { KYB_STATUSES } from "../registry/schema.ts";
import {
  address,
  amount,
  basisPoints,
  count,
  flag,
  id,
  listOf,
  oneOf,
  refnum,
  text,
  time,
  txHash,
  url,
} from "./fields.ts";

export const STATUSES = ["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"] as const;
export const GRADES = ["A", "B", "C", "D", "E", "NR"] as const;
/** Those whose principal counts in `lateBps`. */
export const LATE_RAISES =
  "raises that ended, or are still unpaid, more than 30 days late or that needed the reserve";
export const REPAYMENTS = [
  "not_drawn",
  "current",
  "grace",
  "late",
  "default",
  "repaid",
  "written_off",
] as const;

const gradeSchema = z.enum(GRADES).openapi("Grade", {
  description: "`A` (best) to `E`, computed from the originator's record; `NR` when not yet rated.",
  example: "B",
});

export const finalitySchema = z.enum(["pending", "final"]).openapi("Finality", {
  description: "`pending` while a reorg can still take back the (last) event, then `final`.",
  example: "final",
});

const statusSchema = z.enum(STATUSES).openapi("ListingStatus", {
  description:
    "Lifecycle state. `listed` and `funding` accept money, `live` is repaying, `matured` is finished; `refunding`, `voided` and `cancelled` return money.",
  example: "funding",
});

export const listingSchema = z
  .object({
    publicId: z
      .string()
      .regex(/^lst_[A-Za-z0-9_-]{1,64}$/)
      .openapi({
        description: "Stable public identifier; outlives a redeploy of the contracts.",
        example: "lst_bakery",
      }),
    refnum: refnum("Reference number; also the symbol of the listing's token"),
    title: text("Title, from the originator: untrusted text.", "A second oven"),
    description: text("Description, from the originator: untrusted text.", "Working capital for a bakery."),
    status: statusSchema,
    targetAmount: amount("Amount sought"),
    minRaise: amount("Minimum to raise; below it at the close, every backer is refunded"),
    raisedAmount: amount("Amount committed so far; fixed from the close on"),
    couponRateBps: basisPoints("Cost of funds per annum; in an auction the highest accepted until it clears"),
    tenorDays: count("Term in days from the drawdown"),
    insuranceBps: basisPoints(
      "Reserve that the originator posts against this raise, as a share of the target",
    ),
    reserveBalance: amount("Reserve actually held"),
    pricingMode: oneOf(["fixed", "auction"], "How the coupon is set.", "fixed"),
    goLiveAt: time("When the raise opens"),
    closeAt: time("When the raise closes; null = no closing time").nullable(),
    originatorGrade: gradeSchema,
    chainId: z.int().openapi({ description: "Chain of the contracts.", example: 97 }),
    tokenAddress: address("The listing's ERC-20 token; null = it has none").nullable(),
    escrowAddress: address("The contract that holds the subscriptions"),
    subscriberCount: count("Backers whose net principal is above zero; fixed from the close on"),

    onchainId: id("Id within the escrow contract; unique only together with `escrowAddress`"),
    couponIsMaximum: flag(
      "Whether `couponRateBps` is only the most that backers can get: in an auction, until the close fixes the rate.",
      false,
    ),
    indicativeRateBps: basisPoints(
      "Rate at which an auction would close now; null for a fixed rate, once the rate is fixed or the raise has ended, below the minimum, with more than 2,000 bids and withdrawals, and where the contract does not tell the rates of bids",
    ).nullable(),
    acceptsMoney: flag("Whether backers can subscribe now: `listed` or `funding`.", true),
    projectedAmount: amount(
      "Amount at `closeAt` if money keeps coming at the average pace since the raise opened, at most the target or what is already committed; null unless it is open, has a closing time and has been open for 24 hours",
    ).nullable(),
    statusSince: time("When the status began"),
    refundedAmount: amount("Every refund, whatever the reason: `withdrawnAmount` and `returnedAmount`"),
    withdrawnAmount: amount(
      "Refunds other than `returnedAmount`: withdrawn before the close, or outbid in an auction",
    ),
    returnedAmount: amount(
      "Commitments refunded after the close, as when a raise fails; at most `raisedAmount`",
    ),
    refundableAmount: amount(
      "Amount that backers can still claim from a raise that returns money; 0 once fully refunded, and in every other status",
    ),
    drawnAmount: amount("Principal lent: what the originator drew, fee included; 0 before the drawdown"),
    repaidAmount: amount("Principal and interest repaid"),
    outstandingPrincipal: amount(
      "Principal drawn and not yet repaid; 0 before the drawdown and once settled",
    ),
    writtenOffAmount: amount("Principal that was never paid; 0 until the raise is settled"),
    drawnDownAt: time("When the originator drew the money").nullable(),
    maturityAt: time("When the principal is due").nullable(),
    repayment: oneOf(
      REPAYMENTS,
      "`current` until maturity, `grace` to 7 days past it, `late` to 90, `default` beyond; `repaid` or `written_off` once settled.",
      "current",
    ),
    outcome: z.enum(["repaid", "repaid_with_reserve", "defaulted", "unknown"]).nullable().openapi({
      description: "How the raise ended, as settled on the chain; null until then.",
      example: null,
    }),
    originator: text("Public id of the originator.", "org_northwind"),
    originatorVerified: flag(
      "Whether the address that created the raise on the chain is one of the originator's published addresses.",
      true,
    ),
    originatorOnChain: flag(
      "Whether the contract tells which address created the raise. If not, `originatorVerified` is false and contradicts nothing.",
      true,
    ),
    url: url("Public page of the listing"),
    appUrl: url("Where a person goes to sign; null = no app is configured").nullable(),
    metadataVerified: flag(
      "Whether title and description are those that the chain commits to (keccak256 of their RFC 8785 canonical JSON).",
      true,
    ),
    metadataOnChain: flag(
      "Whether the contract commits to a text. If not, `metadataVerified` is false and contradicts nothing.",
      true,
    ),
    finality: finalitySchema,
    termsFrom: oneOf(
      ["chain", "registry"],
      "Source of the terms: the contract, or the operator's registry where the contract gives none.",
      "chain",
    ),
    termsUpdates: count("Updates of the terms that took effect since the creation", 0),
    termsUpdatedAt: time("Block time of the last update of the terms; null = never updated").nullable(),
    updatedAt: time(
      "Block time of the last event of the raise, without those of the desk; null = no event yet",
    ).nullable(),
    updatedBlock: id("Block of that event").nullable(),
  })
  .openapi("Listing", { description: "A raise." });

const byDaysLateSchema = z
  .object({
    onTime: count("Raises repaid by their due date"),
    upTo7: count("Raises repaid up to 7 days after it, or owed for as long by now"),
    upTo30: count("The same, up to 30 days"),
    upTo90: count("The same, up to 90 days"),
    over90: count("The same, later"),
    writtenOff: count("Raises that were settled with principal unpaid"),
  })
  .openapi("ByDaysLate", {
    description:
      "Raises that are repaid, due or settled, by the days from the due date to the repayment of the principal. A business that was never late has all of them in `onTime`.",
  });

const ratingSchema = z
  .object({
    method: z.literal("v1").openapi({ description: "Version of the method." }),
    n: count("Resolved raises of at least 1,000 dollars"),
    volume: amount("Principal of the resolved raises"),
    lossBps: basisPoints("Unpaid principal per volume; null for NR").nullable(),
    lateBps: basisPoints(`Principal of ${LATE_RAISES}, per volume; null for NR`).nullable(),
    adjustedBps: basisPoints("Risk, with a short record pulled towards the mean; null for NR").nullable(),
    cap: z.enum(["C", "D", "E"]).nullable().openapi({
      description: "The best possible grade after a recent failure; null = no cap.",
      example: null,
    }),
    byDaysLate: byDaysLateSchema,
  })
  .openapi("Rating", { description: "The figures behind the grade." });

export const originatorSchema = z
  .object({
    publicId: z
      .string()
      .regex(/^org_[A-Za-z0-9_-]{1,64}$/)
      .openapi({ description: "Public identifier.", example: "org_northwind" }),
    legalName: text("Legal name of the business: untrusted text.", "Northwind Bakery Pte. Ltd."),
    jurisdiction: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .openapi({ description: "ISO 3166-1 alpha-2 country of incorporation.", example: "SG" }),
    ratingGrade: gradeSchema,
    kybStatus: oneOf(KYB_STATUSES, "Business-verification status.", "approved"),
    rating: ratingSchema,
    listings: listOf(listingSchema, "The originator's visible listings."),
  })
  .openapi("Originator", { description: "A business that has published a listing." });

const paymentSchema = z
  .object({
    at: time("Block time of the payment"),
    principal: amount("Principal paid"),
    interest: amount("Interest paid"),
    txHash,
  })
  .openapi({ description: "One repayment of a raise." });

export const scheduleSchema = z
  .object({
    estimated: flag(
      "Whether no money has been drawn: the figures then assume the amount raised so far, and are 0 once none can be drawn any more.",
      false,
    ),
    maturityAt: time("When principal and interest are due, or would be"),
    principal: amount("Principal due"),
    interest: amount("Interest due: principal × coupon × tenor / 365 days, rounded down"),
    indicativeInterest: amount(
      "In an auction that has not closed, the interest due if it closed now: at `indicativeRateBps`, on what it would accept; null without that rate",
    ).nullable(),
    total: amount("Principal and interest due"),
    paidPrincipal: amount("Principal paid so far"),
    paidInterest: amount("Interest paid so far"),
    outstandingPrincipal: amount("Principal drawn and not yet repaid; 0 once settled"),
    payments: listOf(paymentSchema, "Every repayment, oldest first."),
  })
  .openapi("Schedule", { description: "The repayment schedule of a raise, with the payments so far." });

/** The states of repayment in which principal can be outstanding. */
export const OWED_REPAYMENTS = ["current", "grace", "late", "default"] as const;
export type OwedRepayment = (typeof OWED_REPAYMENTS)[number];

const outstandingShare = z
  .object({
    amount: amount("Outstanding principal"),
    shareBps: basisPoints(
      "Share of all outstanding principal, rounded down; null when none is outstanding",
    ).nullable(),
    listings: count("Raises that owe it"),
  })
  .openapi("OutstandingShare", { description: "Outstanding principal in one state of repayment." });

export const statsSchema = z
  .object({
    byStatus: z
      .object({
        listed: count("Listings in this state"),
        funding: count("Listings in this state"),
        live: count("Listings in this state"),
        matured: count("Listings in this state"),
        refunding: count("Listings in this state"),
        voided: count("Listings in this state"),
        cancelled: count("Listings in this state"),
      } satisfies Record<Status, z.ZodType>)
      .openapi({ description: "Number of visible listings by state." }),
    raised: amount("Committed to all listings, those included whose money was returned"),
    lent: amount("Principal lent: drawn by the originators"),
    refunded: amount("Refunded, whatever the reason: `withdrawn` and `returned`"),
    withdrawn: amount("Withdrawn before the close, or outbid in an auction"),
    returned: amount("Commitments returned after a raise failed"),
    refundable: amount("What backers can still claim from raises that return money"),
    repaid: amount("Principal and interest repaid"),
    outstanding: amount("Principal drawn and not yet repaid"),
    reserves: amount("Reserves held"),
    subscribers: count("Backings: a backer counts once in each raise"),
    outstandingByRepayment: z
      .object({
        current: outstandingShare,
        grace: outstandingShare,
        late: outstandingShare,
        default: outstandingShare,
      } satisfies Record<OwedRepayment, z.ZodType>)
      .openapi({ description: "The outstanding principal by the state of its repayment." }),
    writtenOff: amount("Principal written off, over the settled raises"),
    defaultRateBps: basisPoints(
      "Principal written off per principal drawn, over the settled raises; null while none is. It says nothing of raises that are in default now",
    ).nullable(),
    outstandingInDefaultBps: basisPoints(
      "Share of the outstanding principal that is in default now, more than 90 days overdue; null when none is outstanding",
    ).nullable(),
    averageCouponBps: basisPoints(
      "Average coupon of the raises that were drawn, weighted by the principal drawn, rounded down; null while none is",
    ).nullable(),
    decided: count(
      "Raises whose subscription has ended with a decision: those that lend or have lent, and those that failed at their minimum; without cancelled and voided ones",
    ),
    minimumReachedBps: basisPoints(
      "Share of the decided raises that reached their minimum, rounded down; null while none is decided",
    ).nullable(),
    averageHoursToFund: count(
      "Average time from the opening to the close of the raises that reached their minimum (`live` and `matured`), in hours, rounded down; null while there is none",
      312,
    ).nullable(),
  })
  .openapi("Stats", { description: "The visible listings in figures." });

export type Status = (typeof STATUSES)[number];
export type Finality = z.infer<typeof finalitySchema>;
export type Grade = (typeof GRADES)[number];
export type Repayment = (typeof REPAYMENTS)[number];
export type Listing = z.infer<typeof listingSchema>;
export type Rating = z.infer<typeof ratingSchema>;
export type Schedule = z.infer<typeof scheduleSchema>;
export type Stats = z.infer<typeof statsSchema>;
