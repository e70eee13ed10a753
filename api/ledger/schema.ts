/**
 * The ledger's events as they are answered: one table of fields for each kind, from which the types, the OpenAPI
 * description and the columns of the CSV all come.
 * @module
 */
import { z } from "@hono/zod-openapi";
import {
  CLOSE_REASONS,
  EVENT_KINDS,
  type EventKind,
  OUTCOMES,
  PRICING_MODES,
  REFUND_REASONS,
  RESERVE_REASONS,
} from "../../src/fold/vocabulary.ts";
import { address, amount, basisPoints, count, refnum, time, txHash } from "../market/fields.ts";

const id = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]*)$/)
    .openapi({ description: `${description}. Decimal string.`, example: "1" });
const person = (description: string) =>
  address(`${description}. Only where the service is set up to name the addresses of persons`).optional();
const hash = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .openapi({ description: `${description}. 32 bytes, lowercase hex.`, example: `0x${"7a".repeat(32)}` });
const word = (names: readonly [string, ...string[]], description: string) =>
  z
    .string()
    .regex(new RegExp(`^(${names.join("|")}|unknown_[0-9]+)$`))
    .openapi({
      description: `${description}: ${names.join(", ")}, or \`unknown_<number>\` for a number that the interface of the contracts does not have.`,
      example: names[0],
    });

const terms = {
  targetAmount: amount("Amount sought"),
  minRaise: amount("When less than this is raised at the close, every backer is refunded"),
  couponRateBps: basisPoints("Cost of funds per annum; in an auction the highest accepted"),
  insuranceBps: basisPoints("Reserve that the originator posts, of the target"),
  tenorDays: count("Term in days from the drawdown"),
  pricingMode: word(PRICING_MODES, "How the coupon is found"),
  goLiveAt: time("When the raise opens"),
  closeAt: time("When the raise closes; null = no closing time").nullable(),
  metadataHash: hash("What the chain commits to of the texts: keccak256 of their RFC 8785 canonical JSON"),
};

const offer = {
  deskAddress: address("The secondary desk"),
  offerId: id("Id of the offer within the desk"),
};
const reasonCode = hash("Code of the reason, as the contract gave it");

/** What each kind of event has beside the common fields: the event's arguments by the listing's names. */
const FIELDS_OF_KIND = {
  listing_created: {
    originatorAddress: address("Who created the raise on the chain"),
    tokenAddress: address("The listing's ERC-20 token"),
    ...terms,
  },
  listing_terms_updated: terms,
  subscribed: {
    backer: person("Whose position grows"),
    payer: person("Who paid"),
    amount: amount("Subscribed"),
    bidRateBps: basisPoints("Rate that the backer asks for in an auction; 0 in a fixed raise"),
    totalRaised: amount("Raised in all, after the event"),
  },
  refunded: {
    backer: person("Who gets the money back"),
    reason: word(REFUND_REASONS, "Why"),
    amount: amount("Paid back"),
    totalRefunded: amount("Every refund of the listing so far, whatever the reason"),
  },
  reserve_changed: {
    reason: word(RESERVE_REASONS, "What happened to the reserve"),
    account: person("Who posted it or got it back"),
    amount: amount("By how much the reserve changed"),
    reserveBalance: amount("Reserve held, after the event"),
  },
  listing_closed: {
    reason: word(CLOSE_REASONS, "Why the raise closed"),
    raisedAmount: amount("Raised in all"),
    minRaiseMet: z
      .boolean()
      .openapi({ description: "Whether the contract saw the minimum met.", example: true }),
    couponRateBps: basisPoints("Coupon from now on; in an auction the clearing rate"),
  },
  drawn_down: {
    to: person("Who received the money"),
    amount: amount("Principal owed from now on, the fee included"),
    fee: amount("Fee kept of it"),
    maturityAt: time("When the principal is due"),
  },
  repaid: {
    payer: person("Who paid"),
    principal: amount("Principal repaid"),
    interest: amount("Interest paid"),
    outstandingPrincipal: amount("Principal still owed, after the event"),
  },
  payout_claimed: {
    holder: person("Who claimed"),
    amount: amount("Paid out"),
    totalClaimed: amount("Every payout of the listing so far"),
  },
  listing_settled: {
    outcome: word(OUTCOMES, "How the raise ended"),
    writtenOffPrincipal: amount("Principal that stays unpaid"),
  },
  listing_cancelled: { reason: reasonCode },
  listing_voided: { reason: reasonCode },
  offer_created: {
    ...offer,
    tokenAddress: address("The token on offer"),
    seller: person("Who offers"),
    amount: amount("Tokens on offer"),
    priceBps: basisPoints("Price asked, of par; 2^53 - 1 stands for more than that"),
    expiresAt: time("When the offer ends"),
  },
  offer_filled: {
    ...offer,
    tokenAddress: address("The token on offer"),
    buyer: person("Who bought"),
    amount: amount("Tokens bought"),
    cost: amount("Dollars paid"),
    remaining: amount("Tokens still on offer"),
  },
  offer_cancelled: { ...offer, remaining: amount("Tokens that were still on offer") },
} satisfies Record<EventKind, z.ZodRawShape>;

