/**
 * Questions to the GraphQL face over made-up rows, for its tests.
 * @module
 */
import type { Hono } from "hono";
import {
  BRAND,
  fixedLedger,
  REGISTRY_STATE,
  recordedLog,
  SITE,
  snapshotOf,
  tablesOf,
} from "../../test/harness/app.ts";
import { HEAD } from "../../test/harness/rows.ts";
import type { AppDependencies } from "../dependencies.ts";
import { NO_RESTARTS } from "../health/supervisor.ts";
import { createGraphql } from "./index.ts";

export type Answer = {
  status: number;
  headers: Headers;
  /** as JSON has it: a test says itself what it expects */
  data: ReturnType<typeof JSON.parse>;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined;
};
export type AskGraphql = (
  query: string,
  variables?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** What the face needs, at the head of a chain that is well, but for `changes`. */
export async function dependencies(changes: Partial<AppDependencies> = {}): Promise<AppDependencies> {
  const snapshot = changes.feed === undefined ? await snapshotOf(tablesOf()) : null;
  return {
    feed: { current: () => snapshot },
    database: { secondsSinceRead: () => 1 },
    upstream: { head: () => HEAD, secondsSinceSeen: () => 1 },
    stall: { stalled: () => false },
    restarts: NO_RESTARTS,
    registry: { state: () => REGISTRY_STATE },
    history: { at: async (live) => live },
    ledger: fixedLedger(),
    audit: { start: () => {}, state: () => ({ running: null, last: null }) },
    knowledge: { pages: [], pageBySlug: new Map() },
    exposeAccounts: false,
    site: SITE,
    brand: BRAND,
    firstBlock: 1n,
    version: "0.1.0",
    log: recordedLog().log,
    ...changes,
  };
}

export async function graphqlOf(changes: Partial<AppDependencies> = {}): Promise<Hono> {
  return createGraphql(await dependencies(changes));
}

/** Asks with POST, and reads the answer. */
export function askingOf(app: Hono): AskGraphql {
  return async (query, variables, headers = {}) => {
    const response = await app.request("/", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = JSON.parse(await response.text());
    return { status: response.status, headers: response.headers, data, errors };
  };
}
