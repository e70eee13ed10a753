/** @module The market of a request, live or past, and its answers. */
import { tmpdir } from "node:os";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../../config/format/time.ts";
import { type AsOf, type MomentUnavailable, outOfRange } from "../history/as-of.ts";
import { addBody, listTag, noContent } from "../http/content-sum.ts";
import {
  type Body,
  type BodyCache,
  createBodyCache,
  createBoundedBodyCache,
  joinedBody,
  jsonBody,
} from "../http/etagged-body.ts";
import { notIndexedYet, ProblemError } from "../http/problem.ts";
import { answer, type Headers, type Validity, withoutEvent } from "../http/respond.ts";
import { sameParts } from "../http/same-parts.ts";
import type { LedgerPage } from "../ledger/read.ts";
import type { Archive } from "../market/archive/archive.ts";
import { isRow } from "../market/archive/facts.ts";
import type { Listings } from "../market/listings.ts";
import type { Head, Market } from "../market/market.ts";
import type { Originator } from "../market/originator.ts";
import { CONFIRMATIONS, textField } from "../market/query-field.ts";
import type { Grade, Listing } from "../market/schema.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import type { RestDependencies } from "./dependencies.ts";
import {
  type AskedList,
  type AskedOriginators,
  createFullLists,
  endOf,
  type Page,
} from "./full-list/index.ts";
import { parameter } from "./parameters.ts";

const asOf = parameter({
  ...textField((text): AsOf | null => (text === "head" ? "head" : parseBlockOrTime(text)), "head", {
    description:
      "The market as it stood: `head` (the live answer), a block number, or a time or date in ISO 8601 (a date is its start in UTC). `holderCount` is null in the past",
    example: "2026-03-01T12:00:00Z",
  }),
  allowed: ["head", BLOCK_OR_TIME_FORM],
});

export const confirmations = parameter(CONFIRMATIONS);

/** The parameters that name a moment; a query has at most one of them. */
export const momentParameters = { asOf, confirmations };

export const asOfParameters = z.object(momentParameters);

export type Moment = { asOf?: AsOf | undefined; confirmations?: number | undefined };

const MOST_PAST_BYTES = 64 * 1024 * 1024;
/** The most bytes kept of businesses with raises that have ended. */
const MOST_ENDED_BYTES = 16 * 1024 * 1024;

type View = {
  market: Market;
  /** caches encoded parts of the live market, and the most recently used of the past */
  encode: Encoder;
  answer(body: Body, partsOf: PartsOf, headers?: Headers): Promise<Response>;
  /** its full lists if they are too long for `encode`; the past has none */
  long: LongLists | null;
};

type LongLists = {
  json(partsOf: PartsOf): Promise<Response>;
  csv(isExcel: boolean, headers: Headers): Promise<Response>;
  /** Filtered or ordered, but not in pages. */
  matching(asked: AskedList, partsOf: PartsOf): Promise<Response>;
  originators(asked: AskedOriginators, partsOf: PartsOf): Promise<Response>;
};

/** The parts from which an answer is made: markets with the same parts have the same body at an address. Captures no market. */
type PartsOf = (market: Market) => readonly unknown[];

/** The market of a request. @throws ProblemError when there is none */
export type ViewAt = (c: Context, moment: Moment) => Promise<View>;

