import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../test/harness/app.ts";
import { type Ask, asking } from "../test/harness/asking.ts";
import { recordedLog } from "../test/harness/snapshot.ts";
import { validatorOf } from "../test/harness/validate.ts";
import type { History, MomentUnavailable } from "./history/as-of.ts";
import { SLOTS } from "./http/slots.ts";

const DATA_PATHS = [
  "/v1/listings",
  "/v1/listings/lst_1",
  "/v1/listings/RB00001",
  "/v1/originators",
  "/v1/originators/org_northwind",
];
const PATHS = [...DATA_PATHS, "/v1/health", "/v1/ready", "/openapi.json"];

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);

describe("every path and method", () => {
  it.each(PATHS)("GET %s is 200 and as described", async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    assertAnswer(path, answer);
  });

  it.each(PATHS)("HEAD %s has the headers of GET and no body", async (path) => {
    const headers = { "X-Request-Id": "the-same" };
    const [get, head] = [await ask(path, { headers }), await ask(path, { method: "HEAD", headers })];
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  });

  it.each(
    PATHS.flatMap((path) => ["POST", "PUT", "PATCH", "DELETE", "QUERY"].map((method) => [method, path])),
  )("%s %s is 405 with Allow", async (method, path) => {
    const answer = await ask(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(JSON.parse(answer.text)).toMatchObject({ code: "method_not_allowed", instance: path });
    assertAnswer(path, answer);
  });

  it.each([
    "/",
    "/listings/lst_2",
    "/originators.md",
    "/knowledge/grades",
    "/llms.txt",
    "/feed.atom",
    "/robots.txt",
  ])("a browser that sends something to %s gets a page that says so", async (path) => {
    const browser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
    const page = await ask(path, { method: "POST", headers: browser });
    expect([page.status, page.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-length")).toBe(String(Buffer.byteLength(page.text)));
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("x-request-id")).not.toBeNull();
    expect(page.text).toContain("POST is not allowed here");
    const text = await ask(path, { method: "DELETE", headers: { Accept: "text/markdown" } });
    expect([text.status, text.headers.get("content-type")]).toEqual([405, "text/markdown; charset=utf-8"]);
    for (const Accept of ["*/*", "application/json"]) {
      const answer = await ask(path, { method: "PUT", headers: { Accept } });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "method_not_allowed" });
    }
  });

  it.each(PATHS)("OPTIONS %s is answered by CORS", async (path) => {
    const headers = {
      Origin: "https://elsewhere.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "If-None-Match, X-Request-Id",
    };
    const answer = await ask(path, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(answer.headers.get("access-control-allow-methods")?.split(/,\s*/)).toEqual([
      "GET",
      "HEAD",
      "OPTIONS",
    ]);
    expect(answer.headers.get("access-control-allow-headers")).toBe("*");
  });
});

it("GET /v1 links to the description and to what can be read; /v1/ redirects to it", async () => {
  const { status, headers } = await ask("/v1/");
  expect([status, headers.get("location")]).toEqual([308, "/v1"]);
  const answer = await ask("/v1");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  const { description, documentation, reference, endpoints } = JSON.parse(answer.text);
  expect(description).toBe("https://raises.example/openapi.json");
  expect(Object.values(endpoints)).toContain("https://raises.example/v1/listings");
  for (const url of [documentation, reference, ...Object.values(endpoints)]) {
    expect((await ask(new URL(`${url}`).pathname)).status, `${url}`).toBe(200);
  }
});

it.each(["/mcp", "/v1/mcp", "/graphql"])("OPTIONS %s allows POST too, with any header", async (path) => {
  const headers = {
    Origin: "https://elsewhere.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type, mcp-protocol-version",
  };
  const answer = await ask(path, { method: "OPTIONS", headers });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-methods")).toMatch(/\bPOST\b/);
  expect(answer.headers.get("access-control-allow-headers")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});

it("HEAD of an error has the length of GET's body, in bytes", async () => {
  for (const path of ["/nothing", "/v1/listings/é", "/v1/listings?é=1"]) {
    const headers = { "X-Request-Id": "the-same" };
    const [get, head] = [await ask(path, { headers }), await ask(path, { method: "HEAD", headers })];
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  }
});

function toPost(body: object): RequestInit {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

describe("what every answer carries", () => {
  const requests: [string, RequestInit?][] = [
    ...PATHS.map((path): [string] => [path]),
    ["/v1/listings", { method: "HEAD" }],
    ["/v1/listings", { method: "POST" }],
    ["/v1/listings", { method: "OPTIONS" }],
    ["/v1/listings", { headers: { "If-None-Match": "*" } }],
    ["/v1/listings", { headers: { Accept: "text/html" } }],
    ["/v1/listings?nothing=1"],
    ["/v1/listings/lst_404"],
    ["/nothing"],
    ["/v1/mcp", toPost({ jsonrpc: "2.0", id: 1, method: "tools/list" })],
    ["/graphql", toPost({ query: "{ __typename }" })],
    [`/${"x".repeat(5000)}`],
  ];

  it.each(requests)("%s %j: request id, CORS, security headers", async (path, init) => {
    const { headers } = await ask(path, init);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")?.split(/,\s*/)).toEqual([
      "Accept-Ranges",
      "Allow",
      "Content-Disposition",
      "Content-Range",
      "ETag",
      "Link",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "X-Indexed-At",
      "X-Indexed-Block",
      "X-Indexed-Event",
      "X-Markdown-Tokens",
      "X-Request-Id",
    ]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("x-powered-by")).toBeNull();
    // Browser tools need it on.
    expect(headers.get("permissions-policy") ?? "").not.toContain("tools=()");
  });

  it("echoes a request id that can be one, and replaces any other", async () => {
    for (const id of ["abc-123_X=", "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11", "x".repeat(200)]) {
      expect(
        (await ask("/v1/nothing", { headers: { "X-Request-Id": id } })).headers.get("x-request-id"),
      ).toBe(id);
    }
    for (const id of ["", "a b", "<script>", "x".repeat(1000), "a,b", "é"]) {
      const answer = await ask("/v1/nothing", { headers: { "X-Request-Id": id } });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(answer.text).requestId).toBe(answer.headers.get("x-request-id"));
    }
  });

  it("sends Strict-Transport-Security only where the site is https", async () => {
    const plain = asking(await appIn({ publicUrl: "http://127.0.0.1:42069" }));
    expect((await ask("/v1/health")).headers.get("strict-transport-security")).toMatch(/^max-age=/);
    expect((await plain("/v1/health")).headers.get("strict-transport-security")).toBeNull();
  });

  it("asks for no User-Agent", async () => {
    expect((await ask("/v1/listings", { headers: { "User-Agent": "" } })).status).toBe(200);
  });

  it.each(["/nothing", "/v1/listings?nothing=1", "/v1/listings/lst_404"])(
    "%s is not cached",
    async (path) => {
      expect((await ask(path)).headers.get("cache-control")).toBe("no-store");
    },
  );
});

