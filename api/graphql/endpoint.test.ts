/** GraphQL over HTTP: methods, media types, sizes, freshness; and what there is before the first block. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { graphqlApp, queryRunner, requestsTo, STRICT } from "../../test/harness/graphql.ts";
import { HEAD } from "../../test/harness/rows.ts";

type App = Awaited<ReturnType<typeof graphqlApp>>;
let app: App;
beforeAll(async () => {
  app = await graphqlApp();
});

const { post, get } = requestsTo(() => app);
const RAISED = "{ stats { raised } }";

describe("a request", () => {
  it("has the same answer in a URL as in a body", async () => {
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

  it("is as fresh with GET as over REST, and has a tag; with POST the answer is not kept", async () => {
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

  it("gets only the headers with HEAD", async () => {
    const [whole, head] = [
      await get({ query: RAISED }),
      await app.request(`/?query=${encodeURIComponent(RAISED)}`, { method: "HEAD" }),
    ];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(`${(await whole.text()).length}`);
  });

  it("gets a long answer compressed", async () => {
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
  it.each(accepted)("asked for as %s is %s", async (accept, type) => {
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
    const run = queryRunner(app);
    const [plain, strict] = [await run(query), await run(query, undefined, { Accept: STRICT })];
    expect([plain.status, strict.status]).toEqual([200, 400]);
    for (const { errors, data } of [plain, strict]) {
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
      expect(data ?? null).toBeNull();
    }
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

  it("sends the links of its page with its description", async () => {
    const ask = asking(await appIn());
    const linksOf = async (path: string, accept: string) => {
      const { headers } = await ask(path, { headers: { Accept: accept } });
      return headers.get("link");
    };
    expect(await linksOf("/graphql", "*/*")).toBe(await linksOf("/developers/graphql", "text/html"));
    expect(await linksOf("/graphql", "text/plain")).toContain('rel="service-desc"');
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
    const run = queryRunner(await graphqlApp({ updater: { current: () => null } }));
    for (const accept of ["application/json", STRICT]) {
      const answer = await run(RAISED, undefined, { Accept: accept });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(answer.headers.get("x-indexed-block")).toBeNull();
      expect(answer.errors).toMatchObject([{ extensions: { code: "NOT_INDEXED_YET" } }]);
      expect(answer.errors?.[0]?.extensions).not.toHaveProperty("http");
    }
    const health = await run("{ health { status indexedBlock anomalies { total } audit { status } } }");
    expect(health).toMatchObject({
      status: 200,
      errors: undefined,
      data: { health: { status: "syncing", indexedBlock: null, anomalies: { total: 0 }, audit: null } },
    });
    // A part of an answer is an answer.
    const both = await run('{ health { status } listing(id: "lst_2") { refnum } events { nodes { kind } } }');
    expect([both.status, both.headers.get("retry-after")]).toEqual([200, null]);
    expect(both.data).toEqual({ health: { status: "syncing" }, listing: null, events: null });
    expect(both.errors).toHaveLength(2);
  });

  it("a ledger without a checkpoint says so too", async () => {
    const ledger = fixedLedger({ events: "not_indexed_yet" });
    const { errors } = await queryRunner(await graphqlApp({ ledger }))("{ events { nodes { kind } } }");
    expect(errors).toMatchObject([{ extensions: { code: "NOT_INDEXED_YET" } }]);
  });
});

it("no module but packages.ts loads a package of which Ponder's loader would make a copy", () => {
  const folder = new URL(".", import.meta.url);
  const loading = readdirSync(folder)
    .filter((name) => !name.endsWith(".test.ts") && name !== "packages.ts")
    .filter((name) =>
      /^import (?!type )[^;]*from "(graphql|@escape|@graphql|@envelop|@asteasolutions)/m.test(
        readFileSync(new URL(name, folder), "utf8"),
      ),
    );
  expect(loading).toEqual([]);
});
