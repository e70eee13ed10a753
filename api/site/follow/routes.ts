/** @module Feeds and calendars: each built once, and reused until its content changes. */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { type Body, createBody } from "../../http/etagged-body.ts";
import { pageOrProblem } from "../../http/problem.ts";
import { answer, type Validity } from "../../http/respond.ts";
import { sameParts } from "../../http/same-parts.ts";
import { createOnce } from "../../ledger/once.ts";
import { toEventPage, visibleIn, visibleMatching } from "../../ledger/pages.ts";
import type { LedgerQueries } from "../../ledger/read.ts";
import { type LedgerQuery, type ListingSet, setOf } from "../../ledger/read-events.ts";
import { readNewest } from "../../ledger/read-newest.ts";
import { Listings } from "../../market/listings.ts";
import { FILTERS } from "../../market/listings-filters.ts";
import type { Market } from "../../market/market.ts";
import { matchesIn, queryMarket } from "../../market/market-query.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { pairOf } from "../../registry/schema.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { addFile, FILE_TYPES, fileRoutes, type Subject, whileSnapshot } from "../subject.ts";
import { latest } from "../times.ts";
import { calendarKey, calendarText, datesOf } from "./calendar.ts";
import { feedXml, MOST_ENTRIES, textForXml } from "./feed.ts";
import { narrowed } from "./filter.ts";

type FollowDependencies = Pick<SiteDependencies, "updater" | "ledger" | "publicSettings" | "brand">;

/** Bytes, with room for compressed forms. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Raises among which the last opened one is looked for, the latest go-live first: nearly always it is the first. */
const LOOKED_AT = 100;
/** Date of a feed while no raise has opened. */
const NEVER = "1970-01-01T00:00:00Z";

export const FOLLOW_ROUTES: readonly RouteConfig[] = [
  ...fileRoutes({
    file: "feed",
    name: "Feed",
    summary: "The events",
    description: `The newest ${MOST_ENTRIES} final events as an Atom feed (RFC 4287). A pending event comes once no reorganisation can revert it: readers keep what they have read. For more than 2,000 raises, only the market's newest 10,000 events are searched.`,
    filters: FILTERS,
    cache: "CacheMoment",
    unavailable: "Nothing is indexed yet, or the backfill is not over; see `Retry-After`.",
  }),
  ...fileRoutes({
    file: "calendar",
    name: "Calendar",
    summary: "The dates",
    description:
      "When open raises close and when principal is due, as an iCalendar (RFC 5545). A date stays until it is dealt with: until the close, and until nothing is owed any more.",
    filters: FILTERS,
    cache: "CacheMoment",
    unavailable: "Nothing is indexed yet; see `Retry-After`.",
  }),
];

export function addFollow(routes: Hono, deps: FollowDependencies): void {
  addFeeds(routes, deps);
  addCalendars(routes, deps);
}

type KeptFeed = { body: Body; isCurrent(now: Snapshot): boolean };

function addFeeds(routes: Hono, deps: FollowDependencies): void {
  const { updater, publicSettings, brand } = deps;
  const kept = cacheOf<KeptFeed>(({ body }) => body);

  const read = async (ledger: LedgerQueries, subject: Subject, query: LedgerQuery, snapshot: Snapshot) => {
    const [pair] = subject.kind === "raise" ? subject.listings.map(pairOf) : [];
    const page =
      pair === undefined
        ? await readNewest(ledger, listingsOf(subject, snapshot), query)
        : await ledger.ofListing(pair, query);
    return pageOrProblem(page);
  };

  const make = async (subject: Subject, snapshot: Snapshot, ledger: LedgerQueries): Promise<KeptFeed> => {
    const { market, finalized } = snapshot;
    const query = { kinds: null, since: null, until: null, before: null, limit: MOST_ENTRIES };
    const newest = await read(ledger, subject, query, snapshot);
    const isFinal = ({ blockNumber }: { blockNumber: bigint }) => blockNumber <= finalized.number;
    const page = newest.rows.every(isFinal)
      ? newest
      : await read(ledger, subject, { ...query, until: { block: finalized.number } }, snapshot);
    const rows = page.rows.filter(isFinal);
    const xml = feedXml({
      subject,
      // Persons are never named in a sentence, so their addresses are not needed.
      events: toEventPage({ ...page, rows }, market, false).events,
      listingOf: ({ publicId }) => market.listingByPublicId.get(publicId),
      openedAt: () => openedAt(subject, market),
      siteName: brand.name,
      ...publicSettings,
    });
    return {
      body: createBody(`${FILE_TYPES.feed}; charset=utf-8`, Buffer.from(xml)),
      isCurrent: whileSameFeed(snapshot, subject.filter, newest.rows[0]?.blockNumber ?? 0n),
    };
  };

  const lastingWhile = ({ isCurrent }: KeptFeed): Validity => ({
    isCurrent() {
      const now = updater.current();
      return now !== null && isCurrent(now);
    },
    head: () => updater.current()?.market.head ?? null,
  });

  const once = createOnce<KeptFeed>();
  addFile(routes, deps, "feed", async (c, whole, snapshot, ledger) => {
    const subject = narrowed(whole, new URL(c.req.url).searchParams);
    const key = `${subject.path}?${subject.query ?? ""}`;
    const known = kept.get(key);
    const made = known?.isCurrent(snapshot)
      ? known
      : await once(snapshot, key, () => make(subject, snapshot, ledger));
    kept.set(key, made);
    return answer(c, made.body, snapshot.market.head, { lasting: lastingWhile(made) });
  });
}

