import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { appIn } from "../harness/app.ts";
import { type Recorded, type ServedApp, serveApp } from "../harness/serve-app.ts";
import { CLIENT_KINDS, type Connected, type Result } from "./sdk-clients.ts";

const TOOLS = ["list_deals", "get_deal", "list_businesses", "search_knowledge"];

const GOOD_CALLS: readonly [tool: string, args: Record<string, unknown>, rest: string, field: string][] = [
  ["list_deals", { status: ["funding"], sort: "highest_coupon" }, "/v1/listings?status=funding", "deals"],
  ["list_businesses", { jurisdiction: "sg" }, "/v1/originators", "businesses"],
];

const BAD_CALLS: readonly [tool: string, args: Record<string, unknown>, advice: RegExp][] = [
  ["list_deals", { limit: 51 }, /limit/],
  ["list_deals", { cursor: "nonsense" }, /nextCursor/],
  ["get_deal", { id: "lst_nowhere" }, /call list_deals/],
  ["get_deal", {}, /id/],
  ["list_businesses", { jurisdiction: "Germany" }, /ISO 3166/],
  ["search_knowledge", { query: "" }, /query/],
  ["search_knowledge", { question: "refunds" }, /no argument "question"/],
];

type RestAnswer = { listings?: unknown; originators?: unknown; refnum?: string };

const idsOf = (items: unknown) => (items as { publicId: string }[]).map(({ publicId }) => publicId);

/** The facts of an answer that is none of an error; the text has the same ones. */
function factsOf({ content, structuredContent, isError }: Result): Record<string, unknown> {
  expect(isError ?? false).toBe(false);
  expect(content.map(({ type }) => type)).toEqual(["text"]);
  const text = content[0]?.text ?? "";
  // Businesses are in lines.
  if (structuredContent?.businesses === undefined) expect(JSON.parse(text)).toEqual(structuredContent);
  else for (const publicId of idsOf(structuredContent.businesses)) expect(text).toContain(`${publicId}: `);
  return structuredContent ?? {};
}

const streamsAskedFor = (requests: readonly Recorded[]) =>
  requests.filter(({ headers }) => headers.accept === "text/event-stream");

const CONSOLE = ["log", "info", "warn", "error", "debug", "trace"] as const;
const said: unknown[][] = [];
const onWarning = (warning: Error) => said.push([warning]);
beforeEach(() => {
  said.length = 0;
  process.on("warning", onWarning);
  for (const method of CONSOLE) vi.spyOn(console, method).mockImplementation((...words) => said.push(words));
  vi.spyOn(process.stderr, "write").mockImplementation((words) => said.push([words]) > 0);
});
afterEach(() => {
  process.off("warning", onWarning);
  vi.restoreAllMocks();
  expect(said).toEqual([]);
});

