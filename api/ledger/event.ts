/**
 * One row of the ledger as an answer shows it.
 * @module
 */
import type { DeskEvent } from "../../src/fold/desk.ts";
import type { ListingEvent, Terms } from "../../src/fold/events.ts";
import { eventOf } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { toBps } from "../market/yield.ts";
import { isoTime } from "../time.ts";
import { type FieldsOf, type LedgerEvent, PERSONS } from "./schema.ts";

/** What the row does not say of itself. */
export type EventContext = {
  /** of the visible listing that the row belongs to */
  publicId: string;
  refnum: string;
  finality: "pending" | "final";
  /** whether the addresses of persons are named */
  exposeAccounts: boolean;
};

/** The event of a row: amounts and ids decimal strings, rates and prices integers, times ISO 8601. */
export function toEvent(row: LedgerRow, context: EventContext): LedgerEvent {
  const { publicId, refnum, finality, exposeAccounts } = context;
  const fields = fieldsOf(eventOf(row));
  const shown = exposeAccounts ? fields : withoutPersons(fields);
  // Kind and fields were one event when the row was written; the compiler sees two unions.
  return {
    kind: row.kind,
    publicId,
    refnum,
    blockNumber: row.blockNumber.toString(),
    blockTime: isoTime(row.blockTime),
    logIndex: row.logIndex,
    txHash: row.txHash,
    finality,
    ...shown,
  } as LedgerEvent;
}

function withoutPersons(fields: object): object {
  const persons: readonly string[] = PERSONS;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !persons.includes(name)));
}

function fieldsOf({ kind, args }: ListingEvent | DeskEvent): FieldsOf<EventKind> {
  switch (kind) {
    case "listing_created":
      return {
        originatorAddress: args.originator,
        tokenAddress: args.token,
        ...termsOf(args),
      } satisfies FieldsOf<typeof kind>;
    case "listing_terms_updated":
      return termsOf(args) satisfies FieldsOf<typeof kind>;
    case "subscribed": {
      const { backer, payer, amount, bidRateBps, totalRaised } = args;
      return {
        backer,
        payer,
        amount: `${amount}`,
        bidRateBps,
        totalRaised: `${totalRaised}`,
      } satisfies FieldsOf<typeof kind>;
    }
    case "refunded": {
      const { backer, reason, amount, totalRefunded } = args;
      return {
        backer,
        reason,
        amount: `${amount}`,
        totalRefunded: `${totalRefunded}`,
      } satisfies FieldsOf<typeof kind>;
    }
    case "reserve_changed": {
      const { reason, account, amount, reserveBalance } = args;
      return {
        reason,
        account,
        amount: `${amount}`,
        reserveBalance: `${reserveBalance}`,
      } satisfies FieldsOf<typeof kind>;
    }
    case "listing_closed": {
      const { reason, raisedAmount, minRaiseMet, couponRateBps } = args;
      return {
        reason,
        raisedAmount: `${raisedAmount}`,
        minRaiseMet,
        couponRateBps,
      } satisfies FieldsOf<typeof kind>;
    }
    case "drawn_down": {
      const { to, amount, fee, maturityAt } = args;
      return {
        to,
        amount: `${amount}`,
        fee: `${fee}`,
        maturityAt: isoTime(maturityAt),
      } satisfies FieldsOf<typeof kind>;
    }
    case "repaid": {
      const { payer, principal, interest, outstandingPrincipal } = args;
      return {
        payer,
        principal: `${principal}`,
        interest: `${interest}`,
        outstandingPrincipal: `${outstandingPrincipal}`,
      } satisfies FieldsOf<typeof kind>;
    }
    case "payout_claimed": {
      const { holder, amount, totalClaimed } = args;
      return { holder, amount: `${amount}`, totalClaimed: `${totalClaimed}` } satisfies FieldsOf<typeof kind>;
    }
    case "listing_settled": {
      const { outcome, writtenOffPrincipal } = args;
      return { outcome, writtenOffPrincipal: `${writtenOffPrincipal}` } satisfies FieldsOf<typeof kind>;
    }
    case "listing_cancelled":
    case "listing_voided":
      return { reason: args.reason } satisfies FieldsOf<typeof kind>;
    case "offer_created": {
      const { desk, offerId, token, seller, amount, priceBps, expiresAt } = args;
      return {
        deskAddress: desk,
        offerId: `${offerId}`,
        tokenAddress: token,
        seller,
        amount: `${amount}`,
        priceBps: toBps(priceBps),
        expiresAt: isoTime(expiresAt),
      } satisfies FieldsOf<typeof kind>;
    }
    case "offer_filled": {
      const { desk, offerId, token, buyer, amount, cost, remaining } = args;
      return {
        deskAddress: desk,
        offerId: `${offerId}`,
        tokenAddress: token,
        buyer,
        amount: `${amount}`,
        cost: `${cost}`,
        remaining: `${remaining}`,
      } satisfies FieldsOf<typeof kind>;
    }
    case "offer_cancelled": {
      const { desk, offerId, remaining } = args;
      return {
        deskAddress: desk,
        offerId: `${offerId}`,
        remaining: `${remaining}`,
      } satisfies FieldsOf<typeof kind>;
    }
  }
}

/** The terms flat, by the listing's names. */
function termsOf({ terms, metadataHash }: { terms: Terms; metadataHash: string }) {
  const { targetAmount, minRaise, goLiveAt, closeAt, ...same } = terms;
  return {
    targetAmount: `${targetAmount}`,
    minRaise: `${minRaise}`,
    ...same,
    goLiveAt: isoTime(goLiveAt),
    closeAt: closeAt === null ? null : isoTime(closeAt),
    metadataHash,
  };
}
