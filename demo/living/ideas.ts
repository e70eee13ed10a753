/**
 * What the businesses raise money for while the demo runs. They come round again under another lot number.
 * @module
 */
import type { Metadata, Terms } from "../market/actions.ts";
import type { BusinessName } from "../market/cast.ts";
import { about, basisPoints } from "../market/money.ts";
import type { Random } from "../market/random.ts";
import type { Fate } from "./book.ts";

interface Idea {
  readonly business: BusinessName;
  readonly title: string;
  readonly description: string;
  /** Dollars. */
  readonly target: number;
  readonly couponRateBps: number;
}

const IDEAS: readonly Idea[] = [
  {
    business: "meridian",
    title: "Flu season stock",
    description: "Pre-financed vaccine stock for 160 pharmacies, paid as it is dispensed.",
    target: 92_000,
    couponRateBps: 1020,
  },
  {
    business: "kilele",
    title: "Lamps for boarding schools",
    description: "Study lamps and charging cabinets for nine schools, paid out of the term fees.",
    target: 27_000,
    couponRateBps: 1410,
  },
  {
    business: "alpenhof",
    title: "Raclette for the Christmas markets",
    description: "Cheese that was made in June and is sold in December; the loan pays the milk meanwhile.",
    target: 64_000,
    couponRateBps: 1080,
  },
  {
    business: "bluewater",
    title: "Seed for the spring lines",
    description: "Mussel seed and line for 30 rafts, harvested within the year.",
    target: 48_000,
    couponRateBps: 1490,
  },
  {
    business: "tierra",
    title: "Tiles for a market hall",
    description: "Clay, glaze and firing of 11,000 tiles for the restoration of a market hall.",
    target: 56_000,
    couponRateBps: 1590,
  },
  {
    business: "lumen",
    title: "A second printing",
    description: "A second printing of the novel that is on the long list; the first one lasted a month.",
    target: 31_000,
    couponRateBps: 1230,
  },
  {
    business: "meridian",
    title: "Sea freight boxes for mangoes",
    description: "Controlled-atmosphere boxes that make three weeks at sea possible.",
    target: 143_000,
    couponRateBps: 1050,
  },
  {
    business: "kilele",
    title: "Irrigation kits on lease",
    description: "Kits for 300 plots, leased for the dry season with the option to buy.",
    target: 58_000,
    couponRateBps: 1370,
  },
  {
    business: "alpenhof",
    title: "A van for the farm shops",
    description: "A refrigerated van for the round of 40 farm shops, replacing two hired ones.",
    target: 39_000,
    couponRateBps: 1010,
  },
];

/** A raise that could open at `goLiveAt` (unix seconds) as the `ordinal`-th of this run, counted from 0. */
export function nextIdea(ordinal: number, goLiveAt: number, random: Random): Metadata & NewTerms {
  const idea = IDEAS[ordinal % IDEAS.length];
  if (idea === undefined) throw new Error("there are no ideas");
  const lot = Math.floor(ordinal / IDEAS.length) + 1;
  const targetAmount = about(idea.target, random);
  const fate = random.pick<Fate>([
    "succeed",
    "succeed",
    "succeed",
    "succeed",
    "miss",
    "miss",
    "cancel",
    "void",
  ]);
  return {
    business: idea.business,
    title: lot === 1 ? idea.title : `${idea.title}, lot ${lot}`,
    description: idea.description,
    fate,
    terms: {
      targetAmount,
      minRaise: basisPoints(targetAmount, random.integer(8, 14) * 500),
      couponRateBps: idea.couponRateBps,
      insuranceBps: random.integer(2, 8) * 100,
      tenorDays: random.pick([60, 90, 120, 180, 270, 365]),
      pricingMode: random.chance(0.3) ? "auction" : "fixed",
      goLiveAt,
      closeAt: goLiveAt + random.integer(90, 210),
    },
  };
}

interface NewTerms {
  readonly business: BusinessName;
  readonly fate: Fate;
  readonly terms: Terms;
}
