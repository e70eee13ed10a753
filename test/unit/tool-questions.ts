/**
 * Forty questions that people put to an agent: the calls that answer each, what is read from their answers, and the same
 * from REST. What is read of an answer is picked, never added up.
 * @module
 */
import type { Originator } from "../../api/market/originator.ts";
import type { Listing, Schedule, Stats } from "../../api/market/schema.ts";
import type { Trading } from "../../api/market/trading-schema.ts";
import { isoTime } from "../../config/format/time.ts";
import { DAY, DOLLAR, NOW } from "../harness/rows.ts";

type Event = Record<string, string>;
/** REST's answers about the same market. */
export type Rest = {
  listings: readonly Listing[];
  trading: Trading;
  originators: readonly (Omit<Originator, "listings"> & { listings: readonly Listing[] })[];
  stats: Stats;
  /** every event, newest first */
  events: readonly Event[];
  schedules: Readonly<Record<string, Schedule>>;
};

// biome-ignore lint/suspicious/noExplicitAny: an answer is read by path, as an agent does
type Facts = any;
type Call = readonly [tool: string, args: object];

export type Question = {
  question: string;
  calls: readonly Call[];
  /** what the agent reads from the answers, in the order of the calls */
  read: (...answers: Facts[]) => unknown;
  expected: (rest: Rest) => unknown;
};

const at = (days: bigint) => isoTime(NOW + days * DAY);
const ids = (items: readonly { publicId: string }[]) => items.map(({ publicId }) => publicId).toSorted();
const idsOf = ({ deals }: Facts) => ids(deals);
const idsWhere = (fits: (listing: Listing, rest: Rest) => boolean) => (rest: Rest) =>
  ids(rest.listings.filter((listing) => fits(listing, rest)));
const sum = <Item>(items: readonly Item[], amountOf: (item: Item) => string | undefined) =>
  `${items.reduce((total, item) => total + BigInt(amountOf(item) ?? 0), 0n)}`;
const one = (rest: Rest, publicId: string): Listing => {
  const found = rest.listings.find((listing) => listing.publicId === publicId);
  if (found === undefined) throw new Error(`no ${publicId}`);
  return found;
};
const business = (rest: Rest, publicId: string): Rest["originators"][number] => {
  const found = rest.originators.find((originator) => originator.publicId === publicId);
  if (found === undefined) throw new Error(`no ${publicId}`);
  return found;
};
const desk = ({ trading }: Rest, publicId: string) =>
  trading.listings.find((listing) => listing.publicId === publicId);
const wholeDaysSince = (time: string | null) =>
  Math.floor((Number(NOW) * 1000 - Date.parse(time ?? "")) / 86_400_000);
const isOverdue = ({ repayment }: Listing) => ["grace", "late", "default"].includes(repayment);
const between = (events: readonly Event[], since: string, until: string) =>
  events.filter(({ blockTime = "" }) => blockTime >= since && blockTime <= until);
const ofBusiness = (rest: Rest, publicId: string) => {
  const own = new Set(ids(business(rest, publicId).listings));
  return rest.events.filter((event) => own.has(event.publicId ?? ""));
};
const OPEN = ["listed", "funding"];
const OVERDUE = ["grace", "late", "default"];
const FEBRUARY = { since: "2026-02-01T00:00:00Z", until: "2026-02-28T23:59:59Z" };
const TODAY = "2026-03-01T00:00:00Z";
const LATE = { repayment: ["late"] };
/** Dollars of 1,000 in base units. */
const THOUSAND = 1_000n * DOLLAR;

