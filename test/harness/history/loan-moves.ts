/** @module Moves with the reserve, the drawdown, repayments, payouts and the tokens, legal or not. */
import { encodeFunctionData } from "viem";
import { listingTokenAbi } from "../../../abis/ListingToken.ts";
import { STAGE } from "../enums.ts";
import { backers, type Habit, strangers } from "./cast.ts";
import type { Listing } from "./listing.ts";
import { balanceOf, escrowMove, holderOf, type Move, type Option, type Scene, someOf } from "./move.ts";
import { DAY, hugeAmount } from "./terms.ts";

export function loanOptions(scene: Scene, listing: Listing): Option[] {
  const { random, now } = scene;
  const { id, owner, originator, stage } = listing;
  const isDrawn = stage === STAGE.drawn;
  const isSettled = stage === STAGE.settled;
  const isReady = stage === STAGE.succeeded;
  const isOver = isSettled || stage === STAGE.cancelled || stage === STAGE.voided || stage === STAGE.failed;
  const lacking = lackingReserve(listing);
  const drawer = random.chance(0.95) ? originator : random.one(strangers);
  const isMature = isDrawn && now >= listing.maturityAt;

  return [
    [isReady && lacking > 0n ? 12 : 0.4, () => postReserve(scene, listing)],
    [
      isDrawn && listing.reserve > 0n && listing.habit !== "prompt" ? 0.8 : 0.05,
      () => applyReserve(scene, listing),
    ],
    [isOver && listing.reserve > 0n ? 2 : 0.05, () => releaseReserve(scene, listing)],
    [isReady && lacking === 0n ? 12 : 0.1, () => escrowMove(listing, drawer, "drawDown", [id, drawer])],
    [isDrawn ? eagerness(listing, now) : 0.05, () => repay(scene, listing)],
    [isMature ? settling(listing, now) : 0.05, () => escrowMove(listing, owner, "settle", [id])],
    [
      isDrawn || isSettled ? 0.8 : 0.02,
      async () => escrowMove(listing, await holderOf(scene, listing), "claimPayout", [id]),
    ],
    [isDrawn || isSettled ? 0.5 : 0.1, () => transfer(scene, listing)],
  ];
}

/** How soon an originator of each habit pays, before and after the maturity. */
function eagerness({ habit, maturityAt }: Listing, now: bigint): number {
  const late = now - maturityAt;
  const weights: Record<Habit, number> = {
    prompt: late > -5n * DAY ? 15 : 2,
    mixed: late > -2n * DAY ? 3 : 0.5,
    slow: late > 10n * DAY ? 3 : 0.1,
    never: 0.1,
  };
  return weights[habit];
}

/** The owner waits longer than the originator of good habits would let it. */
function settling({ habit, maturityAt }: Listing, now: bigint): number {
  if (habit === "prompt") return 0.1;
  const patience = habit === "never" ? 100n : 30n;
  return now - maturityAt > patience * DAY ? 0.4 : 0.05;
}

function lackingReserve({ terms, reserve }: Listing): bigint {
  const needed = (terms.targetAmount * BigInt(terms.insuranceBps)) / 10_000n;
  return needed > reserve ? needed - reserve : 0n;
}

function postReserve(scene: Scene, listing: Listing): Move {
  const { random } = scene;
  const lacking = lackingReserve(listing);
  const amount =
    random.weighted<bigint>([
      [lacking > 0n ? 8 : 0.2, lacking],
      [1, lacking / 2n],
      [1, listing.terms.targetAmount / 20n],
      [0.5, 1n],
      [0.3, hugeAmount(random)],
    ]) ?? lacking;
  const from = random.chance(0.8) ? listing.originator : random.one(strangers);
  return escrowMove(listing, from, "postReserve", [listing.id, amount]);
}

function applyReserve(scene: Scene, listing: Listing): Move {
  return escrowMove(listing, listing.owner, "applyReserve", [listing.id, someOf(scene, listing.reserve)]);
}

function releaseReserve(scene: Scene, listing: Listing): Move {
  return escrowMove(listing, listing.owner, "releaseReserve", [listing.id, someOf(scene, listing.reserve)]);
}

function repay(scene: Scene, listing: Listing): Move {
  const { random } = scene;
  const { outstanding } = listing;
  const principal =
    random.weighted<bigint>([
      [8, outstanding],
      // About the remainder that is no default any more.
      [1, outstanding - outstanding / 10_000n],
      [1, outstanding - outstanding / 10_000n - 1n],
      [3, random.amount(outstanding)],
      [1, 0n],
      [1, 2n * outstanding],
    ]) ?? outstanding;
  const interest =
    random.weighted<bigint>([
      [6, outstanding / 10n],
      [3, 0n],
      [1, 1n],
      [0.2, hugeAmount(random)],
    ]) ?? 0n;
  const from = random.chance(0.85) ? listing.originator : random.one(strangers);
  const atLeastNothing = principal < 0n ? 0n : principal;
  return escrowMove(listing, from, "repay", [listing.id, atLeastNothing, interest]);
}

async function transfer(scene: Scene, listing: Listing): Promise<Move> {
  const from = await holderOf(scene, listing);
  const to = scene.random.one([...backers, ...strangers]);
  const amount = someOf(scene, await balanceOf(scene, listing, from));
  const args = [to, amount] as const;
  return {
    name: "transfer",
    from,
    to: listing.token,
    listing,
    gains: to,
    data: encodeFunctionData({ abi: listingTokenAbi, functionName: "transfer", args }),
  };
}
