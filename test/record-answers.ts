/**
 * Records what the service answers, to compare before and after a change that must not alter an answer:
 *
 *     npm run record:answers -- before
 *     npm run record:answers -- after
 *     diff -r before after
 *
 * The worlds are the demo's market up to a fixed day and three random histories, on real chains and the real service.
 * @module
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isAbstractType,
  isLeafType,
  isUnionType,
} from "graphql";
import { type LocalChain, startChain } from "../demo/chain.ts";
import { deployDesk, deployDollar, deployEscrow, deployFactory } from "../demo/deploy.ts";
import { genesisOf } from "../demo/market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "../demo/market/play.ts";
import { createHistory } from "./harness/history/history.ts";
import { type Service, type ServiceOptions, startService } from "./harness/service.ts";

/** 2026-03-01T12:00:00Z, Unix seconds. */
const DEMO_END = 1_772_366_400;
const SEEDS = (process.env.SEEDS ?? "11,12,13").split(",").filter(Boolean).map(Number);
const ACTIONS = 250;
const REQUEST_ID = "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11";
/** Of the connection, not of the answer. */
const LEFT_OUT = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);
const MOST_PAGES = 4;

type Request = { path: string; accept?: string; method?: string; body?: unknown };
type World = { name: string; chain: LocalChain; options: Omit<ServiceOptions, "rpcUrl"> };

async function demoWorld(): Promise<World> {
  const chain = await startChain({
    genesisTimestamp: genesisOf(DEMO_END),
    accounts: ACCOUNT_COUNT,
    keptStates: 200,
  });
  const market = await playDemoMarket(chain, { seed: 1, now: DEMO_END, onProgress: () => {} });
  const { escrows, factory, desk, registry } = market;
  return {
    name: "demo",
    chain,
    options: {
      escrows: [`${escrows.legacy.address}@${escrows.legacy.blockNumber}`],
      factory: `${factory.address}@${factory.blockNumber}`,
      desk: `${desk.address}@${desk.blockNumber}`,
      registry,
      env: { HOLDERS: "true" },
    },
  };
}

async function randomWorld(seed: number): Promise<World> {
  const chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  const { address: dollar } = await deployDollar(chain);
  const { address: factory, blockNumber } = await deployFactory(chain);
  const announced = await deployEscrow(chain, { dollar, factory, feeBps: 150 });
  const listed = await deployEscrow(chain, { dollar });
  const desk = await deployDesk(chain, { dollar });
  const history = await createHistory({
    chain,
    dollar,
    escrows: [announced.address, listed.address],
    desk: desk.address,
    seed,
    log: () => {},
  });
  await history.playUntil(ACTIONS);
  return {
    name: `history-${seed}`,
    chain,
    options: {
      factory: `${factory}@${blockNumber}`,
      escrows: [`${listed.address}@${listed.blockNumber}`],
      desk: `${desk.address}@${desk.blockNumber}`,
      registry: history.registry(),
      env: { HOLDERS: "true", EXPOSE_ACCOUNTS: seed % 2 === 0 ? "true" : "false" },
    },
  };
}

function restRequests(listings: readonly string[], originators: readonly string[], head: bigint): string[] {
  const some = listings.slice(0, 12);
  return [
    "/v1",
    "/v1/",
    "/v1/listings",
    "/v1/listings?sort=closing_soon&limit=5",
    "/v1/listings?sort=most_raised&limit=3",
    "/v1/listings?sort=most_subscribers",
    "/v1/listings?sort=highest_coupon&status=live,funding,listed&grade=A,B,C,NR",
    "/v1/listings?minCouponBps=1000&closingBefore=2026-03-20T00:00:00Z",
    `/v1/listings?originator=${originators[0]}`,
    "/v1/listings?status=nonsense&grade=Z&limit=0&colour=blue&sort=newest&sort=newest&cursor=x",
    "/v1/listings.csv",
    "/v1/listings.csv?limit=2",
    ...["/v1/listings", "/v1/originators", "/v1/stats"].flatMap((path) => [
      `${path}?asOf=${head / 2n}`,
      `${path}?asOf=${head}`,
      `${path}?asOf=${head + 9n}`,
      `${path}?asOf=yesterday`,
    ]),
    ...listings.map((id) => `/v1/listings/${id}`),
    ...some.flatMap((id) => [
      `/v1/listings/${id}?asOf=${(head * 2n) / 3n}`,
      `/v1/listings/${id}/schedule`,
      `/v1/listings/${id}/events`,
      `/v1/listings/${id}/events?limit=3&kind=subscribed,refunded,repaid`,
      `/v1/listings/${id}/events.csv`,
    ]),
    "/v1/listings/nobody",
    "/v1/listings/nobody/events",
    "/v1/originators",
    ...originators.map((id) => `/v1/originators/${id}`),
    "/v1/originators/nobody",
    "/v1/stats",
    "/v1/stats?nonsense=1",
    "/v1/events",
    "/v1/events?limit=200",
    "/v1/events?kind=listing_settled,offer_created,offer_filled,offer_cancelled,listing_voided",
    `/v1/events?since=${head / 3n}&until=${head / 2n}&limit=20`,
    "/v1/events?kind=nope&since=never&cursor=abc&limit=1000",
    "/v1/events.csv?limit=30",
    "/v1/anomalies",
    "/v1/anomalies?kind=bad_refnum&limit=2",
    "/v1/anomalies?kind=nope",
    "/v1/health",
    "/v1/ready",
    "/v1/audit",
    "/v1/nothing",
    "/metrics",
    "/nothing",
    "/.well-known/nothing",
    "/.well-known/oauth-authorization-server",
    "/register",
  ];
}

