/**
 * Questions that could not be answered in two calls before: of what changed, what is refundable, paces, clearing rates, reserves and
 * defaults. In the form of the forty others.
 * @module
 */
import type { Listing } from "../../api/market/schema.ts";
import { DOLLAR } from "../harness/rows.ts";
import type { Question } from "./tool-questions.ts";

const OPEN = ["listed", "funding"];

// biome-ignore lint/suspicious/noExplicitAny: an answer is read by path, as an agent does
type Facts = any;

const idsOf = ({ deals }: Facts) => deals.map(({ publicId }: Listing) => publicId).toSorted();
const field =
  <Name extends keyof Listing>(name: Name) =>
  ({ deals }: Facts): [string, Listing[Name]][] =>
    deals.map((deal: Listing) => [deal.publicId, deal[name]]).toSorted();
const fieldOf =
  <Name extends keyof Listing>(name: Name, fits: (listing: Listing) => boolean): Question["expected"] =>
  ({ listings }) =>
    listings
      .filter(fits)
      .map((listing) => [listing.publicId, listing[name]])
      .toSorted();
const isOpen = ({ acceptsMoney }: Listing) => acceptsMoney;

export const REVIEW_QUESTIONS: readonly Question[] = [
  {
    question: "What were the newest subscriptions?",
    calls: [["list_businesses", { since: "2026-02-01", kinds: ["subscribed"], limit: 1 }]],
    read: ({ activity: { newest, byKind } }) => [
      byKind,
      newest.map(({ kind, blockTime }: Facts) => [kind, blockTime]),
    ],
    expected: ({ events }) => {
      const subscriptions = events.filter(({ kind }) => kind === "subscribed");
      return [
        { subscribed: subscriptions.length },
        subscriptions.slice(0, 5).map(({ kind, blockTime }) => [kind, blockTime]),
      ];
    },
  },
  {
    question: "In which raises did something happen since the 28th of February?",
    calls: [["list_businesses", { since: "2026-02-28", limit: 1 }]],
    read: ({ activity: { raises, changed } }) => [
      raises,
      changed.map(({ publicId, events }: Facts) => [publicId, events]),
    ],
    expected: ({ events }) => {
      const recent = events.filter(({ blockTime = "" }) => blockTime >= "2026-02-28");
      const counts = Object.entries(Object.groupBy(recent, ({ publicId = "" }) => publicId));
      const sorted = counts
        .map(([publicId, own = []]): [string, number] => [publicId, own.length])
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      return [sorted.length, sorted];
    },
  },
  {
    question: "Which raises changed since block 48210934?",
    calls: [["list_deals", { changedSince: "48210934", limit: 50 }]],
    read: idsOf,
    expected: ({ listings }) =>
      listings
        .filter(({ updatedBlock }) => BigInt(updatedBlock ?? 0) >= 48_210_934n)
        .map(({ publicId }) => publicId)
        .toSorted(),
  },
  {
    question: "How much is refundable now, and from which raises?",
    calls: [["list_deals", { status: ["refunding", "voided", "cancelled"] }]],
    read: (page) => [page.totalRefundable, page.market.refundable, field("refundableAmount")(page)],
    // A thousand committed, of which four hundred went back.
    expected: ({ stats }) => [stats.refundable, `${600n * DOLLAR}`, [["lst_10", `${600n * DOLLAR}`]]],
  },
  {
    question: "How long does it take to fund a raise?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market }) => market.averageHoursToFund,
    expected: ({ stats }) => stats.averageHoursToFund,
  },
  {
    question: "Which open raises will miss their minimum at the current pace, and what will they have?",
    calls: [["list_deals", { pace: ["misses_minimum"] }]],
    read: field("projectedAmount"),
    // 40,000 in a hundred days of a hundred and twenty; the minimum is 50,000.
    expected: () => [["lst_2", `${48_000n * DOLLAR}`]],
  },
  {
    question: "Since when are the open raises open, how many backers have they, and how are they priced?",
    calls: [["list_deals", { status: OPEN }]],
    read: (page) => [field("goLiveAt"), field("subscriberCount"), field("pricingMode")].map((of) => of(page)),
    expected: (rest) => [
      fieldOf("goLiveAt", isOpen)(rest),
      fieldOf("subscriberCount", isOpen)(rest),
      fieldOf("pricingMode", isOpen)(rest),
    ],
  },
  {
    question: "What reserve is behind each raise that is late?",
    calls: [["list_deals", { repayment: ["late"] }]],
    read: field("reserveBalance"),
    expected: fieldOf("reserveBalance", ({ repayment }) => repayment === "late"),
  },
  {
    question: "What does a buyer of the vans get for a thousand if nothing more is repaid, and otherwise?",
    calls: [["get_deal", { id: "RB00003", investment: "1000" }]],
    read: ({ desk, projection: { atBestOffer } }) => [
      desk.returnInDefaultBps,
      atBestOffer.tokens,
      atBestOffer.received,
      atBestOffer.reserveHeldLoses,
    ],
    // Without a reserve all is lost. 1,000 at 97.00% are 1,030.927… tokens, each with 1.0715068… to come (14.50% for 180 days).
    expected: () => [-10_000, "1030927835051546391752", "1104646236407287106340", `${1_000n * DOLLAR}`],
  },
  {
    question: "Compare the oven and the pumps.",
    calls: [["list_deals", { q: "RB00001 RB00002" }]],
    read: idsOf,
    expected: () => ["lst_1", "lst_2"],
  },
  {
    question: "Which businesses were never late, of those that have repaid?",
    calls: [["list_businesses", {}]],
    read: ({ businesses }) =>
      businesses.map(({ publicId, rating }: Facts) => [publicId, rating.byDaysLate]).toSorted(),
    expected: ({ originators }) => originators.map(({ publicId, rating }) => [publicId, rating.byDaysLate]),
  },
];
