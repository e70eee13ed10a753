/**
 * The dates of a subject as an iCalendar (RFC 5545): when its open raises close, and when principal is due. A date
 * stays until it is settled, so the length of a calendar depends on what is open.
 * @module
 */
import { createHash } from "node:crypto";
import ical, { ICalEventTransparency } from "ical-generator";
import { isoTime } from "../../../config/format/time.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import { secondsOf } from "../../market/listings-order.ts";
import type { Market } from "../../market/market.ts";
import type { Listing, Repayment } from "../../market/schema.ts";
import { DEFAULT_AFTER } from "../../market/status.ts";
import { businessName, raisePath, raiseTitle } from "../paths.ts";
import type { Subject } from "../subject.ts";
import { latest } from "../times.ts";
import { counted } from "../value.ts";
import { textForXml as plain } from "./feed.ts";

/** Dates of a calendar, the earliest first. */
const MOST_DATES = 1_000;
/** Seconds after which a subscriber should look again. */
const LOOK_AGAIN = 3_600;

/** Times are ISO 8601. */
export type CalendarDate = {
  /** stays the same when the date moves */
  uid: string;
  at: string;
  /** chain time since which the content is true */
  since: string;
  summary: string;
  description: string;
  path: string;
};

export function datesOf(subject: Subject, market: Market): readonly CalendarDate[] {
  return subject.listings
    .flatMap((listing) => [closeOf(listing, market), dueDateOf(listing, market)])
    .filter((date) => date !== null)
    .sort((a, b) => (a.at < b.at || (a.at === b.at && a.uid < b.uid) ? -1 : 1))
    .slice(0, MOST_DATES);
}

function closeOf(listing: Listing, market: Market): CalendarDate | null {
  const { acceptsMoney, closeAt, couponIsMaximum, couponRateBps, tenorDays, targetAmount, minRaise } =
    listing;
  if (!acceptsMoney || closeAt === null) return null;
  const rate = `${couponIsMaximum ? "at most " : ""}${formatRate(couponRateBps)}`;
  return {
    ...aboutDate(listing, market, "closes", "Closes"),
    at: closeAt,
    since: market.openedAt(listing),
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
  const { total, payments } = market.scheduleOf(listing);
  const turnedAt = isoTime(secondsOf(maturityAt) + state.after);
  return {
    ...aboutDate(listing, market, "due", state.word),
    at: maturityAt,
    since: latest([
      drawnDownAt,
      ...payments.map(({ at }) => at),
      ...(repayment === "current" ? [] : [turnedAt]),
    ]),
    description: sentences([
      `${nameOf(listing, market)} owes ${formatAmount(outstandingPrincipal)} of principal.`,
      `In all, ${formatAmount(total)} is due, interest included.`,
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
  for (const { uid, at, since, summary, description, path } of dates) {
    calendar.createEvent({
      id: uid,
      start: new Date(at),
      stamp: new Date(since),
      summary,
      description: `${description}\n${publicUrl}${path}`,
      url: publicUrl + path,
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return `${calendar.toString()}`;
}

export function calendarKey(parameters: CalendarParameters): string {
  return createHash("sha256").update(JSON.stringify(parameters)).digest("base64url");
}
