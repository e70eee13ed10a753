/**
 * The dates of a subject as an iCalendar (RFC 5545): when its open raises close, and when principal is due. A date
 * stays until it is settled, so the length of a calendar depends on what is open.
 * @module
 */
import { createHash } from "node:crypto";
import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";
import { counted } from "../../../config/format/counted.ts";
import { isoTime, LAST_SECOND, secondsOf } from "../../../config/format/time.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { Listings } from "../../market/listings.ts";
import { inOrder, type Sort } from "../../market/listings-order.ts";
import { matcherOf } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import { owedOf } from "../../market/schedule.ts";
import type { Listing, Repayment } from "../../market/schema.ts";
import { DEFAULT_AFTER } from "../../market/status.ts";
import { businessName, raisePath, raiseTitle } from "../paths.ts";
import type { Subject } from "../subject.ts";
import { latest } from "../times.ts";
import { textForXml as plain } from "./feed.ts";

/** Dates of a calendar: those that come first, and the last of those that have passed where there is room. */
const MOST_DATES = 1_000;
/** Seconds after which a subscriber should look again. */
const LOOK_AGAIN = 3_600;
/** Seconds before a close at which a calendar reminds of it. */
const REMINDER = 86_400;
/** Seconds that a date takes in a calendar: one without an end is a line that is easily missed. */
const SHOWN_FOR = 1_800n;

/** Times are ISO 8601. */
export type CalendarDate = {
  /** stays the same when the date moves */
  uid: string;
  at: string;
  /** chain time since which the content is true */
  since: string;
  /**
   * the number of updates of the terms: a calendar takes a moved date only from a higher one (RFC 5546). Terms of the registry have no
   * number that all processes know
   */
  sequence: number;
  /** whether calendars remind of it */
  hasReminder: boolean;
  summary: string;
  description: string;
  path: string;
};

export function datesOf({ listings, filter }: Subject, market: Market): readonly CalendarDate[] {
  const isMatch = filter === undefined ? null : matcherOf(filter, market.originatorByPublicId);
  const now = isoTime(market.head.timestamp);
  const { full } = Listings.of(listings);
  const around = (
    sort: Sort,
    time: "closeAt" | "maturityAt",
    isAbout: (listing: Listing) => boolean,
    dateOf: (listing: Listing, market: Market) => CalendarDate | null,
  ) => {
    // Raises that the order is not about are its end, and may be nearly all of it.
    const ordered = inOrder(full, sort);
    const next = ordered.findIndex((listing) => !isAbout(listing) || (listing[time] ?? now) >= now);
    const coming = next === -1 ? ordered.length : next;
    return [ordered.slice(0, coming).reverse(), ordered.slice(coming)].flatMap((some) =>
      first(some, isAbout, (listing) =>
        isMatch === null || isMatch(listing) ? dateOf(listing, market) : null,
      ),
    );
  };
  const dates = [
    ...around("closing_soon", "closeAt", ({ acceptsMoney }) => acceptsMoney, closeOf),
    ...around(
      "due_soon",
      "maturityAt",
      ({ outstandingPrincipal }) => outstandingPrincipal !== "0",
      dueDateOf,
    ),
  ].sort((a, b) => (a.at < b.at || (a.at === b.at && a.uid < b.uid) ? -1 : 1));
  const passed = dates.filter(({ at }) => at < now).length;
  const end = Math.min(dates.length, passed + MOST_DATES);
  return dates.slice(Math.max(0, end - MOST_DATES), end);
}

/** The dates of the first listings, and all at the time of the last. */
function first(
  ordered: readonly Listing[],
  isAbout: (listing: Listing) => boolean,
  dateOf: (listing: Listing) => CalendarDate | null,
): readonly CalendarDate[] {
  const dates: CalendarDate[] = [];
  for (const listing of ordered) {
    if (!isAbout(listing)) break;
    const date = dateOf(listing);
    // A calendar has four digits for a year.
    if (date === null || endOf(date.at) > LAST_SECOND) continue;
    if (dates.length >= MOST_DATES && dates.at(-1)?.at !== date.at) break;
    dates.push(date);
  }
  return dates;
}

function endOf(at: string): bigint {
  return secondsOf(at) + SHOWN_FOR;
}

