/** The messages of errors in the arguments, and of those inside. */
import { beforeAll, describe, expect, it } from "vitest";
import { stripControl } from "../../config/format/untrusted-text.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { graphqlApp, queryRunner } from "../../test/harness/graphql.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";

let app: Awaited<ReturnType<typeof graphqlApp>>;
beforeAll(async () => {
  app = await graphqlApp();
});

describe("an error", () => {
  it("names every refused argument at once, as REST does", async () => {
    const { errors } = await queryRunner(app)(
      '{ listings(first: 201, after: "x", status: [], originator: "x y", minCouponBps: -1) { totalCount } }',
    );
    const { code, errors: wrong } = errors?.[0]?.extensions ?? {};
    expect(code).toBe("BAD_USER_INPUT");
    expect(wrong).toEqual([
      {
        parameter: "after",
        detail: expect.stringContaining('"x" is not allowed. Allowed: '),
        allowed: [expect.stringContaining("endCursor")],
      },
      {
        parameter: "status",
        detail: "[] is not allowed. Allowed: one word or more.",
        allowed: ["one word or more"],
      },
      {
        parameter: "originator",
        detail: expect.stringContaining('"x y" is not allowed. Allowed: '),
        allowed: [expect.stringContaining("org_northwind")],
      },
      {
        parameter: "minCouponBps",
        detail: "-1 is not allowed. Allowed: an integer from 0 to 4294967295.",
        allowed: ["an integer from 0 to 4294967295"],
      },
      {
        parameter: "first",
        detail: "201 is not allowed. Allowed: an integer from 1 to 200.",
        allowed: ["an integer from 1 to 200"],
      },
    ]);
    expect(errors?.[0]?.message).toContain('"first": 201 is not allowed. Allowed: an integer from 1 to 200.');
  });

  it.each([
    [
      'listings(sort: newest, after: "WyJtb3N0X3JhaXNlZCIsIjAiLCJsc3RfMSJd") { totalCount }',
      "after",
      "of the order most_raised, not of newest",
    ],
    ['events(since: "yesterday", until: "2026") { nodes { kind } }', "since", "yesterday"],
    [
      'listings(jurisdiction: ["UK"]) { totalCount }',
      "jurisdiction",
      '"UK" is not allowed. Allowed: one of the 249',
    ],
    [
      "listings(jurisdiction: []) { totalCount }",
      "jurisdiction",
      "[] is not allowed. Allowed: one word or more.",
    ],
    [
      'originators(jurisdiction: "UK") { totalCount }',
      "jurisdiction",
      '"UK" is not allowed. Allowed: one of the 249',
    ],
    ['originators(after: "x") { totalCount }', "after", "endCursor"],
    ['events(after: "x") { nodes { kind } }', "after", "endCursor"],
    ["events(kinds: []) { nodes { kind } }", "kinds", "one word or more"],
    ["trading { listings(first: -1) { totalCount } }", "first", "1 to 200"],
  ])("says what is wrong with %s", async (field, parameter, words) => {
    const { errors } = await queryRunner(app)(`{ ${field} }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", errors: [{ parameter }] });
    expect(errors?.[0]?.message).toContain(words);
  });

  it("says what is allowed in place of a literal of the wrong form", async () => {
    const run = queryRunner(app);
    const time = await run('{ listings(closingBefore: "soon") { totalCount } }');
    expect(time.errors?.[0]).toMatchObject({ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } });
    expect(time.errors?.[0]?.message).toContain('"soon" is not allowed. Allowed: a time such as');
    const rate = await run("{ listings(minCouponBps: 1.5) { totalCount } }");
    expect(rate.errors?.[0]?.message).toContain("1.5 is not allowed. Allowed: a whole number");
    const word = await run("{ listings(status: [gone]) { totalCount } }");
    expect(word.errors?.[0]?.message).toContain('"gone" does not exist in "ListingStatus" enum');
  });

  it("is short and plain, whatever was sent", async () => {
    const run = queryRunner(app);
    const nasty = `\u202Etxt.exe\u001b[31m${"x".repeat(5_000)}`;
    const answers = [
      await run("query ($v: Int) { listings(first: $v) { totalCount } }", { v: nasty }),
      await run("query ($v: [ListingStatus!]) { listings(status: $v) { totalCount } }", { v: [nasty] }),
      await run("query ($v: String) { listings(after: $v) { totalCount } }", { v: nasty }),
      await run(`{ ${"x".repeat(5_000)} }`),
    ];
    for (const { errors } of answers) {
      expect(errors).toHaveLength(1);
      expect(errors?.[0]?.message.length).toBeLessThanOrEqual(400);
      const message = errors?.[0]?.message ?? "";
      expect(stripControl(message, { keepLineFeeds: false })).toBe(message);
    }
  });

  it("inside the service is only logged, with the request's id", async () => {
    const { log, lines } = recordedLog();
    const broken = {
      ...fixedLedger(),
      ofListings: async () => Promise.reject(new Error("password=hunter2")),
    };
    const answer = await queryRunner(await graphqlApp({ log, ledger: broken }))(
      "{ events { nodes { kind } } stats { raised } }",
    );
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ events: null, stats: {} });
    expect(answer.errors).toMatchObject([
      { path: ["events"], extensions: { code: "INTERNAL_SERVER_ERROR" } },
    ]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/hunter2|\.ts|stack/);
    expect(lines).toEqual([
      expect.objectContaining({
        level: "error",
        msg: "A query failed",
        path: "events",
        error: "Error: password=hunter2",
      }),
    ]);
  });

  it("says that the ledger differs from the market, and is not logged as a failure", async () => {
    const { log, lines } = recordedLog();
    const run = queryRunner(await graphqlApp({ ...(await neverInStep()), log }));
    const code = "REORGANISING";
    const partial = await run('{ stats { raised } listing(id: "lst_2") { events { nodes { kind } } } }');
    expect(partial).toMatchObject({ status: 200, data: { stats: {}, listing: { events: null } } });
    expect(partial.errors).toMatchObject([{ path: ["listing", "events"], extensions: { code } }]);
    expect(lines).toEqual([]);
  });
});
