/**
 * The secondary desk on a listing's page: what is offered of its token and what was traded.
 * @module
 */

import type { Listing } from "../../market/schema.ts";
import { hasFailed } from "../../market/status.ts";
import type { Trading } from "../../market/trading-schema.ts";
import type { Fact, PageLink, Section } from "../page.ts";
import { amount, code, count, NONE, rate } from "../value.ts";

const RULES: PageLink = { text: "How the secondary desk works", href: "/knowledge/secondary-desk" };
const TOKENS = "tokens";

/** @param trading of the whole market */
export function deskSection(
  trading: Trading,
  listing: Pick<Listing, "publicId" | "status" | "repaidAmount">,
): Section {
  const own = trading.listings.find(({ publicId }) => publicId === listing.publicId);
  return {
    id: "desk",
    title: "Secondary desk",
    blocks: [
      { kind: "paragraph", text: introduction(trading, own, hasFailed(listing)) },
      ...(own === undefined
        ? []
        : [
            {
              kind: "facts" as const,
              look: "grid" as const,
              facts: factsOf(own, listing, trading.deskAddress),
            },
          ]),
      { kind: "links", links: [RULES] },
    ],
  };
}

type DeskListing = Trading["listings"][number];

function introduction({ enabled }: Trading, own: DeskListing | undefined, isFailed: boolean): string {
  if (!enabled) return "This service follows no secondary desk, so it shows no offers and no trades.";
  if (own === undefined && isFailed) {
    return "The desk has seen no offer and no trade of this raise's token. Without a drawdown tokens cannot be sold.";
  }
  if (own === undefined) {
    return "The desk has seen no offer and no trade of this raise's token. Tokens can be sold from the drawdown on.";
  }
  if (own.openOffers === 0 && own.tradesTotal === 0) {
    return "No token of this raise is on offer, and none was traded so far.";
  }
  return "Holders sell tokens of this raise to others here. A token stands for one dollar of principal; a price is a share of that.";
}

/** The formula counts all that a token is ever paid as still to come. market.md: "Yield to maturity (simple, bullet)". */
function yieldNote({ repaidAmount }: Pick<Listing, "repaidAmount">): string {
  const formula = "At the lowest price, if everything is paid at maturity and nothing was paid before.";
  return repaidAmount === "0"
    ? formula
    : `${formula} Some of this raise is repaid already, so the true yield is lower.`;
}

function factsOf(
  own: DeskListing,
  listing: Pick<Listing, "repaidAmount">,
  deskAddress: string | null,
): Fact[] {
  const none = (figure: number | null, note: string) => (figure === null ? note : undefined);
  return [
    {
      key: "openOffers",
      label: "Open offers",
      value: count(own.openOffers),
      note: "Offers of a live raise with something left of them, neither cancelled nor expired.",
    },
    { key: "openAmount", label: "On offer", value: amount(own.openAmount, TOKENS) },
    {
      key: "bestAskBps",
      label: "Lowest price asked",
      value: rate(own.bestAskBps),
      note: none(own.bestAskBps, "Nothing is on offer."),
    },
    {
      key: "yieldToMaturityBps",
      label: "Yield to maturity, a year",
      value: rate(own.yieldToMaturityBps),
      note:
        none(
          own.yieldToMaturityBps,
          "There is none without an offer, or with less than a day to maturity.",
        ) ?? yieldNote(listing),
    },
    {
      key: "remainingDays",
      label: "Days to maturity",
      value: own.remainingDays === null ? NONE : count(own.remainingDays),
      note: none(own.remainingDays, "Counted from the drawdown until the raise has ended."),
    },
    {
      key: "lastPriceBps",
      label: "Price of the last trade",
      value: rate(own.lastPriceBps),
      note: none(own.lastPriceBps, "Nothing was traded so far."),
    },
    { key: "volume30d", label: "Traded in 30 days", value: amount(own.volume30d, TOKENS) },
    { key: "tradesTotal", label: "Trades so far", value: count(own.tradesTotal) },
    {
      key: "holderCount",
      label: "Holders of the token",
      value: own.holderCount === null ? NONE : count(own.holderCount),
      note: none(own.holderCount, "This service does not count them."),
    },
    {
      key: "deskAddress",
      label: "Desk contract",
      value: deskAddress === null ? NONE : code(deskAddress),
    },
  ];
}
