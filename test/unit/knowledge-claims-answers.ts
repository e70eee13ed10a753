/** @module The claims on what every answer of the REST interface has: freshness, identifiers, forms, errors. */
import { expect } from "vitest";
import type { History, MomentUnavailable } from "../../api/history/as-of.ts";
import { PROBLEMS } from "../../api/http/problem.ts";
import type { Listing } from "../../api/market/schema.ts";
import { appIn, type Situation } from "../harness/app.ts";
import { asking } from "../harness/asking.ts";
import { HEAD } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";
import { ask, fails, read } from "./knowledge-claims-asking.ts";

const CSV = "api/rest/csv.test.ts";

const without = (reason: MomentUnavailable["reason"]): Situation => ({
  overrides: { history: { at: async () => ({ reason, detail: "No past." }) } },
});

const api = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("reading-the-api", anchor, claims);

const ANSWER_CLAIMS = [
  api("how-fresh-is-the-data", [
    [
      "`X-Indexed-Block` and `X-Indexed-At` always name the last indexed block.",
      async () => {
        const past: History = { at: async ({ market }) => ({ ...market, head: { ...HEAD, number: 120n } }) };
        for (const query of ["", "?asOf=120"]) {
          const { headers } = await ask(`/v1/listings${query}`, {}, { overrides: { history: past } });
          expect(headers.get("x-indexed-block")).toBe(`${HEAD.number}`);
          expect(headers.get("x-indexed-at")).toBe("2026-03-01T12:00:00Z");
        }
      },
    ],
    [
      "`/v1/health` has `lagSeconds` and a status: `ok`, `syncing` or `degraded` (something is wrong).",
      async () => {
        const statusIn = async (situation: Situation) => {
          const health = JSON.parse((await ask("/v1/health", {}, situation)).text);
          expect(health).toHaveProperty("lagSeconds");
          return health.status;
        };
        expect(await statusIn({})).toBe("ok");
        expect(await statusIn({ snapshot: null })).toBe("syncing");
        expect(await statusIn({ registry: { status: "refused" } })).toBe("degraded");
      },
    ],
  ]),
  api("proofs-and-data-files", [
    [
      "`/v1/listings/{id}/proof` derives totals from events, `/v1/events/{event}/proof` proves one by its block.",
      async () => {
        const { totals } = await read("/v1/listings/lst_2/proof");
        expect(totals).toHaveProperty("raisedAmount");
        const { paths } = await read("/openapi.json");
        expect(paths["/listings/{id}/proof"].get.description).toContain(
          "the last final event that carries it",
        );
        expect(paths["/events/{event}/proof"].get.description).toMatch(/^With the block's hash alone/);
      },
    ],
    [
      "`/v1/root` is a hash over the book; `/data` has it as Parquet for SQL.",
      async () => {
        const { paths } = await read("/openapi.json");
        expect(paths["/root"].get.description).toMatch(/^One hash over every listing and every event/);
        const { text } = await ask("/data.md");
        for (const word of ["Parquet", "SELECT"]) expect(text).toContain(word);
      },
    ],
  ]),
  api("how-do-i-follow-changes", [
    [
      "`/feed.atom` and `/calendar.ics` take the filters of listings.",
      async () => {
        for (const path of ["/feed.atom", "/calendar.ics"]) {
          expect((await ask(`${path}?repayment=late`)).status, path).toBe(200);
        }
      },
    ],
    [
      "Lateness has no event: poll `repayment=late`.",
      async () => {
        const late = (await read("/v1/listings?repayment=late")).listings as Listing[];
        expect(late.map(({ publicId }) => publicId)).toEqual(["lst_3"]);
      },
    ],
    ["Webhooks are set up by the operator.", ["operate/webhooks/targets.ts#loadTargets"]],
    [
      "Or poll with `If-None-Match` and the last `ETag`; 304 means unchanged",
      async () => {
        const etag = (await ask("/v1/listings")).headers.get("etag") ?? "";
        expect((await ask("/v1/listings", { headers: { "If-None-Match": etag } })).status).toBe(304);
      },
    ],
    [
      "`/v1/stream` gives each event as it comes",
      [
        "test/integration/stream-http.test.ts › gives the rows that a filter names, of before and as they come",
      ],
    ],
  ]),
  api("identifiers-and-addresses", [
    [
      "`publicId` (`lst_…`, `org_…`) is stable. `refnum` is the token's symbol. `onchainId` starts again at 1 with each redeploy",
      [
        "test/integration/time-and-registry.test.ts › an entry that is pointed at another pair, as after a redeploy, keeps its public id",
        "contracts/EscrowListings.sol#createListing",
        "test/contracts/terms.test.ts › numbers from 1 and announces the terms and a token of its own",
      ],
    ],
    [
      "`escrowAddress`; `tokenAddress` is the raise's token",
      [
        "api/market/project.test.ts › has every field of the interface document, and ours",
        "test/contracts/raise.test.ts › mints the principal to the backer and takes the money from the payer",
      ],
    ],
    [
      "Addresses are lowercase: compare them so. Times are ISO 8601 in UTC.",
      async () => {
        const { listings } = (await read("/v1/listings")) as { listings: Listing[] };
        for (const { tokenAddress, escrowAddress, goLiveAt } of listings) {
          for (const address of [tokenAddress, escrowAddress]) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
          expect(goLiveAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        }
      },
    ],
  ]),
  api("csv-export", [
    [
      "For a table instead of JSON send `Accept: text/csv`, or add `.csv`: `/v1/listings.csv`, `/v1/events.csv`, `/v1/listings/{id}/events.csv`.",
      async () => {
        const csv = [
          await ask("/v1/listings", { headers: { Accept: "text/csv" } }),
          await ask("/v1/listings.csv"),
          await ask("/v1/events.csv"),
          await ask("/v1/listings/lst_2/events.csv"),
        ];
        for (const { headers } of csv) expect(headers.get("content-type")).toMatch(/^text\/csv;/);
      },
    ],
    [
      "Amounts stay in base units.",
      [`${CSV} › has a column for each field of a listing, in its order, with the same values`],
    ],
  ]),
  api("errors-and-rate-limits", [
    [
      "Errors are `application/problem+json` with `code`, `detail` and `requestId`; `errors` names each bad parameter and what is allowed.",
      async () => {
        const { errors } = await fails(400, "invalid_parameter", "/v1/listings?sort=best&page=2");
        expect(errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
          "page",
          "sort",
        ]);
        for (const { allowed } of errors) expect(allowed).not.toEqual([]);
      },
    ],
    [
      "[All codes and limits](/developers/limits).",
      async () => {
        const page = (await ask("/developers/limits.md")).text;
        for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`\`${code}\``);
      },
    ],
    [
      "A 429 or 503 has `Retry-After`.",
      async () => {
        await fails(503, "backfilling", "/v1/listings?asOf=1", {}, without("backfilling"));
        await fails(429, "too_many_requests", "/v1/stats?asOf=1", {}, without("too_many_requests"));
      },
    ],
    ["Send a `User-Agent` that names you.", "advice"],
    [
      "There is no rate limit unless the operator sets one; `RateLimit` then has it. Too many `asOf` requests also get a 429.",
      async () => {
        const app = asking(await appIn());
        const many = await Promise.all(Array.from({ length: 300 }, () => app("/v1/listings")));
        expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
      },
    ],
  ]),
];

export const CLAIMS_ON_ANSWERS: readonly Claim[] = ANSWER_CLAIMS.flat();