export function createViews({
  updater,
  history,
  firstBlock,
  closing,
  temporary: folder = tmpdir(),
  listLimits: limits,
  log,
}: Pick<
  RestDependencies,
  "updater" | "history" | "firstBlock" | "closing" | "temporary" | "listLimits" | "log"
>): ViewAt {
  const live = createEncoder(createBodyCache());
  let hasWarned = false;
  const warn = (error: unknown) => {
    if (!hasWarned) log.warn({ msg: "The parts of a long list cannot be kept", folder, error });
    hasWarned = true;
  };
  const lists = createFullLists({ encode: live.json, folder, warn, closing, limits });
  const past = createEncoder(createBoundedBodyCache(MOST_PAST_BYTES));
  return async (c, { asOf: moment, confirmations }) => {
    const snapshot = indexed(updater.current());
    requireOne(confirmations, "asOf", moment);
    const asOf = confirmations ? confirmedBy(snapshot, confirmations, firstBlock) : (moment ?? "head");
    const market = await history.at(snapshot, asOf);
    if ("reason" in market) throw noPast(market, confirmations === undefined ? "asOf" : "confirmations");
    const isLive = market === snapshot.market;
    const now = snapshot.market.head;
    const head = isLive ? now : withoutEvent(now);
    const lastingWhile = (partsOf: PartsOf) =>
      isLive && asOf === "head" ? whileCurrent(updater, market, partsOf) : undefined;
    const answerWhole: View["answer"] = (body, partsOf, headers) =>
      answer(c, body, head, { headers, lasting: lastingWhile(partsOf) });
    const answerMade = (made: Response | Body, partsOf: PartsOf, headers: Headers) =>
      made instanceof Response ? made : answerWhole(made, partsOf, headers);
    return {
      market,
      encode: isLive ? live : past,
      long: lists.isLong(market)
        ? {
            json: (partsOf) => lists.json(c, market, head, lastingWhile(partsOf)),
            csv: (isExcel, headers) => lists.csv(c, market, head, isExcel, headers),
            matching: async (asked, partsOf) =>
              answerMade(await lists.matching(c, market, head, asked), partsOf, asked.headers),
            originators: async (asked, partsOf) =>
              answerMade(await lists.originators(c, head, asked), partsOf, asked.headers),
          }
        : null,
      answer: answerWhole,
    };
  };
}

/** @throws ProblemError before the first indexed block */
export function indexed(snapshot: Snapshot | null): Snapshot {
  if (snapshot === null) throw notIndexedYet();
  return snapshot;
}

/** The block of a page of the ledger. In the backfill it may be later than the market's. */
export function headOf({ progress }: Pick<LedgerPage, "progress">, { market }: Snapshot): Head {
  return progress.backfilled ? market.head : progress.head;
}

/** The newest block with this many confirmations. @throws ProblemError when all blocks are indexed and there are not so many */
export function confirmedBy(
  { market, backfilled }: Snapshot,
  confirmations: number,
  firstBlock: bigint,
): { block: bigint } {
  const moment = { block: market.head.number - BigInt(confirmations) };
  const wrong = backfilled ? outOfRange(market, moment, firstBlock) : null;
  if (wrong !== null) throw noPast(wrong, "confirmations");
  return moment;
}

/** @throws ProblemError when two parameters name a moment */
export function requireOne(confirmations: unknown, other: string, another: unknown): void {
  if (confirmations === undefined || another === undefined) return;
  const parameter = "confirmations";
  const detail = `Give only one of "${parameter}" and "${other}": each sets the moment.`;
  const errors = [{ parameter, detail, allowed: ["one of the two"] }];
  throw new ProblemError({ code: "invalid_parameter", detail, errors });
}

/** Cacheable while the current market has the same parts. */
function whileCurrent(updater: MarketSource, market: Market, partsOf: PartsOf): Validity {
  const isSame = sameParts(partsOf(market));
  let isKnown = sameParts([market]);
  return {
    isCurrent() {
      const now = updater.current()?.market ?? null;
      if (now === null) return false;
      if (isKnown([now])) return true;
      if (!isSame(partsOf(now))) return false;
      isKnown = sameParts([now]);
      return true;
    },
    head: () => updater.current()?.market.head ?? null,
  };
}

/** Seconds to wait before asking again. */
const RETRY_AFTER = { backfilling: "10", chain_silent: "2", too_many_requests: "2" } as const;

function noPast(
  { reason, detail, isOfAll = false }: MomentUnavailable,
  parameter: "asOf" | "confirmations",
): ProblemError {
  if (reason === "out_of_range") {
    const [now, others] =
      parameter === "asOf"
        ? ["head", "a moment between the two blocks"]
        : ["0", "no more than there are blocks"];
    const allowed = isOfAll ? [now] : [now, others];
    const errors = [{ parameter, detail, allowed }];
    return new ProblemError({ code: "invalid_parameter", detail, errors });
  }
  return askLater({ reason, detail });
}

