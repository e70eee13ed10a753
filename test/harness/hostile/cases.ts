/** @module The hostile requests to a route, by the face that it belongs to. */
import fc from "fast-check";
import { graphqlCases } from "./graphql.ts";
import { mcpCases } from "./mcp.ts";
import {
  type HostileCase,
  hostileHeaders,
  hostileMethod,
  hostileQuery,
  pathOf,
  unknownPath,
} from "./request.ts";
import type { Route } from "./world.ts";

/** @param cursors such as the app gives out, of every face */
export function casesOf({ path, face }: Route, cursors: readonly string[]): fc.Arbitrary<HostileCase> {
  if (face === "mcp") return mcpCases(path, cursors);
  if (face === "graphql") return graphqlCases(path, cursors);
  return readsOf(path, pathOf(path), cursors);
}

/** Requests to paths that no route is made for. */
export function casesOfNoRoute(cursors: readonly string[]): fc.Arbitrary<HostileCase> {
  return readsOf("*", unknownPath, cursors);
}

function readsOf(
  route: string,
  paths: fc.Arbitrary<string>,
  cursors: readonly string[],
): fc.Arbitrary<HostileCase> {
  return (
    fc
      .tuple(paths, hostileQuery(cursors), hostileMethod, hostileHeaders)
      // A target that is no URL never reaches the app; the tests over sockets have those.
      .filter(([path]) => URL.canParse(`http://raises.example${path}`))
      .map(([path, query, method, headers]) => ({ route, path: `${path}${query}`, method, headers }))
  );
}
