/** @module The offers and trades on the secondary desk. Days count from the end of the market. */
import type { Step } from "./actions.ts";
import { BACKERS, type Backer } from "./cast.ts";
import { shareOf } from "./money.ts";
import type { Random } from "./random.ts";
import { DAY, type Script } from "./script.ts";

type Offer = {
  readonly raise: string;
  readonly day: number;
  readonly expiresDay: number;
  /** Share of the seller's tokens. */
  readonly share: number;
  readonly priceBps: number;
  /** Each with a day and a share of the offer. */
  readonly fills: readonly (readonly [day: number, share: number])[];
  readonly cancelledDay?: number;
};

/** Chronological: their ids count from 1. */
const OFFERS: readonly Offer[] = [
  {
    raise: "lst_kilele_clinics",
    ...{ day: -120, expiresDay: -80, share: 0.4, priceBps: 9_875 },
    fills: [
      [-118, 0.5],
      [-110, 0.3],
    ],
    cancelledDay: -100,
  },
  {
    raise: "lst_meridian_network",
    ...{ day: -40, expiresDay: -10, share: 0.3, priceBps: 10_040 },
    fills: [
      [-35, 0.6],
      [-20, 0.4],
    ],
  },
  {
    raise: "lst_tierra_export_tableware",
    ...{ day: -25, expiresDay: -5, share: 0.5, priceBps: 9_720 },
    fills: [[-14, 0.25]],
  },
  {
    raise: "lst_lumen_spring_list",
    ...{ day: -9, expiresDay: 44, share: 0.6, priceBps: 9_650 },
    fills: [
      [-4, 0.35],
      [-0.2, 0.2],
    ],
  },
  {
    raise: "lst_meridian_network",
    ...{ day: -6, expiresDay: 54, share: 0.3, priceBps: 10_015 },
    fills: [
      [-3, 0.3],
      [-0.4, 0.1],
    ],
  },
  { raise: "lst_kilele_clinics", ...{ day: -2, expiresDay: 60, share: 0.25, priceBps: 9_930 }, fills: [] },
];

/** The desk's steps, given the positions at the end of the raises' scripts. */
export function deskSteps(scripts: readonly Script[], end: number, random: Random): Step[] {
  return OFFERS.flatMap((offer, index) => {
    const script = scripts.find(({ raise }) => raise.story.publicId === offer.raise);
    if (script === undefined) throw new Error(`there is no raise ${offer.raise} for the desk`);
    return offerSteps(offer, index + 1, script, end, random);
  });
}

function offerSteps(offer: Offer, offerId: number, script: Script, end: number, random: Random): Step[] {
  const on = (day: number) => Math.round(end + day * DAY);
  const [seller, holding] = largestHolder(script);
  const amount = shareOf(holding, offer.share);
  const raise = script.raise.id;
  const buyers = random.shuffled(BACKERS.filter((backer) => backer !== seller));
  const terms = { raise, amount, priceBps: offer.priceBps, expiresAt: on(offer.expiresDay) };
  const steps: Step[] = [
    { at: on(offer.day), by: seller, action: { kind: "approveToken", raise } },
    { at: on(offer.day), by: seller, action: { kind: "createOffer", ...terms } },
  ];
  offer.fills.forEach(([day, share], index) => {
    const by = buyers[index] ?? "treasury";
    steps.push({ at: on(day), by, action: { kind: "fillOffer", offerId, amount: shareOf(amount, share) } });
  });
  if (offer.cancelledDay !== undefined)
    steps.push({ at: on(offer.cancelledDay), by: seller, action: { kind: "cancelOffer", offerId } });
  return steps;
}

function largestHolder({ raise, positions }: Script): [Backer, bigint] {
  const [largest] = [...positions].sort(([, a], [, b]) => (a === b ? 0 : a < b ? 1 : -1));
  if (largest === undefined) throw new Error(`no backer holds ${raise.refnum}`);
  return largest;
}
