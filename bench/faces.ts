/**
 * The cost of an answer right after a block with one change, in a market of 10,000 raises and in one of 100,000, with as many alive in both:
 * a cost that grows depends on the number of all raises, not of those alive.
 * @module
 */
import type { Hono } from "hono";
import type { ChainRows } from "../api/market/chain-rows.ts";
import type { Market } from "../api/market/market.ts";
import { createProjection } from "../api/market/project.ts";
import type { Projection } from "../api/market/project-form.ts";
import type { Snapshot } from "../api/market/snapshot.ts";
import type { ListingRow } from "../src/fold/state.ts";
import { appShowing } from "../test/harness/app.ts";
import { bodyOf } from "../test/harness/asking.ts";
import { parseRegistry } from "../test/harness/parsed-registry.ts";
import { DOLLAR, everyState, HEAD } from "../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../test/harness/snapshot.ts";
import { makeMarket } from "./harness/market.ts";
import { inPairs, rowOf } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

const [FEW, MANY] = [10_000, 100_000];
/** Raises that are not finished, in both markets. */
const ALIVE = 1_000;

/** Loans that are counted at a time. */
const COUNTED = 1_000;

const HTML = { Accept: "text/html" };
const MARKDOWN = { Accept: "text/markdown" };
const tool = (name: string, args: object): RequestInit => ({
  method: "POST",
  headers: {
    ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    "MCP-Protocol-Version": "2025-06-18",
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
});
const graphql = (query: string): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: "application/json" },
  body: JSON.stringify({ query }),
});

const REQUESTS_OF: Readonly<Record<string, readonly [path: string, init?: RequestInit]>> = {
  "the board": ["/", { headers: HTML }],
  "the board in Markdown": ["/", { headers: MARKDOWN }],
  "the board of all raises": ["/?show=all", { headers: HTML }],
  "the board, a filter": ["/?show=all&interest=12", { headers: HTML }],
  "the board, a search": ["/?q=bakery+oven&show=all", { headers: HTML }],
  "the board, no match": ["/?q=zeppelin&show=all", { headers: HTML }],
  "a raise": ["/listings/lst_000007", { headers: HTML }],
  "the businesses": ["/originators", { headers: HTML }],
  "a business": ["/originators/org_1", { headers: HTML }],
  statistics: ["/statistics", { headers: HTML }],
  compare: ["/compare?ids=lst_000001,lst_000002", { headers: HTML }],
  "an empty watch list": ["/watched", { headers: HTML }],
  system: ["/system", { headers: HTML }],
  "knowledge, a question of rules": ["/knowledge?q=when+is+a+raise+late", { headers: HTML }],
  "knowledge, who is late": ["/knowledge?q=who+is+late+now", { headers: HTML }],
  "knowledge, failures by grade": ["/knowledge?q=default+rate+by+grade", { headers: HTML }],
  "knowledge, raises of a country": ["/knowledge?q=raises+in+singapore", { headers: HTML }],
  "the market's feed": ["/feed.atom"],
  "a filtered feed": ["/feed.atom?status=live"],
  "the market's calendar": ["/calendar.ics"],
  "a business's calendar": ["/originators/org_1/calendar.ics"],

  "sitemap.xml": ["/sitemap.xml"],
  "sitemap.txt": ["/sitemap.txt"],
  "llms.txt": ["/llms.txt"],
  "/v1/listings?limit=50": ["/v1/listings?limit=50"],
  "/v1/listings?status=live&limit=50": ["/v1/listings?status=live&limit=50"],
  "/v1/listings?status=listed,funding&limit=50": ["/v1/listings?status=listed,funding&limit=50"],
  "/v1/listings?q=zeppelin&limit=50": ["/v1/listings?q=zeppelin&limit=50"],
  "/v1/listings?originator=org_1": ["/v1/listings?originator=org_1"],
  "/v1/listings?changedSince, limit=50": [`/v1/listings?changedSince=${HEAD.number}&limit=50`],
  "/v1/listings/{id}": ["/v1/listings/lst_000007"],
  "/v1/originators": ["/v1/originators"],
  "/v1/originators/{id}": ["/v1/originators/org_1"],
  "/v1/stats": ["/v1/stats"],
  "/v1/series": ["/v1/stats/series?by=month"],
  "/v1/cohorts": ["/v1/stats/cohorts?by=quarter"],
  "/v1/health": ["/v1/health"],
  list_deals: ["/v1/mcp", tool("list_deals", { limit: 5 })],
  "list_deals of a state": ["/v1/mcp", tool("list_deals", { status: ["live"], limit: 5 })],
  list_businesses: ["/v1/mcp", tool("list_businesses", { limit: 5 })],
  get_deal: ["/v1/mcp", tool("get_deal", { id: "lst_000007" })],
  search_knowledge: ["/v1/mcp", tool("search_knowledge", { query: "when is a raise late" })],
  "GraphQL, totalCount of a filter": [
    "/graphql",
    graphql("{listings(first: 5, minCouponBps: 1200) {totalCount nodes {publicId}}}"),
  ],
  "GraphQL, originators": ["/graphql", graphql("{originators(first: 5) {totalCount nodes {publicId}}}")],
  "GraphQL, the desk": ["/graphql", graphql("{trading {listings(first: 5) {nodes {publicId}}}}")],
};

