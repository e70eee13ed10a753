/**
 * The target of the hostile requests: the whole app over a market of every state, in this process; and the state that they must leave
 * unchanged.
 * @module
 */
import type { Hono } from "hono";
import { afterAll, describe, expect } from "vitest";
import { createLogger } from "../../../config/log.ts";
import { appIn } from "../app.ts";
import { type Ask, asking } from "../asking.ts";
import { fixedLedger } from "../fixed-ledger.ts";
import { subscribedRow } from "../rows.ts";
import type { HostileCase } from "./request.ts";

/** Which way a route is asked. */
type Face = "rest" | "mcp" | "graphql" | "documents";

/** The pattern of a route, and the methods that it was added for (`ALL` for any). */
export type Route = { path: string; methods: readonly string[]; face: Face };

export type World = {
  app: Hono;
  ask: Ask;
  /** sends a case as it is */
  send(one: HostileCase): ReturnType<Ask>;
  /** every route that the app has, each once */
  routes: readonly Route[];
  /** cursors as the app gives them out, of every face that has any */
  cursors: readonly string[];
  /** what the app has logged as an error since this was last asked: requests that failed inside of it */
  failures(): string[];
  /** answers to good requests, and the prototypes of the language: the same before and after */
  state(): Promise<string[]>;
};

const row = subscribedRow();
const LEDGER = fixedLedger({
  events: { rows: [row], next: { blockNumber: row.blockNumber, logIndex: row.logIndex } },
  anomalies: { byKind: { zero_amount: 1 }, next: { eventId: row.eventId, kind: "zero_amount" } },
});

/** An app over a market of every state, or one that has indexed nothing yet. */
export async function createWorld({ isEmpty }: { isEmpty: boolean }): Promise<World> {
  const failures: string[] = [];
  const log = createLogger({ format: "json", level: "error", write: (line) => failures.push(line) });
  const app = await appIn({ ...(isEmpty ? { snapshot: null } : {}), overrides: { log, ledger: LEDGER } });
  const ask = asking(app);
  const routes = routesOf(app);
  // The stream has no root until the book has been read, which the first question for it begins.
  await ask("/v1/root");
  return {
    app,
    ask,
    send: ({ path, method, headers, body }) =>
      ask(path, { method, headers, ...(body === undefined ? {} : { body: toBody(body) }) }),
    routes,
    cursors: isEmpty ? [] : await cursorsFrom(ask),
    failures: () => failures.splice(0),
    state: async () => [...(await goodAnswers(ask, routes)), ...prototypes()],
  };
}

/** Declares tests of a world with a market and of one before there is any, which are the same after them. */
export function describeWorlds(declare: (world: World, isEmpty: boolean) => Promise<void>): void {
  describe.each([
    ["with a market", false],
    ["before anything is indexed", true],
  ])("%s", async (_when, isEmpty) => {
    const world = await createWorld({ isEmpty });
    const before = await world.state();
    afterAll(async () => expect(await world.state()).toEqual(before));
    await declare(world, isEmpty);
  });
}

/** A copy, so that no request shares its memory with another. */
function toBody(body: string | Buffer): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}

function routesOf(app: Hono): Route[] {
  const paths = new Set(app.routes.map(({ path }) => path));
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    // A prefix of every path, or of every path of a face, is not a route.
    if (path === "*" || path === "/*" || (path.endsWith("/*") && paths.has(path.slice(0, -2)))) continue;
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  return [...methods].map(([path, known]) => ({ path, methods: [...known], face: faceOf(path) }));
}

function faceOf(path: string): Face {
  if (/^(\/v1)?\/mcp(\/\*)?$/.test(path)) return "mcp";
  if (/^\/graphql(\/|$)/.test(path)) return "graphql";
  return path.startsWith("/v1/") && !path.includes("server-card") ? "rest" : "documents";
}

async function cursorsFrom(ask: Ask): Promise<string[]> {
  const paths = [
    ...["newest", "closing_soon", "highest_coupon"].map((sort) => `/v1/listings?limit=2&sort=${sort}`),
    "/v1/events",
    "/v1/anomalies",
  ];
  const pages = await Promise.all(paths.map((path) => ask(path)));
  return pages.map(({ text }) => (JSON.parse(text) as { page: { nextCursor: string } }).page.nextCursor);
}

/** The value of a path's parameter in a good request. */
const KNOWN: Record<string, string> = {
  id: "lst_2",
  publicId: "org_northwind",
  slug: "grades",
  group: "listings",
};

async function goodAnswers(ask: Ask, routes: readonly Route[]): Promise<string[]> {
  const reads = routes.map(({ path }) => {
    const filled = path.replace(/:(\w+)(\{[^/]*\})?/g, (_, name: string) => KNOWN[name] ?? name);
    return { path: filled.replace("*", "x"), init: {} };
  });
  const call = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const calls = [
    call("tools/list", {}),
    call("tools/call", { name: "list_deals", arguments: {} }),
    call("tools/call", { name: "get_deal", arguments: { id: "lst_2" } }),
    call("tools/call", { name: "list_businesses", arguments: {} }),
    call("tools/call", { name: "search_knowledge", arguments: { query: "refund" } }),
  ].map((body) => ({ path: "/mcp", init: { method: "POST", body } }));
  const query = JSON.stringify({ query: "{ __typename listings { nodes { publicId status } } }" });
  const asked = [...reads, ...calls, { path: "/graphql", init: { method: "POST", body: query } }];
  const headers = {
    "X-Request-Id": "good",
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream;q=0.1, */*;q=0.1",
  };
  const answers = await Promise.all(asked.map(({ path, init }) => ask(path, { ...init, headers })));
  return answers.map(({ status, headers, text }, index) => {
    if (status >= 500 && status !== 503) throw new Error(`${asked[index]?.path} answers ${status}`);
    return `${asked[index]?.path} ${status} ${headers.get("etag")} ${text}`;
  });
}

/** The names on the prototype of every object. An additional name is a sign of prototype pollution. */
function prototypes(): string[] {
  const shared = [Object, Array, Function, String, Number, Promise, Map, Error, Request, Response, Headers];
  return shared.map(({ name, prototype }) => `${name}: ${Reflect.ownKeys(prototype).map(String).join(" ")}`);
}