const FILES = [
  "/openapi.json",
  "/llms.txt",
  "/auth.md",
  "/.well-known/ai-catalog.json",
  "/.well-known/ard.json",
  "/.well-known/api-catalog",
  "/.well-known/mcp/server-card.json",
  "/mcp/server-card",
  "/v1/mcp/server-card",
  "/.well-known/agent-skills/index.json",
  "/robots.txt",
  "/sitemap.xml",
  "/sitemap.txt",
  "/sitemap-1.xml",
  "/favicon.ico",
  "/manifest.webmanifest",
  "/system/badge.svg",
];

const QUERIES = [
  "{ listings(status: [LIVE, live]) { nodes { publicId } } }",
  '{ listings(first: 1000, after: "x", minCouponBps: -4) { nodes { publicId } } }',
  "{ listings(status: [live, funding], sort: most_raised, first: 5) { totalCount nodes { publicId raisedAmount } pageInfo { hasNextPage endCursor } } }",
  "{ events(first: 20, kinds: [subscribed, refunded]) { nodes { __typename kind txHash finality } pageInfo { endCursor } } }",
  "{ originators(grade: [A, NR]) { totalCount nodes { publicId listings(first: 2, sort: newest) { nodes { publicId } } } } }",
  "{ nothing }",
  "not a query",
];

/** A query for each field of the root, with everything below it. */
function queriesOf(schema: GraphQLSchema, ids: Readonly<Record<string, string | undefined>>): string[] {
  const below = (type: GraphQLOutputType, depth: number): string | null => {
    const named = getNamedType(type);
    if (isLeafType(named)) return "";
    if (depth === 0) return null;
    const fields = isUnionType(named) ? [] : Object.values(named.getFields());
    const own = fields.flatMap((field) => {
      const selection = below(field.type, depth - 1);
      return selection === null ? [] : `${field.name}${argumentsOf(field)} ${selection}`;
    });
    const fragments = isAbstractType(named)
      ? schema.getPossibleTypes(named).map((one) => `... on ${one.name} ${below(one, 1)}`)
      : [];
    const selected = ["__typename", ...own, ...fragments];
    return `{ ${selected.join(" ")} }`;
  };
  const argumentsOf = ({ args }: GraphQLField<unknown, unknown>) => {
    const given = args.flatMap(({ name }) =>
      name === "first" || name === "last"
        ? `${name}: 3`
        : name in ids
          ? `${name}: ${JSON.stringify(ids[name])}`
          : [],
    );
    return given.length === 0 ? "" : `(${given.join(", ")})`;
  };
  const query = schema.getQueryType();
  return Object.values(query?.getFields() ?? {}).map(
    (field) => `{ ${field.name}${argumentsOf(field)} ${below(field.type, 4) ?? ""} }`,
  );
}

function toolRequests(listings: readonly string[], originators: readonly string[]): Request[] {
  const call = (name: string, args: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "recorder", version: "1" },
    },
  };
  const messages = [
    initialize,
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 1, method: "nothing" },
    [],
    call("list_deals", {}),
    call("list_deals", { status: ["live", "funding"], sort: "most_raised", limit: 50 }),
    call("list_deals", { originator: originators[0], minCouponBps: 900 }),
    call("list_deals", { originator: "nobody" }),
    call("list_deals", { cursor: "x" }),
    call("list_deals", { limit: 0, colour: "blue" }),
    ...listings.slice(0, 15).map((id) => call("get_deal", { id })),
    call("get_deal", { id: "nobody" }),
    call("list_businesses", {}),
    call("list_businesses", { grade: ["A", "B"], limit: 2 }),
    call("search_knowledge", { query: "what happens to my money when a raise misses its minimum?" }),
    call("search_knowledge", { query: "oven" }),
    call("nope", {}),
  ];
  return messages.map((body) => ({ path: "/v1/mcp", method: "POST", accept: "application/json", body }));
}

