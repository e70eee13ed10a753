/**
 * The kinds of events and their arguments. Derived from this table: the types of the events, parsing of ledger
 * rows, the fields of the answers with their schemas, and the amounts on pages.
 * @module
 */
import type { Hex } from "viem";
import {
  CLOSE_REASONS,
  type EventKind,
  type nameOf,
  OUTCOMES,
  PRICING_MODES,
  REFUND_REASONS,
  RESERVE_REASONS,
} from "./vocabulary.ts";

/**
 * Units of big integers, which JSON keeps as decimal strings: base units of the dollar and of the listing's token, ids
 * on the chain, prices in basis points of par, unix seconds.
 */
const BIG_UNITS = ["dollars", "tokens", "id", "price", "time"] as const;

/** The type of an argument, by its unit. */
type ValueOfUnit = Record<(typeof BIG_UNITS)[number], bigint> & {
  /** unix seconds; null = none */
  optionalTime: bigint | null;
  /** basis points */
  rate: number;
  days: number;
  flag: boolean;
  /** of a contract or an originator: public */
  address: Hex;
  /** the address of a person: published only if the service is configured to */
  person: Hex;
  hash: Hex;
  /** the listing's: shown with every event, so not a field of this one */
  refnum: string;
  text: string;
};
/** `word` is one of the argument's `words`, or a number that the enum does not have. */
export type Unit = keyof ValueOfUnit | "word";

/** One argument of an event. */
export type ArgumentDescriptor = {
  unit: Unit;
  /** first part of the field's description; the unit's words complete it */
  description: string;
  /** name of the field in an answer, if it differs from the argument's */
  name?: string;
  words?: readonly string[];
  /** whether contracts of an operator's own may not give it: null then, and the fold does without */
  optional?: true;
  /** left out of an answer without a value */
  omitted?: true;
};

const of =
  <Name extends keyof ValueOfUnit>(unit: Name) =>
  (description: string) => ({ unit, description });
const dollars = of("dollars");
const tokens = of("tokens");
const id = of("id");
const rate = of("rate");
const price = of("price");
const days = of("days");
const time = of("time");
const optionalTime = of("optionalTime");
const flag = of("flag");
const person = of("person");
const hash = of("hash");
const refnum = of("refnum");
const text = of("text");
const optional = <Argument extends ArgumentDescriptor>(argument: Argument) => ({
  ...argument,
  optional: true as const,
});
const address = <Name extends string>(name: Name, description: string) => ({
  unit: "address" as const,
  name,
  description,
});
const word = <Name extends string>(words: readonly Name[], description: string) => ({
  unit: "word" as const,
  words,
  description,
});

const TERMS = {
  targetAmount: dollars("Amount sought"),
  minRaise: dollars("Minimum to raise; below it at the close, every backer is refunded"),
  couponRateBps: rate("Cost of funds per annum; in an auction the highest accepted"),
  insuranceBps: rate("Reserve that the originator posts, as a share of the target"),
  tenorDays: days("Term in days from the drawdown"),
  pricingMode: word(PRICING_MODES, "How the coupon is set"),
  goLiveAt: time("When the raise opens"),
  closeAt: optionalTime("When the raise closes; null = no closing time, or the event does not tell it"),
};
const OPTIONAL_TERMS = {
  targetAmount: optional(TERMS.targetAmount),
  minRaise: optional(TERMS.minRaise),
  couponRateBps: optional(TERMS.couponRateBps),
  insuranceBps: optional(TERMS.insuranceBps),
  tenorDays: optional(TERMS.tenorDays),
  pricingMode: optional(TERMS.pricingMode),
  goLiveAt: optional(TERMS.goLiveAt),
  closeAt: TERMS.closeAt,
};
const metadataHash = optional(
  hash("Hash of title and description on the chain: keccak256 of their RFC 8785 canonical JSON"),
);
const reason = optional(
  hash("Code of the reason, as the contract gave it: usually text in UTF-8, with zero bytes after it"),
);
const offer = {
  desk: address("deskAddress", "The secondary desk"),
  offerId: id("Id of the offer within the desk"),
};
const token = address("tokenAddress", "The token on offer");

const event = <Args extends Record<string, ArgumentDescriptor>>(description: string, args: Args) => ({
  description,
  args,
});

