/** Errors of the endpoint: their codes, and texts that repeat nothing at length of what was sent. */
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";

const META = "io.modelcontextprotocol/";
/** Any length, controls, an override of the writing direction, and invisible letters. */
const HOSTILE = `2099-01-01\u202E\u0007\u{E0041}${"x".repeat(5_000)}`;
/** A header takes no more than this of it. */
const HOSTILE_HEADER = `2099-01-01${"x".repeat(5_000)}`;

const app = await appIn();

async function send(method: string, params: object, headers: Record<string, string> = {}) {
  const response = await app.request("http://raises.example/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

const envelope = (version: string) => ({
  _meta: {
    [`${META}protocolVersion`]: version,
    [`${META}clientInfo`]: { name: "test", version: "1" },
    [`${META}clientCapabilities`]: {},
  },
});

describe("an error", () => {
  const revision = (version: string) => ({ "MCP-Protocol-Version": version, "Mcp-Method": "tools/list" });

  it.each([
    ["a version in the message", envelope(HOSTILE), revision("2026-07-28")],
    ["a version in both", envelope(HOSTILE_HEADER), revision(HOSTILE_HEADER)],
    ["a version in the header", {}, { "MCP-Protocol-Version": HOSTILE_HEADER }],
    ["an old version in the header", {}, { "MCP-Protocol-Version": `1${HOSTILE_HEADER}` }],
  ])("is short and clean, whatever stands in it: %s", async (_, params, headers) => {
    const { status, text, json } = await send("tools/list", params, headers);
    expect(status).toBe(400);
    expect(json.error.code).toBeLessThan(0);
    expect(text.length).toBeLessThan(1_000);
    for (const hidden of ["\u202E", "\\u0007", "\u{E0041}"]) expect(text).not.toContain(hidden);
  });

  it.each([
    ["tools/list", { cursor: 5 }, "Invalid params: they are not of this method's form."],
    ["tools/call", { name: "get_deal", arguments: "lst_3" }, "Invalid tools/call request"],
  ])("is not in the words of the library's parser: %s %j", async (method, params, message) => {
    const { json } = await send(method, params);
    expect(json).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32_602, message } });
  });

  it("for an unknown tool is a parameter error, and does not repeat its name", async () => {
    const { status, json } = await send("tools/call", { name: "buy_deal", arguments: {} });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: 7, error: { code: -32_602 } });
    expect(JSON.stringify(json)).not.toContain("buy_deal");
  });
});

it("gives an answer again under another id, and errors as they are", async () => {
  const raises = { name: "list_deals", arguments: { limit: 2, q: '"id":7' } };
  const ask = async (id: string | number, params: object) => {
    const response = await app.request("http://raises.example/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id, jsonrpc: "2.0", method: "tools/call", params }),
    });
    return response.json();
  };
  const first = await ask(7, raises);
  expect(first).toMatchObject({ id: 7, result: { structuredContent: { deals: [] } } });
  for (const id of [8, '"id":7', 8]) expect(await ask(id, raises)).toEqual({ ...first, id });
  const refused = { name: "list_deals", arguments: { limit: 0 } };
  for (const id of [1, 2]) expect(await ask(id, refused)).toMatchObject({ id, result: { isError: true } });
});
