/**
 * The shapes of the documented answers, once: as zod schemas, from which the types, the OpenAPI description and
 * the checks in the tests all come. Interface document, "Resources and their fields".
 * @module
 */
import { z } from "@hono/zod-openapi";
import { KYB_STATUSES } from "../registry/schema.ts";

export const STATUSES = ["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"] as const;
const GRADES = ["A", "B", "C", "D", "E", "NR"] as const;
const REPAYMENTS = ["not_drawn", "current", "grace", "late", "default", "repaid", "written_off"] as const;

const amount = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]*)$/)
    .openapi({
      description: `${description}. Base units (18 decimals), decimal string.`,
      example: "1250500000000000000000",
    });
const basisPoints = (description: string) =>
  z.int().openapi({ description: `${description}. Basis points, 10000 = 100 %.`, example: 1450 });
const count = (description: string) => z.int().min(0).openapi({ description, example: 12 });
const address = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{40}$/)
    .openapi({
      description: `${description}. Lowercase hex.`,
      example: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    });
const time = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
    .openapi({
      description: `${description}. ISO 8601, UTC.`,
      format: "date-time",
      example: "2026-03-01T12:00:00Z",
    });
const url = (description: string) =>
  z.string().openapi({ description, format: "uri", example: "https://raises.example/listings/lst_bakery" });

const gradeSchema = z.enum(GRADES).openapi("Grade", {
  description: "`A` (best) to `E`, computed from the originator's record; `NR` when not yet rated.",
  example: "B",
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
    refnum: z.string().openapi({
      description:
        "Reference number; also the symbol of the listing's token. Letters and a five-digit counter.",
      example: "RB00042",
    }),
    title: z
      .string()
      .openapi({ description: "Title, from the originator: untrusted text.", example: "A second oven" }),
    description: z.string().openapi({
      description: "Description, from the originator: untrusted text.",
      example: "Working capital for a bakery.",
    }),
    status: statusSchema,
    targetAmount: amount("Amount sought"),
    minRaise: amount("When less than this is raised at the close, every backer is refunded"),
    raisedAmount: amount("Amount committed so far; stands still from the close on"),
    couponRateBps: basisPoints("Cost of funds per annum; in an auction the highest accepted until it clears"),
    tenorDays: count("Term in days from the drawdown"),
    insuranceBps: basisPoints("Reserve that the originator posts against this raise, of the target"),
    reserveBalance: amount("Reserve actually held"),
    pricingMode: z
      .enum(["fixed", "auction"])
      .openapi({ description: "How the coupon is found.", example: "fixed" }),
    goLiveAt: time("When the raise opens"),
    closeAt: time("When the raise closes; null = no closing time").nullable(),
    originatorGrade: gradeSchema,
    chainId: z.int().openapi({ description: "Chain of the contracts.", example: 97 }),
    tokenAddress: address("The listing's ERC-20 token"),
    escrowAddress: address("The contract that holds the subscriptions"),
    subscriberCount: count("Backers whose net principal is above zero; stands still from the close on"),

    onchainId: z
      .string()
      .regex(/^(0|[1-9][0-9]*)$/)
      .openapi({
        description:
          "Id within the escrow contract, decimal string; unique only together with `escrowAddress`.",
        example: "1",
      }),
    acceptsMoney: z
      .boolean()
      .openapi({ description: "Whether backers can subscribe now: `listed` or `funding`.", example: true }),
    statusSince: time("When the listing came into its status"),
    refundedAmount: amount("Every refund, whatever the reason"),
    repaidAmount: amount("Principal and interest repaid"),
    outstandingPrincipal: amount(
      "Principal drawn and not yet repaid; 0 before the drawdown and once settled",
    ),
    drawnDownAt: time("When the originator drew the money").nullable(),
    maturityAt: time("When the principal is due").nullable(),
    repayment: z.enum(REPAYMENTS).openapi({
      description:
        "`current` until maturity, `grace` to 7 days past it, `late` to 90, `default` beyond; `repaid` or `written_off` once settled.",
      example: "current",
    }),
    outcome: z.enum(["repaid", "repaid_with_reserve", "defaulted", "unknown"]).nullable().openapi({
      description: "How the raise ended, as settled on the chain; null until then.",
      example: null,
    }),
    originator: z.string().openapi({ description: "Public id of the originator.", example: "org_northwind" }),
    originatorVerified: z.boolean().openapi({
      description:
        "Whether the address that created the raise on the chain is one of the originator's published addresses.",
      example: true,
    }),
    url: url("Public page of the listing"),
    appUrl: url("Where a person goes to sign"),
    metadataVerified: z.boolean().openapi({
      description:
        "Whether title and description are those that the chain commits to (keccak256 of their RFC 8785 canonical JSON).",
      example: true,
    }),
  })
  .openapi("Listing", { description: "A raise." });

