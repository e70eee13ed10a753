/**
 * Ideas for new raises: each project of each business, at each of its places, in several sizes. No title repeats until all
 * have been used, which takes more than a day; then they repeat with another lot number.
 * @module
 */
import type { Metadata, Terms } from "../market/actions.ts";
import type { BusinessName } from "../market/cast.ts";
import { basisPoints, roughly } from "../market/money.ts";
import type { Random } from "../market/random.ts";
import type { Fate } from "./raises.ts";
import { type Project, TRADES } from "./trades.ts";

/** Seconds between new raises; three times as long after the first `MANY_RAISES`. */
const OPENING_EVERY = 30;
const MANY_RAISES = 60;

/** Seconds for which a raise is open unless it is filled or cancelled earlier. */
const SHORTEST_RAISE = 3 * 3_600;
const LONGEST_RAISE = 10 * 3_600;

/** A project comes as described, or larger by a quarter, a half, … */
const SIZES = 5;

/** Half of the raises stay open for hours; the others end while visitors watch. */
const FATES: readonly Fate[] = ["wait", "wait", "wait", "miss", "succeed", "succeed", "cancel", "void"];

/** Seconds until the next raise, given the number already opened in this run. */
export function secondsToNextRaise(opened: number): number {
  if (opened === 0) return OPENING_EVERY / 3;
  return opened < MANY_RAISES ? OPENING_EVERY : 3 * OPENING_EVERY;
}

type Idea = Metadata & { readonly business: BusinessName; readonly fate: Fate; readonly terms: Terms };

/** The idea for the `ordinal`-th raise of this run, counted from 0, to open at `goLiveAt` (unix seconds). */
export function nextIdea(ordinal: number, goLiveAt: number, random: Random): Idea {
  const { business, project, place, size, lot } = themeOf(ordinal);
  const count = project.count * (1 + size / 4);
  const title = project.title(count.toLocaleString("en-US"), place);
  const targetAmount = roughly(project.target * (1 + size / 4), random);
  const fate = random.pick(FATES);
  return {
    business,
    title: lot === 1 ? title : `${title}, lot ${lot}`,
    description: project.description,
    fate,
    terms: {
      targetAmount,
      minRaise: basisPoints(targetAmount, random.integer(8, 14) * 500),
      couponRateBps: project.couponRateBps,
      insuranceBps: random.integer(2, 8) * 100,
      tenorDays: random.pick([60, 90, 120, 180, 270, 365]),
      pricingMode: random.chance(0.3) ? "auction" : "fixed",
      goLiveAt,
      closeAt: goLiveAt + random.integer(SHORTEST_RAISE, LONGEST_RAISE),
    },
  };
}

/** The digits of the ordinal: another business each time, then another project, place and size. */
function themeOf(ordinal: number): {
  business: BusinessName;
  project: Project;
  place: string;
  size: number;
  lot: number;
} {
  let rest = ordinal;
  const digit = (base: number) => {
    const value = rest % base;
    rest = Math.floor(rest / base);
    return value;
  };
  const { business, projects, places } = itemAt(TRADES, digit(TRADES.length));
  const project = itemAt(projects, digit(projects.length));
  const place = itemAt(places, digit(places.length));
  const size = digit(SIZES);
  return { business, project, place, size, lot: rest + 1 };
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