const PAGE_VARIANTS = [
  "/?status=live,funding&sort=most_raised",
  "/?q=oven&minCouponBps=900",
  "/?status=nonsense&cursor=x&minCouponBps=abc",
  "/knowledge?q=refund",
  "/originators?page=99",
  "/listings/nobody",
  "/nothing",
  "/listings",
  "/v1/",
];

async function record(folder: string, { name, chain, options }: World): Promise<number> {
  const service = await startService({
    ...options,
    rpcUrl: chain.rpcUrl,
    env: { LOG_LEVEL: "warn", ...options.env },
  });
  try {
    const head = await chain.publicClient.getBlockNumber();
    await service.indexed(head);
    const { listings } = await service.json<{ listings: { publicId: string; refnum: string }[] }>(
      "/v1/listings",
    );
    const { originators } = await service.json<{ originators: { publicId: string }[] }>("/v1/originators");
    const ids = listings.map(({ publicId }) => publicId);
    const firms = originators.map(({ publicId }) => publicId);
    const sitemap = (await service.get("/sitemap.txt")).text.trim().split("\n");
    const pages = [...sitemap.map((url) => new URL(url).pathname), ...PAGE_VARIANTS];
    const rest = [...restRequests(ids, firms, head), `/v1/listings/${listings[0]?.refnum.toLowerCase()}`];
    const requests: Request[] = [
      ...rest.map((path) => ({ path })),
      ...["/v1/listings", "/v1/events", "/v1/stats"].map((path) => ({ path, accept: "text/csv" })),
      ...FILES.map((path) => ({ path })),
      ...pages.flatMap((path) =>
        ["text/html", "text/markdown", "image/png"].map((accept) => ({ path, accept })),
      ),
      ...[...QUERIES, ...queriesOf(await schemaOf(service), { id: ids[0], publicId: firms[0] })].map(
        (query) => ({
          path: "/graphql",
          method: "POST",
          accept: "application/json",
          body: { query },
        }),
      ),
      { path: "/graphql", accept: "text/plain" },
      ...toolRequests(ids, firms),
      { path: "/mcp", accept: "text/event-stream" },
      { path: "/mcp" },
      ...["/v1/listings", "/", "/graphql", "/llms.txt"].flatMap((path) =>
        ["HEAD", "OPTIONS", "DELETE"].map((method) => ({ path, method })),
      ),
    ];
    const target = join(folder, name);
    await mkdir(target, { recursive: true });
    let asked = 0;
    const ask = async (request: Request) => {
      const text = await answerTo(service, request);
      asked += 1;
      await writeFile(join(target, `${String(asked).padStart(4, "0")}${nameOf(request)}.txt`), text);
      return text;
    };
    for (const request of requests) await ask(request);
    for (const first of [
      "/v1/listings?limit=7&sort=newest",
      "/v1/events?limit=40",
      "/v1/anomalies?limit=5",
    ]) {
      let path: string | null = first;
      for (let page = 0; path !== null && page < MOST_PAGES; page += 1) {
        const cursor: string | undefined = /"nextCursor":"([^"]+)"/.exec(await ask({ path }))?.[1];
        path = cursor === undefined ? null : `${first}&cursor=${cursor}`;
      }
    }
    return asked;
  } finally {
    await service.stop();
  }
}

async function schemaOf({ url }: Service): Promise<GraphQLSchema> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data } = (await response.json()) as { data: IntrospectionQuery };
  return buildClientSchema(data);
}

async function answerTo({ url }: Service, { path, accept, method = "GET", body }: Request): Promise<string> {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      "User-Agent": "raisebook-recorder",
      "Accept-Encoding": "identity",
      "X-Request-Id": REQUEST_ID,
      ...(accept === undefined ? {} : { Accept: accept }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const headers = [...response.headers]
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  const asked = [
    `${method} ${path}`,
    `Accept: ${accept ?? ""}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
  ];
  return [...asked, "", response.status, ...headers.sort(), "", readable(await response.text())].join("\n");
}

/** A line for each value of JSON, so that a difference is seen where it is. */
function readable(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 1)}\n`;
  } catch {
    return text;
  }
}

function nameOf({ path, method = "", accept = "" }: Request): string {
  return `${method}${path}.${accept.replace(/^.*\//, "")}`.replace(/[^\w.=-]+/g, "_").slice(0, 90);
}

async function main(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (name === undefined) throw new Error("Usage: npm run record:answers -- <folder>");
  const folder = resolve(name);
  await rm(folder, { recursive: true, force: true });
  const worlds = [demoWorld, ...SEEDS.map((seed) => () => randomWorld(seed))];
  for (const make of worlds) {
    const world = await make();
    try {
      const answers = await record(folder, world);
      process.stdout.write(`${world.name}: ${answers} answers\n`);
    } finally {
      await world.chain.stop();
    }
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