/** Asks the client to come back later. */
export function askLater({
  reason,
  detail,
}: {
  reason: keyof typeof RETRY_AFTER;
  detail: string;
}): ProblemError {
  return new ProblemError({ code: reason, detail, headers: { "Retry-After": RETRY_AFTER[reason] } });
}

/** Listings and originators as JSON, each encoded once per change. Lists are joined from them. */
type Encoder = {
  /** The JSON of a value that never changes. */
  json(value: object): Body;
  /** All listings, and the desk, which changes only with them. */
  market(market: Market): Body;
  /** Some of the listings. @param page given for a part of a list */
  listings(market: Market, listings: readonly Listing[], page?: Page): Body;
  /** All originators. */
  originators(originators: readonly Originator[]): Body;
  /** Some of them. @param page given for a part of a list */
  someOriginators(originators: readonly Originator[], page?: Page): Body;
  originator(originator: Originator): Body;
};

function createEncoder(bodies: BodyCache): Encoder {
  const json = (value: object) => bodies(value, "json", () => jsonBody(value));
  const list = <Item>(items: readonly Item[], of: (item: Item) => Body): (string | Body)[] => {
    const encoded = items.flatMap((item, index) => (index === 0 ? [of(item)] : [",", of(item)]));
    return ["[", ...encoded, "]"];
  };
  const ofArchive = createRowBodies(json);
  const ended = createBoundedBodyCache(MOST_ENDED_BYTES);
  const encoder: Encoder = {
    json,
    market: ({ listings, trading }) =>
      bodies(listings, "listings", () => {
        const items = ofArchive(listings);
        const sum = noContent();
        for (const item of items) addBody(sum, item);
        const desk = json(trading);
        const pieces = ['{"listings":', ...list(items, (item) => item), ',"trading":', desk, "}"];
        return joinedBody(pieces, listTag(sum, desk.etag));
      }),
    listings({ trading }, listings, page) {
      const pieces = ['{"listings":', ...list(listings, json), ',"trading":', json(trading), endOf(page)];
      return joinedBody(pieces);
    },
    originators: (originators) =>
      bodies(originators, "originators", () => encoder.someOriginators(originators)),
    someOriginators: (originators, page) =>
      joinedBody(['{"originators":', ...list(originators, encoder.originator), endOf(page)]),
    // The listings come last in its description.
    originator(originator) {
      const { listings, ...facts } = originator;
      const kept = listings.archived === null ? bodies : ended;
      return kept(originator, "originator", () => {
        const start = `${JSON.stringify(facts).slice(0, -1)},"listings":`;
        const own = Array.from(listings.walk("newest"), (one) =>
          isRow(one) ? jsonBody(listings.toRead(one)) : json(one as Listing),
        );
        return joinedBody([start, ...list(own, (item) => item), "}"]);
      });
    },
  };
  return encoder;
}

/** The bodies of a market's listings, newest first. Those of the archive are kept by their rows: to read them again takes long. */
function createRowBodies(json: (value: object) => Body): (listings: Listings) => Body[] {
  let kept = new Map<number, { grade: Grade; body: Body }>();
  let archive: Archive | null = null;
  return (listings) => {
    if (listings.archived === null) return listings.full.map(json);
    const before =
      archive === listings.archived.view.archive ? kept : new Map<number, { grade: Grade; body: Body }>();
    archive = listings.archived.view.archive;
    kept = new Map();
    return Array.from(listings.walk("newest"), (facts) => {
      if (!isRow(facts)) return json(facts);
      const known = before.get(facts.row);
      const grade = facts.originatorGrade;
      const body = known?.grade === grade ? known.body : json(listings.inFull(facts));
      kept.set(facts.row, { grade, body });
      return body;
    });
  };
}
