import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawRequest, send } from "../harness/raw-http.ts";
import { type Edge, expectError, expectTools, HTTP_ERROR, openEdge, PATHS } from "./edge.ts";
import { ID, JSON_HEADERS, oldMessage } from "./messages.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());
const ask = (request: RawRequest) => edge.ask(request);

const TOO_LARGE = 64 * 1024 + 1;
const LIST = { jsonrpc: "2.0", id: ID, method: "tools/list" };
const post = (body: unknown, headers: Record<string, string> = JSON_HEADERS): RawRequest => ({
  method: "POST",
  headers,
  body,
});

describe("what is posted", () => {
  it.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "no" } }],
  ])("%s is taken without a word", async (_, message) => {
    const answer = await ask(post(message));
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: "" });
  });

  it.each([
    "application/json, text/event-stream",
    "application/json",
    "application/*;q=0.5",
    "*/*",
    undefined,
  ])("a request that accepts %s is answered with JSON", async (accept) => {
    const { Accept: _, ...headers } = JSON_HEADERS;
    expectTools(await ask(post(LIST, accept === undefined ? headers : { ...headers, Accept: accept })));
  });

  it.each(["text/event-stream", "text/html", "application/json;q=0"])(
    "a request that accepts %s alone is a 406",
    async (accept) => {
      expectError(await ask(post(LIST, { ...JSON_HEADERS, Accept: accept })), 406, HTTP_ERROR);
    },
  );

  it.each(["application/json; charset=utf-8", "Application/JSON"])("%s is JSON", async (type) => {
    expectTools(await ask(post(LIST, { ...JSON_HEADERS, "Content-Type": type })));
  });

  it.each(["text/plain", "application/jsonx", "application/x-www-form-urlencoded", "json", undefined])(
    "%s is a 415",
    async (type) => {
      const { Accept } = JSON_HEADERS;
      const headers: Record<string, string> =
        type === undefined ? { Accept } : { Accept, "Content-Type": type };
      expectError(await ask(post(LIST, headers)), 415, HTTP_ERROR);
      expectError(await ask(post("{", headers)), 415, HTTP_ERROR);
    },
  );

  it.each(["", "{", "tools/list", '{"jsonrpc":"2.0",}', "\u0000"])("%j is no JSON", async (body) => {
    expectError(await ask(post(body)), 400, -32_700);
  });

  it.each([
    {},
    null,
    7,
    "tools/list",
    { jsonrpc: "1.0", id: ID, method: "tools/list" },
    { id: ID, method: "tools/list" },
    { jsonrpc: "2.0", id: null, method: "tools/list" },
    { jsonrpc: "2.0", id: {}, method: "tools/list" },
    { jsonrpc: "2.0", id: ID, method: 7 },
  ])("%j is no message", async (message) => {
    const answer = await ask(post(JSON.stringify(message)));
    expect([null, ID]).toContain(answer.json?.id ?? null);
    expectError(answer, 400, -32_600, answer.json?.id ?? null);
  });

  it.each([[[]], [[LIST]], [[LIST, LIST]]])("the batch %j is refused", async (batch) => {
    expectError(await ask(post(batch)), 400, -32_600);
  });

  it("a body of 64 KiB is read", async () => {
    const rest = TOO_LARGE - 1 - JSON.stringify({ ...LIST, params: { pad: "" } }).length;
    expectTools(await ask(post({ ...LIST, params: { pad: "x".repeat(rest) } })));
  });

  it.each([
    ["with its length", { "Content-Length": `${TOO_LARGE}` }],
    ["without its length", { "Transfer-Encoding": "chunked" }],
  ])("a byte more is a 413, %s", async (_, headers) => {
    expectError(await ask(post(" ".repeat(TOO_LARGE), { ...JSON_HEADERS, ...headers })), 413, HTTP_ERROR);
  });
});

describe("GET", () => {
  it.each([
    "text/event-stream",
    "Text/Event-Stream",
    "application/json, text/event-stream",
    "text/html, text/event-stream;q=0.1, */*",
  ])("a client that accepts %s is refused, and does not come back", async (accept) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask({ method, headers: { Accept: accept } });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
      if (method === "GET") expectError(answer, 405, HTTP_ERROR);
      else expect(answer.text).toBe("");
    }
  });

  const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
  it.each([undefined, "*/*", BROWSER, "text/markdown", "application/json"])(
    "somebody who accepts %s reads what this is",
    async (accept) => {
      const headers = accept === undefined ? {} : { Accept: accept };
      const { status, text, headers: sent } = await ask({ headers });
      expect(status).toBe(200);
      expect(sent["content-type"]).toMatch(/^text\/plain\b/);
      expect(text).toContain("https://raises.example/v1/mcp");
      for (const tool of ["list_deals", "get_deal", "list_businesses", "search_knowledge"]) {
        expect(text).toContain(tool);
      }
      const head = await ask({ method: "HEAD", headers });
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
      expect(head.headers["content-type"]).toBe(sent["content-type"]);
    },
  );
});

describe("other methods", () => {
  it.each(["DELETE", "PUT", "PATCH"])("%s is a 405", async (method) => {
    const answer = await ask({ method, headers: { ...JSON_HEADERS, "Mcp-Session-Id": "made-up" } });
    expectError(answer, 405, HTTP_ERROR);
    expect(answer.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
  });

  it.each(PATHS)("a page of any origin may send any header of the protocol to %s", async (path) => {
    const { status, headers, text } = await send(`${edge.url}${path}`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers":
          "content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, mcp-param-region",
      },
    });
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-allow-headers"]).toBe("*");
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    expect(headers["access-control-allow-methods"]?.split(/, */)).toEqual(
      expect.arrayContaining(["GET", "HEAD", "POST", "OPTIONS"]),
    );
  });
});

describe("who may be addressed", () => {
  const HOSTS = [
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost:8080",
    "[::1]",
    "raises.example",
    "raises.example:443",
  ];
  it.each(HOSTS)("%s is served, whatever the origin", async (host) => {
    for (const Origin of ["https://elsewhere.example", "null"]) {
      expectTools(await ask(oldMessage("tools/list", {}, { Host: host, Origin })));
    }
  });

  it.each([
    "elsewhere.example",
    "raises.example.elsewhere.example",
    "127.0.0.1.elsewhere.example",
    "xraises.example",
    "[::2]",
  ])("%s is not served", async (host) => {
    expectError(await ask(oldMessage("tools/list", {}, { Host: host })), 403, HTTP_ERROR);
    expectError(await ask({ headers: { Host: host } }), 403, HTTP_ERROR);
  });
});
