import { describe, expect, it } from "vitest";
import { isoTime } from "../../config/format/time.ts";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import { type History, outOfRange } from "../history/as-of.ts";

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);

it("no block number is below zero where confirmations are more than the blocks of the chain", async () => {
  const { market } = await snapshotOf(tablesOf());
  const block = 5n - 10_000n;
  const young = { ...market, head: { ...market.head, number: 5n } };
  expect(outOfRange(young, { block }, 2n)).toMatchObject({
    detail: "The chain has fewer blocks. Blocks 2 to 5 are indexed.",
  });
});

describe("asOf", () => {
  const PATHS = [
    "/v1/listings",
    "/v1/listings/lst_1",
    "/v1/listings/lst_1/schedule",
    "/v1/originators",
    "/v1/originators/org_northwind",
    "/v1/stats",
  ];

  it.each(PATHS)("%s: head is the live answer, byte for byte, with the same tag", async (path) => {
    const [live, head] = [await ask(path), await ask(`${path}?asOf=head`)];
    expect(live.status).toBe(200);
    expect(head.text).toBe(live.text);
    expect(head.headers.get("etag")).toBe(live.headers.get("etag"));
  });

  it.each(PATHS)("%s: the past is the history's, and the headers say how far the index is", async (path) => {
    const past = await snapshotOf(tablesOf({ listings: [] }));
    const asked: unknown[] = [];
    const history: History = {
      at: async (_, asOf) => {
        asked.push(asOf);
        return past.market;
      },
    };
    const then = asking(await appIn({ overrides: { history } }));
    const answer = await then(`${path}?asOf=48211000`);
    expect(asked).toEqual([{ block: 48_211_000n }]);
    expect(answer.status).toBe(/lst_1|org_/.test(path) ? 404 : 200);
    if (answer.status === 404) expect(answer.text).toContain(`as of block ${HEAD.number}`);
    if (answer.status === 200) {
      expect(answer.headers.get("x-indexed-block")).toBe(HEAD.number.toString());
      expect(answer.text).not.toContain("lst_1");
    } else {
      // The history knows no block of a time.
      const { text } = await then(`${path}?asOf=2026-02-25`);
      expect(text).toContain(`as of ${isoTime(HEAD.timestamp)}`);
    }
    assertAnswer(path, answer);
  });

  it.each(PATHS)("%s: confirmations are blocks below the head", async (path) => {
    const asked: unknown[] = [];
    const history: History = {
      at: async ({ market }, asOf) => {
        asked.push(asOf);
        return market;
      },
    };
    const then = asking(await appIn({ overrides: { history } }));
    for (const query of ["confirmations=15", "confirmations=0"]) {
      const answer = await then(`${path}?${query}`);
      expect(answer.status).toBe(200);
      assertAnswer(path, answer);
    }
    expect(asked).toEqual([{ block: HEAD.number - 15n }, "head"]);
    const both = await then(`${path}?asOf=head&confirmations=0`);
    expect(both.status).toBe(400);
    expect(JSON.parse(both.text).errors).toMatchObject([{ parameter: "confirmations" }]);
  });

  it.each([...PATHS, "/statistics"])("%s: only the live answer names the newest event", async (path) => {
    const past = await snapshotOf(tablesOf());
    // A later event of a log.
    const lastRow = "48211000-3.1-deadbeef";
    const market = { ...past.market, head: { ...HEAD, lastRow } };
    const history: History = {
      at: async (snapshot, asOf) => (asOf === "head" ? snapshot.market : past.market),
    };
    const then = asking(await appIn({ snapshot: { ...past, market }, overrides: { history } }));
    const named = async (query: string) => {
      const answer = await then(`${path}${query}`);
      if (path.startsWith("/v1")) assertAnswer(path, answer);
      const { status, headers } = answer;
      return [status, headers.get("x-indexed-block"), headers.get("x-indexed-event")];
    };
    const head = HEAD.number.toString();
    for (const query of ["", "?asOf=head"]) expect(await named(query)).toEqual([200, head, lastRow]);
    for (const query of ["?asOf=48210000", "?asOf=2026-02-25"])
      expect(await named(query)).toEqual([200, head, null]);
  });

  it.each([
    ["out_of_range", 400, "invalid_parameter"],
    ["backfilling", 503, "backfilling"],
    ["chain_silent", 503, "chain_silent"],
    ["too_many_requests", 429, "too_many_requests"],
  ] as const)("%s: %i", async (reason, status, code) => {
    const history: History = { at: async () => ({ reason, detail: "There is none." }) };
    const then = asking(await appIn({ overrides: { history } }));
    for (const path of PATHS) {
      const answer = await then(`${path}?confirmations=100`);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.text)).toMatchObject({ code, detail: "There is none." });
      if (status === 400) expect(answer.text).toContain('"parameter":"confirmations"');
      expect(answer.headers.has("retry-after")).toBe(status !== 400);
      assertAnswer(path, answer);
    }
  });
});
