/** @module The stream: ledger rows, finality, heads and reorgs as Server-Sent Events (docs/decisions/0038-stream.md). */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { DELIVERER_HEADER } from "../../../config/deliverer.ts";
import { anyPathAnswers, problemAnswer } from "../../http/described-answers.ts";
import { headersOf } from "../../http/described-headers.ts";
import { openEnded } from "../../http/open-ended.ts";
import { ProblemError } from "../../http/problem.ts";
import { createSlots } from "../../http/slots.ts";
import { MARKET_EVENTS_FIELDS } from "../../ledger/query-fields.ts";
import { decodeRowId } from "../../ledger/row-id.ts";
import { text } from "../../market/fields.ts";
import { FILTERS, type Originators } from "../../market/listings-filters.ts";
import { textField, wordField } from "../../market/query-field.ts";
import { pairOf } from "../../registry/schema.ts";
import type { RestDependencies } from "../dependencies.ts";
import { listingOf } from "../listings.ts";
import { parameter, parameters } from "../parameters.ts";
import type { RestApi } from "../route.ts";
import { indexed } from "../view.ts";
import { filterOf } from "./filter.ts";
import { createFollower } from "./follower.ts";
import { inLine, shared } from "./reads.ts";
import { ID_FORM, startAfter } from "./start.ts";
import { createTail } from "./tail.ts";

const LAST_EVENT_ID = "Last-Event-ID";

const streamParameters = z.object({
  after: parameter(
    textField(decodeRowId, ID_FORM, {
      description:
        "Resume after the row with this id; `0` starts at the beginning. `@<block>.<seconds>` of the connection's last comment with a block may be added to it. Without it, and without `Last-Event-ID`, the stream starts now",
      example: "48211034-7-deadbeef",
    }),
  ),
  listing: parameter(
    textField((text) => text, "a public id or a refnum", {
      description: "Only rows of this listing, by public id or refnum",
    }),
  ),
  kind: parameter({ ...MARKET_EVENTS_FIELDS.kind, description: "Only rows of these kinds" }),
  finality: parameter(
    wordField(["final"], { description: "`final`: only final rows, none of which is ever withdrawn" }),
  ),
  heads: parameter(
    wordField(["all", "rows"], {
      description:
        "When `head` comes: `all`, for each block, as without a filter; `rows`, only after rows and in place of keep-alives, as with one",
    }),
  ),
  ...parameters(FILTERS),
});

const streamHeaders = z.object({
  "last-event-id": text(
    "Like `after`; browsers send it when they reconnect. It takes precedence over `after`.",
    "48211034-7-deadbeef",
  ).optional(),
});

const EXAMPLE = `event: ledger
id: 48211034-7-deadbeef
data: {"kind":"subscribed","publicId":"lst_bluewater_kelp","refnum":"RB00003","blockNumber":"48211034","blockTime":"2026-03-01T12:00:00Z","logIndex":7,"txHash":"0x${"7a".repeat(32)}","finality":"pending","amount":"250000000000000000000","bidRateBps":1450,"totalRaised":"12250000000000000000000"}

event: head
id: 48211034-7-deadbeef
data: {"blockNumber":"48211034","blockTime":"2026-03-01T12:00:00Z"}
`;

