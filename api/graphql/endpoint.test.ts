/**
 * GraphQL over HTTP: methods, media types, sizes, freshness; and what is said when something is wrong.
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { fixedLedger, recordedLog, snapshotOf, tablesOf } from "../../test/harness/app.ts";
import { everyState, HEAD, listingRow } from "../../test/harness/rows.ts";
import { stripControl } from "../registry/text.ts";
import { askingOf, dependencies, graphqlOf } from "./asking.ts";
import { createGraphql } from "./index.ts";

type App = Awaited<ReturnType<typeof graphqlOf>>;
let app: App;
beforeAll(async () => {
  app = await graphqlOf();
});

const JSON_BODY = { "Content-Type": "application/json" };
const STRICT = "application/graphql-response+json";
const post = (body: string, headers: Record<string, string> = {}) =>
  app.request("/", { method: "POST", headers: { ...JSON_BODY, ...headers }, body });
const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  app.request(`/?${new URLSearchParams(query)}`, { headers });
const RAISED = "{ stats { raised } }";

describe("a question", () => {
  it("in a URL and in a body has the same answer", async () => {
    const variables = { id: "lst_2" };
    const query = "query One($id: String!) { listing(id: $id) { refnum } } query Two { __typename }";
    const asked = { query, variables, operationName: "One" };
    const answers = [
      await post(JSON.stringify(asked)),
      await get({ query, operationName: "One", variables: JSON.stringify(variables) }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toEqual({ data: { listing: { refnum: "RB00002" } } });
    }
  });

  it("has its fields answered in its own order, whatever takes longer", async () => {
    const text = await (
      await post(JSON.stringify({ query: `{ events { nodes { kind } } stats { raised } }` }))
    ).text();
    expect(text).toMatch(/^\{"data":\{"events":.*,"stats":/);
  });

  it("names the head that it is answered at, and what the answer depends on", async () => {
    for (const answer of [await get({ query: RAISED }), await post(JSON.stringify({ query: RAISED }))]) {
      expect(answer.headers.get("x-indexed-block")).toBe(`${HEAD.number}`);
      expect(answer.headers.get("x-indexed-at")).toBe("2026-03-01T12:00:00Z");
      expect(answer.headers.get("vary")).toBe("Accept, Accept-Encoding");
    }
  });

  it("with GET is as fresh as over REST, and has a tag; with POST it is not kept", async () => {
    const first = await get({ query: RAISED });
    expect(first.headers.get("cache-control")).toBe("public, max-age=1");
    const tag = first.headers.get("etag") ?? "";
    const again = await get({ query: RAISED }, { "If-None-Match": tag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const posted = await post(JSON.stringify({ query: RAISED }), { "If-None-Match": tag });
    expect([posted.status, posted.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const wrong = await get({ query: "{ nothing }" });
    expect([wrong.status, wrong.headers.get("cache-control"), wrong.headers.get("etag")]).toEqual([
      200,
      "no-store",
      null,
    ]);
  });

  it("with HEAD has the headers alone", async () => {
    const [whole, head] = [
      await get({ query: RAISED }),
      await app.request(`/?query=${encodeURIComponent(RAISED)}`, { method: "HEAD" }),
    ];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(`${(await whole.text()).length}`);
  });

  it("with a long answer has it compressed", async () => {
    const query =
      "{ listings { nodes { publicId title description refnum tokenAddress escrowAddress url appUrl } } }";
    for (const answer of [
      await get({ query }, { "Accept-Encoding": "gzip" }),
      await post(JSON.stringify({ query }), { "Accept-Encoding": "gzip" }),
    ]) {
      expect(answer.headers.get("content-encoding")).toBe("gzip");
      const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
      expect(JSON.parse(text).data.listings.nodes).toHaveLength(8);
    }
  });
});

describe("the media type", () => {
  const accepted: [string, string][] = [
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    [STRICT, STRICT],
    [`${STRICT}, application/json;q=0.9`, STRICT],
    ["multipart/mixed, text/event-stream, application/json", "application/json"],
  ];
  it.each(accepted)("for %s is %s", async (accept, type) => {
    for (const answer of [
      await get({ query: RAISED }, { Accept: accept }),
      await post(JSON.stringify({ query: RAISED }), { Accept: accept }),
    ]) {
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    }
  });

  it.each([
    ["{", "GRAPHQL_PARSE_FAILED"],
    ["{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
    ["query ($id: String!) { listing(id: $id) { refnum } }", "BAD_USER_INPUT"],
    ["{ listings(first: 0) { totalCount } }", "BAD_USER_INPUT"],
    ["mutation { nothing }", "OPERATION_NOT_SUPPORTED"],
    ["subscription { nothing }", "OPERATION_NOT_SUPPORTED"],
  ])("decides the status of %s: 400, or 200 to a client that knows JSON alone", async (query, code) => {
    const ask = askingOf(app);
    const [plain, strict] = [await ask(query), await ask(query, undefined, { Accept: STRICT })];
    expect([plain.status, strict.status]).toEqual([200, 400]);
    for (const { errors, data } of [plain, strict]) {
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
      expect(data ?? null).toBeNull();
    }
  });
});

describe("what is no question", () => {
  const deep = `${'{"a":'.repeat(9)}1${"}".repeat(9)}`;
  const wrong: [string, RegExp][] = [
    ["", /not JSON/],
    ["{", /not JSON/],
    ["null", /object of JSON/],
    ['"{ __typename }"', /object of JSON/],
    ["[]", /Batches/],
    [`[{"query":"{ __typename }"}]`, /Batches/],
    ["{}", /no query/],
    ['{"query":null}', /no query/],
    ['{"query":""}', /no query/],
    ['{"query":1}', /query must be a text/],
    ['{"query":"{ __typename }","operationName":1}', /operationName must/],
    ['{"query":"{ __typename }","variables":[]}', /variables must/],
    ['{"query":"{ __typename }","variables":"{}"}', /variables must/],
    ['{"query":"{ __typename }","extensions":1}', /extensions must/],
    [`{"query":"{ __typename }","variables":${deep}}`, /too many levels/],
    [`{"query":"{ __typename }","variables":{"a":[${"1,".repeat(200)}1]}}`, /more than 200 values/],
    [
      `{"query":"{ __typename }","variables":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`,
      /too many levels/,
    ],
  ];
  it.each(wrong)("is refused: %#", async (body, message) => {
    for (const accept of ["application/json", STRICT]) {
      const answer = await post(body, { Accept: accept });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([400, accept]);
      const { errors, data } = await answer.json();
      expect(errors).toEqual([
        { message: expect.stringMatching(message), extensions: { code: "BAD_REQUEST" } },
      ]);
      expect(data).toBeUndefined();
    }
  });

  it("in a URL: no query, and variables that are no object", async () => {
    for (const query of [
      {},
      { query: "" },
      { query: RAISED, variables: "{" },
      { query: RAISED, variables: "[]" },
    ]) {
      const answer = await get(query as Record<string, string>);
      expect(answer.status).toBe(400);
      expect((await answer.json()).errors[0].extensions).toEqual({ code: "BAD_REQUEST" });
    }
  });

  it("names an operation that the document does not have", async () => {
    for (const asked of [
      { query: "query A { __typename } query B { __typename }" },
      { query: "query A { __typename }", operationName: "B" },
      { query: "{ __typename }", operationName: "B" },
    ]) {
      const { errors } = await (await post(JSON.stringify(asked))).json();
      expect(errors[0].extensions.code).toBe("OPERATION_RESOLUTION_FAILURE");
    }
  });

  it("is taken with what the reader does not know beside it, and with null for what it may leave out", async () => {
    const asked = {
      query: RAISED,
      variables: null,
      operationName: null,
      extensions: {},
      id: 1,
      __proto__: null,
    };
    expect((await post(JSON.stringify(asked))).status).toBe(200);
  });
});

describe("HTTP alone", () => {
  it("takes 64 KiB and not a byte more", async () => {
    const body = (size: number) => {
      const empty = JSON.stringify({ query: `${RAISED}#` });
      return empty.replace("#", `#${"x".repeat(size - empty.length)}`);
    };
    expect((await post(body(65_536))).status).toBe(200);
    const answer = await post(body(65_537));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([413, "application/problem+json"]);
    expect(await answer.json()).toMatchObject({
      code: "payload_too_large",
      detail: expect.stringContaining("65536"),
    });
  });

  it.each([
    "text/plain",
    "application/graphql",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
  ])("does not take a body of %s", async (type) => {
    const headers: Record<string, string> = type === "" ? {} : { "Content-Type": type };
    const body = new TextEncoder().encode(JSON.stringify({ query: RAISED }));
    const answer = await app.request("/", { method: "POST", headers, body });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: "unsupported_media_type" });
  });

  it("does not answer with a type that it does not have", async () => {
    for (const answer of [
      await get({ query: RAISED }, { Accept: "text/csv" }),
      await post(JSON.stringify({ query: RAISED }), { Accept: "text/html" }),
    ]) {
      expect(answer.status).toBe(406);
      expect(await answer.json()).toMatchObject({ code: "not_acceptable" });
    }
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("does not know %s", async (method) => {
    const answer = await app.request("/", { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect(await answer.json()).toMatchObject({ code: "method_not_allowed" });
  });
});

describe("before the first block", () => {
  it("the market is a 503 that says when to ask again; health is there", async () => {
    const ask = askingOf(await graphqlOf({ feed: { current: () => null } }));
    for (const accept of ["application/json", STRICT]) {
      const answer = await ask(RAISED, undefined, { Accept: accept });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(answer.headers.get("x-indexed-block")).toBeNull();
      expect(answer.errors).toMatchObject([{ extensions: { code: "NOT_INDEXED_YET" } }]);
      expect(answer.errors?.[0]?.extensions).not.toHaveProperty("http");
    }
    const health = await ask("{ health { status indexedBlock anomalies { total } audit { status } } }");
    expect(health).toMatchObject({
      status: 200,
      errors: undefined,
      data: { health: { status: "syncing", indexedBlock: null, anomalies: { total: 0 }, audit: null } },
    });
    // A part of an answer is an answer.
    const both = await ask('{ health { status } listing(id: "lst_2") { refnum } events { nodes { kind } } }');
    expect([both.status, both.headers.get("retry-after")]).toEqual([200, null]);
    expect(both.data).toEqual({ health: { status: "syncing" }, listing: null, events: null });
    expect(both.errors).toHaveLength(2);
  });

  it("a ledger without a checkpoint says so too", async () => {
    const ledger = fixedLedger({ events: "not_indexed_yet" });
    const { errors } = await askingOf(await graphqlOf({ ledger }))("{ events { nodes { kind } } }");
    expect(errors).toMatchObject([{ extensions: { code: "NOT_INDEXED_YET" } }]);
  });
});

describe("health", () => {
  it("is that of REST: anomalies by kind, the last audit, the registry", async () => {
    const snapshot = await snapshotOf(tablesOf({ anomalies: { zero_amount: 2, bad_refnum: 1 } }));
    const last = {
      ...{ status: "red", block: "48211034", at: "2026-03-01T12:00:00Z", events: 1, checks: 1 },
      ...{ listings: [], notAuditable: [], findings: [], problem: null },
    } as const;
    const ask = askingOf(
      await graphqlOf({
        feed: { current: () => snapshot },
        audit: { start: () => {}, state: () => ({ running: null, last }) as never },
      }),
    );
    const { data } =
      await ask(`{ health { status chainId indexedBlock indexedAt headBlock lagSeconds unpublished
      anomalies { total byKind { key value } } audit { status block at listings findings }
      registry { status version problem } } }`);
    expect(data.health).toMatchObject({
      status: "degraded",
      chainId: 97,
      indexedBlock: "48211034",
      indexedAt: "2026-03-01T12:00:00Z",
      headBlock: "48211034",
      lagSeconds: 0,
      unpublished: 2,
      anomalies: { total: 3 },
      audit: { status: "red", block: "48211034", at: "2026-03-01T12:00:00Z", listings: 0, findings: 0 },
      registry: { status: "ok", version: "9f86d081884c7d65", problem: null },
    });
    expect(data.health.anomalies.byKind).toEqual(
      expect.arrayContaining([
        { key: "zero_amount", value: 2 },
        { key: "bad_refnum", value: 1 },
      ]),
    );
  });
});

describe("an error", () => {
  it("of what is allowed says all of it at once, as REST does", async () => {
    const { errors } = await askingOf(app)(
      '{ listings(first: 201, after: "x", status: [], originator: "x y", minCouponBps: -1) { totalCount } }',
    );
    const { code, errors: wrong } = errors?.[0]?.extensions ?? {};
    expect(code).toBe("BAD_USER_INPUT");
    expect(wrong).toEqual([
      { parameter: "after", detail: '"x" is not allowed.', allowed: [expect.stringContaining("endCursor")] },
      { parameter: "status", detail: "[] is not allowed.", allowed: ["one word or more"] },
      {
        parameter: "originator",
        detail: '"x y" is not allowed.',
        allowed: [expect.stringContaining("org_northwind")],
      },
      {
        parameter: "minCouponBps",
        detail: "-1 is not allowed.",
        allowed: ["an integer from 0 to 4294967295"],
      },
      { parameter: "first", detail: "201 is not allowed.", allowed: ["an integer from 1 to 200"] },
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
    ['originators(jurisdiction: "sg") { totalCount }', "jurisdiction", "capital letters"],
    ['originators(after: "x") { totalCount }', "after", "endCursor"],
    ['events(after: "x") { nodes { kind } }', "after", "endCursor"],
    ["events(kinds: []) { nodes { kind } }", "kinds", "one word or more"],
    ["trading { listings(first: -1) { totalCount } }", "first", "1 to 200"],
  ])("of %s says what is wrong", async (field, parameter, words) => {
    const { errors } = await askingOf(app)(`{ ${field} }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", errors: [{ parameter }] });
    expect(errors?.[0]?.message).toContain(words);
  });

  it("of a literal of the wrong form says what is allowed", async () => {
    const ask = askingOf(app);
    const time = await ask('{ listings(closingBefore: "soon") { totalCount } }');
    expect(time.errors?.[0]).toMatchObject({ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } });
    expect(time.errors?.[0]?.message).toContain('"soon" is not allowed. Allowed: a time such as');
    const rate = await ask("{ listings(minCouponBps: 1.5) { totalCount } }");
    expect(rate.errors?.[0]?.message).toContain("1.5 is not allowed. Allowed: a whole number");
    const word = await ask("{ listings(status: [gone]) { totalCount } }");
    expect(word.errors?.[0]?.message).toContain('"gone" does not exist in "ListingStatus" enum');
  });

  it("is short and plain, whatever was sent", async () => {
    const ask = askingOf(app);
    const nasty = `\u202Etxt.exe\u001b[31m${"x".repeat(5_000)}`;
    const answers = [
      await ask("query ($v: Int) { listings(first: $v) { totalCount } }", { v: nasty }),
      await ask("query ($v: [ListingStatus!]) { listings(status: $v) { totalCount } }", { v: [nasty] }),
      await ask("query ($v: String) { listings(after: $v) { totalCount } }", { v: nasty }),
      await ask(`{ ${"x".repeat(5_000)} }`),
    ];
    for (const { errors } of answers) {
      expect(errors).toHaveLength(1);
      expect(errors?.[0]?.message.length).toBeLessThanOrEqual(400);
      const message = errors?.[0]?.message ?? "";
      expect(stripControl(message, { keepLineFeeds: false })).toBe(message);
    }
  });

  it("inside is told to nobody but the log, with the request's id", async () => {
    const { log, lines } = recordedLog();
    const broken = {
      ...fixedLedger(),
      ofListings: async () => Promise.reject(new Error("password=hunter2")),
    };
    const deps = await dependencies({ log, ledger: broken });
    const answer = await askingOf(createGraphql(deps))("{ events { nodes { kind } } stats { raised } }");
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
});

describe("numbers", () => {
  it("beyond 2^31 are whole: rates, counts and amounts", async () => {
    const { registry } = everyState();
    const largest = 2n ** 255n;
    const rows = [
      listingRow({
        onchainId: 1n,
        couponRateBps: 2 ** 32 - 1,
        insuranceBps: 2 ** 32 - 1,
        targetAmount: largest,
      }),
    ];
    const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry);
    const ask = askingOf(await graphqlOf({ feed: { current: () => snapshot } }));
    const { data, errors } = await ask(
      '{ listing(id: "lst_1") { couponRateBps insuranceBps targetAmount } listings(minCouponBps: 4294967295) { totalCount } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      listing: { couponRateBps: 4_294_967_295, insuranceBps: 4_294_967_295, targetAmount: `${largest}` },
      listings: { totalCount: 1 },
    });
  });
});

it("no module but packages.ts and graphql-js.ts loads a package around graphql-js: Ponder's loader would copy it", () => {
  const folder = new URL(".", import.meta.url);
  const loading = readdirSync(folder)
    .filter((name) => !name.endsWith(".test.ts") && name !== "packages.ts" && name !== "graphql-js.ts")
    .filter((name) =>
      /^import (?!type )[^;]*from "(graphql|@escape|@graphql|@envelop)/m.test(
        readFileSync(new URL(name, folder), "utf8"),
      ),
    );
  expect(loading).toEqual([]);
});
