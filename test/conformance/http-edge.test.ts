import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { JSON_HEADERS, META_OF_CLIENT, NEWEST, newMessage, oldMessage } from "./messages.ts";
import { type RawAnswer, type RawRequest, send } from "./raw-http.ts";

const PATHS = ["/mcp", "/v1/mcp"] as const;
const EDGE = -32_000;
const TOO_LARGE = 64 * 1024 + 1;

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp(await appIn());
});
afterAll(() => served[Symbol.asyncDispose]());

/** The answer, which is the same on both paths and says that nobody may keep it. */
async function ask(request: RawRequest): Promise<RawAnswer> {
  const answers: RawAnswer[] = [];
  for (const path of PATHS) answers.push(await send(`${served.url}${path}`, request));
  const [first, second] = answers;
  if (first === undefined || second === undefined) throw new Error("two paths have two answers");
  expect(shown(second)).toEqual(shown(first));
  expect(first.headers).toMatchObject({ "cache-control": "no-store", vary: "Accept" });
  expect(first.headers["mcp-session-id"]).toBeUndefined();
  expect(first.headers["access-control-allow-origin"]).toBe("*");
  return first;
}

/** An answer without what differs from one to the next. */
function shown({ status, headers, text }: RawAnswer): object {
  const { date: _, "x-request-id": __, ...rest } = headers;
  return { status, headers: rest, text };
}

function expectError(answer: RawAnswer, status: number, code: number, id: unknown = null): void {
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  expect(answer.json?.id ?? null).toBe(id);
  expect(answer.json?.error?.message.length).toBeGreaterThan(5);
}

function expectTools(answer: RawAnswer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  expect(answer.json?.id).toBe(7);
  expect(answer.json?.result?.tools).toHaveLength(4);
}

const post = (body: unknown, headers: Record<string, string> = JSON_HEADERS): RawRequest => ({
  method: "POST",
  headers,
  body,
});
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };

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
      expectError(await ask(post(LIST, { ...JSON_HEADERS, Accept: accept })), 406, EDGE);
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
      expectError(await ask(post(LIST, headers)), 415, EDGE);
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
    { jsonrpc: "1.0", id: 7, method: "tools/list" },
    { id: 7, method: "tools/list" },
    { jsonrpc: "2.0", id: null, method: "tools/list" },
    { jsonrpc: "2.0", id: {}, method: "tools/list" },
    { jsonrpc: "2.0", id: 7, method: 7 },
  ])("%j is no message", async (message) => {
    const answer = await ask(post(JSON.stringify(message)));
    expect([null, 7]).toContain(answer.json?.id ?? null);
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
    expectError(await ask(post(" ".repeat(TOO_LARGE), { ...JSON_HEADERS, ...headers })), 413, EDGE);
  });
});

describe("the revisions with a handshake", () => {
  const initialize = (protocolVersion: string) =>
    oldMessage("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "raisebook-tests", version: "1.0.0" },
    });

  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
  ])("a client that speaks %s gets %s", async (asked, given) => {
    const { status, json } = await ask(initialize(asked));
    expect(status).toBe(200);
    expect(json?.result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} } });
  });

  it.each(["2025-03-26", "2025-06-18", "2025-11-25", undefined])(
    "a request of the version %s is served",
    async (version) => {
      const headers: Record<string, string> =
        version === undefined ? {} : { "MCP-Protocol-Version": version };
      expectTools(await ask(oldMessage("tools/list", {}, headers)));
    },
  );

  it.each(["1999-01-01", "newest", "2025-11-26"])("the version %s is a 400", async (version) => {
    const answer = await ask(oldMessage("tools/list", {}, { "MCP-Protocol-Version": version }));
    expectError(answer, 400, EDGE, answer.json?.id ?? null);
  });

  it.each(["Mcp-Session-Id", "Last-Event-ID"])("%s is not looked at", async (name) => {
    expectTools(await ask(oldMessage("tools/list", {}, { [name]: "made-up" })));
  });

  it.each(["resources/list", "prompts/list", "logging/setLevel", "server/sell", "__proto__"])(
    "the method %s is unknown",
    async (method) => {
      expectError(await ask(oldMessage(method, { level: "info" })), 200, -32_601, 7);
    },
  );

  it("a tool that there is not is refused, and one that is called wrongly answers with advice", async () => {
    expectError(await ask(oldMessage("tools/call", { name: "buy_deal", arguments: {} })), 200, -32_602, 7);
    const { status, json } = await ask(oldMessage("tools/call", { name: "get_deal", arguments: { id: 7 } }));
    expect({ status, isError: json?.result?.isError }).toEqual({ status: 200, isError: true });
  });
});

