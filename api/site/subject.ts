/**
 * The subjects that can be followed and shared: the market, a raise, a business. Each has a page, and below the page's address a
 * feed of its events, a calendar of its dates and a picture.
 * @module
 */
import { PATHS, TYPES } from "../http/links.ts";
import type { Market } from "../market/market.ts";
import type { Listing, Originator } from "../market/schema.ts";
import { links, linkTo, section } from "./blocks.ts";
import type { Page } from "./page.ts";
import { businessName, businessPath, raisePath, raiseTitle, SITE_PATHS } from "./paths.ts";

export type Subject = {
  /** path of its page, from the root */
  path: string;
  /** name of the raise or the business; null for the market. May be a third party's text. */
  name: string | null;
  listings: readonly Listing[];
} & (
  | { kind: "market" }
  | { kind: "raise"; listing: Listing; business: Originator }
  | { kind: "business"; business: Originator }
);

export type SubjectKind = Subject["kind"];

/** The pages of the subjects, as Hono patterns; empty for the root. */
export const SUBJECT_PATHS: Record<SubjectKind, string> = {
  market: "",
  raise: `${SITE_PATHS.listings}/:id`,
  business: `${SITE_PATHS.originators}/:publicId`,
};

/** The paths of the files below the page. */
export const FILES = { feed: PATHS.feed, calendar: PATHS.calendar, picture: PATHS.picture } as const;

export const FILE_TYPES = {
  feed: TYPES.atom,
  calendar: TYPES.calendar,
  picture: "image/png",
} as const satisfies Record<keyof typeof FILES, string>;

/** The visible subject with this public id; null when there is none. The market needs no id. */
export function findSubject(market: Market, kind: SubjectKind, publicId: string): Subject | null {
  if (kind === "market") return { kind, path: SITE_PATHS.board, name: null, listings: market.listings };
  if (kind === "business") {
    const business = market.originatorByPublicId.get(publicId);
    if (business === undefined) return null;
    const { listings } = business;
    return { kind, path: businessPath(business), name: businessName(business), listings, business };
  }
  const listing = market.listingByPublicId.get(publicId);
  const business = listing && market.originatorByPublicId.get(listing.originator);
  if (listing === undefined || business === undefined) return null;
  return {
    kind,
    path: raisePath(listing),
    name: raiseTitle(listing),
    listings: [listing],
    listing,
    business,
  };
}

/** The path of one of its files. @param path of its page */
export function fileOf(path: string, file: keyof typeof FILES): string {
  return (path === SITE_PATHS.board ? "" : path) + FILES[file];
}

/** The page of a subject, with its files: as a section, as links of the head, and as the picture of the page elsewhere. */
export function withFiles(page: Page): Page {
  const feed = fileOf(page.path, "feed");
  const calendar = fileOf(page.path, "calendar");
  const follow = section("follow", "Follow", [
    links([
      linkTo("Events as a feed", feed, "Atom, for a feed reader"),
      linkTo("Dates as a calendar", calendar, "iCalendar, to subscribe to in a calendar"),
    ]),
  ]);
  return {
    ...page,
    sections: [...page.sections, follow],
    alternates: [
      { path: feed, type: FILE_TYPES.feed },
      { path: calendar, type: FILE_TYPES.calendar },
    ],
    picture: { path: fileOf(page.path, "picture"), alt: `${page.title}. ${page.description}` },
  };
}