describe.each(CLIENT_KINDS)("$name", ({ connect, revision, asksForStream }) => {
  let served: ServedApp;
  let client: Connected;
  beforeAll(async () => {
    served = await serveApp(await appIn());
    client = await connect(`${served.url}/mcp`);
  });
  afterAll(async () => {
    await client.close();
    await served[Symbol.asyncDispose]();
  });
  afterEach(() => expect(client.errors).toEqual([]));

  const rest = async (path: string) => (await (await fetch(`${served.url}${path}`)).json()) as RestAnswer;

  it("connects, and is told what this is", () => {
    expect(client.revision).toBe(revision);
    expect(client.serverName).toBe("raisebook");
    expect(client.instructions).toMatch(/read-only/);
  });

  it("lists the four tools", async () => {
    expect(await client.listTools()).toEqual(TOOLS);
  });

  it.each(GOOD_CALLS)("%s %j has what REST has", async (tool, args, path, field) => {
    const facts = factsOf(await client.call(tool, args));
    const answer = await rest(path);
    const ids = idsOf(facts[field]);
    const expected = idsOf(answer.listings ?? answer.originators);
    expect(ids.length).toBeGreaterThan(0);
    expect([...ids].sort()).toEqual([...expected].sort());
    expect(facts.total).toBe(ids.length);
    expect(facts.nextCursor).toBeNull();
  });

  it("get_deal has the raise that REST has", async () => {
    const listing = await rest("/v1/listings/lst_3");
    expect(factsOf(await client.call("get_deal", { id: "lst_3" })).deal).toEqual(listing);
    expect(factsOf(await client.call("get_deal", { id: listing.refnum })).deal).toEqual(listing);
  });

  it("search_knowledge finds the page about refunds", async () => {
    const { hits } = factsOf(await client.call("search_knowledge", { query: "refund", limit: 3 }));
    const found = hits as { kind: string; url: string; text: string }[];
    expect(found.map(({ kind }) => kind)).toContain("knowledge");
    expect(found.map(({ url }) => url).join(" ")).toContain("/knowledge/");
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it.each(BAD_CALLS)("%s %j is answered with advice", async (tool, args, advice) => {
    const { content, isError, structuredContent } = await client.call(tool, args);
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect(content).toHaveLength(1);
    expect(content[0]?.text).toMatch(advice);
  });

  it("an unknown tool is refused by the protocol", async () => {
    await expect(client.call("buy_deal", {})).rejects.toMatchObject({ code: -32_602 });
  });

  it("walks through all deals by cursor, each exactly once", async () => {
    const pages: string[][] = [];
    let cursor: unknown;
    do {
      const page = factsOf(await client.call("list_deals", { limit: 3, ...(cursor ? { cursor } : {}) }));
      pages.push(idsOf(page.deals));
      cursor = page.nextCursor;
    } while (cursor !== null && pages.length < 10);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat()).toEqual(idsOf((await rest("/v1/listings")).listings));
  });

  it(`has asked for ${asksForStream ? "one event stream, and was refused" : "no event stream"}`, () => {
    const asked = streamsAskedFor(served.requests);
    expect(asked.map(({ method, status }) => [method, status])).toEqual(asksForStream ? [["GET", 405]] : []);
  });

  it("got nothing but successes for its messages", () => {
    const posts = served.requests.filter(({ method }) => method === "POST");
    expect(posts.length).toBeGreaterThan(10);
    // An unknown tool, and a probe of nothing, are refused inside of a 200 or as the newer revision says.
    expect(posts.filter(({ status }) => status >= 400)).toEqual([]);
  });
});

/** A server that answers every GET with a text, as one that does not know the clients would. */
async function withoutRefusal(): Promise<Hono> {
  const app = await appIn();
  return new Hono().get("/mcp", (c) => c.text("A tool server.")).all("*", ({ req }) => app.fetch(req.raw));
}

it("no client comes back for a stream, while one that is not refused comes again and again", async () => {
  await using talkative = await serveApp(await withoutRefusal());
  const servers = await Promise.all(CLIENT_KINDS.map(async () => serveApp(await appIn())));
  const clients: Connected[] = [];
  try {
    for (const [index, { connect }] of CLIENT_KINDS.entries()) {
      clients.push(await connect(`${servers[index]?.url}/mcp`));
    }
    const [old] = CLIENT_KINDS;
    if (old) clients.push(await old.connect(`${talkative.url}/mcp`));
    // The client of the talkative server is the clock: once it has polled, the others have had time to.
    for (let turn = 0; turn < 300 && streamsAskedFor(talkative.requests).length < 4; turn++) await sleep(100);
    expect(streamsAskedFor(talkative.requests).length).toBeGreaterThanOrEqual(4);
    for (const [index, { name, asksForStream }] of CLIENT_KINDS.entries()) {
      const asked = streamsAskedFor(servers[index]?.requests ?? []);
      expect([name, asked.map(({ status }) => status)]).toEqual([name, asksForStream ? [405] : []]);
    }
    expect(clients.flatMap(({ errors }) => errors)).toEqual([]);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
});