describe("the newest revision", () => {
  const call = { name: "get_deal", arguments: { id: "lst_3" } };

  it("is served without a handshake", async () => {
    const tools = await ask(newMessage("tools/list"));
    expectTools(tools);
    expect(tools.json?.result).toMatchObject({
      resultType: "complete",
      cacheScope: "public",
      ttlMs: 300_000,
    });
    const { json } = await ask(newMessage("tools/call", call));
    expect(json?.result).toMatchObject({ structuredContent: { deal: { publicId: "lst_3" } } });
    const discovered = await ask(newMessage("server/discover"));
    expect(discovered.json?.result).toMatchObject({
      supportedVersions: expect.arrayContaining([NEWEST]),
      capabilities: { tools: { listChanged: false } },
    });
  });

  it.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/list",
    "server/sell",
    "subscriptions/listen",
  ])("the method %s is a 404", async (method) => {
    expectError(await ask(newMessage(method)), 404, -32_601, 7);
  });

  const mismatches: [what: string, request: RawRequest][] = [
    ["no version", newMessage("tools/list", {}, { headers: { "MCP-Protocol-Version": null } })],
    ["another version", newMessage("tools/list", {}, { headers: { "MCP-Protocol-Version": "2025-11-25" } })],
    ["no method", newMessage("tools/list", {}, { headers: { "Mcp-Method": null } })],
    ["another method", newMessage("tools/list", {}, { headers: { "Mcp-Method": "tools/call" } })],
    ["no name", newMessage("tools/call", call, { headers: { "Mcp-Name": null } })],
    ["another name", newMessage("tools/call", call, { headers: { "Mcp-Name": "list_deals" } })],
  ];
  it.each(mismatches)("%s in the headers is a 400", async (_, request) => {
    expectError(await ask(request), 400, -32_020, 7);
  });

  it.each(["protocolVersion", "clientCapabilities"])("an envelope without %s is a 400", async (field) => {
    const { [`io.modelcontextprotocol/${field}` as keyof typeof META_OF_CLIENT]: _, ...meta } =
      META_OF_CLIENT;
    expectError(await ask(newMessage("tools/list", {}, { meta })), 400, -32_602, 7);
  });

  it("a message without an envelope is a 400", async () => {
    expectError(await ask(newMessage("tools/list", {}, { meta: null })), 400, -32_602, 7);
  });

  it("a version that is not spoken is a 400 that names those that are", async () => {
    const version = "2099-01-01";
    const meta = { ...META_OF_CLIENT, "io.modelcontextprotocol/protocolVersion": version };
    const headers = { "MCP-Protocol-Version": version };
    const answer = await ask(newMessage("tools/list", {}, { headers, meta }));
    expectError(answer, 400, -32_022, 7);
    expect(answer.json?.error?.data).toMatchObject({
      supported: expect.arrayContaining([NEWEST]),
      requested: version,
    });
  });

  it("a tool that there is not is refused, and one that is called wrongly answers with advice", async () => {
    const unknown = await ask(newMessage("tools/call", { name: "buy_deal", arguments: {} }));
    expectError(unknown, unknown.status, -32_602, 7);
    const { json } = await ask(newMessage("tools/call", { name: "get_deal", arguments: {} }));
    expect(json?.result).toMatchObject({ isError: true });
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
      if (method === "GET") expectError(answer, 405, EDGE);
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
    expectError(answer, 405, EDGE);
    expect(answer.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
  });

  it.each(PATHS)("a page of any origin may send any header of the protocol to %s", async (path) => {
    const { status, headers, text } = await send(`${served.url}${path}`, {
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
    expectError(await ask(oldMessage("tools/list", {}, { Host: host })), 403, EDGE);
    expectError(await ask({ headers: { Host: host } }), 403, EDGE);
  });
});
