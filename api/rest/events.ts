/** @module Pages of the ledger, of all visible listings or of one, and of anomalies, read from the tables for each request. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import { problemAnswer } from "../http/described-answers.ts";
import { type Body, jsonBody } from "../http/etagged-body.ts";
import { pageOrProblem } from "../http/problem.ts";
import { answer, asDownload, type Headers, nextPage, type Validity, withoutEvent } from "../http/respond.ts";
import { sameParts } from "../http/same-parts.ts";
import { anomaliesSchema } from "../ledger/anomaly.ts";
import { decodeAnomalyCursor, decodeEventCursor } from "../ledger/cursor.ts";
import { inStep } from "../ledger/in-step.ts";
import { createOnce } from "../ledger/once.ts";
import { toAnomalyPage, toEventPage, visibleIn } from "../ledger/pages.ts";
import {
  ANOMALIES_FIELDS,
  EVENTS_FIELDS,
  MARKET_EVENTS_FIELDS,
  withinFinality,
} from "../ledger/query-fields.ts";
import type { LedgerPage, LedgerQueries, NoPage } from "../ledger/read.ts";
import type { AnomalyQuery } from "../ledger/read-anomalies.ts";
import type { LedgerQuery } from "../ledger/read-events.ts";
import {
  DOLLAR_COLUMNS,
  EVENT_COLUMNS,
  fieldsOf,
  type LedgerEvent,
  ledgerPageSchema,
} from "../ledger/schema.ts";
import { text } from "../market/fields.ts";
import { findListing, type Head, type Market } from "../market/market.ts";
import { LONGEST_PAGE, limitField, PAGE_LENGTH } from "../market/query-field.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { pairOf } from "../registry/schema.ts";
import { csvFile, dataAnswers, inPages } from "./answers.ts";
import { csvBody, EXCEL, spreadsheetBody } from "./csv.ts";
import type { RestDependencies } from "./dependencies.ts";
import { listingId, listingOf } from "./listings.ts";
import { cursorParameter, parameter, parameters } from "./parameters.ts";
import type { RestApi, RestEnv } from "./route.ts";
import { confirmations, confirmedBy, headOf, indexed, requireOne } from "./view.ts";

const pageParameters = {
  limit: parameter(limitField(LONGEST_PAGE, PAGE_LENGTH)),
  cursor: cursorParameter(decodeEventCursor, "MTIwLjM"),
  confirmations,
};
const eventsParameters = z.object({ ...parameters(EVENTS_FIELDS), ...pageParameters });
const marketEventsParameters = z.object({ ...parameters(MARKET_EVENTS_FIELDS), ...pageParameters });

const marketFileParameters = marketEventsParameters.extend(EXCEL);
const fileParameters = eventsParameters.extend(EXCEL);

const DESCRIPTION =
  "Newest first. A final event is returned exactly once by a walk from page to page; a pending one can still be reorged away.";
const BACKFILLING = "Until the backfill is over: 503 with the code `backfilling`.";
const asCsv = (path: string) => `\`Accept: text/csv\` gets what \`${path}\` answers.`;

const pages = inPages(dataAnswers("A page of the ledger.", ledgerPageSchema));
const file = csvFile("A page of the ledger.", pages);
const backfilling = {
  503: problemAnswer("Nothing is indexed yet, or the backfill is not over; see `Retry-After`.", "RetryAfter"),
};
const noSuchListing = { 404: problemAnswer("No such visible listing.") };

export const listEvents = createRoute({
  method: "get",
  path: "/events",
  operationId: "listEvents",
  summary: "The ledger of all visible listings",
  description: `${DESCRIPTION} ${BACKFILLING} ${asCsv("/events.csv")}`,
  tags: ["Ledger"],
  request: { query: marketEventsParameters },
  responses: { ...pages, ...backfilling },
});

export const listEventsCsv = createRoute({
  ...listEvents,
  path: "/events.csv",
  operationId: "listEventsCsv",
  summary: "The ledger of all visible listings as a file",
  description: `${DESCRIPTION} ${BACKFILLING}`,
  request: { query: marketFileParameters },
  responses: { ...file, ...backfilling },
});

export const listListingEvents = createRoute({
  method: "get",
  path: "/listings/{id}/events",
  operationId: "listListingEvents",
  summary: "The ledger of one listing",
  description: `${DESCRIPTION} ${asCsv("/listings/{id}/events.csv")}`,
  tags: ["Ledger"],
  request: { params: listingId, query: eventsParameters },
  responses: { ...pages, ...noSuchListing },
});

export const listListingEventsCsv = createRoute({
  ...listListingEvents,
  path: "/listings/{id}/events.csv",
  operationId: "listListingEventsCsv",
  summary: "The ledger of one listing as a file",
  description: DESCRIPTION,
  request: { params: listingId, query: fileParameters },
  responses: { ...file, ...noSuchListing },
});

export function addEvents(api: RestApi, deps: RestDependencies): void {
  const { updater, firstBlock, publicSettings, exposeAccounts } = deps;
  type Query = z.output<typeof eventsParameters> & Partial<z.output<typeof fileParameters>>;
  type ReadPage = (ledger: LedgerQueries, market: Market, query: LedgerQuery) => Promise<LedgerPage | NoPage>;
  const once = createOnce<Made>();
  const answerPage = async (c: Context<RestEnv>, query: Query, readPage: ReadPage, headers: Headers = {}) => {
    const { pathname, search } = new URL(c.req.url);
    const make = async (snapshot: Snapshot, ledger: LedgerQueries): Promise<Made> => {
      const { market } = snapshot;
      const page = pageOrProblem(await readPage(ledger, market, toLedgerQuery(query, snapshot, firstBlock)));
      const { events, nextCursor } = toEventPage(page, market, exposeAccounts, query.finality);
      const body =
        c.var.type === "text/csv"
          ? eventsCsv(events, { exposeAccounts, isExcel: query.excel !== undefined })
          : jsonBody({ events, page: { nextCursor } });
      const links = nextPage(c.req.url, publicSettings, nextCursor);
      const isMoving = query.finality !== undefined || query.confirmations !== undefined;
      const lasting = isMoving ? undefined : whileSamePage(updater, snapshot, page, query);
      const head = headOf(page, snapshot);
      return { body, links, lasting, head: query.confirmations === undefined ? head : withoutEvent(head) };
    };
    const { body, links, lasting, head } = await inStep(deps, async (current, ledger) => {
      const snapshot = indexed(current);
      return once(snapshot, `${c.var.type} ${pathname}${search}`, () => make(snapshot, ledger));
    });
    return answer(c, body, head, { headers: { ...headers, ...links }, lasting });
  };

  const ofMarket =
    ({ originator }: z.output<typeof marketEventsParameters>): ReadPage =>
    (ledger, market, query) =>
      ledger.ofListings(visibleIn(market, originator), query);
  api.openapi(listEvents, (c) => answerPage(c, c.req.valid("query"), ofMarket(c.req.valid("query"))));
  const asFile = asDownload("events.csv");
  api.openapi(listEventsCsv, (c) =>
    answerPage(c, c.req.valid("query"), ofMarket(c.req.valid("query")), asFile),
  );

  const ofOne =
    (id: z.output<typeof listingId>): ReadPage =>
    async (ledger, market, query) =>
      ledger.ofListing(pairOf(listingOf(market, id)), query);
  api.openapi(listListingEvents, (c) => answerPage(c, c.req.valid("query"), ofOne(c.req.valid("param"))));
  api.openapi(listListingEventsCsv, (c) =>
    answerPage(c, c.req.valid("query"), ofOne(c.req.valid("param")), asFile),
  );
}

/** The answer for one page, shared by all who request it. */
type Made = { body: Body; links: Headers; lasting: Validity | undefined; head: Head };

