/**
 * A market from a seed, of any size: raises in every state, each with its own figures and texts, as the rows of the tables
 * and the registry's document.
 * @module
 */
import { metadataHash } from "../../api/market/metadata.ts";
import type {
  ListingRow,
  OfferRow,
  PositionRow,
  RepaymentRow,
  TokenRow,
  TradeRow,
} from "../../src/fold/state.ts";
import { type Roll, rollFrom } from "../../test/harness/ledger-story.ts";
import {
  BUYER,
  DAY,
  DOLLAR,
  type EntryDraft,
  entryDraft,
  everyState,
  HEAD,
  listingRow,
  NOW,
  type OriginatorDraft,
  offerRow,
  repaymentRow,
  tradeRow,
} from "../../test/harness/rows.ts";
import { WORDS } from "../million/shape.ts";

export type MadeMarket = {
  rows: {
    listing: ListingRow[];
    repayment: RepaymentRow[];
    offer: OfferRow[];
    trade: TradeRow[];
    listing_token: TokenRow[];
    backer_position: PositionRow[];
  };
  registry: { originators: OriginatorDraft[]; listings: EntryDraft[] };
};

/** One of each state. */
const SHAPES = everyState().rows.slice(0, 8);
const LISTINGS_OF_AN_ORIGINATOR = 25;
/** One listing in this many has offers and trades. */
const ON_THE_DESK = 50;
const SUMS = [
  "targetAmount",
  "minRaise",
  "raisedAmount",
  "refundedAmount",
  "drawnAmount",
  "outstandingPrincipal",
  "repaidPrincipal",
  "repaidInterest",
] as const;

export function makeMarket(size: number): MadeMarket {
  const roll = rollFrom(1);
  const ids = Array.from({ length: size }, (_, index) => BigInt(index + 1));
  const listings = ids.map((id) => entryOf(id, size, roll));
  const listing = listings.map((entry, index) => rowOf(entry, SHAPES[index % SHAPES.length], roll));
  const drawn = listing.filter(({ drawnDownAt }) => drawnDownAt !== null);
  const traded = drawn.filter((_, index) => index % ON_THE_DESK === 0);
  const originators = new Set(listings.map(({ originator }) => originator));
  return {
    rows: {
      listing,
      repayment: drawn.flatMap((row) => repaymentsOf(row, roll)),
      offer: traded.map((row, index) => offerRow({ ...keyOf(row), offerId: BigInt(index + 1) })),
      trade: traded.map((row, index) =>
        tradeRow({ ...keyOf(row), offerId: BigInt(index + 1), blockTime: NOW - BigInt(roll(86_400)) }),
      ),
      listing_token: listing.map((row) => ({
        ...keyOf(row),
        holderCount: 0,
        updatedBlock: row.updatedBlock,
      })),
      backer_position: listing
        .filter(({ raisedAmount }) => raisedAmount > 0n)
        .map(({ escrowAddress, onchainId, raisedAmount }) => ({
          ...{ escrowAddress, onchainId, backer: BUYER, netPrincipal: raisedAmount },
          ...{ subscribedAmount: raisedAmount, refundedAmount: 0n, returnedAmount: 0n },
        })),
    },
    registry: { originators: [...originators].map((publicId) => originatorOf(publicId)), listings },
  };
}

function entryOf(id: bigint, size: number, roll: Roll): EntryDraft {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[roll(WORDS.length)]).join(" ");
  return entryDraft({
    publicId: `lst_${id.toString().padStart(6, "0")}`,
    originator: `org_${roll(Math.ceil(size / LISTINGS_OF_AN_ORIGINATOR))}`,
    onchainId: id.toString(),
    title: words(4),
    description: `${words(20)}.\n\n${words(15)}.`,
  });
}

function rowOf(entry: EntryDraft, shape: ListingRow | undefined, roll: Roll): ListingRow {
  if (shape === undefined) throw new Error("there is a shape for every listing");
  const { onchainId, token, createdEventId, refnum, updatedEventId } = listingRow({
    onchainId: BigInt(entry.onchainId),
  });
  const factor = BigInt(1 + roll(50));
  const sums = SUMS.map((name) => [name, shape[name] === null ? null : (shape[name] ?? 0n) * factor]);
  const isOpen = shape.terminalKind === null && shape.frozenAt === null;
  return {
    ...shape,
    ...{ onchainId, token, createdEventId, refnum, updatedEventId },
    ...Object.fromEntries(sums),
    ...(isOpen && shape.closeAt !== null ? { closeAt: NOW + BigInt(1 + roll(40)) * DAY } : {}),
    ...(isOpen ? { raisedAmount: BigInt(roll(5_000_000)) * DOLLAR, subscriberCount: roll(400) } : {}),
    originator: addressOf(entry.originator),
    metadataHash: metadataHash(entry),
    couponRateBps: 600 + roll(1200),
    goLiveAt: (shape.goLiveAt ?? NOW) - BigInt(roll(200)) * DAY,
    updatedBlock: HEAD.number - BigInt(roll(1_000_000)),
  };
}

function repaymentsOf(row: ListingRow, roll: Roll): RepaymentRow[] {
  return Array.from({ length: roll(4) }, (_, index) =>
    repaymentRow({ ...keyOf(row), eventId: `${roll(1e9)}${index}`.padStart(75, "0") }),
  );
}

/** Every made-up listing has a token. */
function keyOf({ escrowAddress, onchainId, token }: ListingRow) {
  if (token === null) throw new Error("a made-up listing has no token");
  return { escrowAddress, onchainId, token };
}

function originatorOf(publicId: string): OriginatorDraft {
  return {
    publicId,
    legalName: `Northwind Trading ${publicId.slice(4)} Pte. Ltd.`,
    jurisdiction: "SG",
    kybStatus: "approved",
    addresses: [addressOf(publicId)],
  };
}

function addressOf(publicId: string): `0x${string}` {
  return `0x${Number(publicId.slice(4)).toString(16).padStart(40, "a")}`;
}
