/** @module The secondary desk on a listing's page: offers and trades of its token. */
import { formatRate } from "../../market/amount.ts";
import { type DeskListing, type LeftPerToken, leftPerToken } from "../../market/desk.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { hasFailed, isOver } from "../../market/status.ts";
import type { DeskTrade } from "../../market/trading.ts";
import type { Trading } from "../../market/trading-schema.ts";
import { fact, facts, links, linkTo, paragraph, section } from "../blocks.ts";
import { deskTrades } from "../charts/desk-trades.tsx";
import type { Chart, Fact, Section } from "../page.ts";
import { addressCode, amount, count, rate } from "../value.ts";

const RULES = linkTo("How the secondary desk works", "/knowledge/secondary-desk");
const TOKENS = "tokens";
const SET_OFF =
  "Interest above the schedule is set off here against the principal, which is owed nevertheless.";

type DeskHistory = {
  /** the newest trades of the listing, oldest first */
  trades: readonly DeskTrade[];
  /** end of the time axis; unix seconds */
  until: bigint;
};

type DeskSectionParameters = DeskHistory & {
  trading: Pick<Trading, "enabled" | "deskAddress">;
  /** null where the desk has nothing of the listing */
  desk: DeskListing | null;
  listing: Pick<Listing, "status" | "drawnDownAt" | "outstandingPrincipal" | "repayment">;
  schedule: Schedule;
};

export function deskSection({
  trading,
  desk: own,
  listing,
  schedule,
  ...history
}: DeskSectionParameters): Section {
  const isQuiet = own === null || (own.openOffers === 0 && own.tradesTotal === 0);
  const desk = section("desk", "Secondary desk", [
    paragraph(introduction(trading, own, listing)),
    own === null
      ? null
      : facts("grid", factsOf(own, leftPerToken(own, listing, schedule), { ...trading, ...listing })),
    own === null || own.tradesTotal === 0 ? null : { kind: "chart", chart: chartOf(own, history) },
    links([RULES]),
  ]);
  // Without sales there is little to read.
  return isQuiet ? { ...desk, isFolded: true } : desk;
}

function chartOf(own: DeskListing, history: DeskHistory): Chart {
  const { refnum, tradesTotal, bestAskBps, yieldToMaturityBps } = own;
  const ask = { priceBps: bestAskBps, yieldBps: yieldToMaturityBps };
  return deskTrades({ id: "desk-trades", refnum, total: tradesTotal, ask, ...history });
}

function introduction(
  { enabled }: Pick<Trading, "enabled">,
  own: DeskListing | null,
  listing: Pick<Listing, "status" | "drawnDownAt">,
): string {
  if (!enabled) return "This service does not follow a secondary desk, so it shows no offers or trades.";
  if (own === null && listing.drawnDownAt === null && hasFailed(listing)) {
    return "There have been no offers or trades of this raise's token. Without a drawdown, tokens cannot be sold.";
  }
  if (own === null && isOver(listing)) {
    return "There were no offers or trades of this raise's token before it ended.";
  }
  if (own === null) {
    return "There have been no offers or trades of this raise's token. Tokens can be sold once the money is drawn.";
  }
  if (own.openOffers === 0 && own.tradesTotal === 0) {
    return "No tokens of this raise are on offer, and none have been traded yet.";
  }
  return "Holders sell tokens of this raise to others here. A token stands for one dollar of the principal that was lent. Prices are a percentage of that dollar, even after part of it has been repaid.";
}

/** The return of a buyer at the lowest price, if everything still due is paid. */
function yieldNote(
  { bestAskBps, remainingPerTokenBps, yieldToMaturityBps }: DeskListing,
  left: LeftPerToken | null,
): string {
  if (bestAskBps === null || remainingPerTokenBps === null || left === null || yieldToMaturityBps === null) {
    return "None without an offer, with less than a day to maturity, before the drawdown, and once the raise has ended.";
  }
  if (remainingPerTokenBps >= bestAskBps) return "At the lowest price, if everything still due is paid.";
  const [price, paid] = [bestAskBps, left.bps];
  const costs = `a token costs ${formatRate(price)}`;
  const isLeft = `${formatRate(paid)} is still to be paid for it`;
  if (paid >= price) return `At the lowest price ${costs}, and ${isLeft}.`;
  const loss = Math.floor((10_000 * (price - paid)) / price);
  const lost = loss === 0 ? "" : ` Even if it is, a buyer loses ${formatRate(loss)} of the price.`;
  return `A loss: ${costs} and only ${isLeft}.${lost}`;
}

function factsOf(
  own: DeskListing,
  left: LeftPerToken | null,
  { deskAddress, status }: Pick<Trading, "deskAddress"> & Pick<Listing, "status">,
): Fact[] {
  const none = (figure: number | null, note: string) => (figure === null ? note : undefined);
  const setOff = (note: string) => (left?.isSetOff ? `${note} ${SET_OFF}` : note);
  return [
    fact(
      "openOffers",
      "Open offers",
      count(own.openOffers),
      "Offers of a live raise that are not sold out, cancelled or expired.",
    ),
    fact("openAmount", "On offer", amount(own.openAmount, TOKENS)),
    fact(
      "bestAskBps",
      "Lowest asking price",
      rate(own.bestAskBps),
      none(own.bestAskBps, "Nothing is on offer."),
    ),
    fact(
      "remainingPerTokenBps",
      "Still to be paid for a token",
      rate(own.remainingPerTokenBps),
      none(own.remainingPerTokenBps, "Counted from the drawdown until the raise ends.") ??
        setOff("Principal and interest, as a percentage of its dollar like the price."),
    ),
    fact(
      "yieldToMaturityBps",
      "Annual yield to maturity",
      rate(own.yieldToMaturityBps),
      setOff(yieldNote(own, left)),
    ),
    fact(
      "reservePerTokenBps",
      "Reserve for a token",
      rate(own.reservePerTokenBps),
      none(own.reservePerTokenBps, "Counted from the drawdown until the raise ends.") ??
        "What the reserve pays if nothing more is repaid, as a percentage of its dollar.",
    ),
    fact(
      "returnInDefaultBps",
      "Return in a default",
      rate(own.returnInDefaultBps),
      none(
        own.returnInDefaultBps,
        "None without an offer, before the drawdown, and once the raise has ended.",
      ) ?? "At the lowest price, if only the reserve pays. Not per year.",
    ),
    fact(
      "remainingDays",
      "Days to maturity",
      count(own.remainingDays),
      none(own.remainingDays, "Counted from the drawdown until the raise ends."),
    ),
    fact(
      "lastPriceBps",
      "Price of the last trade",
      rate(own.lastPriceBps),
      none(own.lastPriceBps, "Nothing has been traded yet."),
    ),
    fact("volume30d", "Traded in the last 30 days", amount(own.volume30d, TOKENS)),
    fact("tradesTotal", "Trades in total", count(own.tradesTotal)),
    fact(
      "holderCount",
      "Holders of the token",
      count(own.holderCount),
      none(
        own.holderCount,
        isOver({ status }) ? "Not counted once a raise has ended." : "This service does not count them.",
      ),
    ),
    fact("deskAddress", "Desk contract", addressCode(deskAddress)),
  ];
}
