/** @module Moves with a raise before its drawdown, legal or not. */
import { type Address, keccak256, stringToHex, zeroHash } from "viem";
import { PRICING, STAGE } from "../enums.ts";
import { backers, strangers } from "./cast.ts";
import { isPastDeadline, type Listing } from "./listing.ts";
import { balanceOf, escrowMove, holderOf, type Move, type Option, type Scene, someOf } from "./move.ts";
import { DAY, DOLLAR, hugeAmount, MAX_UINT64, randomTerms, spoiled, type Terms } from "./terms.ts";

export function raiseOptions(scene: Scene, listing: Listing): Option[] {
  const { random, now } = scene;
  const { owner } = listing;
  const isOpen = listing.stage === STAGE.open;
  const isOver = isPastDeadline(listing, now);
  const isRaising = isOpen && !isOver && now >= listing.terms.goLiveAt;
  const isFailed =
    listing.stage === STAGE.failed ||
    (isOpen && isOver && (listing.raised === 0n || listing.raised < listing.terms.minRaise));
  const isGivenUp = listing.stage === STAGE.cancelled || listing.stage === STAGE.voided;
  const reason = () => (random.chance(0.3) ? zeroHash : keccak256(stringToHex(`reason ${random.below(9)}`)));
  const isReached = listing.raised > 0n && listing.raised >= listing.terms.minRaise;

  return [
    [isRaising ? 22 : isOpen ? 1 : 0.2, () => subscribe(scene, listing)],
    [isRaising && listing.raised > 0n ? 3 : 0.1, () => withdraw(scene, listing)],
    [isOpen && !isOver ? 1.2 : 0.1, () => updateTerms(scene, listing)],
    [isOpen && isOver ? 10 : isRaising ? (isReached ? 2 : 0.4) : 0.1, () => close(scene, listing)],
    [isOpen && !isOver ? 0.5 : 0.1, () => escrowMove(listing, owner, "cancel", [listing.id, reason()])],
    [
      listing.stage === STAGE.succeeded ? 0.6 : listing.stage === STAGE.failed ? 0.4 : 0.1,
      () => escrowMove(listing, owner, "voidListing", [listing.id, reason()]),
    ],
    [(isFailed || isGivenUp) && listing.holders.size > 0 ? 6 : 0.1, () => refund(scene, listing)],
    [0.05, () => escrowMove(listing, random.one(strangers), "cancel", [listing.id, reason()])],
  ];
}

function subscribe(scene: Scene, listing: Listing): Move {
  const { random } = scene;
  const { terms, raised } = listing;
  const backer = random.one(backers);
  const payer = random.chance(0.75) ? backer : random.one(backers);
  const isAuction = terms.pricingMode === PRICING.auction;
  const share = 1n + terms.targetAmount / BigInt(random.between(1, 8));
  const room = terms.targetAmount > raised ? terms.targetAmount - raised : 0n;
  const amount =
    random.weighted<bigint>([
      [12, share],
      [3, room],
      [1, room + 1n],
      [2, BigInt(random.between(1, 1_000_000)) * DOLLAR + random.amount(DOLLAR)],
      [1, 1n + terms.targetAmount / 200n],
      [1, 1n],
      // An auction takes it whole; a fixed raise takes what fits.
      [isAuction ? 0.3 : 0.7, hugeAmount(random)],
      [0.3, 0n],
    ]) ?? share;
  const isWrong = random.chance(0.03);
  const bid = isAuction === isWrong ? 0 : random.between(1, Math.min(terms.couponRateBps, 3000) || 1);
  return { ...escrowMove(listing, payer, "subscribe", [listing.id, backer, amount, bid]), gains: backer };
}

async function withdraw(scene: Scene, listing: Listing): Promise<Move> {
  const backer = await holderOf(scene, listing);
  const amount = someOf(scene, await balanceOf(scene, listing, backer));
  return escrowMove(listing, backer, "withdraw", [listing.id, amount]);
}

function updateTerms(scene: Scene, listing: Listing): Move {
  const { random, now } = scene;
  const { id, metadataHash, owner } = listing;
  const later = listing.terms.closeAt + 1n + random.amount(10n * DAY);
  const postponed = { ...listing.terms, closeAt: later < MAX_UINT64 ? later : MAX_UINT64 };
  const others = randomTerms(random, now, false);
  const terms: Terms = listing.raised > 0n || random.chance(0.4) ? postponed : others;
  const proposed = random.chance(0.06) ? spoiled(random, terms, now) : terms;
  const hash = random.chance(0.1) ? keccak256(metadataHash) : metadataHash;
  return escrowMove(listing, owner, "updateTerms", [id, proposed, hash]);
}

function close(scene: Scene, listing: Listing): Move {
  const { random, now } = scene;
  const mayAnyone = isPastDeadline(listing, now);
  const from: Address = random.chance(mayAnyone ? 0.5 : 0.9) ? listing.owner : random.one(strangers);
  return escrowMove(listing, from, "close", [listing.id]);
}

async function refund(scene: Scene, listing: Listing): Promise<Move> {
  const { random } = scene;
  const backer = await holderOf(scene, listing);
  return escrowMove(listing, random.one([backer, ...strangers]), "refund", [listing.id, backer]);
}
