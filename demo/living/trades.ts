/**
 * The projects of the businesses in the live market, and their possible places. Every business has the same number of each,
 * so that each title comes once in a round (`ideas.ts`).
 * @module
 */
import type { BusinessName } from "../market/cast.ts";

export type Project = {
  title(count: string, place: string): string;
  readonly description: string;
  /** Number of items; a multiple of four. */
  readonly count: number;
  /** Dollars for that number. */
  readonly target: number;
  readonly couponRateBps: number;
};

export type Trade = {
  readonly business: BusinessName;
  readonly places: readonly string[];
  readonly projects: readonly Project[];
};

export const TRADES: readonly Trade[] = [
  {
    business: "meridian",
    places: [
      ...["Penang", "Da Nang", "Cebu", "Surabaya", "Phuket"],
      ...["Vientiane", "Makassar", "Kuching", "Davao", "Hue"],
    ],
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
    places: [
      ...["Kisumu", "Nakuru", "Machakos", "Lodwar", "Isiolo"],
      ...["Voi", "Homa Bay", "Garissa", "Nyeri", "Kilifi"],
    ],
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
    places: [
      ...["Lech", "Dornbirn", "Zell am See", "Lienz", "Bludenz"],
      ...["Kitzbühel", "Imst", "Murau", "Schladming", "Landeck"],
    ],
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
    places: [
      ...["Lunenburg", "Tofino", "Gaspé", "Souris", "Shediac"],
      ...["Sointula", "Digby", "Bamfield", "Twillingate", "Grand Manan"],
    ],
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
    business: "tierra",
    places: [
      ...["Puebla", "Oaxaca", "Mérida", "Guanajuato", "Morelia"],
      ...["Taxco", "Tlaquepaque", "Querétaro", "Xalapa", "Zacatecas"],
    ],
    projects: [
      {
        title: (count, place) => `${count} tiles for the market hall of ${place}`,
        description: "Clay, glaze and firing for the restoration of the hall.",
        ...{ count: 8_000, target: 56_000, couponRateBps: 1590 },
      },
      {
        title: (count, place) => `${count} roof tiles for the old town of ${place}`,
        description: "Hand-pressed, after the pattern of those that are missing.",
        ...{ count: 12_000, target: 47_000, couponRateBps: 1610 },
      },
      {
        title: (count, place) => `${count} cookpots for the kitchens of ${place}`,
        description: "Lead-free glazes for restaurants that have ordered already.",
        ...{ count: 2_000, target: 29_000, couponRateBps: 1630 },
      },
      {
        title: (count, place) => `${count} washbasins for the hotels of ${place}`,
        description: "Made to order; a third is paid in advance.",
        ...{ count: 160, target: 38_000, couponRateBps: 1580 },
      },
    ],
  },
  {
    business: "lumen",
    places: [
      ...["Hay-on-Wye", "Whitby", "Ludlow", "Totnes", "Hebden Bridge"],
      ...["St Andrews", "Wigtown", "Rye", "Keswick", "Lewes"],
    ],
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