function closeOf(listing: Listing, market: Market): CalendarDate | null {
  const { acceptsMoney, closeAt, couponIsMaximum, couponRateBps, tenorDays, targetAmount, minRaise } =
    listing;
  const { termsUpdates, termsUpdatedAt } = listing;
  if (!acceptsMoney || closeAt === null) return null;
  const rate = `${couponIsMaximum ? "no more than " : ""}${formatRate(couponRateBps)}`;
  return {
    ...aboutDate(listing, market, "closes", "Closes"),
    at: closeAt,
    since: latest([market.openedAt(listing), termsUpdatedAt ?? ""]),
    sequence: termsUpdates,
    hasReminder: true,
    description: sentences([
      `${nameOf(listing, market)} seeks ${formatAmount(targetAmount)} at ${rate} a year for ${counted(tenorDays, "days")}.`,
      minRaise === "0" ? "" : `It needs at least ${formatAmount(minRaise)} by then.`,
      "It may close earlier.",
    ]),
  };
}

/** The text of a date while principal is owed, and the seconds after the date since which it applies. */
const DUE_STATES: { [State in Repayment]?: { word: string; sentence: string; after: bigint } } = {
  current: { word: "Due", sentence: "", after: 0n },
  grace: { word: "Overdue", sentence: "The due date has passed.", after: 0n },
  late: { word: "Overdue", sentence: "The due date has passed.", after: 0n },
  default: {
    word: "In default",
    sentence: "The due date has passed; the raise is in default.",
    after: DEFAULT_AFTER,
  },
};

function dueDateOf(listing: Listing, market: Market): CalendarDate | null {
  const { repayment, maturityAt, drawnDownAt, outstandingPrincipal } = listing;
  if (maturityAt === null || drawnDownAt === null || outstandingPrincipal === "0") return null;
  const state = DUE_STATES[repayment];
  if (state === undefined) return null;
  const schedule = market.scheduleOf(listing);
  const owed = owedOf(listing, schedule);
  const parts = `: ${formatAmount(owed.principal)} of principal and ${formatAmount(owed.interest)} of interest`;
  const turnedAt = isoTime(secondsOf(maturityAt) + state.after);
  return {
    ...aboutDate(listing, market, "due", state.word),
    at: maturityAt,
    since: latest([
      drawnDownAt,
      ...schedule.payments.map(({ at }) => at),
      ...(repayment === "current" ? [] : [turnedAt]),
    ]),
    // The drawdown fixes it.
    sequence: 0,
    hasReminder: false,
    description: sentences([
      `${nameOf(listing, market)} still owes ${formatAmount(owed.total)}${owed.interest === "0" ? " of principal" : parts}.`,
      state.sentence,
    ]),
  };
}

function aboutDate(listing: Listing, market: Market, kind: string, word: string) {
  const { publicId, chainId } = listing;
  return {
    uid: `${publicId}-${kind}@chain-${chainId}.raisebook`,
    summary: plain(`${word}: ${raiseTitle(listing)} (${nameOf(listing, market)})`),
    path: raisePath(listing),
  };
}

function nameOf({ originator }: Listing, market: Market): string {
  const business = market.originatorByPublicId.get(originator);
  return business === undefined ? originator : businessName(business);
}

function sentences(all: readonly string[]): string {
  return plain(all.filter(Boolean).join(" "));
}

const UTC = `BEGIN:VTIMEZONE
TZID:Etc/UTC
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE`;

export type CalendarParameters = { name: string; dates: readonly CalendarDate[]; publicUrl: string };

/** The file. It depends on the dates alone, not on the time of the request. */
export function calendarText({ name, dates, publicUrl }: CalendarParameters): string {
  const calendar = ical({
    // The library escapes the texts of events, but not this one.
    name: plain(name).replaceAll(/[\\;,]/g, "\\$&"),
    prodId: { company: "raisebook", product: "raisebook", language: "EN" },
    ttl: LOOK_AGAIN,
    // RFC 5545 wants a component at least, and readers refuse a file without one.
    ...(dates.length === 0 ? { timezone: { name: "Etc/UTC", generator: () => UTC } } : {}),
  });
  for (const { uid, at, since, sequence, hasReminder, summary, description, path } of dates) {
    calendar.createEvent({
      id: uid,
      start: new Date(at),
      end: new Date(isoTime(endOf(at))),
      // Without a METHOD the stamp is when the content last changed, too (RFC 5545, 3.8.7.2).
      stamp: new Date(since),
      lastModified: new Date(since),
      sequence,
      ...(hasReminder
        ? { alarms: [{ type: ICalAlarmType.display, triggerBefore: REMINDER, description: summary }] }
        : {}),
      summary,
      description: `${description}\n${publicUrl}${path}`,
      url: publicUrl + path,
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  // The library leaves out the last line break, which RFC 5545 requires.
  return `${calendar.toString()}\r\n`;
}

export function calendarKey(parameters: CalendarParameters): string {
  return createHash("sha256").update(JSON.stringify(parameters)).digest("base64url");
}
