/** @module The raises of the first escrow, from before the platform was renamed: their symbols keep the prefix `FL`. */
import { type RaiseStory, storiesOf } from "./raise-story.ts";

const { fixed, auction } = storiesOf("legacy");

export const LEGACY_RAISES: readonly RaiseStory[] = [
  {
    ...fixed("meridian", "trucks"),
    title: "Twelve refrigerated trucks",
    description:
      "Twelve refrigerated trucks for deliveries of vaccines and fresh food across Johor and Singapore.\n\nRepaid from two supply contracts of three years.",
    ...{ target: 240_000, minimum: 60, couponRateBps: 1150, insuranceBps: 500, tenorDays: 120 },
    ...{ goLiveDay: -722, closeDay: -701 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("kilele", "home_kits"),
    title: "Solar kits for 1,400 households",
    description:
      "Panels, batteries and lamps for households in Makueni county, sold on weekly instalments by mobile money.\n\nNine of ten customers of the first programme paid to the end.",
    ...{ target: 86_000, minimum: 50, couponRateBps: 1450, insuranceBps: 800, tenorDays: 150 },
    ...{ goLiveDay: -715, closeDay: -690 },
    course: { kind: "repaid", payments: 3 },
  },
  {
    ...fixed("alpenhof", "cellar"),
    title: "An ageing cellar for mountain cheese",
    description:
      "A vaulted cellar for 9,000 wheels below the dairy in the Bregenzerwald. Cheese that ages a year sells for twice the price; the loan bridges that year.",
    ...{ target: 140_000, minimum: 70, couponRateBps: 980, insuranceBps: 500, tenorDays: 180 },
    ...{ goLiveDay: -700, closeDay: -680 },
    course: { kind: "repaid", payments: 2 },
  },
  {
    ...fixed("nordhavn", "chassis"),
    title: "Forty container chassis for the port shuttle",
    description:
      "Forty chassis for the shuttle between the container terminal and the rail yard, leased today at twice the cost of owning them.",
    ...{ target: 310_000, minimum: 60, couponRateBps: 1250, insuranceBps: 600, tenorDays: 180 },
    ...{ goLiveDay: -660, closeDay: -632 },
    course: { kind: "repaid", payments: 2 },
  },
  {
    ...auction("meridian", "vaccine_boxes"),
    title: "Vaccine boxes for island clinics",
    description:
      "Eight hundred long-life cold boxes with temperature loggers, ordered by the health authority of the Riau Islands and paid on delivery.",
    ...{ target: 125_000, minimum: 50, couponRateBps: 1300, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -640, closeDay: -622 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("bluewater", "oysters"),
    title: "An oyster nursery in the Baynes Sound",
    description:
      "A floating nursery that raises seed to the size at which it survives the summer. Today the seed is bought, and half of it dies.",
    ...{ target: 180_000, minimum: 60, couponRateBps: 1390, insuranceBps: 700, tenorDays: 150 },
    ...{ goLiveDay: -620, closeDay: -596 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("meridian", "depot"),
    title: "A depot with solar cooling",
    description:
      "A depot of 2,400 pallets in Tuas, with panels on the roof and an ice bank that carries the cooling through the night.",
    ...{ target: 415_000, minimum: 65, couponRateBps: 1080, insuranceBps: 500, tenorDays: 180 },
    ...{ goLiveDay: -590, closeDay: -566 },
    course: { kind: "repaid", payments: 3 },
  },
  {
    // "A second kiln, fired with gas."
    ...fixed("tierra", "second_kiln"),
    title: "فرن ثانٍ يعمل بالغاز",
    description: "فرن غاز إلى جانب فرن الحطب، حتى نتمكن من حرق طلبيات أواني المائدة في موسم المطر.",
    ...{ target: 75_000, minimum: 80, couponRateBps: 1600, insuranceBps: 400, tenorDays: 240 },
    ...{ goLiveDay: -560, closeDay: -540 },
    course: { kind: "missed", reached: 0.34, refundedShare: 1 },
  },
  {
    ...fixed("nordhavn", "barge"),
    title: "An electric barge for the inner harbour",
    description:
      "A second-hand barge, its engine replaced by an electric drive, for building material in the inner harbour.\n\nThe shipyard went into administration after two instalments; the originator pays interest when it can.",
    ...{ target: 265_000, minimum: 55, couponRateBps: 1520, insuranceBps: 400, tenorDays: 360 },
    ...{ goLiveDay: -552, closeDay: -526 },
    drawnDay: -520,
    course: { kind: "outstanding", payments: 2, paidShare: 0.15 },
    role: "distressed",
  },
  {
    ...auction("kilele", "pumps"),
    title: "Solar pumps for smallholders",
    description:
      "Two hundred pumps that lift water from shallow wells, leased for two seasons with the option to buy.",
    ...{ target: 64_000, minimum: 50, couponRateBps: 1550, insuranceBps: 800, tenorDays: 120 },
    ...{ goLiveDay: -540, closeDay: -522 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("bluewater", "hatchery"),
    title: "A hatchery for sablefish",
    description: "Tanks and filters for a small hatchery. Withdrawn when the water licence was refused.",
    ...{ target: 350_000, minimum: 60, couponRateBps: 1420, insuranceBps: 700, tenorDays: 365 },
    ...{ goLiveDay: -500, closeDay: -470 },
    course: { kind: "cancelled", reason: "water licence refused", reached: 0.41, refundedShare: 1 },
  },
  {
    ...fixed("meridian", "pharma_hub"),
    title: "A sorting hub for pharmacies",
    description:
      "Sorting and repacking for 160 pharmacies, in rooms of 2 to 8 degrees, next to the ring road.",
    ...{ target: 205_000, minimum: 60, couponRateBps: 1120, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -480, closeDay: -460 },
    course: { kind: "repaid", afterMaturity: -12 },
  },
  {
    ...fixed("nordhavn", "crane"),
    title: "A mobile harbour crane",
    description: "A used crane of 60 tonnes. The seller withdrew after the raise had closed.",
    ...{ target: 228_000, minimum: 60, couponRateBps: 1290, insuranceBps: 500, tenorDays: 270 },
    ...{ goLiveDay: -470, closeDay: -450 },
    course: { kind: "voided", reason: "seller withdrew", refundedShare: 1 },
  },
  {
    ...fixed("alpenhof", "robots"),
    title: "Milking robots for three farms",
    description:
      "Three robots, let to farms that deliver to the dairy and paid back out of the milk money.\n\nOne farm gave up; the reserve covered a part of the loss.",
    ...{ target: 95_000, minimum: 60, couponRateBps: 1180, insuranceBps: 500, tenorDays: 240 },
    ...{ goLiveDay: -452, closeDay: -428 },
    drawnDay: -420,
    course: { kind: "writtenOff", shortfall: 0.18, settledAfterMaturity: 60 },
  },
];