const ratingSchema = z
  .object({
    method: z.literal("v1").openapi({ description: "Version of the method." }),
    n: count("Resolved raises of at least 1,000 dollars"),
    volume: amount("Principal of the resolved raises"),
    lossBps: basisPoints("Unpaid principal per volume; null for NR").nullable(),
    lateBps: basisPoints("Late principal per volume; null for NR").nullable(),
    adjustedBps: basisPoints("Risk after a short record is pulled towards the mean; null for NR").nullable(),
    cap: z
      .enum(["C", "D", "E"])
      .nullable()
      .openapi({ description: "The best grade that a recent failure leaves; null = no cap.", example: null }),
  })
  .openapi("Rating", { description: "What the grade was computed from." });

export const originatorSchema = z
  .object({
    publicId: z
      .string()
      .regex(/^org_[A-Za-z0-9_-]{1,64}$/)
      .openapi({ description: "Public identifier.", example: "org_northwind" }),
    legalName: z.string().openapi({
      description: "Legal name of the business: untrusted text.",
      example: "Northwind Bakery Pte. Ltd.",
    }),
    jurisdiction: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .openapi({ description: "ISO 3166-1 alpha-2 country of incorporation.", example: "SG" }),
    ratingGrade: gradeSchema,
    kybStatus: z
      .enum(KYB_STATUSES)
      .openapi({ description: "Business-verification status.", example: "approved" }),
    rating: ratingSchema,
    listings: z.array(listingSchema).openapi({ description: "The originator's visible listings." }),
  })
  .openapi("Originator", { description: "A business that has published a listing." });

const lastTradeSchema = z.object({
  publicId: z.string(),
  refnum: z.string(),
  priceBps: z.int(),
  amount: amount("Tokens traded"),
  cost: amount("Dollars paid"),
  at: time("Block time of the fill"),
  txHash: z.string().regex(/^0x[0-9a-f]{64}$/),
});

const deskListingSchema = z.object({
  publicId: z.string(),
  refnum: z.string(),
  openOffers: count("Open offers"),
  openAmount: amount("Tokens on offer"),
  bestAskBps: basisPoints("Lowest open price, of par").nullable(),
  lastPriceBps: basisPoints("Price of the last fill, of par").nullable(),
  volume30d: amount("Tokens traded in 30 days"),
  tradesTotal: count("Fills so far"),
  holderCount: count("Holders of the token; null when not followed").nullable(),
  remainingDays: count("Days to maturity").nullable(),
  yieldToMaturityBps: basisPoints("Simple yield to maturity at the best ask").nullable(),
});

export const tradingSchema = z
  .object({
    enabled: z.boolean().openapi({ description: "Whether a desk is indexed." }),
    deskAddress: address("The desk").nullable(),
    openOffers: count("Open offers"),
    openAmount: amount("Tokens on offer").nullable(),
    openNotional: amount("Dollars asked for them").nullable(),
    bestAskBps: basisPoints("Lowest open price, of par").nullable(),
    trades24h: count("Fills in 24 hours"),
    trades30d: count("Fills in 30 days"),
    tradesTotal: count("Fills so far"),
    volume24h: amount("Tokens traded in 24 hours").nullable(),
    volume30d: amount("Tokens traded in 30 days").nullable(),
    volumeTotal: amount("Tokens traded so far").nullable(),
    selfTrades: count("Fills in which seller and buyer are one; not in the volume"),
    vwap30dBps: basisPoints("Average price of 30 days, weighted by volume").nullable(),
    sellers30d: count("Sellers in 30 days"),
    buyers30d: count("Buyers in 30 days"),
    lastTrade: lastTradeSchema.nullable(),
    listings: z.array(deskListingSchema),
  })
  .openapi("Trading", { description: "The secondary desk in one object." });

export type Status = (typeof STATUSES)[number];
export type Grade = (typeof GRADES)[number];
export type Repayment = (typeof REPAYMENTS)[number];
export type Listing = z.infer<typeof listingSchema>;
export type Rating = z.infer<typeof ratingSchema>;
export type Originator = z.infer<typeof originatorSchema>;
export type Trading = z.infer<typeof tradingSchema>;