describe("500", () => {
  it("shows neither the message of the exception nor a path, and logs both", async () => {
    const { log, lines } = recordedLog();
    const current = () => {
      throw new Error("secret at /home/someone/feed.ts:12");
    };
    const broken = asking(await appIn({ overrides: { updater: { current }, log } }));
    for (const path of [...DATA_PATHS, "/v1/health", "/v1/ready"]) {
      const answer = await broken(path, { headers: { "X-Request-Id": "request-7" } });
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/secret|\.ts|home|Error:/);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(JSON.parse(answer.text)).toMatchObject({ code: "internal_error", requestId: "request-7" });
      assertAnswer(path, answer);
    }
    expect(lines[0]).toMatchObject({ level: "error", requestId: "request-7", path: "/v1/listings" });
    expect(JSON.stringify(lines[0])).toContain("secret at");
  });
});

it("an answer that takes too long is given up, and says so", async () => {
  const history: History = { at: () => new Promise(() => {}) };
  const { status, text, headers } = await asking(await appIn({ overrides: { history, longestWork: 10 } }))(
    "/v1/listings?asOf=1",
  );
  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  expect(JSON.parse(text)).toMatchObject({ code: "timed_out" });
});

describe("while questions about the past hold every slot", () => {
  const gate = Promise.withResolvers<MomentUnavailable>();
  let held: Promise<unknown>[];
  let busy: Ask;
  beforeAll(async () => {
    const history: History = { at: async ({ market }, asOf) => (asOf === "head" ? market : gate.promise) };
    busy = asking(await appIn({ overrides: { history } }));
    const count = SLOTS.atOnce + SLOTS.waiting;
    held = Array.from({ length: count }, (_, block) => busy(`/v1/listings?asOf=${block}`));
  });
  const call = (name: string, args: object) => ({
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  });
  const query = { ...call("", {}), body: '{"query":"{ __typename }"}' };

  it.each([...PATHS, "/", "/listings/lst_1", "/v1/listings/lst_1/events", "/llms.txt"])(
    "GET %s is answered",
    async (path) => {
      expect((await busy(path)).status).toBe(200);
    },
  );

  it("a tool that reads the market is answered", async () => {
    const { status, text } = await busy("/mcp", call("list_deals", {}));
    expect([status, JSON.parse(text).result.isError]).toEqual([200, undefined]);
  });

  it.each([
    ["/v1/stats?asOf=1"],
    ["/v1/events.csv"],
    ["/v1/listings?q=kelp"],
    ["/graphql?query={__typename}"],
    ["/graphql", query],
  ])("%s is refused, and may come again", async (path, init?: RequestInit) => {
    const { status, text, headers } = await busy(path, init);
    expect([status, headers.get("retry-after")]).toEqual([429, "2"]);
    expect(JSON.parse(text)).toMatchObject({ code: "too_many_requests" });
  });

  it("a tool that searches says so", async () => {
    const { text } = await busy("/mcp", call("search_knowledge", { query: "grade" }));
    const { isError, content } = JSON.parse(text).result;
    expect([isError, content[0].text]).toEqual([
      true,
      "Too many questions are waiting: try again in a few seconds.",
    ]);
  });

  it("every queued request is answered in the end", async () => {
    gate.resolve({ reason: "backfilling", detail: "Not yet." });
    for (const answer of await Promise.all(held)) expect(answer).toMatchObject({ status: 503 });
    expect((await busy("/graphql", query)).status).toBe(200);
  });
});

it("has only patterns that Hono's fast router takes: any other moves the whole app to the slow one, silently", async () => {
  const app = await appIn();
  await app.request("/v1/health");
  expect(app.router.name).toBe("SmartRouter + RegExpRouter");
});
