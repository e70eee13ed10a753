/** @module The subjects that can be followed and shared (the market, a raise, a business), with their files below the page's address. */
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { type Answers, keptAnswers, problemAnswer } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../http/described-headers.ts";
import { PATHS, TYPES } from "../http/links.ts";
import { methodNotAllowed, notIndexedYet, ProblemError } from "../http/problem.ts";
import { answerMoved, type Validity } from "../http/respond.ts";
import { sameParts } from "../http/same-parts.ts";
import { inStep } from "../ledger/in-step.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { SomeListings } from "../market/listings.ts";
import type { ListingsFilters } from "../market/listings-filters.ts";
import type { ListingsQuery } from "../market/listings-query.ts";
import { findListing, type Market } from "../market/market.ts";
import type { Originator } from "../market/originator.ts";
import type { Listing } from "../market/schema.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { links, linkTo, section } from "./blocks.ts";
import type { SiteDependencies } from "./dependencies.ts";
import type { Page } from "./page.ts";
import { businessName, businessPath, raisePath, raiseTitle, SITE_PATHS } from "./paths.ts";

export type Subject = {
  path: string;
  /** name of the raise or the business; null for the market. May be a third party's text. */
  name: string | null;
  /** all that the subject has, without a filter */
  listings: SomeListings;
  /** of the market's listings, and as the query of an address; absent if they are all */
  filter?: ListingsQuery;
  query?: string;
} & (
  | { kind: "market" }
  | { kind: "raise"; listing: Listing; business: Originator }
  | { kind: "business"; business: Originator }
);

export type SubjectKind = Subject["kind"];

/** The pages of the subjects, as Hono patterns; empty for the root. */
const SUBJECT_PATHS: Record<SubjectKind, string> = {
  market: "",
  raise: `${SITE_PATHS.listings}/:id`,
  business: `${SITE_PATHS.originators}/:publicId`,
};

const FILES = { feed: PATHS.feed, calendar: PATHS.calendar, picture: PATHS.picture } as const;

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
      linkTo("Calendar", calendar, "add the closing and due dates to your calendar"),
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

type FileKind = keyof typeof FILES;
/** Answers with the file of a subject as of this snapshot, and of the ledger in step with it. */
type FileHandler = (
  c: Context,
  subject: Subject,
  snapshot: Snapshot,
  ledger: LedgerQueries,
) => Promise<Response>;

export const movedAnswer = {
  description: "The raise has this reference number; its address is that of its public id.",
  headers: headersOf("RequestId", "Location", "Vary", "CacheMoment"),
};

const KINDS = Object.keys(SUBJECT_PATHS) as SubjectKind[];

export function addFile(
  routes: Hono,
  deps: Pick<SiteDependencies, "updater" | "ledger">,
  file: FileKind,
  answer: FileHandler,
): void {
  for (const kind of KINDS) {
    const address = SUBJECT_PATHS[kind] + FILES[file];
    routes.get(address, (c) =>
      inStep(deps, async (snapshot, ledger) => {
        if (snapshot === null) throw notIndexedYet();
        const id = Object.values<string>(c.req.param())[0] ?? "";
        const subject = findSubject(snapshot.market, kind, id);
        if (subject !== null) return answer(c, subject, snapshot, ledger);
        const listing = kind === "raise" ? findListing(snapshot.market, id) : undefined;
        if (listing !== undefined) return answerMoved(c, fileOf(raisePath(listing), file));
        throw new ProblemError({ code: "not_found", detail: `No visible ${kind} has this public id.` });
      }),
    );
    routes.all(address, methodNotAllowed);
  }
}

/** Cacheable while the snapshot is the current one. @param restOf what else the answer is made of; it captures no market */
export function whileSnapshot(
  updater: MarketSource,
  snapshot: Snapshot,
  restOf: () => readonly unknown[] = () => [],
): Validity {
  const { head } = snapshot.market;
  const isSame = sameParts([snapshot, ...restOf()]);
  return { isCurrent: () => isSame([updater.current(), ...restOf()]), head: () => head };
}

const NAMES: Record<SubjectKind, { name: string; of: string; example?: string }> = {
  market: { name: "Market", of: "the market" },
  raise: { name: "Raise", of: "a raise", example: "lst_bakery" },
  business: { name: "Business", of: "a business", example: "org_northwind" },
};

type FileDescription = {
  file: FileKind;
  name: string;
  summary: string;
  description: string;
  cache: HeaderComponent;
  unavailable: string;
  /** the filters that the market's file takes; absent if it takes none */
  filters?: ListingsFilters;
};

const TEXT = { type: "string" as const };
const BINARY = { type: "string" as const, format: "binary" };

export function fileRoutes({ file, filters, ...about }: FileDescription): RouteConfig[] {
  const type = FILE_TYPES[file];
  return KINDS.map((kind) => {
    const { name, of, example } = NAMES[kind];
    const answers: Answers = {
      ...keptAnswers(
        `${about.name} of ${of}.`,
        ["RequestId", "ETag", "Vary", about.cache, "IndexedBlock", "IndexedAt", "IndexedEvent"],
        { [type]: { schema: type.startsWith("image/") ? BINARY : TEXT } },
      ),
      ...(kind === "raise" ? { 302: movedAnswer } : {}),
      ...(example === undefined ? {} : { 404: problemAnswer(`No visible ${kind} has this public id.`) }),
      ...(kind === "market" && filters !== undefined
        ? { 400: problemAnswer("An unknown parameter, or a value that is not allowed.") }
        : {}),
      503: problemAnswer(about.unavailable, "RetryAfter"),
    };
    return {
      method: "get",
      path: SUBJECT_PATHS[kind].replace(/:(\w+)/, "{$1}") + FILES[file],
      operationId: `get${name}${about.name}`,
      summary: `${about.summary} of ${of}`,
      description: about.description,
      tags: ["Pages"],
      request: example === undefined ? filterOf(filters) : { params: idOf(kind, example) },
      responses: answers,
    };
  });
}

/** Described as texts: the reference of `/v1/listings` has their forms. */
function filterOf(filters: ListingsFilters = {}): { query?: z.ZodObject } {
  const parameters = Object.entries(filters).map(([name, { description, schema, example }]) => {
    const text = z.string().optional();
    const isList = schema instanceof z.ZodArray;
    const shown = [example].flat().join(",");
    return [
      name,
      text.openapi({
        description: `${description}.${isList ? " Several are separated by commas." : ""}`,
        example: shown,
      }),
    ];
  });
  return parameters.length === 0 ? {} : { query: z.object(Object.fromEntries(parameters)) };
}

function idOf(kind: SubjectKind, example: string) {
  const [, name = ""] = /:(\w+)/.exec(SUBJECT_PATHS[kind]) ?? [];
  const description = `Public id of a visible ${kind}.`;
  return z.object({
    [name]: z.string().openapi({ param: { name, in: "path" }, description, example }),
  });
}
