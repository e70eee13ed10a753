/** @module The claims on what can be asked of the REST interface. */
import { expect } from "vitest";
import { SORTS } from "../../api/market/listings-order.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { recordedLedger } from "../harness/fixed-ledger.ts";
import { HEAD } from "../harness/rows.ts";
import { type Check, type Claim, section } from "./knowledge-claims.ts";
import { ask, fails, read } from "./knowledge-claims-asking.ts";

const LISTINGS_TEST = "api/rest/listings.test.ts";

const answers =
  (...paths: string[]): Check =>
  async () => {
    for (const path of paths) await read(path);
  };

const api = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("reading-the-api", anchor, claims);

const API_CLAIMS = [
  api("", [
    ["Public, read-only JSON under `/v1`, without a key.", answers("/v1/listings")],
    [
      "Use GET or HEAD.",
      async () => {
        expect((await ask("/v1/listings", { method: "HEAD" })).status).toBe(200);
        await fails(405, "method_not_allowed", "/v1/listings", { method: "POST" });
      },
    ],
    [
      "Each endpoint is documented at [/developers](/developers), for machines at `/openapi.json`.",
      async () => {
        for (const path of ["/developers", "/openapi.json"]) expect((await ask(path)).status, path).toBe(200);
      },
    ],
  ]),
  api("endpoints", [
    [
      "`/v1/listings`: all visible listings, open or not, and `trading`.",
      async () => expect(Object.keys(await read("/v1/listings"))).toEqual(["listings", "trading"]),
    ],
    [
      "`/v1/listings/{id}`: one by public id or refnum, with `/schedule` and `/events` below it.",
      answers("/v1/listings/lst_2", "/v1/listings/RB00002/schedule", "/v1/listings/lst_2/events"),
    ],
    [
      "`/v1/originators`, `/v1/originators/{publicId}`: businesses with grade and listings.",
      async () => {
        const { originators } = await read("/v1/originators");
        expect(originators[0]).toMatchObject({
          ratingGrade: expect.any(String),
          listings: expect.any(Array),
        });
        expect(await read("/v1/originators/org_northwind")).toEqual(originators[0]);
      },
    ],
    [
      "`/v1/stats/series`: the market by day, week, month or quarter; `/v1/stats/cohorts`: loans by drawdown, grade, business or country.",
      [
        "api/market/over-time.test.ts › has each thing in the month in which it happened, and the levels at its end",
        "api/market/over-time.test.ts › have what became of their loans, and of each month of their lives",
      ],
    ],
    [
      "`/v1/events`, `/v1/stats`, `/v1/anomalies`; how the service is doing: `/v1/health`, `/v1/ready`, `/v1/audit`.",
      answers("/v1/events", "/v1/stats", "/v1/anomalies", "/v1/health", "/v1/ready", "/v1/audit"),
    ],
  ]),
  api("filters-and-sorting", [
    [
      "`/v1/listings` takes `status`, `grade`, `jurisdiction` and `repayment` (several with commas), `originator`, `minCouponBps` and the like, `closingBefore`, `changedSince`, and `q`: words of title, ids or business.",
      [
        `${LISTINGS_TEST} › filter by status, grade, originator, coupon and closing time`,
        `${LISTINGS_TEST} › filter by words, country, repayment and term, in CSV too`,
        `${LISTINGS_TEST} › filter by the due date of what is still owed`,
        `${LISTINGS_TEST} › filter by pace, and by what changed since a block or a time`,
      ],
    ],
    [
      "`sort` is one of 20 orders.",
      () => {
        expect(SORTS).toHaveLength(20);
      },
    ],
  ]),
  api("pages-and-cursors", [
    [
      "Listings and originators have no page limit unless you give `limit` (1 to 200).",
      async () => {
        expect((await read("/v1/listings")).listings).toHaveLength(8);
        for (const path of ["/v1/listings", "/v1/originators"]) {
          expect((await read(path)).page).toBeUndefined();
          await fails(400, "invalid_parameter", `${path}?limit=0`);
          await read(`${path}?limit=200`);
          await fails(400, "invalid_parameter", `${path}?limit=201`);
        }
      },
    ],
    [
      'The next page is `page.nextCursor`, passed as `cursor`, and a `Link` header with `rel="next"`.',
      [`${LISTINGS_TEST} › are linked, in the body and in the header, until the last one`],
    ],
    [
      "Events and anomalies come 50 a page, at most 200.",
      async () => {
        const { asked, reader } = recordedLedger();
        const situation = { overrides: { ledger: reader } };
        await ask("/v1/events", {}, situation);
        await ask("/v1/anomalies", {}, situation);
        expect([asked.events[0]?.limit, asked.anomalies[0]?.limit]).toEqual([50, 50]);
        await fails(400, "invalid_parameter", "/v1/events?limit=201");
        await fails(400, "invalid_parameter", "/v1/anomalies?limit=201");
      },
    ],
  ]),
  api("the-past-asof", [
    [
      "`asOf` (a block number, an ISO time, or `head`) gives listings, schedules, originators and statistics",
      async () => {
        const paths = ["listings", "listings/lst_2", "listings/lst_2/schedule", "originators", "stats"];
        for (const moment of [`${HEAD.number}`, "2026-03-01T12:00:00Z", "head"]) {
          for (const path of paths) await read(`/v1/${path}?asOf=${moment}`);
        }
      },
    ],
    [
      "`confirmations=15`: as of 15 blocks below the head.",
      ["api/rest/as-of.test.ts › %s: confirmations are blocks below the head"],
    ],
  ]),
  api("events-the-ledger", [
    ["The newest come first.", ["api/ledger/read.ts#createLedgerQueries"]],
    [
      "`kind`, `since`, `until` and `originator` filter.",
      ["api/rest/ledger.test.ts › asks for what the parameters say"],
    ],
    [
      "`listing_created`, `listing_terms_updated`, `subscribed`, `refunded`, `reserve_changed`, `listing_closed`, `drawn_down`, `repaid`, `payout_claimed`, `listing_settled`, `listing_cancelled`, `listing_voided`, `unmapped`, `offer_created`, `offer_filled`, `offer_cancelled`",
      () => expect(EVENT_KINDS).toHaveLength(16),
    ],
  ]),
  api("pending-or-final", [
    [
      "Final events cannot be reversed; pending ones still can, by a reorg. `finality` says which.",
      [
        "test/integration/ledger-pages.test.ts › an event is pending until no reorg can reach it, and final from then on",
      ],
    ],
    [
      "By default events name no person's address.",
      ["test/integration/ledger-pages.test.ts › are not named unless EXPOSE_ACCOUNTS is set"],
    ],
  ]),
];

export const CLAIMS_ON_THE_API: readonly Claim[] = API_CLAIMS.flat();
