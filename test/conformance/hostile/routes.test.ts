/** No route is forgotten: each that the app has gets hostile requests, and they reach it. */
import { describe, expect, it } from "vitest";
import { casesOf } from "../../harness/hostile/cases.ts";
import { sampleHostile } from "../../harness/hostile/run.ts";
import { createWorld } from "../../harness/hostile/world.ts";

const SAMPLE = 60;

const { app, routes, cursors } = await createWorld({ isEmpty: false });

describe("hostile requests", () => {
  it("go to every face", () => {
    expect(new Set(routes.map(({ face }) => face))).toEqual(new Set(["rest", "mcp", "graphql", "documents"]));
    const tools = routes.filter(({ face }) => face === "mcp").map(({ path }) => path);
    expect(tools.toSorted()).toEqual(["/mcp", "/v1/mcp"]);
  });

  it("have bodies wherever bodies are taken", () => {
    const takesBodies = routes.filter(({ methods }) =>
      methods.some((method) => !["GET", "HEAD", "ALL"].includes(method)),
    );
    expect(takesBodies.filter(({ face }) => face !== "mcp" && face !== "graphql")).toEqual([]);
  });

  it.each(routes)("reach $path", (route) => {
    const reached = sampleHostile(casesOf(route, cursors), SAMPLE).filter(({ method, path }) => {
      const { pathname } = new URL(`http://raises.example${path}`);
      const [handlers] = app.router.match(method.toUpperCase(), pathname);
      return handlers.some(([[, matched]]) => matched.path === route.path);
    });
    expect(reached.length).toBeGreaterThan(SAMPLE / 6);
  });
});
