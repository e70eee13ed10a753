/** @module The raises that are open, about to open, or just closed when the planned market ends and the live market begins. */
import { type RaiseStory, storiesOf } from "./raise-story.ts";

const { fixed, auction } = storiesOf("current");

const SECOND = 1 / 86_400;

export const OPEN_RAISES: readonly RaiseStory[] = [
  {
    ...fixed("lumen", "audiobooks"),
    title: "A studio for audiobooks",
    description: "A recording booth and the first twenty readings. The raise did not reach its minimum.",
    ...{ target: 38_000, minimum: 75, couponRateBps: 1190, insuranceBps: 400, tenorDays: 240 },
    ...{ goLiveDay: -34, closeDay: -12 },
    course: { kind: "missed", reached: 0.46, refundedShare: 0.4 },
  },
  {
    ...fixed("alpenhof", "meadow_milk"),
    title: "Advances for meadow milk",
    description: "Advances to 60 farms that keep their cows on grass, repaid from the autumn's deliveries.",
    ...{ target: 135_000, minimum: 60, couponRateBps: 1090, insuranceBps: 600, tenorDays: 180 },
    ...{ goLiveDay: -24, closeDay: -2 },
    course: { kind: "undrawn" },
  },
  {
    ...fixed("meridian", "rail_reefers"),
    title: "Reefer wagons for the night train (夜行列车冷藏车厢)",
    description:
      "Ten wagons for fish and flowers on the night train from Bangkok, replacing 4,000 lorry trips a year.",
    ...{ target: 745_000, minimum: 55, couponRateBps: 1040, insuranceBps: 600, tenorDays: 540 },
    ...{ goLiveDay: -16, closeDay: 21 },
    course: { kind: "open", reached: 0.43 },
    role: "unfilled",
  },
  {
    ...auction("kilele", "mini_grid"),
    title: "A mini-grid on Rusinga Island",
    description:
      "Panels, batteries and meters for 900 homes and the fish market. Bid the rate that you want.",
    cover: "pictures/mini-grid.svg",
    ...{ target: 310_000, minimum: 50, couponRateBps: 1500, insuranceBps: 800, tenorDays: 365 },
    ...{ goLiveDay: -11, closeDay: 9 },
    course: { kind: "open", reached: 0.58 },
    role: "unfilled",
  },
  {
    // "Purchase of the clay pit that we have leased for 30 years."
    ...fixed("tierra", "clay_pit"),
    title: "شراء محجر الطين الذي نستأجره منذ 30 عامًا",
    description:
      "شراء محجر الطين الذي تستأجره الورشة منذ 30 عامًا.\n\nيبقى الطرح مفتوحًا إلى أن يحدد البائع موعد التوثيق (Cairo notary).",
    ...{ target: 203_000, minimum: 65, couponRateBps: 1640, insuranceBps: 700, tenorDays: 720 },
    ...{ goLiveDay: -20, closeDay: null },
    course: { kind: "open", reached: 0.31 },
    role: "unfilled",
  },
  {
    ...fixed("lumen", "backlist"),
    title: "Reprinting the backlist",
    description:
      "Twenty-six titles that are out of print and asked for every week. Stays open until it is filled.",
    ...{ target: 29_000, minimum: 50, couponRateBps: 1260, insuranceBps: 500, tenorDays: 365 },
    ...{ goLiveDay: -5, closeDay: null },
    course: { kind: "open", reached: 0 },
    role: "untouched",
  },
  {
    ...fixed("bluewater", "boat"),
    title: "A service boat with an electric drive",
    description: "A boat for feeding and inspection, quiet enough for the spawning season.",
    cover: "pictures/electric-boat.svg",
    ...{ target: 152_000, minimum: 60, couponRateBps: 1550, insuranceBps: 900, tenorDays: 300 },
    ...{ goLiveDay: -3, closeDay: 30 },
    course: { kind: "open", reached: 0, postponed: true },
    role: "untouched",
  },
  {
    ...fixed("alpenhof", "pasture"),
    title: "Winter feed for the high pastures",
    description: "Hay for eleven farms, bought in August and paid back in spring.",
    ...{ target: 58_000, minimum: 60, couponRateBps: 1110, insuranceBps: 500, tenorDays: 150 },
    ...{ goLiveDay: -15, closeDay: 150 * SECOND },
    course: { kind: "open", reached: 0.38 },
    role: "failing",
  },
  {
    ...fixed("kilele", "service_centre"),
    title: "A service centre in Kitui",
    description: "Workshop, spare parts and eight technicians, a day's ride closer to the customers.",
    ...{ target: 77_000, minimum: 50, couponRateBps: 1330, insuranceBps: 800, tenorDays: 180 },
    ...{ goLiveDay: -13, closeDay: 240 * SECOND },
    course: { kind: "open", reached: 0.72 },
  },
  {
    ...fixed("meridian", "dry_ice"),
    title: "A dry ice plant",
    description: "Dry ice for parcels that must arrive at minus 70 degrees.",
    ...{ target: 166_000, minimum: 60, couponRateBps: 1070, insuranceBps: 500, tenorDays: 240 },
    ...{ goLiveDay: 75 * SECOND, closeDay: 14 },
    course: { kind: "open", reached: 0 },
  },
];
