/** @module The page of a listing, by its id, from the market, the ledger and the series of its money. */
import { DAY, HOUR, parseTime } from "../../../config/format/time.ts";
import { isolatedQuote } from "../../../config/format/untrusted-text.ts";
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import { decodeEventCursor } from "../../ledger/cursor.ts";
import { toEventPage } from "../../ledger/pages.ts";
import { cumulative, type ListingSeries, type SeriesQuery } from "../../ledger/series.ts";
import { findListing } from "../../market/market.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { hasFailed, isOver } from "../../market/status.ts";
import { pairOf } from "../../registry/schema.ts";
import { moneyOverTime } from "../charts/money-over-time.tsx";
import { owedOverTime } from "../charts/owed-over-time.tsx";
import { CoverPicture } from "../covers/drawing.tsx";
import { coverOf } from "../covers/pictures.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Chart, PageRequest, PageResult } from "../page.ts";
import { raisePath } from "../paths.ts";
import { auctionSection } from "./auction.ts";
import { describeListing, describeRefusal } from "./describe.ts";
import { readAmount } from "./estimate.ts";
import { EVENT_GROUPS, EVENTS_A_PAGE, isEventGroup } from "./history.ts";
import type { BidsStore, SeriesStore } from "./series.ts";

const BAD_CURSOR = "The parameter before must come from a link to older events on this raise's page.";

/** The page of the visible listing with this public id. Its reference number redirects there. */
export async function listingPage(
  deps: Pick<SiteDependencies, "ledger" | "exposeAccounts" | "audit" | "contracts" | "publicSettings"> & {
    series: SeriesStore;
    bids: BidsStore;
  },
  { snapshot, query }: PageRequest,
  id: string,
): Promise<PageResult> {
  const { ledger, exposeAccounts, series, bids, audit, contracts, publicSettings } = deps;
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const listing = findListing(market, id);
  const business = listing && market.originatorByPublicId.get(listing.originator);
  if (listing === undefined || business === undefined) {
    return {
      kind: "missing",
      detail: `No visible raise has the public id or reference number ${isolatedQuote(id)}.`,
    };
  }
  const cursor = query.get("before");
  const group = query.get("events");
  if (listing.publicId !== id) {
    const path = raisePath(listing);
    return {
      kind: "moved",
      path: query.size === 0 ? path : `${path}?${query}`,
    };
  }
  const asked = readAmount(query.get("amount"));
  const changedAt = market.changedAt(listing);
  const before = cursor === null ? null : decodeEventCursor(cursor);
  if (cursor !== null && before === null) {
    return { kind: "refused", page: describeRefusal(listing, business, changedAt, BAD_CURSOR) };
  }
  if (group !== null && !isEventGroup(group)) {
    const allowed = Object.keys(EVENT_GROUPS).join(", ");
    const problem = `The parameter events cannot be ${isolatedQuote(group)}. Allowed: ${allowed}.`;
    return { kind: "refused", page: describeRefusal(listing, business, changedAt, problem) };
  }
  // In the backfill the tables may be at a later block.
  const until = { block: market.head.number };
  const openedAt = market.openedAt(listing);
  const kinds = group === null ? null : new Set<EventKind>(EVENT_GROUPS[group].kinds);
  const span = spanOf(listing, { openedAt, changedAt, now: market.head.timestamp });
  const state = { changedAt, reverts: snapshot.reverts };
  const isAuction = before === null && listing.pricingMode === "auction";
  const [events, sums, bid] = await Promise.all([
    ledger.ofListing(pairOf(listing), { kinds, since: null, until, before, limit: EVENTS_A_PAGE }),
    // Pages of older events have no chart.
    before === null ? series.of(ledger, listing, state, { until, ...span }) : null,
    isAuction ? bids.of(ledger, listing, state, { until }) : null,
  ]);
  if (typeof events === "string" || typeof sums === "string" || typeof bid === "string") {
    return { kind: "not_indexed_yet" };
  }
  const schedule = market.scheduleOf(listing);
  const page = describeListing({
    listing,
    business,
    schedule,
    closing: { contracts, isCloseRecorded: market.isCloseRecorded(listing) },
    trading: market.trading,
    desk: market.deskOf(listing),
    history: { ...toEventPage(events, market, exposeAccounts), group, isOlder: before !== null },
    chart: sums === null ? null : chartOf(listing, schedule, sums, span.to),
    auction: bid === null ? null : auctionSection(listing, bid.events),
    trades: market.tradesOf(listing),
    until: span.to,
    head: market.head,
    changedAt,
    audit: audit.state().last,
    asked,
    cover: CoverPicture({ cover: coverOf(snapshot.registry, listing) }),
    publicSettings,
  });
  return { kind: page.isLive ? "page" : "refused", page };
}

/** The number of buckets that are distinct at a phone's width. */
const POINTS = 60;

const MINUTE = 60n;

/** The times of the listing's opening and last change in ISO 8601, and the head's in unix seconds. */
type Moments = { openedAt: string; changedAt: string; now: bigint };

/**
 * From the opening to the last change of a raise that is over, else to the head's time, rounded down to a whole minute, hour
 * or day so that the page's entity tag does not change with every block.
 */
export function spanOf(
  { status }: Listing,
  { openedAt, changedAt, now }: Moments,
): Omit<SeriesQuery, "until"> {
  const from = parseTime(openedAt) ?? now;
  const changed = parseTime(changedAt) ?? now;
  // Only refunds and claims can follow, and each of them is a change.
  if (isOver({ status })) return { from, to: changed, points: POINTS };
  const seconds = now - from;
  const step = seconds > 100n * DAY ? DAY : seconds > 100n * HOUR ? HOUR : MINUTE;
  const whole = now - (now % step);
  return { from, to: whole > changed ? whole : changed, points: POINTS };
}

/** The chart of a loan's debt against its plan, else of the money in and out. @param until unix seconds */
export function chartOf(
  listing: Listing,
  schedule: Schedule,
  { buckets }: Pick<ListingSeries, "buckets">,
  until: bigint,
): Chart {
  const { drawnDownAt } = listing;
  return schedule.estimated || drawnDownAt === null || hasFailed(listing)
    ? moneyOverTime({ id: "money-over-time", listing, points: cumulative(buckets) })
    : owedOverTime({ id: "owed-over-time", listing, schedule, drawnDownAt, until });
}