const finalitySchema = z.enum(["pending", "final"]).openapi("Finality", {
  description:
    "`final` when no reorg can take the event away any more (30 blocks below the head), else `pending`.",
  example: "final",
});

/** Where an event or an anomaly stands on the chain. */
export const placeFields = {
  blockNumber: id("Number of its block"),
  blockTime: time("Time of its block"),
  logIndex: z.int().min(0).openapi({ description: "Its index among the logs of the block.", example: 3 }),
  txHash,
  finality: finalitySchema,
};

const LISTING_FIELDS = {
  publicId: z.string().openapi({ description: "Public id of the listing.", example: "lst_bakery" }),
  refnum: refnum("Reference number of the listing"),
  ...placeFields,
};

type Listed = z.infer<z.ZodObject<typeof LISTING_FIELDS>>;
/** What an event of a kind has of its own. */
export type FieldsOf<Kind extends EventKind> = Kind extends EventKind
  ? z.infer<z.ZodObject<(typeof FIELDS_OF_KIND)[Kind]>>
  : never;
/** One event of a visible listing. */
export type LedgerEvent = {
  [Kind in EventKind]: { kind: Kind } & Listed & FieldsOf<Kind>;
}[EventKind];

/** What is an address of a person, by name; what is none of these is published by everybody. */
export const PERSONS = ["backer", "payer", "holder", "to", "account", "seller", "buyer"] as const;

const eventSchemas = EVENT_KINDS.map((kind) => {
  const name = kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return z
    .object({
      kind: z.literal(kind).openapi({ description: "What happened.", example: kind }),
      ...LISTING_FIELDS,
      ...FIELDS_OF_KIND[kind],
    })
    .openapi(`${name}Event`);
});
// The map above keeps kinds and fields together; the compiler sees one object type for all of them.
const [firstKind, ...otherKinds] = eventSchemas as unknown as [z.ZodObject, ...z.ZodObject[]];

export const ledgerEventSchema = z
  .discriminatedUnion("kind", [firstKind, ...otherKinds])
  .openapi("LedgerEvent", { description: "One event of the chain." });

/** Every field that an event can have, in the order of the description: the columns of the CSV. */
export const EVENT_COLUMNS: readonly string[] = [
  ...new Set(["kind", ...Object.keys(LISTING_FIELDS), ...Object.values(FIELDS_OF_KIND).flatMap(Object.keys)]),
];

export const pageSchema = z
  .object({
    nextCursor: z.string().nullable().openapi({
      description: "The `cursor` of the next page; null when there is none.",
      example: "MTIwLjM",
    }),
  })
  .openapi("Page", { description: "Where the next page begins." });

export const ledgerPageSchema = z
  .object({
    events: z.array(ledgerEventSchema).openapi({ description: "Newest first." }),
    page: pageSchema,
  })
  .openapi("LedgerPage", { description: "A page of the ledger." });