/** It changes with ledger, finality and visible listings; a page below a final event changes only with the visible listings. */
function whileSamePage(
  updater: MarketSource,
  before: Snapshot,
  { rows, progress }: LedgerPage,
  { cursor }: Pick<z.output<typeof eventsParameters>, "cursor">,
): Validity {
  const newest = rows[0]?.blockNumber ?? 0n;
  const isOld = cursor !== undefined && cursor.blockNumber <= progress.finalized.number;
  const finalOf = ({ finalized }: Snapshot) => (finalized.number < newest ? finalized.number : newest);
  const partsOf = (one: Snapshot) => [
    one.market.listings,
    one.registry,
    ...(isOld ? [] : [one.ledgerRevision, finalOf(one)]),
  ];
  const isSame = sameParts(partsOf(before));
  return {
    isCurrent() {
      const now = updater.current();
      return now !== null && isSame(partsOf(now));
    },
    head: () => updater.current()?.market.head ?? null,
  };
}

/** @throws ProblemError when two parameters set the end, or one sets it before the first block */
function toLedgerQuery(
  query: z.output<typeof eventsParameters>,
  snapshot: Snapshot,
  firstBlock: bigint,
): LedgerQuery {
  const { kind, since = null, until = null, finality, confirmations } = query;
  requireOne(confirmations, "until", query.until);
  const confirmed = confirmations === undefined ? until : confirmedBy(snapshot, confirmations, firstBlock);
  return {
    kinds: kind === undefined ? null : new Set(kind),
    ...withinFinality({ since, until: confirmed }, finality, snapshot),
    before: query.cursor ?? null,
    limit: query.limit ?? PAGE_LENGTH,
  };
}

