/**
 * The tranches of the pooled loans, two to a pool: the senior one first, which is repaid first. A junior tranche opens four days later
 * and the next pool eight days after it, so that their ids follow this order whatever the seed.
 * @module
 */
import { type RaiseStory, storiesOf } from "../../market/raise-story.ts";

const { fixed } = storiesOf("current");

/** These raises have no reserve. */
const NO_RESERVE = { insuranceBps: 0 };

export const TRANCHES: readonly RaiseStory[] = [
  {
    ...fixed("meridian", "vans_senior"),
    title: "Refrigerated vans for Penang, senior",
    description: "Leases of 40 vans to fishmongers and clinics. This tranche is repaid first.",
    ...{ ...NO_RESERVE, target: 240_000, minimum: 60, couponRateBps: 780, tenorDays: 120 },
    ...{ goLiveDay: -420, closeDay: -400 },
    course: { kind: "repaid", payments: 2 },
  },
  {
    ...fixed("meridian", "vans_junior"),
    title: "Refrigerated vans for Penang, junior",
    description: "The same leases. This tranche takes the first loss, and is repaid once the senior one is.",
    ...{ ...NO_RESERVE, target: 60_000, minimum: 50, couponRateBps: 1380, tenorDays: 150 },
    ...{ goLiveDay: -416, closeDay: -396 },
    course: { kind: "repaid", payments: 3 },
  },
  {
    ...fixed("nordhavn", "barges_senior"),
    title: "Barges on the Limfjord, senior",
    description: "Two barges for gravel and grain. The charterer left after a year.",
    ...{ ...NO_RESERVE, target: 310_000, minimum: 60, couponRateBps: 890, tenorDays: 180 },
    ...{ goLiveDay: -390, closeDay: -368 },
    course: { kind: "repaid", afterMaturity: 21 },
  },
  {
    ...fixed("nordhavn", "barges_junior"),
    title: "Barges on the Limfjord, junior",
    description: "The same barges. What their sale brought went to the senior tranche.",
    ...{ ...NO_RESERVE, target: 80_000, minimum: 50, couponRateBps: 1590, tenorDays: 180 },
    ...{ goLiveDay: -386, closeDay: -364, drawnDay: -361 },
    course: { kind: "outstanding", payments: 2, paidShare: 0 },
    role: "distressed",
  },
  {
    ...fixed("kilele", "pumps_senior"),
    title: "Solar pumps paid by the harvest, senior",
    description: "Loans to 900 growers, each paid off with what diesel would have cost.",
    ...{ ...NO_RESERVE, target: 420_000, minimum: 55, couponRateBps: 820, tenorDays: 540 },
    ...{ goLiveDay: -210, closeDay: -188 },
    course: { kind: "outstanding", payments: 4, paidShare: 0.3 },
  },
  {
    ...fixed("kilele", "pumps_junior"),
    title: "Solar pumps paid by the harvest, junior",
    description: "The same loans. Until the senior tranche is repaid this one gets interest alone.",
    ...{ ...NO_RESERVE, target: 105_000, minimum: 50, couponRateBps: 1420, tenorDays: 720 },
    ...{ goLiveDay: -206, closeDay: -184 },
    course: { kind: "outstanding", payments: 4, paidShare: 0 },
  },
  {
    ...fixed("bluewater", "hatchery_senior"),
    title: "A hatchery in Souris, senior",
    description: "Tanks and water treatment. Fewer people than needed put money in.",
    ...{ ...NO_RESERVE, target: 190_000, minimum: 70, couponRateBps: 910, tenorDays: 240 },
    ...{ goLiveDay: -70, closeDay: -48 },
    course: { kind: "missed", reached: 0.42, refundedShare: 0.6 },
    role: "failing",
  },
  {
    ...fixed("bluewater", "hatchery_junior"),
    title: "A hatchery in Souris, junior",
    description: "The same hatchery, called off with the senior tranche.",
    ...{ ...NO_RESERVE, target: 50_000, minimum: 50, couponRateBps: 1510, tenorDays: 240 },
    ...{ goLiveDay: -66, closeDay: -40 },
    course: { kind: "cancelled", reason: "no senior tranche", reached: 0.5, refundedShare: 0.5 },
  },
  {
    ...fixed("alpenhof", "cellar_senior"),
    title: "A second cellar, senior",
    description: "Room for 6,000 more wheels, which ripen for a year and are sold before they are made.",
    ...{ ...NO_RESERVE, target: 280_000, minimum: 60, couponRateBps: 760, tenorDays: 365 },
    ...{ goLiveDay: -14, closeDay: 12 },
    course: { kind: "open", reached: 0.55 },
    role: "unfilled",
  },
  {
    ...fixed("alpenhof", "cellar_junior"),
    title: "A second cellar, junior",
    description: "The same cellar. The family takes a third of this tranche itself.",
    ...{ ...NO_RESERVE, target: 70_000, minimum: 50, couponRateBps: 1290, tenorDays: 400 },
    ...{ goLiveDay: -10, closeDay: 14 },
    course: { kind: "open", reached: 0.35 },
    role: "unfilled",
  },
  {
    ...fixed("lumen", "backlist_senior"),
    title: "Reprints of the backlist, senior",
    description: "Forty titles that sell a few hundred copies a year, printed together.",
    ...{ ...NO_RESERVE, target: 60_000, minimum: 60, couponRateBps: 840, tenorDays: 300 },
    ...{ goLiveDay: -3, closeDay: 20 },
    course: { kind: "open", reached: 0 },
    role: "untouched",
  },
  {
    ...fixed("lumen", "backlist_junior"),
    title: "Reprints of the backlist, junior",
    description: "The same titles. This tranche takes the first loss.",
    ...{ ...NO_RESERVE, target: 20_000, minimum: 50, couponRateBps: 1340, tenorDays: 330 },
    ...{ goLiveDay: 1, closeDay: 24 },
    course: { kind: "open", reached: 0 },
    role: "untouched",
  },
];
