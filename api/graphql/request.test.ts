/** GraphQL requests, and invalid bodies. */
import { beforeAll, describe, expect, it } from "vitest";
import { graphqlApp, requestsTo, STRICT } from "../../test/harness/graphql.ts";

let app: Awaited<ReturnType<typeof graphqlApp>>;
beforeAll(async () => {
  app = await graphqlApp();
});

const { post, get } = requestsTo(() => app);
const RAISED = "{ stats { raised } }";
/** The extension of a client that knows queries by their hash. */
const HASH = '{"persistedQuery":{"version":1,"sha256Hash":"ab"}}';

describe("an invalid request", () => {
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
    [`{"extensions":${HASH}}`, /^PersistedQueryNotSupported$/],
    [`{"query":null,"extensions":${HASH}}`, /^PersistedQueryNotSupported$/],
    ['{"extensions":{}}', /no query/],
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

  it("is refused in a URL: no query, or variables that are not an object", async () => {
    for (const query of [
      {},
      { query: "" },
      { query: RAISED, variables: "{" },
      { query: RAISED, variables: "[]" },
    ]) {
      const answer = await get(query as Record<string, string>, { Accept: "application/json" });
      expect(answer.status).toBe(400);
      expect((await answer.json()).errors[0].extensions).toEqual({ code: "BAD_REQUEST" });
    }
  });

  it("of a hash alone says what makes clients send the query, which is run with its hash", async () => {
    const headers = { Accept: "application/json" };
    for (const accepted of [headers, { Accept: "*/*" }]) {
      const { errors } = await (await get({ variables: "{}", extensions: HASH }, accepted)).json();
      expect(errors[0].message).toBe("PersistedQueryNotSupported");
    }
    const whole = await get({ query: RAISED, extensions: HASH }, headers);
    expect(await whole.json()).toHaveProperty("data.stats.raised");
  });

  it("is answered with instructions and the schema if it has no query and takes a text", async () => {
    for (const accept of ["*/*", "text/plain", "text/csv, */*;q=0.1"]) {
      const answer = await get({}, { Accept: accept });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      const text = await answer.text();
      expect(text).toContain("https://raises.example/graphql");
      expect(text).toContain("type Query {");
    }
    expect((await get({ query: "" })).status).toBe(400);
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
});

it("accepts unknown fields, and null for optional ones", async () => {
  const asked = {
    ...{ query: RAISED, variables: null, operationName: null, extensions: {}, id: 1 },
    ["__proto__"]: null,
  };
  expect((await post(JSON.stringify(asked))).status).toBe(200);
});