type CsvOptions = { exposeAccounts: boolean; isExcel: boolean };

function eventsCsv(events: readonly LedgerEvent[], { exposeAccounts, isExcel }: CsvOptions): Body {
  const persons: readonly string[] = PERSONS;
  const columns = exposeAccounts
    ? EVENT_COLUMNS
    : EVENT_COLUMNS.filter((column) => !persons.includes(column));
  if (!isExcel) return csvBody(columns, events);
  return spreadsheetBody(columns, events, DOLLAR_COLUMNS, ({ kind }, column) =>
    fieldsOf(kind).some(({ name, unit }) => name === column && unit === "dollars"),
  );
}

const anomaliesParameters = z.object({
  ...parameters(ANOMALIES_FIELDS),
  listing: text("Only of this visible listing: its public id or refnum.", "lst_bakery").optional(),
  limit: parameter(limitField(LONGEST_PAGE, PAGE_LENGTH)),
  cursor: cursorParameter(decodeAnomalyCursor),
});

export const listAnomalies = createRoute({
  method: "get",
  path: "/anomalies",
  operationId: "listAnomalies",
  summary: "Anomalies of the chain",
  description:
    "Newest first, also of listings that are not visible: anomalies are facts of the chain, identified by escrow and on-chain id.",
  tags: ["Ledger"],
  request: { query: anomaliesParameters },
  responses: inPages(dataAnswers("A page of the anomalies.", anomaliesSchema)),
});

export function addAnomalies(api: RestApi, deps: RestDependencies): void {
  api.openapi(listAnomalies, (c) =>
    inStep(deps, async (current, ledger) => {
      const snapshot = indexed(current);
      const { market } = snapshot;
      const page = pageOrProblem(await ledger.anomalies(toAnomalyQuery(c.req.valid("query"), market)));
      const { nextCursor, ...shown } = toAnomalyPage(page, market);
      const body = jsonBody({ ...shown, page: { nextCursor } });
      return answer(c, body, headOf(page, snapshot), {
        headers: nextPage(c.req.url, deps.publicSettings, nextCursor),
      });
    }),
  );
}

/** An unknown listing is not an error: it has no anomalies. */
function toAnomalyQuery(query: z.output<typeof anomaliesParameters>, market: Market): AnomalyQuery {
  const { kind, listing, limit = PAGE_LENGTH, cursor = null } = query;
  const visible = listing === undefined ? undefined : findListing(market, listing);
  const pairs = listing === undefined ? null : visible === undefined ? [] : [pairOf(visible)];
  return { kinds: kind === undefined ? null : new Set(kind), pairs, before: cursor, limit };
}
