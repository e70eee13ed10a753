/** @module The raises of the second escrow that have ended or are being repaid. Prefix `RB`, from 00001. */
import { type RaiseStory, storiesOf } from "./raise-story.ts";

const { fixed, auction } = storiesOf("current");

export const CURRENT_RAISES: readonly RaiseStory[] = [
  {
    ...fixed("meridian", "fridges"),
    title: "Ice-lined fridges for village pharmacies",
    description: "Two hundred fridges that stay cold through two days without power, rented by the month.",
    ...{ target: 158_000, minimum: 60, couponRateBps: 1060, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -402, closeDay: -384 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("alpenhof", "whey"),
    title: "Whey powder instead of waste water",
    description:
      "A spray dryer that turns whey into powder for bakeries. Until now the dairy pays for having it carted away.",
    ...{ target: 120_000, minimum: 60, couponRateBps: 1040, insuranceBps: 500, tenorDays: 120 },
    ...{ goLiveDay: -395, closeDay: -373 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("bluewater", "kelp"),
    title: "Kelp lines for two bays",
    description:
      "Forty kilometres of seeded line and a harvest boat.\n\nA storm took a tenth of the harvest, and the reserve paid for it.",
    ...{ target: 90_000, minimum: 55, couponRateBps: 1480, insuranceBps: 1000, tenorDays: 150 },
    ...{ goLiveDay: -390, closeDay: -370 },
    course: { kind: "repaidWithReserve", shortfall: 0.08 },
  },
  {
    ...fixed("nordhavn", "pallets"),
    title: "Returnable pallets",
    description: "Eighteen thousand plastic pallets with a deposit system for six breweries.",
    ...{ target: 132_000, minimum: 60, couponRateBps: 1340, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -380, closeDay: -360 },
    course: { kind: "repaid", afterMaturity: 45 },
  },
  {
    ...auction("meridian", "air_cargo"),
    title: "Air cargo containers with their own cooling",
    description: "Thirty active containers for biotech freight, each booked 40 times a year.",
    ...{ target: 330_000, minimum: 60, couponRateBps: 1250, insuranceBps: 500, tenorDays: 120 },
    ...{ goLiveDay: -350, closeDay: -332 },
    course: { kind: "repaid", payments: 2 },
  },
  {
    ...fixed("alpenhof", "shop"),
    title: "A shop at the valley station",
    description: "Shop and tasting room where 300,000 people a year change from the train to the gondola.",
    ...{ target: 160_000, minimum: 60, couponRateBps: 990, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -300, closeDay: -280 },
    course: { kind: "repaid" },
  },
  {
    ...fixed("bluewater", "processing"),
    title: "A processing line for mussels",
    description:
      "Washing, grading and packing under one roof.\n\nThe line runs; the buyer's payments come slowly.",
    ...{ target: 110_000, minimum: 60, couponRateBps: 1460, insuranceBps: 600, tenorDays: 180 },
    ...{ goLiveDay: -252, closeDay: -230 },
    drawnDay: -224,
    course: { kind: "outstanding", payments: 2, paidShare: 0.35 },
    role: "distressed",
  },
  {
    ...fixed("kilele", "clinics"),
    title: "Solar roofs for 22 clinics",
    description:
      "Panels and batteries for clinics that now run on diesel. The county pays a fixed price per month for four years.",
    ...{ target: 190_000, minimum: 60, couponRateBps: 1290, insuranceBps: 700, tenorDays: 360 },
    ...{ goLiveDay: -226, closeDay: -205 },
    drawnDay: -200,
    course: { kind: "outstanding", payments: 2, paidShare: 0.2 },
  },
  {
    ...fixed("nordhavn", "reefer_plugs"),
    title: "Plugs for reefer containers",
    description: "Sixty sockets on the quay.",
    ...{ target: 41_000, minimum: 60, couponRateBps: 1380, insuranceBps: 400, tenorDays: 60 },
    ...{ goLiveDay: -215, closeDay: -200 },
    course: { kind: "repaid", afterMaturity: 5 },
    unpublished: true,
  },
  {
    ...fixed("meridian", "fleet_batteries"),
    title: "Batteries for the night fleet",
    description: "Exchange batteries for 30 electric vans, so that the cooling never waits for a charger.",
    ...{ target: 272_000, minimum: 60, couponRateBps: 1010, insuranceBps: 500, tenorDays: 60 },
    ...{ goLiveDay: -200, closeDay: -182 },
    course: { kind: "repaid" },
  },
  {
    // "46,000 pieces of tableware for a hotel group (Nile View)."
    ...fixed("tierra", "export_tableware"),
    title: "46,000 قطعة من أواني المائدة لمجموعة فنادق (Nile View)",
    description: "طين وطلاء زجاجي وأجور لطلبية من 46,000 قطعة تُسلَّم على 4 دفعات.",
    ...{ target: 118_000, minimum: 60, couponRateBps: 1580, insuranceBps: 600, tenorDays: 365 },
    ...{ goLiveDay: -178, closeDay: -156 },
    drawnDay: -150,
    course: { kind: "outstanding", payments: 1, paidShare: 0.25 },
  },
  {
    ...fixed("kilele", "cold_rooms"),
    title: "Cold rooms at four markets",
    description:
      "Walk-in cold rooms paid by the crate and the day. Tomatoes keep for nine days instead of two.",
    ...{ target: 98_000, minimum: 50, couponRateBps: 1360, insuranceBps: 800, tenorDays: 90 },
    ...{ goLiveDay: -170, closeDay: null },
    course: { kind: "repaid" },
  },
  {
    ...fixed("nordhavn", "warehouse"),
    title: "A bonded warehouse",
    description: "Conversion of a timber hall into a bonded warehouse. The raise did not reach its minimum.",
    ...{ target: 480_000, minimum: 70, couponRateBps: 1490, insuranceBps: 500, tenorDays: 540 },
    ...{ goLiveDay: -130, closeDay: -106 },
    course: { kind: "missed", reached: 0.28, refundedShare: 0.5 },
  },
  {
    ...fixed("lumen", "spring_list"),
    title: "Printing the spring list",
    description:
      "Paper and printing of eleven titles, among them two that bookshops have ordered twice already.",
    ...{ target: 54_000, minimum: 60, couponRateBps: 1210, insuranceBps: 500, tenorDays: 270 },
    ...{ goLiveDay: -124, closeDay: -104 },
    drawnDay: -100,
    course: { kind: "outstanding", payments: 1, paidShare: 0.1 },
  },
  {
    ...fixed("nordhavn", "forklifts"),
    title: "Electric forklifts",
    description: "Fourteen forklifts for the timber terminal, bought at the end of their lease.",
    ...{ target: 87_000, minimum: 60, couponRateBps: 1440, insuranceBps: 500, tenorDays: 90 },
    ...{ goLiveDay: -117, closeDay: -98 },
    drawnDay: -93,
    course: { kind: "outstanding", payments: 1, paidShare: 0.4 },
  },
  {
    ...fixed("bluewater", "sensors"),
    title: "Oxygen sensors for every pen",
    description:
      "Sensors and aerators for 48 pens. Voided when the supplier changed its price after the close.",
    ...{ target: 66_000, minimum: 55, couponRateBps: 1400, insuranceBps: 600, tenorDays: 120 },
    ...{ goLiveDay: -110, closeDay: -92 },
    course: { kind: "voided", reason: "supplier changed its price", refundedShare: 0.6 },
  },
  {
    // "A showroom in Alexandria."
    ...fixed("tierra", "showroom"),
    title: "صالة عرض في الإسكندرية",
    description: "إيجار صالة عرض وتجهيزها. أُلغي الطرح لأن عقد الإيجار لم يتم.",
    ...{ target: 72_000, minimum: 60, couponRateBps: 1620, insuranceBps: 500, tenorDays: 300 },
    ...{ goLiveDay: -90, closeDay: -62 },
    course: { kind: "cancelled", reason: "lease fell through", reached: 0.37, refundedShare: 0.7 },
  },
  {
    ...auction("meridian", "network"),
    title: "Cold stores for a regional pharmacy network",
    description:
      "Five cold stores between Malacca and Ipoh for a network of 410 pharmacies.\n\nBacked by a supply contract of five years; interest is paid every quarter.",
    ...{ target: 560_000, minimum: 60, couponRateBps: 1180, insuranceBps: 600, tenorDays: 365 },
    ...{ goLiveDay: -86, closeDay: -65 },
    drawnDay: -60,
    course: { kind: "outstanding", payments: 1, paidShare: 0.05 },
  },
];