/** The cases that FACES names, with semicolons between them; all when it is empty. */
export async function* faces(): AsyncGenerator<Row> {
  const names = (process.env.FACES ?? "").split(";").filter(Boolean);
  const [few, many] = [await startSide(FEW), await startSide(MANY)];
  for (const [name, [path, init]] of Object.entries(REQUESTS_OF)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const pairs = await inPairs({
      ours: () => many.ask(path, init),
      other: () => few.ask(path, init),
    });
    yield rowOf(
      {
        bench: "faces",
        case: name,
        unit: "ms of CPU",
        against: `${FEW.toLocaleString("en")} raises`,
        bar: "≤ 2",
      },
      pairs,
    );
  }
}

/** Milliseconds of processor time for a request. */
type Side = { ask(path: string, init?: RequestInit): Promise<number> };

async function startSide(size: number): Promise<Side> {
  const made = makeMarket(size);
  const ended = everyState().rows.filter(({ terminalKind }) => terminalKind !== null);
  const listings = made.rows.listing.map((row, at) =>
    at < ALIVE ? row : endedAs(row, ended[at % ended.length]),
  );
  const registry = parseRegistry(Buffer.from(JSON.stringify(made.registry)));
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
  const rows: ChainRows = {
    listings,
    repayments: made.rows.repayment,
    ...{ offers: [], trades: [], holders: new Map(), flows: [] },
  };
  let market = projection.advance(rows, HEAD, HEAD.number);
  const base = { ...(await snapshotOf(tablesOf())), registry };
  const { app, show } = await appShowing();
  let blocks = 0;
  return {
    async ask(path, init) {
      market = nextBlock(projection, market, listings[blocks++ % ALIVE]);
      // A service counts loans between requests.
      while (market.overTime?.countOn(COUNTED) === true);
      show({ ...base, market } satisfies Snapshot);
      // Only this thread's time: on a busy machine the clock mostly measures other threads.
      const before = process.threadCpuUsage();
      await read(app, path, init);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    },
  };
}

async function read(app: Hono, path: string, init?: RequestInit): Promise<void> {
  const answer = await app.request(`https://raises.example${path}`, init);
  if (answer.status !== 200)
    throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  await bodyOf(answer);
}

/** The raise with this key in the state of another one. */
function endedAs(row: ListingRow, ended: ListingRow | undefined): ListingRow {
  if (ended === undefined) throw new Error("no state is final");
  const { onchainId, token, createdEventId, refnum, updatedEventId, originator } = row;
  const { metadataHash, couponRateBps, goLiveAt, updatedBlock } = row;
  return {
    ...ended,
    ...{ onchainId, token, createdEventId, refnum, updatedEventId, originator },
    ...{ metadataHash, couponRateBps, goLiveAt, updatedBlock },
  };
}

function nextBlock(projection: Projection, { head }: Market, row: ListingRow | undefined): Market {
  if (row === undefined) throw new Error("no such raise");
  const next = { number: head.number + 1n, timestamp: head.timestamp + 1n };
  const raisedAmount = row.raisedAmount + DOLLAR * (next.number - HEAD.number);
  const listings = [{ ...row, raisedAmount, updatedBlock: next.number, updatedAt: next.timestamp }];
  return projection.advance(
    { listings, ...{ repayments: [], offers: [], trades: [], flows: [] }, holders: new Map() },
    next,
    HEAD.number,
  );
}
