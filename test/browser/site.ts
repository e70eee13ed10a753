/** @module The site for the tests of the pages: the app over made-up rows, behind one socket for each situation. */
import { Hono } from "hono";
import { appIn, type Situation } from "../harness/app.ts";
import { writtenFolder } from "../harness/data-source.ts";
import { fixedLedger } from "../harness/fixed-ledger.ts";
import { registryOf } from "../harness/rows.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";
import { halfIndexed, hostileEvents, hostileMarket } from "./market.ts";
import type { PagePlace, World } from "./pages.ts";

type Site = {
  /** of the situation with a market; without a slash at the end */
  url: string;
  urlOf(page: PagePlace): string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The first block of the backfill: far below the indexed one, so that there is progress to see. */
const FIRST_BLOCK = 1n;

export type Serving = {
  /**
   * After each answer. A reader in our own process may be busy for seconds, and then would ask on a connection that
   * the server, idle for as long, has just given up.
   */
  closesConnections?: boolean;
};

/**
 * Serves every situation until it is disposed of.
 *
 * @example
 * await using site = await openSite();
 * await page.goto(site.urlOf(PAGES[0]));
 */
export async function openSite(serving: Serving = {}): Promise<Site> {
  await using opening = new AsyncDisposableStack();
  const { tables, registry } = hostileMarket();
  const ledger = fixedLedger({ events: { rows: hostileEvents() } });
  const { folder: data } = opening.use(await writtenFolder());
  const situations: Record<World, Situation> = {
    market: { snapshot: await snapshotOf(tablesOf(tables), registry), overrides: { ledger, data } },
    empty: { snapshot: await snapshotOf(tablesOf({ listings: [] }), registryOf([], [])) },
    syncing: {
      snapshot: await snapshotOf(halfIndexed(tables), registry),
      overrides: { firstBlock: FIRST_BLOCK },
    },
    starting: { snapshot: null },
  };
  const urls = new Map<World, string>();
  for (const [world, situation] of Object.entries(situations)) {
    const served = opening.use(await serveAtOwnUrl(situation, serving));
    urls.set(world as World, served.url);
  }
  const stack = opening.move();
  const urlOf = ({ world, path }: PagePlace) => `${urls.get(world)}${path}`;
  return {
    url: urls.get("market") ?? "",
    urlOf,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/**
 * The app must know its own address, and has one only once it is served: what is served asks the app that is made then.
 */
export async function serveAtOwnUrl(
  situation: Situation,
  { closesConnections = false }: Serving = {},
): Promise<ServedApp> {
  let app: Hono | null = null;
  const front = new Hono();
  front.all("*", async (c) => {
    const response = (await app?.fetch(c.req.raw, c.env)) ?? c.body(null, 503);
    if (!closesConnections) return response;
    const headers = new Headers(response.headers);
    headers.set("Connection", "close");
    return new Response(response.body, { status: response.status, headers });
  });
  const served = await serveApp(front);
  app = await appIn({ ...situation, publicUrl: served.url });
  return served;
}
