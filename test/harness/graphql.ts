/** @module The GraphQL face over made-up rows, for its tests. */
import type { Hono } from "hono";
import { createGraphql } from "../../api/graphql/index.ts";
import { createSlots } from "../../api/http/slots.ts";
import { dependenciesIn, type Situation } from "./app.ts";

export type Answer = {
  status: number;
  headers: Headers;
  /** as JSON has it: a test says itself what it expects */
  data: ReturnType<typeof JSON.parse>;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined;
};
export type RunQuery = (
  query: string,
  variables?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** The face at the head of a chain that is well, but for `overrides`. */
export async function graphqlApp(overrides: NonNullable<Situation["overrides"]> = {}): Promise<Hono> {
  return createGraphql({ ...(await dependenciesIn({ overrides })), slots: createSlots() }).routes;
}

/** Runs queries with POST. */
export function queryRunner(app: Hono): RunQuery {
  return async (query, variables, headers = {}) => {
    const response = await app.request("/", {
      method: "POST",
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = JSON.parse(await response.text());
    return { status: response.status, headers: response.headers, data, errors };
  };
}

const JSON_BODY = { "Content-Type": "application/json" };
/** The media type whose answers have the status of their errors. */
export const STRICT = "application/graphql-response+json";

/** Requests of any form to the face. */
export function requestsTo(app: () => Hono) {
  return {
    post: (body: string, headers: Record<string, string> = {}) =>
      app().request("/", { method: "POST", headers: { ...JSON_BODY, ...headers }, body }),
    get: (query: Record<string, string>, headers: Record<string, string> = {}) =>
      app().request(`/?${new URLSearchParams(query)}`, { headers }),
  };
}
