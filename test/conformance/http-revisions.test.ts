import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawRequest, send } from "../harness/raw-http.ts";
import { type Edge, expectError, expectTools, HTTP_ERROR, openEdge } from "./edge.ts";
import { ID, META_OF_CLIENT, NEWEST, newMessage, oldMessage } from "./messages.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());
const ask = (request: RawRequest) => edge.ask(request);

const HELLO = { capabilities: {}, clientInfo: { name: "raisebook-tests", version: "1.0.0" } };

describe("the revisions with a handshake", () => {
  const initialize = (protocolVersion: string) => oldMessage("initialize", { ...HELLO, protocolVersion });

  it.each([
    // No revision with batches is spoken, so a batch is refused.
    ["2024-11-05", "2025-11-25"],
    ["2025-03-26", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
  ])("a client that speaks %s gets %s", async (asked, given) => {
    const { status, json } = await ask(initialize(asked));
    expect(status).toBe(200);
    expect(json?.result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} } });
  });

  it.each(["2025-06-18", "2025-11-25", undefined])(
    "a request of the version %s is served",
    async (version) => {
      const headers: Record<string, string> =
        version === undefined ? {} : { "MCP-Protocol-Version": version };
      expectTools(await ask(oldMessage("tools/list", {}, headers)));
    },
  );

  it.each([
    ["1999-01-01", HTTP_ERROR],
    ["2024-11-05", HTTP_ERROR],
    ["2025-03-26", HTTP_ERROR],
    ["2025-11-26", HTTP_ERROR],
    // It is taken for one to come, whose messages have an envelope.
    ["2099-01-01", -32_602],
  ])("the version %s is a 400", async (version, code) => {
    const answer = await ask(oldMessage("tools/list", {}, { "MCP-Protocol-Version": version }));
    expectError(answer, 400, code, answer.json?.id ?? null);
  });

  it.each(["Mcp-Session-Id", "Last-Event-ID"])("%s is not looked at", async (name) => {
    expectTools(await ask(oldMessage("tools/list", {}, { [name]: "made-up" })));
  });

  it.each(["resources/list", "prompts/list", "logging/setLevel", "server/sell", "__proto__"])(
    "the method %s is unknown",
    async (method) => {
      expectError(await ask(oldMessage(method, { level: "info" })), 200, -32_601, ID);
    },
  );

  it("an unknown tool is refused, and one that is called wrongly answers with advice", async () => {
    expectError(await ask(oldMessage("tools/call", { name: "buy_deal", arguments: {} })), 200, -32_602, ID);
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
    expectError(await ask(newMessage(method)), 404, -32_601, ID);
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
    expectError(await ask(request), 400, -32_020, ID);
  });

  it.each(["protocolVersion", "clientCapabilities"])("an envelope without %s is a 400", async (field) => {
    const { [`io.modelcontextprotocol/${field}` as keyof typeof META_OF_CLIENT]: _, ...meta } =
      META_OF_CLIENT;
    expectError(await ask(newMessage("tools/list", {}, { meta })), 400, -32_602, ID);
  });

  it("a message without an envelope is a 400", async () => {
    expectError(await ask(newMessage("tools/list", {}, { meta: null })), 400, -32_602, ID);
  });

  it("a version that is not spoken is a 400 that names those that are", async () => {
    const version = "2099-01-01";
    const meta = { ...META_OF_CLIENT, "io.modelcontextprotocol/protocolVersion": version };
    const headers = { "MCP-Protocol-Version": version };
    const answer = await ask(newMessage("tools/list", {}, { headers, meta }));
    expectError(answer, 400, -32_022, ID);
    expect(answer.json?.error?.data).toMatchObject({
      supported: [NEWEST],
      requested: version,
    });
  });

  it("the card, a handshake and the errors know the same versions", async () => {
    const card = await send(`${edge.url}/.well-known/mcp/server-card.json`, {});
    const listed: string[] = JSON.parse(card.text).remotes[0].supportedProtocolVersions;
    const asked = ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    const agreed: string[] = [];
    for (const version of asked) {
      const { json } = await ask(oldMessage("initialize", { ...HELLO, protocolVersion: version }));
      if (json?.result?.protocolVersion === version) agreed.push(version);
    }
    expect([...agreed, NEWEST]).toEqual(listed);
    const refused = await ask(oldMessage("tools/list", {}, { "MCP-Protocol-Version": "1999-01-01" }));
    expect([...(refused.json?.error?.message.matchAll(/\d{4}-\d\d-\d\d/g) ?? [])].map(String).sort()).toEqual(
      ["1999-01-01", ...listed],
    );
  });

  it("an unknown tool is refused, and one that is called wrongly answers with advice", async () => {
    expectError(await ask(newMessage("tools/call", { name: "buy_deal", arguments: {} })), 200, -32_602, ID);
    const { json } = await ask(newMessage("tools/call", { name: "get_deal", arguments: {} }));
    expect(json?.result).toMatchObject({ isError: true });
  });
});
