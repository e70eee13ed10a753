/** @module Live market: the secondary desk. */
import { formatDollars, shareOf } from "../market/money.ts";
import { anyBacker } from "../market/script.ts";
import type { Play } from "./scene.ts";

/** Seconds. */
const VALID_FOR = 3_600;

export const trade: Play = async (scene) => {
  const { random, contracts, now } = scene;
  const latest = await contracts.latestOffers();
  const offers = latest.filter(({ expiresAt, remaining }) => remaining > 0n && expiresAt > BigInt(now()));
  if (offers.length === 0 || (offers.length < 6 && random.chance(0.4))) return offer(scene);
  const { offerId, remaining } = random.pick(offers);
  const amount = random.chance(0.3) ? remaining : shareOf(remaining, random.between(0.2, 0.7));
  const buyer = anyBacker(random);
  if (amount === 0n || (await scene.perform(buyer, { kind: "fillOffer", offerId, amount })) === null)
    return null;
  return { raise: null, text: `desk: ${buyer} buys ${formatDollars(amount)} tokens of offer ${offerId}` };
};

const offer: Play = async (scene) => {
  const { raises, random } = scene;
  const candidates = raises.inStage("drawn").filter(({ role }) => role !== "distressed");
  if (candidates.length === 0) return null;
  const raise = random.pick(candidates);
  const holders = await raises.holders(raise);
  if (holders.length === 0) return null;
  const { backer, amount: balance } = random.pick(holders);
  const amount = shareOf(balance, random.between(0.2, 0.8));
  const priceBps = random.integer(1_930, 2_020) * 5;
  const expiresAt = scene.now() + VALID_FOR;
  if ((await scene.perform(backer, { kind: "approveToken", raise: raise.id })) === null) return null;
  const action = { kind: "createOffer", raise: raise.id, amount, priceBps, expiresAt } as const;
  if ((await scene.perform(backer, action)) === null) return null;
  const price = `${(priceBps / 100).toFixed(2)} % of par`;
  return { raise, text: `desk: ${backer} offers ${formatDollars(amount)} tokens at ${price}` };
};