/** What happened, and the arguments by name, in the order of the answers. */
export const EVENT_DESCRIPTORS = {
  listing_created: event("A raise was created.", {
    originator: optional(address("originatorAddress", "Address that created the raise on the chain")),
    token: optional(address("tokenAddress", "The listing's ERC-20 token")),
    refnum: optional(refnum("Reference number of the listing")),
    ...OPTIONAL_TERMS,
    metadataHash,
  }),
  listing_terms_updated: event("Its terms were changed.", { ...OPTIONAL_TERMS, metadataHash }),
  subscribed: event("A backer put money in.", {
    backer: person("Backer whose position grows"),
    payer: person("Who paid"),
    amount: dollars("Subscribed"),
    bidRateBps: rate("Rate bid in an auction; 0 in a fixed raise"),
    totalRaised: optional(dollars("Total raised after the event")),
  }),
  refunded: event("A backer got money back.", {
    backer: person("Who gets the money back"),
    reason: optional(word(REFUND_REASONS, "Why")),
    amount: dollars("Paid back"),
    totalRefunded: optional(dollars("Every refund of the listing so far, whatever the reason")),
  }),
  reserve_changed: event("The reserve was posted, applied or released.", {
    reason: word(RESERVE_REASONS, "What happened to the reserve"),
    account: optional(person("Who posted it or got it back")),
    amount: dollars("Amount of the change"),
    reserveBalance: optional(dollars("Reserve held, after the event")),
  }),
  listing_closed: event("The raise closed.", {
    reason: word(CLOSE_REASONS, "Why the raise closed"),
    raisedAmount: optional(dollars("Total raised")),
    minRaiseMet: optional(flag("Whether the contract saw the minimum met.")),
    couponRateBps: optional(rate("Coupon from now on; in an auction the clearing rate")),
  }),
  drawn_down: event("The originator drew the money.", {
    to: optional(person("Who received the money")),
    amount: dollars("Principal owed from now on, including the fee"),
    fee: dollars("Fee deducted from it"),
    maturityAt: optional(time("When the principal is due")),
  }),
  repaid: event("Principal or interest was repaid.", {
    payer: optional(person("Who paid")),
    principal: optional(dollars("Principal repaid")),
    interest: optional(dollars("Interest paid")),
    outstandingPrincipal: optional(dollars("Principal still owed, after the event")),
    amount: {
      ...optional(dollars("Paid in all, where the contract does not tell principal and interest apart")),
      name: "paidAmount" as const,
      omitted: true as const,
    },
  }),
  payout_claimed: event("A holder claimed a payout.", {
    holder: person("Who claimed"),
    amount: dollars("Paid out"),
    totalClaimed: optional(dollars("Every payout of the listing so far")),
  }),
  listing_settled: event("The raise was settled.", {
    outcome: optional(word(OUTCOMES, "How the raise ended")),
    writtenOffPrincipal: optional(dollars("Principal left unpaid")),
  }),
  listing_cancelled: event("The raise was cancelled.", { reason }),
  listing_voided: event("The raise was voided.", { reason }),
  unmapped: event("The contract emitted an event that its module could not map.", {
    logName: text("Name of the contract's event"),
  }),
  offer_created: event("Tokens were offered on the secondary desk.", {
    ...offer,
    token,
    seller: person("Who offers"),
    amount: tokens("Tokens on offer"),
    priceBps: price("Asking price, of par; 2^53 - 1 stands for anything above"),
    expiresAt: time("When the offer ends"),
  }),
  offer_filled: event("An offer was bought, wholly or in part.", {
    ...offer,
    token: optional(token),
    buyer: person("Who bought"),
    amount: tokens("Tokens bought"),
    cost: dollars("Dollars paid"),
    remaining: optional(tokens("Tokens still on offer")),
  }),
  offer_cancelled: event("An offer was withdrawn.", {
    ...offer,
    remaining: optional(tokens("Tokens that were still on offer")),
  }),
} satisfies Record<EventKind, unknown>;

type Values<Args> = {
  [Name in keyof Args]: ValueOf<Args[Name]> | (Args[Name] extends { optional: true } ? null : never);
};
type ValueOf<Argument> = Argument extends { unit: infer Of extends keyof ValueOfUnit }
  ? ValueOfUnit[Of]
  : Argument extends { words: readonly (infer Word extends string)[] }
    ? ReturnType<typeof nameOf<Word>>
    : never;

/** What a raise asks for. Base units, basis points, days, unix seconds; `closeAt` null = none. */
export type Terms = Values<typeof TERMS>;

/** The names of the terms, in the order of the answers. */
export const TERM_NAMES = Object.keys(TERMS) as readonly (keyof Terms)[];

/** The arguments of one kind of event. The terms are one argument among them, as on the chain; terms not given are left out. */
export type ArgsOf<Kind extends EventKind> = Nested<Values<(typeof EVENT_DESCRIPTORS)[Kind]["args"]>>;
type Nested<Args> = Args extends { targetAmount: unknown }
  ? Omit<Args, keyof Terms> & { terms: Partial<Terms> }
  : Args;

/** An event: its kind and its arguments. */
export type EventOf<Kind extends EventKind> = { [One in Kind]: { kind: One; args: ArgsOf<One> } }[Kind];

/** The arguments that are big integers, whatever the kind of event. */
export const BIG_INTEGERS: ReadonlySet<string> = new Set(namesOf([...BIG_UNITS, "optionalTime"]));

/** The arguments that are addresses of persons, whatever the kind of event. */
export const PERSONS: readonly string[] = namesOf(["person"]);

function namesOf(units: readonly Unit[]): string[] {
  const args = Object.values(EVENT_DESCRIPTORS).flatMap((event) =>
    Object.entries<ArgumentDescriptor>(event.args),
  );
  return [...new Set(args.filter(([, { unit }]) => units.includes(unit)).map(([name]) => name))];
}
