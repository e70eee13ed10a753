/**
 * Moves at the secondary desk, legal or not. It takes no custody: a seller gives it an allowance first,
 * and may have spent the tokens or the allowance when a buyer comes.
 * @module
 */
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  maxUint256,
} from "viem";
import { listingTokenAbi } from "../../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../../abis/SecondaryDesk.ts";
import { STAGE } from "../enums.ts";
import { backers, strangers } from "./cast.ts";
import { type Desk, type Offer, offersOf, remaindersOf } from "./desk.ts";
import type { Listing } from "./listing.ts";
import { balanceOf, holderOf, type Move, type Option, type Scene, someOf } from "./move.ts";
import { DAY, DOLLAR, HOUR, hugeAmount, MAX_UINT64 } from "./terms.ts";

type Abi = typeof secondaryDeskAbi;
type Action = ContractFunctionName<Abi, "nonpayable">;

/** None where the history has no desk. */
export function deskOptions(scene: Scene, listing: Listing): Option[] {
  const { desk, now } = scene;
  if (!desk) return [];
  const offers = offersOf(desk, listing.token);
  const isRunning = offers.some(({ expiresAt }) => now < expiresAt);
  const isTradable = listing.stage === STAGE.drawn || listing.stage === STAGE.settled;
  const isHeld = listing.holders.size > 0;
  return [
    [isTradable ? 4 : isHeld ? 0.3 : 0.02, () => sell(scene, desk, listing)],
    [isRunning && isTradable ? 8 : offers.length > 0 ? 0.4 : 0.02, () => fill(scene, desk, listing, offers)],
    [offers.length > 0 ? 0.7 : 0.02, () => cancel(scene, desk, listing, offers)],
    [isRunning && isTradable ? 0.4 : 0, () => moveAway(scene, listing, offers)],
    [isRunning ? 0.15 : 0, () => approve(desk, listing, sellerOf(scene, offers), 0n)],
    [0.06, () => sellForeign(scene, desk)],
  ];
}

/** The allowance first, and the offer later: each is a separate transaction. */
async function sell(scene: Scene, desk: Desk, listing: Listing): Promise<Move> {
  const { random, client } = scene;
  const seller = await holderOf(scene, listing);
  const balance = await balanceOf(scene, listing, seller);
  const token = { address: listing.token, abi: listingTokenAbi } as const;
  const args = [seller, desk.address] as const;
  const allowance = await client.readContract({ ...token, functionName: "allowance", args });
  if (allowance < balance && random.chance(0.95)) {
    return approve(desk, listing, seller, random.chance(0.85) ? maxUint256 : balance);
  }
  return createOffer(scene, desk, seller, listing.token, someOf(scene, balance), listing);
}

/** Dollars for dollars: the desk takes any token, and no listing has this one. */
async function sellForeign(scene: Scene, desk: Desk): Promise<Move> {
  const foreign = offersOf(desk, desk.dollar);
  if (foreign.length > 0 && scene.random.chance(0.6)) return fill(scene, desk, undefined, foreign);
  return createOffer(
    scene,
    desk,
    scene.random.one(backers),
    desk.dollar,
    1n + scene.random.amount(9n * DOLLAR),
  );
}

function createOffer(
  { random, now }: Scene,
  desk: Desk,
  seller: Address,
  token: Address,
  amount: bigint,
  listing?: Listing,
): Move {
  const price =
    random.weighted<bigint>([
      [6, BigInt(random.between(8_500, 9_999))],
      [3, BigInt(random.between(10_001, 12_000))],
      [2, 10_000n],
      [0.5, 1n],
      [0.5, hugeAmount(random)],
      [0.3, 0n],
    ]) ?? 10_000n;
  const expiresAt =
    random.weighted<bigint>([
      [3, now + HOUR + random.amount(3n * DAY)],
      [5, now + DAY + random.amount(59n * DAY)],
      [1, now + 1n],
      [0.4, now],
      [0.3, MAX_UINT64],
    ]) ?? now + DAY;
  return deskMove(desk, seller, "createOffer", [token, amount, price, expiresAt], listing);
}

async function fill(
  scene: Scene,
  desk: Desk,
  listing: Listing | undefined,
  offers: readonly Offer[],
): Promise<Move> {
  const { random, now } = scene;
  const { offer, remaining } = await chosenOf(scene, desk, offers, ({ expiresAt }) => now < expiresAt);
  const buyer = random.chance(0.12) ? offer.seller : random.one([...backers, ...strangers]);
  const amount = random.chance(0.03) ? 0n : someOf(scene, remaining);
  return { ...deskMove(desk, buyer, "fillOffer", [offer.id, amount], listing), gains: buyer };
}

async function cancel(scene: Scene, desk: Desk, listing: Listing, offers: readonly Offer[]): Promise<Move> {
  const { random, now } = scene;
  const wantsExpired = random.chance(0.5);
  const { offer } = await chosenOf(scene, desk, offers, ({ expiresAt }) => wantsExpired === now >= expiresAt);
  const isExpired = now >= offer.expiresAt;
  const from = random.chance(isExpired ? 0.4 : 0.8) ? offer.seller : random.one(strangers);
  return deskMove(desk, from, "cancelOffer", [offer.id], listing);
}

/** Mostly an offer that has something left and that `isWanted`; sometimes any, or one that was never made. */
async function chosenOf(
  { random, client }: Scene,
  desk: Desk,
  offers: readonly Offer[],
  isWanted: (offer: Offer) => boolean,
): Promise<{ offer: Offer; remaining: bigint }> {
  if (offers.length === 0 || random.chance(0.02)) {
    const nobodys = { id: BigInt(desk.offers.length) + 99n, token: desk.dollar, expiresAt: 0n };
    return { offer: { ...nobodys, seller: random.one(strangers) }, remaining: 1n };
  }
  const all = await remaindersOf(client, desk, offers);
  const wanted = all.filter(({ offer, remaining }) => remaining > 0n && isWanted(offer));
  return random.one(wanted.length > 0 && random.chance(0.9) ? wanted : all);
}

/** The tokens of an offer are transferred, and the offer stays. */
async function moveAway(scene: Scene, listing: Listing, offers: readonly Offer[]): Promise<Move> {
  const from = sellerOf(scene, offers);
  const to = scene.random.one(backers);
  const amount = await balanceOf(scene, listing, from);
  const data = encodeFunctionData({ abi: listingTokenAbi, functionName: "transfer", args: [to, amount] });
  return { name: "transfer", from, to: listing.token, listing, gains: to, data };
}

function sellerOf({ random, now }: Scene, offers: readonly Offer[]): Address {
  const running = offers.filter(({ expiresAt }) => now < expiresAt);
  return random.one(running.length > 0 ? running : offers).seller;
}

function approve(desk: Desk, listing: Listing, from: Address, allowance: bigint): Move {
  const args = [desk.address, allowance] as const;
  const data = encodeFunctionData({ abi: listingTokenAbi, functionName: "approve", args });
  return { name: "approve", from, to: listing.token, listing, data };
}

function deskMove<Name extends Action>(
  desk: Desk,
  from: Address,
  functionName: Name,
  args: ContractFunctionArgs<Abi, "nonpayable", Name>,
  listing?: Listing,
): Move {
  const call = { abi: secondaryDeskAbi, functionName, args };
  // Name and arguments belong together, which viem cannot see while the name is still a variable.
  const data = encodeFunctionData(call as unknown as EncodeFunctionDataParameters);
  return { name: functionName, from, to: desk.address, data, ...(listing && { listing }) };
}
