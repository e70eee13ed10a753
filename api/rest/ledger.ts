/**
 * The ledger's pages and the anomalies: the only paths that read the tables for each request.
 * @module
 */
import type { Context, Hono } from "hono";
import { type Body, jsonBody } from "../http/body.ts";
import { nextPage } from "../http/next-page.ts";
import { problem } from "../http/problem.ts";
import { answer, download } from "../http/respond.ts";
import type { LedgerPage, LedgerQuery, NoPage } from "../ledger/read.ts";
import { EVENT_COLUMNS, type LedgerEvent, PERSONS } from "../ledger/schema.ts";
import { pairOf, showAnomalies, showEvents } from "../ledger/show.ts";
import { findListing, type Market } from "../market/project.ts";
import { quote } from "../untrusted-text.ts";
import { csvBody } from "./csv.ts";
import type { RestDependencies } from "./dependencies.ts";
import { anomalyParameters, ledgerParameters, toAnomalyQuery, toLedgerQuery } from "./ledger-parameters.ts";
import * as routes from "./ledger-routes.ts";
import { readParameters } from "./parameters.ts";
import { notFound, notIndexedYet, onGet, wantedType } from "./route.ts";

const JSON_ONLY = ["application/json"] as const;
const JSON_OR_CSV = ["application/json", "text/csv"] as const;

type Route = Parameters<typeof onGet>[1];
/** Reads a page of the listings that the path means; or says that there is no such listing. */
type ReadPage = (c: Context, market: Market, query: LedgerQuery) => Promise<LedgerPage | NoPage> | Response;

/** Adds events and anomalies to the routes under `/v1`. */
export function addLedgerRoutes(rest: Hono, deps: RestDependencies): void {
  const { feed, ledger, site, exposeAccounts } = deps;

  const answerEvents = async (c: Context, type: (typeof JSON_OR_CSV)[number], readPage: ReadPage) => {
    const read = readParameters(c.req.url, ledgerParameters);
    if ("problem" in read) return problem(c, { code: "invalid_parameter", ...read.problem });
    const market = feed.current()?.market;
    if (market === undefined) return notIndexedYet(c);
    const page = await readPage(c, market, toLedgerQuery(read.values));
    if (page instanceof Response) return page;
    if (typeof page === "string") return noPage(c, page);
    const { events, nextCursor } = showEvents(page, market, exposeAccounts);
    const body =
      type === "text/csv" ? eventsCsv(events, exposeAccounts) : jsonBody({ events, page: { nextCursor } });
    return answer(c, body, page.progress.head, nextPage(c.req.url, site, nextCursor));
  };

  const onEvents = (paths: { page: Route; file: Route }, readPage: ReadPage) => {
    onGet(rest, paths.page, (c) => {
      const type = wantedType(c, JSON_OR_CSV);
      return type instanceof Response ? type : answerEvents(c, type, readPage);
    });
    // A link that is clicked asks for HTML first: the path says what is wanted.
    onGet(rest, paths.file, async (c) => download(await answerEvents(c, "text/csv", readPage), "events.csv"));
  };

  onEvents({ page: routes.listEvents, file: routes.listEventsCsv }, (_, market, query) =>
    ledger.ofListings(market.listings.map(pairOf), query),
  );
  onEvents({ page: routes.listListingEvents, file: routes.listListingEventsCsv }, (c, market, query) => {
    const id = c.req.param("id") ?? "";
    const listing = findListing(market, id);
    if (listing !== undefined) return ledger.ofListing(pairOf(listing), query);
    return notFound(c, `No visible listing has the public id or refnum ${quote(id)}.`);
  });

  onGet(rest, routes.listAnomalies, async (c) => {
    const type = wantedType(c, JSON_ONLY);
    if (type instanceof Response) return type;
    const read = readParameters(c.req.url, anomalyParameters);
    if ("problem" in read) return problem(c, { code: "invalid_parameter", ...read.problem });
    const market = feed.current()?.market;
    if (market === undefined) return notIndexedYet(c);
    const page = await ledger.anomalies(toAnomalyQuery(read.values, market));
    if (typeof page === "string") return noPage(c, page);
    const { nextCursor, ...shown } = showAnomalies(page, market);
    const body = jsonBody({ ...shown, page: { nextCursor } });
    return answer(c, body, page.progress.head, nextPage(c.req.url, site, nextCursor));
  });
}

function eventsCsv(events: readonly LedgerEvent[], exposeAccounts: boolean): Body {
  const persons: readonly string[] = PERSONS;
  const columns = exposeAccounts
    ? EVENT_COLUMNS
    : EVENT_COLUMNS.filter((column) => !persons.includes(column));
  return csvBody(columns, events);
}

function noPage(c: Context, reason: NoPage): Response {
  if (reason === "not_indexed_yet") return notIndexedYet(c);
  const detail =
    "The events of all listings can be read once the backfill is over; those of one listing can now.";
  return problem(c, { code: reason, detail, headers: { "Retry-After": "10" } });
}
