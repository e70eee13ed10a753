/** A call that was asked before is given the library's own answer: the same bytes and the same head, with its own id. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { appIn } from "../harness/app.ts";
import { type RawRequest, send } from "../harness/raw-http.ts";
import { everyState } from "../harness/rows.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";
import { newMessage, oldMessage } from "./messages.ts";

const { rows, registry } = everyState();
const market = () => snapshotOf(tablesOf({ listings: rows }), registry);
let served: ServedApp;
let snapshot: Snapshot | null;
/** how often the market was looked at: once for a kept answer and for bad arguments, more often for any other */
let looks = 0;

beforeAll(async () => {
  snapshot = await market();
  const current = () => {
    looks += 1;
    return snapshot;
  };
  served = await serveApp(await appIn({ overrides: { updater: { current } } }));
});
afterAll(() => served[Symbol.asyncDispose]());

const text = ({ body }: RawRequest) => JSON.stringify(body);
const withId = (request: RawRequest, id: unknown): RawRequest => ({
  ...request,
  body: text(request).replace('"id":7', `"id":${JSON.stringify(id)}`),
});
/** The same message, so long that nothing is kept for it. */
const oddly = (request: RawRequest): RawRequest => ({ ...request, body: `${request.body}`.padEnd(4_097) });

async function ask(request: RawRequest, path = "/mcp") {
  looks = 0;
  const { status, headers, text } = await send(`${served.url}${path}`, {
    ...request,
    headers: { "X-Request-Id": "the-same", ...request.headers },
  });
  const { date: _, ...rest } = headers;
  return { answer: { status, headers: rest, text }, isKept: looks === 1 };
}

const call = (name: string, args: object) => ({ name, arguments: args });
const CALLS = [
  call("list_deals", {}),
  call("list_deals", { limit: 2, sort: "most_raised" }),
  call("list_businesses", { grade: ["A", "B"] }),
  call("search_knowledge", { query: "refund «☃»" }),
  { ...call("list_deals", { limit: 3 }), _meta: { "example.org/trace": "ä" } },
];
const FORMS: [string, (params: Record<string, unknown>) => RawRequest][] = [
  ["with a handshake", (params) => oldMessage("tools/call", params)],
  ["of 2025-06-18", (params) => oldMessage("tools/call", params, { "MCP-Protocol-Version": "2025-06-18" })],
  ["of 2025-11-25", (params) => oldMessage("tools/call", params, { "MCP-Protocol-Version": "2025-11-25" })],
  ["of 2026-07-28", (params) => newMessage("tools/call", params)],
];
const IDS = [7, 0, 999_999_999_999_999, "7", "a-☃", " "];

describe.each(FORMS)("a call %s", (_, messageOf) => {
  it.each(CALLS)("%j is answered again as the library answers it", async (params) => {
    const message = messageOf(params);
    await ask(withId(message, "first"));
    for (const id of IDS) {
      const again = await ask(withId(message, id));
      const own = await ask(oddly(withId(message, id)));
      expect([again.isKept, own.isKept]).toEqual([true, false]);
      expect(again.answer).toEqual(own.answer);
      expect(again.answer.status).toBe(200);
      expect(JSON.parse(again.answer.text)).toMatchObject({ id, result: { structuredContent: {} } });
      expect(await ask(withId(message, id), "/v1/mcp")).toEqual(again);
    }
  });

  it("is answered again when the market has changed", async () => {
    const message = withId(messageOf(call("list_deals", { limit: 1 })), 1);
    const { answer } = await ask(message);
    expect((await ask(message)).isKept).toBe(true);
    const before = snapshot;
    snapshot = await market();
    expect(await ask(message)).toEqual({ answer, isKept: false });
    expect(await ask(message)).toEqual({ answer, isKept: true });
    snapshot = null;
    expect((await ask(message)).answer.text).toContain("ask again");
    snapshot = before;
  });

  it.each([
    call("list_deals", { limit: 0 }),
    call("list_deals", { cursor: "made-up" }),
    call("list_businesses", { jurisdiction: "XX" }),
    call("get_deal", { id: "lst_3" }),
    call("buy_deal", {}),
    { name: "list_deals", arguments: [] },
  ])("%j is answered by the library each time", async (params) => {
    const message = withId(messageOf(params), 1);
    const first = await ask(message);
    expect(await ask(message)).toEqual(first);
    expect((await ask(oddly(message))).answer).toEqual(first.answer);
  });

  it.each([null, 1.5, -1, {}, "", 'a"b', "a\\b", "x".repeat(200), 2 ** 60])(
    "the id %j is the library's matter",
    async (id) => {
      const message = withId(messageOf(call("list_deals", {})), id);
      await ask(withId(message, 7));
      const own = await ask(oddly(message));
      expect((await ask(message)).answer).toEqual(own.answer);
    },
  );
});

const kept = () => oldMessage("tools/call", call("list_deals", {}));

it("a difference that changes a message's meaning is not taken for the same message", async () => {
  await ask(withId(kept(), 1));
  const said = text(kept());
  const another = [
    said.replace('"2.0"', '"1.0"'),
    said.replace('"method"', '"more":1,"method"'),
    said.replace('"id":7,', ""),
    said.replace('"params"', '"id":8,"params"'),
    said.replace('"params"', '"\\u0069d":8,"params"'),
    said.replace('"arguments":{}', '"arguments":{"id":7}'),
    said.replace('"arguments":{}', '"arguments":{},"_meta":{"progressToken":[]}'),
  ];
  for (const body of another) {
    const { answer } = await ask({ ...kept(), body });
    expect(answer).toEqual((await ask({ ...kept(), body: body.replace('"id":7', '"id":   7') })).answer);
    expect(answer).toEqual((await ask({ ...kept(), body })).answer);
  }
});

it("an id within the message is not taken for the message's own", async () => {
  const said = text(kept()).replace('"id":7', '"id" :7');
  for (const [inner, expected] of [
    [7, false],
    [8, false],
    [7, true],
  ]) {
    const body = said.replace('"arguments":{}', `"arguments":{},"_meta":{"id":${inner}}`);
    const { answer, isKept } = await ask({ ...kept(), body });
    expect([inner, isKept]).toEqual([inner, expected]);
    expect(JSON.parse(answer.text)).toMatchObject({ id: 7, result: { structuredContent: {} } });
  }
});

it("headers are judged also for a call whose answer is kept", async () => {
  const message = withId(kept(), 1);
  await ask(message);
  const refused: [Record<string, string>, number][] = [
    [{ Host: "elsewhere.example" }, 403],
    [{ Accept: "text/html" }, 406],
    [{ "Content-Type": "text/plain" }, 415],
    [{ "MCP-Protocol-Version": "1999-01-01" }, 400],
    [{ "MCP-Protocol-Version": "2026-07-28" }, 400],
  ];
  for (const [headers, status] of refused) {
    const { answer } = await ask({ ...message, headers: { ...message.headers, ...headers } });
    expect([headers, answer.status]).toEqual([headers, status]);
  }
  const newer = withId(newMessage("tools/call", call("list_deals", {})), 1);
  await ask(newer);
  const misnamed = { ...newer, headers: { ...newer.headers, "Mcp-Name": "get_deal" } };
  expect((await ask(misnamed)).answer.status).toBe(400);
  const swapped = {
    ...newer,
    headers: { ...newer.headers, "Mcp-Name": "tools/call", "Mcp-Method": "list_deals" },
  };
  expect((await ask(swapped)).answer.status).toBe(400);
});