export const getStream = createRoute({
  method: "get",
  path: "/stream",
  operationId: "followEvents",
  summary: "Live event stream",
  description: `Server-Sent Events. \`event: ledger\` has a row as \`/events\` shows it, with an \`id\` to come back with; \`event: final\` says \`{through, root}\`: rows up to that block cannot be undone any more, and the root of the book as of it; \`event: head\` \`{blockNumber, blockTime}\` comes once a block, with the id of the newest row; \`event: reorg\` says \`{from}\`: rows from that block on are withdrawn, and those that replace them follow. The same comes when a raise whose rows were already sent or skipped opens, is published or hidden. A comment comes every 10 s. The filters of \`/listings\` narrow it to the rows of raises that match, or matched until that row: the row by which a raise leaves the filter still comes, and no later one. Earlier rows of a raise that comes to match do not; \`/listings/{id}/events\` has them. Clients that read too slowly are disconnected, as are all when the server is replaced: reconnect with the last id. The number of streams open at a time is limited (\`/developers/limits\`).`,
  tags: ["Ledger"],
  request: { query: streamParameters, headers: streamHeaders },
  responses: {
    200: {
      description: "The stream, which stays open.",
      headers: headersOf("RequestId", "CacheNever", "NotBuffered"),
      content: {
        "text/event-stream": {
          schema: {
            type: "string" as const,
            description: "Server-Sent Events (HTML Living Standard, section 9.2).",
          },
          example: EXAMPLE,
        },
      },
    },
    ...anyPathAnswers,
    400: problemAnswer("An unknown parameter, a value that is not allowed, or an id that no row ever had."),
    404: problemAnswer("No such visible listing."),
    503: problemAnswer(
      "Nothing is indexed yet, the backfill is not over, too many streams are open, or the last blocks are being replaced; see `Retry-After`.",
      "RetryAfter",
    ),
  },
});

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  // nginx would buffer small chunks.
  "X-Accel-Buffering": "no",
};

/** Table reads of all streams together take one connection. Each stream has at most one waiting. */
const READS = { atOnce: 1, waiting: Number.POSITIVE_INFINITY, patience: 60_000 };

export function addStream(
  api: RestApi,
  {
    updater,
    onward,
    bookRoots: { finalRoot },
    closing,
    exposeAccounts,
    log,
    requests,
    isDeliverer,
    streamLimits: limits,
  }: RestDependencies,
): void {
  const slots = createSlots(READS);
  const tail = createTail({
    ...{ updater, finalRoot, exposeAccounts, log, closing, limits },
    // Those of all followers go before those of one.
    reader: inLine(onward, (work) => slots.take(work, true)),
  });
  requests?.watchStreams(tail.size);
  const reader = shared(inLine(onward, slots.take), tail);

  /** As of the moment that a listing is compared. */
  const originators: Originators = {
    get: (id) => updater.current()?.market.originatorByPublicId.get(id),
    has: (id) => updater.current()?.market.originatorByPublicId.has(id) ?? false,
  };

  api.openapi(getStream, async (c) => {
    const { listing, kind, finality, heads, after, ...listings } = c.req.valid("query");
    const { market } = indexed(updater.current());
    const pair = listing === undefined ? null : pairOf(listingOf(market, { id: listing }));
    const last = lastEventId(c);
    const filter = filterOf({ pair, kind, finality, heads, listings }, originators);
    let begin: ReturnType<typeof openEnded>["begin"] | undefined;
    const { member, send } = createFollower({
      ...{ tail, filter, pair, readPage: reader.page, exposeAccounts, log },
      open(events) {
        const opening = openEnded(c, events);
        begin = opening.begin;
        return opening.channel;
      },
    });
    const key = tail.isFull() ? c.req.header(DELIVERER_HEADER) : undefined;
    await tail.join(member, key !== undefined && (await isDeliverer?.(key)));
    member.heard = tail.journal.end();
    const sources = { current: tail.current, reader, filter };
    const start = await startAfter(
      last ?? after ?? null,
      last === null ? "after" : LAST_EVENT_ID,
      sources,
    ).catch((error) => {
      tail.end(member);
      throw error;
    });
    if (c.req.method === "HEAD") tail.end(member);
    if (member.ended) return c.body(null, 200, HEADERS);
    const body = begin?.(HEADERS) ?? null;
    void send(start);
    return body === null ? c.body(null, 200, HEADERS) : c.body(body, 200, HEADERS);
  });
}

/** Null without the header. @throws ProblemError when it is not an id */
function lastEventId(c: Context): ReturnType<typeof decodeRowId> {
  const sent = c.req.header(LAST_EVENT_ID) ?? "";
  const id = sent === "" ? null : decodeRowId(sent);
  if (sent === "" || id !== null) return id;
  const detail = `not ${ID_FORM}`;
  const errors = [{ parameter: LAST_EVENT_ID, detail: `${detail}.`, allowed: [ID_FORM] }];
  throw new ProblemError({ code: "invalid_parameter", detail: `"${LAST_EVENT_ID}": ${detail}.`, errors });
}