/** @param pending the newest event's block: the event joins the feed when it becomes final, without any change to the ledger */
function whileSameFeed(before: Snapshot, filter: Subject["filter"], pending: bigint): KeptFeed["isCurrent"] {
  const partsOf = ({ registry, ledgerRevision, market, finalized }: Snapshot) => [
    registry,
    ledgerRevision,
    // A raise is published by its opening alone, and none is withdrawn by time.
    market.listings.length,
    finalized.number < pending ? finalized.number : pending,
  ];
  const isSame = sameParts(partsOf(before));
  // A filter can accept other listings at any block: their states change with the time.
  const matchesOf = ({ market }: Snapshot) => (filter === undefined ? null : matchesIn(market, filter));
  const matches = matchesOf(before);
  let hasKnownListings = sameParts([before.market.listings]);
  return (now) => {
    if (!isSame(partsOf(now))) return false;
    const { listings } = now.market;
    if (hasKnownListings([listings])) return true;
    if (matchesOf(now) !== matches) return false;
    hasKnownListings = sameParts([listings]);
    return true;
  };
}

function listingsOf({ kind, listings, filter }: Subject, { market }: Snapshot): ListingSet {
  if (kind !== "market") return setOf(Array.from(Listings.of(listings).facts(), pairOf));
  return filter === undefined ? visibleIn(market) : visibleMatching(market, filter);
}

/** When the last of the raises opened, of those of a market among the newest; ISO 8601. */
function openedAt({ kind, listings, filter = {} }: Subject, market: Market): string {
  const newest = kind === "market" ? queryMarket(market, { ...filter, limit: LOOKED_AT }).listings : listings;
  return latest(
    newest.map((listing) => market.openedAt(listing)),
    NEVER,
  );
}

function addCalendars(routes: Hono, deps: FollowDependencies): void {
  const { updater, publicSettings, brand } = deps;
  const kept = cacheOf<Body>((body) => body);
  const { publicUrl } = publicSettings;
  addFile(routes, deps, "calendar", async (c, whole, snapshot) => {
    const subject = narrowed(whole, new URL(c.req.url).searchParams);
    const siteName = isolated(textForXml(brand.name));
    const name = subject.name === null ? siteName : `${subject.name} – ${siteName}`;
    const calendar = { name, dates: datesOf(subject, snapshot.market), publicUrl };
    const key = calendarKey(calendar);
    const body =
      kept.get(key) ??
      createBody(`${FILE_TYPES.calendar}; charset=utf-8`, Buffer.from(calendarText(calendar)));
    kept.set(key, body);
    return answer(c, body, snapshot.market.head, { lasting: whileSnapshot(updater, snapshot) });
  });
}

function cacheOf<Kept extends object>(bodyOf: (kept: Kept) => Body): LRUCache<string, Kept> {
  return new LRUCache({
    maxSize: MOST_BYTES,
    sizeCalculation: (one, key) => Math.min(1 + key.length + 2 * bodyOf(one).length, MOST_BYTES),
  });
}
