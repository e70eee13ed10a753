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
function themeOf(ordinal: number) {
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

type Project = {
  title(count: string, place: string): string;
  readonly description: string;
  /** Number of items; a multiple of four. */
  readonly count: number;
  /** Dollars for that number. */
  readonly target: number;
  readonly couponRateBps: number;
};

type Trade = {
  readonly business: BusinessName;
  readonly places: readonly string[];
  readonly projects: readonly Project[];
};

const TRADES: readonly Trade[] = [
  {
    business: "meridian",
    places: "Penang, Da Nang, Cebu, Surabaya, Phuket, Vientiane, Makassar, Kuching, Davao, Hue".split(", "),
    projects: [
      {
        title: (count, place) => `Vaccine stock for ${count} pharmacies around ${place}`,
        description: "Pre-financed stock for the flu season, paid as it is dispensed.",
        ...{ count: 80, target: 92_000, couponRateBps: 1020 },
      },
      {
        title: (count, place) => `${count} sea freight boxes for the mangoes of ${place}`,
        description: "Controlled-atmosphere boxes that make three weeks at sea possible.",
        ...{ count: 24, target: 143_000, couponRateBps: 1050 },
      },
      {
        title: (count, place) => `${count} cold rooms for the fish market of ${place}`,
        description: "Walk-in rooms, rented out by the pallet and the night.",
        ...{ count: 12, target: 118_000, couponRateBps: 1080 },
      },
      {
        title: (count, place) => `${count} insulated vans for ${place}`,
        description: "For the last kilometres from the depot to kitchens and clinics.",
        ...{ count: 4, target: 76_000, couponRateBps: 1010 },
      },
    ],
  },
  {
    business: "kilele",
    places: "Kisumu, Nakuru, Machakos, Lodwar, Isiolo, Voi, Homa Bay, Garissa, Nyeri, Kilifi".split(", "),
    projects: [
      {
        title: (count, place) => `Lamps for ${count} boarding schools around ${place}`,
        description: "Study lamps and charging cabinets, paid out of the term fees.",
        ...{ count: 8, target: 27_000, couponRateBps: 1410 },
      },
      {
        title: (count, place) => `${count} irrigation kits on lease around ${place}`,
        description: "Leased for the dry season, with the option to buy.",
        ...{ count: 240, target: 58_000, couponRateBps: 1370 },
      },
      {
        title: (count, place) => `${count} solar pumps for the growers of ${place}`,
        description: "They replace diesel pumps and are paid off with what the diesel would have cost.",
        ...{ count: 40, target: 44_000, couponRateBps: 1390 },
      },
      {
        title: (count, place) => `Charging lockers for ${count} kiosks in ${place}`,
        description: "Phones and power banks, charged by the hour from a panel on the roof.",
        ...{ count: 60, target: 21_000, couponRateBps: 1430 },
      },
    ],
  },
  {
    business: "alpenhof",
    places: "Lech, Dornbirn, Zell am See, Lienz, Bludenz, Kitzbühel, Imst, Murau, Schladming, Landeck".split(
      ", ",
    ),
    projects: [
      {
        title: (count, place) => `${count} wheels of raclette for the Christmas market of ${place}`,
        description: "Made in June and sold in December; the loan pays for the milk meanwhile.",
        ...{ count: 480, target: 64_000, couponRateBps: 1080 },
      },
      {
        title: (count, place) => `A cooled round for ${count} farm shops near ${place}`,
        description: "Refrigerated vans for the round, replacing hired ones.",
        ...{ count: 20, target: 39_000, couponRateBps: 1010 },
      },
      {
        title: (count, place) => `Milk advances to ${count} farms near ${place}`,
        description: "Advances to farms that keep their cows on grass, repaid from deliveries.",
        ...{ count: 16, target: 48_000, couponRateBps: 1090 },
      },
      {
        title: (count, place) => `${count} copper vats for the dairy of ${place}`,
        description: "New vats for a village dairy that sells to the cellar.",
        ...{ count: 4, target: 71_000, couponRateBps: 1060 },
      },
    ],
  },
  {
    business: "bluewater",
    places:
      "Lunenburg, Tofino, Gaspé, Souris, Shediac, Sointula, Digby, Bamfield, Twillingate, Grand Manan".split(
        ", ",
      ),
    projects: [
      {
        title: (count, place) => `Mussel seed for ${count} rafts off ${place}`,
        description: "Seed and line, harvested within the year.",
        ...{ count: 32, target: 48_000, couponRateBps: 1490 },
      },
      {
        title: (count, place) => `${count} oyster cages off ${place}`,
        description: "Floating cages and the first spat in them.",
        ...{ count: 400, target: 55_000, couponRateBps: 1520 },
      },
      {
        title: (count, place) => `Nets for ${count} salmon pens off ${place}`,
        description: "Stronger nets against seals, before the autumn storms.",
        ...{ count: 8, target: 67_000, couponRateBps: 1550 },
      },
      {
        title: (count, place) => `${count} kelp lines off ${place}`,
        description: "Seeded lines for the winter, sold to a maker of packaging.",
        ...{ count: 60, target: 34_000, couponRateBps: 1480 },
      },
    ],
  },
  {
    // Tiles for markets, roof tiles for old towns, cooking pots for restaurants, washbasins for hotels.
    business: "tierra",
    places: "القاهرة، الإسكندرية، أسوان، الأقصر، المنصورة، طنطا، دمياط، بورسعيد، السويس، الفيوم".split("، "),
    projects: [
      {
        title: (count, place) => `${count} بلاطة لسوق ${place}`,
        description: "طين وطلاء وحرق لترميم السوق.",
        ...{ count: 8_000, target: 56_000, couponRateBps: 1590 },
      },
      {
        title: (count, place) => `${count} قرميدة لأسطح المدينة القديمة في ${place}`,
        description: "مصنوعة باليد على شكل القطع المفقودة.",
        ...{ count: 12_000, target: 47_000, couponRateBps: 1610 },
      },
      {
        title: (count, place) => `${count} قدر طهي لمطاعم ${place}`,
        description: "طلاء خالٍ من الرصاص لمطاعم طلبت بالفعل.",
        ...{ count: 2_000, target: 29_000, couponRateBps: 1630 },
      },
      {
        title: (count, place) => `${count} حوض غسيل لفنادق ${place}`,
        description: "تُصنع حسب الطلب، ويُدفع الثلث مقدمًا.",
        ...{ count: 160, target: 38_000, couponRateBps: 1580 },
      },
    ],
  },
  {
    business: "lumen",
    places:
      "Hay-on-Wye, Whitby, Ludlow, Totnes, Hebden Bridge, St Andrews, Wigtown, Rye, Keswick, Lewes".split(
        ", ",
      ),
    projects: [
      {
        title: (count, place) => `${count} copies of a reprint for the festival of ${place}`,
        description: "A second printing of the novel that is on the long list; the first one lasted a month.",
        ...{ count: 4_000, target: 31_000, couponRateBps: 1230 },
      },
      {
        title: (count, place) => `A walking guide to ${place}, ${count} copies`,
        description: "Maps, drawings and a waterproof cover, sold by the bookshops on the way.",
        ...{ count: 2_400, target: 18_000, couponRateBps: 1210 },
      },
      {
        title: (count, place) => `A book van with ${count} titles for the villages around ${place}`,
        description: "The van and its stock, on a round of two weeks.",
        ...{ count: 1_200, target: 42_000, couponRateBps: 1250 },
      },
      {
        title: (count, place) => `${count} readers for the schools of ${place}`,
        description: "Ordered by the schools, printed in the summer, paid in September.",
        ...{ count: 800, target: 14_000, couponRateBps: 1190 },
      },
    ],
  },
];
