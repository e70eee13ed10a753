/**
 * The type of a contracts module, which an operator writes to have contracts of their own followed: `CONTRACTS` names its file,
 * docs/contracts.md explains it. Import it for its types only.
 * @module
 */
import type { Abi } from "viem";
import type { EVENT_DESCRIPTORS } from "../fold/event-kinds.ts";
import type { DESK_EVENT_KINDS, EventKind } from "../fold/vocabulary.ts";

export type ContractsModule = {
  /** Shown in `/v1/health`, in logs and by the doctor. */
  name: string;
  escrow: {
    /** Human-readable items, JSON items, or both. Only events with a handler are followed. */
    abi: Abi | readonly (string | Abi[number])[];
    /** Decimals of the dollar, 0 to 18; amounts are scaled to 18 exactly. Default: 18. */
    decimals?: number;
    /** The raise that a log is about. Default: `args.onchainId`. `() => 1n` where each raise has an escrow of its own. */
    onchainId?: (log: ContractLog) => Whole;
    /** By the event's name, or by its signature where a name is overloaded. */
    events: Readonly<Record<string, LogHandler<ListingMarketEvent>>>;
    /** Whether a raise closes in the block that reaches its target: where no event says that it has closed. Default: false. */
    closesAtTarget?: boolean;
    /** The event that announces a raise's token, and the parameter with its address: for `HOLDERS`. */
    token?: Announcement & {
      /** Whether a token is minted for each base unit subscribed, and burned with each refund: its supply is then audited. */
      claims?: boolean;
    };
    /** What the audit asks an escrow for, each a view that returns one whole number: amounts in the dollar's base units. */
    views?: { readonly [Name in EscrowViewName]?: ModuleView };
    /**
     * The dollar's address, or the escrow's view that has it (`function usd() view returns (address)`). The audit then compares the
     * escrow's balance with what its raises have to have there.
     */
    dollar?: string | Abi[number];
    /** Whether raises have the ids 1, 2, 3, …, each announced by a `listing_created`: the audit then finds one that is missing. */
    numbered?: boolean;
  };
  /** The event of `ESCROW_FACTORY`; `escrow` is the parameter with the new escrow's address. */
  factory?: { event: string | Abi[number]; escrow: string };
  /** The events of `DESK`. `decimals` is that of the dollar and of the tokens. */
  desk?: {
    abi: Abi | readonly (string | Abi[number])[];
    decimals?: number;
    events: Readonly<Record<string, LogHandler<DeskMarketEvent>>>;
  };
};

/** A figure of the audit: of one raise, or (`requiredBalance`) the dollars that the escrow has to hold for all of them. */
export type EscrowViewName =
  | "raisedAmount"
  | "refundedAmount"
  | "reserveBalance"
  | "outstandingPrincipal"
  | "claimedAmount"
  | "requiredBalance";

export type ModuleView = {
  /** As in Solidity, or an ABI item. */
  function: string | Abi[number];
  /** The arguments for a raise. Default: its id where the function has a parameter, else nothing. */
  args?: (onchainId: bigint) => readonly unknown[];
  /** Whether an escrow may lack it: no note then. */
  optional?: boolean;
};

type Announcement = { event: string; parameter: string };

/** A log, decoded: whole numbers above 48 bits are bigints, hex is lowercase. */
export type ContractLog = {
  readonly name: string;
  // Their types depend on the ABI.
  // biome-ignore lint/suspicious/noExplicitAny: as viem's own, for an ABI that is not known to the compiler
  readonly args: Readonly<Record<string, any>>;
  readonly address: `0x${string}`;
  /** `timestamp` in Unix seconds. */
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
  readonly transactionHash: `0x${string}`;
  readonly logIndex: number;
};

/** What a log means: one event, several in order, or null for nothing. Pure: no clock, no network, no state between calls. */
export type LogHandler<Event> = (log: ContractLog) => Event | readonly Event[] | null;

/** A whole number. */
type Whole = bigint | number;

/** Arguments that have a value where the module gives none. */
type Defaulted = {
  subscribed: "payer" | "bidRateBps";
  listing_closed: "reason";
  drawn_down: "fee";
};

/** Not given by a module: `desk` is the desk's own address. */
type Implied = "desk";

type Input<Argument> = Argument extends { unit: "flag" }
  ? boolean
  : Argument extends { unit: "address" | "person" | "hash" | "refnum" | "text" }
    ? string
    : Argument extends { words: readonly (infer Word extends string)[] }
      ? Word | `unknown_${number}`
      : Argument extends { unit: "optionalTime" }
        ? Whole | null
        : Whole;

type Terms = (typeof EVENT_DESCRIPTORS)["listing_terms_updated"]["args"];
type TermName = Exclude<keyof Terms, "metadataHash">;
type IsOptional<Argument, Name, Kind> = Argument extends { optional: true }
  ? true
  : Kind extends keyof Defaulted
    ? Name extends Defaulted[Kind]
      ? true
      : false
    : false;

type Fields<Args, Kind> = {
  [Name in keyof Args as IsOptional<Args[Name], Name, Kind> extends true ? never : Name]: Input<Args[Name]>;
} & {
  [Name in keyof Args as IsOptional<Args[Name], Name, Kind> extends true ? Name : never]?: Input<
    Args[Name]
  > | null;
};

type EventInput<Kind extends EventKind> = {
  [One in Kind]: { kind: One } & Fields<
    Omit<(typeof EVENT_DESCRIPTORS)[One]["args"], TermName | Implied>,
    One
  > &
    (One extends "listing_created"
      ? { terms?: MarketTerms | null }
      : One extends "listing_terms_updated"
        ? { terms: MarketTerms }
        : unknown);
}[Kind];

/** The terms that an event gives: the dollar's base units, basis points, days, Unix seconds; `closeAt` null or 0 for none. */
export type MarketTerms = { [Name in TermName]?: Input<Terms[Name]> | null };

/** An event of a raise: the table of docs/contracts.md says what happens where an optional argument is missing. */
type ListingMarketEvent =
  | EventInput<Exclude<EventKind, (typeof DESK_EVENT_KINDS)[number] | "unmapped" | "repaid">>
  | ({ kind: "repaid"; payer?: string | null; outstandingPrincipal?: Whole | null } & (
      | { principal: Whole; interest: Whole }
      | { amount: Whole }
    ));

type DeskMarketEvent = EventInput<(typeof DESK_EVENT_KINDS)[number]>;