export const QUESTIONS: readonly Question[] = [
  {
    question: "Which raises close this week, of businesses with grade B or better?",
    calls: [["list_deals", { status: OPEN, grade: ["A", "B"], closingBefore: at(7n), sort: "closing_soon" }]],
    read: idsOf,
    expected: idsWhere(
      ({ acceptsMoney, originatorGrade, closeAt }) =>
        acceptsMoney && "AB".includes(originatorGrade) && closeAt !== null && closeAt < at(7n),
    ),
  },
  {
    question: "Which raises take money?",
    calls: [["list_deals", { status: OPEN }]],
    read: idsOf,
    expected: idsWhere(({ acceptsMoney }) => acceptsMoney),
  },
  {
    question: "How many raises are open?",
    calls: [["list_deals", {}]],
    read: ({ market }) => market.openRaises,
    expected: ({ stats }) => stats.byStatus.listed + stats.byStatus.funding,
  },
  {
    question: "Who is late, by how much and how many days?",
    calls: [["list_deals", { repayment: OVERDUE }]],
    read: ({ deals }) =>
      deals
        .map((deal: Facts) => [deal.publicId, deal.business, deal.outstandingPrincipal, deal.daysOverdue])
        .toSorted(),
    expected: (rest) =>
      rest.listings
        .filter(isOverdue)
        .map((listing) => [
          listing.publicId,
          business(rest, listing.originator).legalName,
          listing.outstandingPrincipal,
          wholeDaysSince(listing.maturityAt),
        ])
        .toSorted(),
  },
  {
    question: "How much is owed by all that are overdue together?",
    calls: [["list_deals", { repayment: OVERDUE, limit: 1 }]],
    read: ({ totalOutstanding, total }) => [totalOutstanding, total],
    expected: ({ listings }) => {
      const overdue = listings.filter(isOverdue);
      return [sum(overdue, (listing) => listing.outstandingPrincipal), overdue.length];
    },
  },
  {
    question: "Which raises are in default?",
    calls: [["list_deals", { repayment: ["default"] }]],
    read: idsOf,
    expected: idsWhere(({ repayment }) => repayment === "default"),
  },
  {
    question: "What does the market owe in all, and what share is in default?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market }) => [market.outstanding, market.outstandingByRepayment.default],
    expected: ({ stats }) => [stats.outstanding, stats.outstandingByRepayment.default],
  },
  {
    question: "What share of what is owed is current?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market }) => market.outstandingByRepayment.current.shareBps,
    expected: ({ stats }) => stats.outstandingByRepayment.current.shareBps,
  },
  {
    question: "How much was lost so far?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market }) => market.writtenOff,
    expected: ({ stats }) => stats.writtenOff,
  },
  {
    question: "What did Northwind repay in February?",
    calls: [["list_businesses", { q: "northwind", ...FEBRUARY }]],
    read: ({ activity }) => [activity.repaidPrincipal, activity.repaidInterest],
    expected: (rest) => {
      const events = between(ofBusiness(rest, "org_northwind"), FEBRUARY.since, FEBRUARY.until);
      return [sum(events, ({ principal }) => principal), sum(events, ({ interest }) => interest)];
    },
  },
  {
    question: "What did everybody repay in February?",
    calls: [["list_businesses", FEBRUARY]],
    read: ({ activity }) => [activity.repaidPrincipal, activity.repaidInterest],
    expected: ({ events }) => {
      const own = between(events, FEBRUARY.since, FEBRUARY.until);
      return [sum(own, ({ principal }) => principal), sum(own, ({ interest }) => interest)];
    },
  },
  {
    question: "What happened today?",
    calls: [["list_businesses", { since: TODAY }]],
    read: ({ activity }) => [
      activity.events,
      activity.newest.map(({ kind, publicId, blockTime }: Facts) => [kind, publicId, blockTime]),
    ],
    expected: ({ events }) => {
      const own = between(events, TODAY, isoTime(NOW));
      return [own.length, own.map(({ kind, publicId, blockTime }) => [kind, publicId, blockTime])];
    },
  },
  {
    question: "How much was subscribed today, on balance?",
    calls: [["list_businesses", { since: TODAY }]],
    read: ({ activity }) => activity.committed,
    expected: ({ events }) =>
      sum(
        between(events, TODAY, isoTime(NOW)).filter(({ kind }) => kind === "subscribed"),
        ({ amount }) => amount,
      ),
  },
  {
    question: "How much was refunded this week?",
    calls: [["list_businesses", { since: at(-7n) }]],
    read: ({ activity }) => activity.refunded,
    expected: ({ events }) =>
      sum(
        between(events, at(-7n), isoTime(NOW)).filter(({ kind }) => kind === "refunded"),
        ({ amount }) => amount,
      ),
  },
  {
    question: "How much was drawn in the last month?",
    calls: [["list_businesses", { since: at(-30n) }]],
    read: ({ activity }) => activity.drawn,
    expected: ({ events }) =>
      sum(
        between(events, at(-30n), isoTime(NOW)).filter(({ kind }) => kind === "drawn_down"),
        ({ amount }) => amount,
      ),
  },
  {
    question: "How many payments came in over the last month?",
    calls: [["list_businesses", { since: at(-30n) }]],
    read: ({ activity }) => activity.byKind.repaid,
    expected: ({ events }) =>
      between(events, at(-30n), isoTime(NOW)).filter(({ kind }) => kind === "repaid").length,
  },
  {
    question: "Which is the cheapest open offer on the desk, and what does it yield?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market: { cheapestOffer } }) => [
      cheapestOffer.publicId,
      cheapestOffer.bestAskBps,
      cheapestOffer.yieldToMaturityBps,
    ],
    expected: ({ trading }) => {
      const asked = trading.listings.filter(({ bestAskBps }) => bestAskBps === trading.bestAskBps);
      return [asked[0]?.publicId, asked[0]?.bestAskBps, asked[0]?.yieldToMaturityBps];
    },
  },
  {
    question: "Which open offer has the highest yield?",
    calls: [["list_deals", { limit: 1 }]],
    read: ({ market: { highestYieldOffer } }) => [
      highestYieldOffer.publicId,
      highestYieldOffer.yieldToMaturityBps,
    ],
    expected: ({ trading }) => {
      const yields = trading.listings.map(
        (listing) => listing.yieldToMaturityBps ?? Number.NEGATIVE_INFINITY,
      );
      const most = Math.max(...yields);
      return [trading.listings[yields.indexOf(most)]?.publicId, most];
    },
  },
  {
    question: "What is on offer of the trucks?",
    calls: [["list_deals", { q: "trucks" }]],
    read: ({ deals: [{ publicId, desk }] }) => [
      publicId,
      desk.openOffers,
      desk.bestAskBps,
      desk.yieldToMaturityBps,
    ],
    expected: (rest) => {
      const found = desk(rest, "lst_9");
      return ["lst_9", found?.openOffers, found?.bestAskBps, found?.yieldToMaturityBps];
    },
  },
  {
    question: "What was the last price of the trucks on the desk?",
    calls: [["get_deal", { id: "RB00009" }]],
    read: ({ desk: { lastPriceBps, volume30d } }) => [lastPriceBps, volume30d],
    expected: (rest) => [desk(rest, "lst_9")?.lastPriceBps, desk(rest, "lst_9")?.volume30d],
  },
  {
    question: "What would 1,000 put into the second oven earn if all goes well?",
    calls: [
      ["list_deals", { q: "second oven" }],
      ["get_deal", { id: "lst_1", investment: "1000" }],
    ],
    read: ({ deals }, { projection }) => [idsOf({ deals }), projection.interest, projection.total],
    expected: (rest) => {
      const { couponRateBps, tenorDays } = one(rest, "lst_1");
      const interest = (THOUSAND * BigInt(couponRateBps) * BigInt(tenorDays)) / (10_000n * 365n);
      return [["lst_1"], `${interest}`, `${THOUSAND + interest}`];
    },
  },
  {
    question: "And what if it defaults, at the reserve's cover?",
    calls: [["get_deal", { id: "lst_1", investment: "1000" }]],
    read: ({ projection }) => [projection.reserveHeldReturns, projection.reserveRequiredReturns],
    expected: (rest) => {
      const { targetAmount, reserveBalance, insuranceBps } = one(rest, "lst_1");
      const target = BigInt(targetAmount);
      return [
        `${(THOUSAND * BigInt(reserveBalance)) / target}`,
        `${(THOUSAND * ((target * BigInt(insuranceBps)) / 10_000n)) / target}`,
      ];
    },
  },
  {
    question: "What does somebody with 1,000 in the crane lose if nothing more than the reserve comes?",
    calls: [["get_deal", { id: "lst_4", investment: "1000" }]],
    read: ({ projection }) => projection.reserveHeldLoses,
    expected: (rest) => {
      const { drawnAmount, outstandingPrincipal, reserveBalance } = one(rest, "lst_4");
      const lost = BigInt(outstandingPrincipal) - BigInt(reserveBalance);
      return `${(THOUSAND * lost) / BigInt(drawnAmount)}`;
    },
  },
  {
    question: "How reliable is Northwind?",
    calls: [["list_businesses", { q: "northwind" }]],
    read: ({ businesses: [{ ratingGrade, rating, kybStatus, outstanding, writtenOff }] }) => ({
      ratingGrade,
      rating,
      kybStatus,
      outstanding,
      writtenOff,
    }),
    expected: (rest) => {
      const { ratingGrade, rating, kybStatus, listings } = business(rest, "org_northwind");
      return {
        ratingGrade,
        rating,
        kybStatus,
        outstanding: sum(listings, (listing) => listing.outstandingPrincipal),
        writtenOff: sum(listings, (listing) => listing.writtenOffAmount),
      };
    },
  },
  {
    question: "How much has the cheese dairy lost its backers?",
    calls: [["list_businesses", { q: "kaserei" }]],
    read: ({ businesses: [{ publicId, writtenOff }] }) => [publicId, writtenOff],
    expected: (rest) => [
      "org_fresh",
      sum(business(rest, "org_fresh").listings, (listing) => listing.writtenOffAmount),
    ],
  },
  {
    question: "Which businesses have grade B or better?",
    calls: [["list_businesses", { grade: ["A", "B"] }]],
    read: ({ businesses }) => ids(businesses),
    expected: ({ originators }) => ids(originators.filter(({ ratingGrade }) => "AB".includes(ratingGrade))),
  },
  {
    question: "Which businesses are from Germany?",
    calls: [["list_businesses", { jurisdiction: "DE" }]],
    read: ({ businesses }) => ids(businesses),
    expected: ({ originators }) => ids(originators.filter(({ jurisdiction }) => jurisdiction === "DE")),
  },
  {
    question: "What is due in the next 30 days, and how much?",
    calls: [["list_deals", { repayment: ["current"], dueBefore: at(30n) }]],
    read: (page) => [idsOf(page), page.totalOutstanding],
    expected: ({ listings }) => {
      const due = listings.filter(
        ({ repayment, maturityAt }) => repayment === "current" && maturityAt !== null && maturityAt < at(30n),
      );
      return [ids(due), sum(due, (listing) => listing.outstandingPrincipal)];
    },
  },
  {
    question: "What must be paid until the end of the month, with what is overdue already?",
    calls: [["list_deals", { dueBefore: "2026-04-01T00:00:00Z" }]],
    read: (page) => [idsOf(page), page.totalOutstanding],
    expected: ({ listings }) => {
      const due = listings.filter(
        ({ maturityAt, outstandingPrincipal }) =>
          outstandingPrincipal !== "0" && maturityAt !== null && maturityAt < "2026-04-01T00:00:00Z",
      );
      return [ids(due), sum(due, (listing) => listing.outstandingPrincipal)];
    },
  },
  {
    question: "What was the raise with something like “kasekeller” in its name?",
    calls: [["list_deals", { q: "kasekeller" }]],
    read: ({ deals }) => deals.map(({ publicId, title }: Facts) => [publicId, title]),
    expected: (rest) => [["lst_5", one(rest, "lst_5").title]],
  },
  {
    question: "Which raises does the business with “tide” in its name have?",
    calls: [["list_deals", { q: "tide" }]],
    read: idsOf,
    expected: (rest) => ids(business(rest, "org_tide").listings),
  },
  {
    question: "How many days is the crane overdue, and when was it due?",
    calls: [["list_deals", { q: "crane" }]],
    read: ({ deals: [{ daysOverdue, maturityAt }] }) => [daysOverdue, maturityAt],
    expected: (rest) => {
      const { maturityAt } = one(rest, "lst_4");
      return [wholeDaysSince(maturityAt), maturityAt];
    },
  },
  {
    question: "When did the crane's business pay last, and how much?",
    calls: [["get_deal", { id: "lst_4", kinds: ["repaid"] }]],
    read: ({ events: [{ blockTime, principal, interest }], eventsCut }) => [
      blockTime,
      principal,
      interest,
      eventsCut,
    ],
    expected: ({ events }) => {
      const last = events.find(({ publicId, kind }) => publicId === "lst_4" && kind === "repaid");
      return [last?.blockTime, last?.principal, last?.interest, false];
    },
  },
  {
    question: "What happened to the second oven today?",
    calls: [["get_deal", { id: "lst_1", since: TODAY }]],
    read: ({ events }) => events.map(({ kind, amount }: Facts) => [kind, amount]),
    expected: ({ events }) =>
      between(events, TODAY, isoTime(NOW))
        .filter(({ publicId }) => publicId === "lst_1")
        .map(({ kind, amount }) => [kind, amount]),
  },
  {
    question: "What does the loan for the vans have to pay back, and when?",
    calls: [["get_deal", { id: "lst_3" }]],
    read: ({ schedule: { total, maturityAt, outstandingPrincipal } }) => [
      total,
      maturityAt,
      outstandingPrincipal,
    ],
    expected: ({ schedules }) => {
      const { total, maturityAt, outstandingPrincipal } = schedules.lst_3 ?? {};
      return [total, maturityAt, outstandingPrincipal];
    },
  },
  {
    question: "Which open raise pays the most?",
    calls: [["list_deals", { status: OPEN, sort: "highest_coupon", limit: 1 }]],
    read: ({ deals: [{ couponRateBps }] }) => couponRateBps,
    expected: ({ listings }) =>
      Math.max(
        ...listings.filter(({ acceptsMoney }) => acceptsMoney).map(({ couponRateBps }) => couponRateBps),
      ),
  },
  {
    question: "Which open raises run at most 120 days?",
    calls: [["list_deals", { status: OPEN, maxTenorDays: 120 }]],
    read: idsOf,
    expected: idsWhere(({ acceptsMoney, tenorDays }) => acceptsMoney && tenorDays <= 120),
  },
  {
    question: "Which raises of Swiss businesses still owe something?",
    calls: [["list_deals", { jurisdiction: "ch", repayment: ["current", ...OVERDUE] }]],
    read: idsOf,
    expected: idsWhere(
      ({ originator, outstandingPrincipal }, rest) =>
        business(rest, originator).jurisdiction === "CH" && outstandingPrincipal !== "0",
    ),
  },
  {
    question: "Which raise gives money back, and how much is not claimed yet?",
    calls: [
      ["list_deals", { status: ["refunding", "cancelled", "voided"] }],
      ["get_deal", { id: "lst_10" }],
    ],
    read: (page, { deal }) => [idsOf(page), deal.refundableAmount],
    expected: (rest) => [["lst_10"], one(rest, "lst_10").refundableAmount],
  },
  {
    question: "How much is late, without what is only in grace or in default?",
    calls: [["list_deals", LATE]],
    read: ({ totalOutstanding, market }) => [totalOutstanding, market.outstandingByRepayment.late.amount],
    expected: ({ stats: { outstandingByRepayment } }) => [
      outstandingByRepayment.late.amount,
      outstandingByRepayment.late.amount,
    ],
  },
];
