import { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { serveApp } from "../harness/serve-app.ts";
import { createFixtureApp } from "./fixture-endpoint.ts";
import { faultsOf, readNotApplicable } from "./judge.ts";
import { type Check, listScenarios, REVISIONS, type Revision, runSuite } from "./suite.ts";

type Results = ReadonlyMap<string, readonly Check[]>;

/** Scenarios about contents and schemas that no tool of the product has: the product's endpoint serves them. */
const OVER_FIXTURES: ReadonlySet<string> = new Set([
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "json-schema-2020-12",
  "http-custom-header-server-validation",
]);
/** Scenarios that are run against the product, and again for the checks that need a tool of the suite's own. */
const OVER_BOTH: ReadonlySet<string> = new Set(["server-stateless"]);

const scenarios = await listScenarios();
const { scenarios: notApplicable, checks: excused } = await readNotApplicable();
const scenariosFor = (revision: Revision) =>
  [...scenarios].filter(([, revisions]) => revisions.includes(revision)).map(([name]) => name);

async function resultsOf(app: Hono, revision: Revision | null): Promise<Results> {
  await using served = await serveApp(app);
  return await runSuite(`${served.url}/mcp`, revision);
}

describe.each(REVISIONS)("revision %s", (revision) => {
  let ofProduct: Results;
  let ofFixtures: Results;
  beforeAll(async () => {
    ofProduct = await resultsOf(await appIn(), revision);
    ofFixtures = await resultsOf(createFixtureApp(), revision);
  });

  const names = scenariosFor(revision);
  const applicable = names.filter((name) => !Object.hasOwn(notApplicable, name));
  const excusedIn = (server: "product" | "fixtures", scenario: string) =>
    excused
      .filter(
        (entry) =>
          entry.server === server && entry.scenario === scenario && entry.revisions.includes(revision),
      )
      .map(({ id }) => id);

  it("has every scenario of the list run", () => {
    expect([...ofProduct.keys()].sort()).toEqual([...names].sort());
    expect([...ofFixtures.keys()].sort()).toEqual([...names].sort());
  });

  it.each(applicable.filter((name) => !OVER_FIXTURES.has(name)))("%s: the product", (name) => {
    expect(faultsOf(ofProduct.get(name) ?? [], excusedIn("product", name))).toEqual([]);
  });

  it.each(applicable.filter((name) => OVER_FIXTURES.has(name) || OVER_BOTH.has(name)))(
    "%s: the product's endpoint over the suite's own tools",
    (name) => {
      expect(faultsOf(ofFixtures.get(name) ?? [], excusedIn("fixtures", name))).toEqual([]);
    },
  );

  it.each(names.filter((name) => Object.hasOwn(notApplicable, name)))("%s does not apply", (name) => {
    expect(faultsOf(ofProduct.get(name) ?? [], [])).not.toEqual([]);
  });
});

describe("extensions", () => {
  let ofProduct: Results;
  beforeAll(async () => {
    ofProduct = await resultsOf(await appIn(), null);
  });
  const names = [...scenarios.keys()].filter((name) => scenarios.get(name)?.includes("extension"));

  it.each(names)("%s is not declared", (name) => {
    expect(Object.keys(notApplicable)).toContain(name);
    expect(faultsOf(ofProduct.get(name) ?? [], [])).not.toEqual([]);
  });
});

describe("the list of what does not apply", () => {
  it("names scenarios that the suite has, and each check once", () => {
    const known = REVISIONS.flatMap(scenariosFor);
    const extensions = [...scenarios.keys()].filter((name) => scenarios.get(name)?.includes("extension"));
    expect([...known, ...extensions]).toEqual(expect.arrayContaining(Object.keys(notApplicable)));
    expect(known).toEqual(expect.arrayContaining([...OVER_FIXTURES, ...OVER_BOTH]));
    const keys = excused.flatMap(({ server, revisions, scenario, id }) =>
      revisions.map((revision) => `${server} ${revision} ${scenario} ${id}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("excuses checks only where they are judged", () => {
    const unjudged = excused.flatMap(({ server, revisions, scenario, id }) => {
      const judged = server === "fixtures" ? OVER_FIXTURES.has(scenario) || OVER_BOTH.has(scenario) : true;
      const isRun = judged && !Object.hasOwn(notApplicable, scenario);
      return revisions
        .filter((revision) => !isRun || !scenarios.get(scenario)?.includes(revision))
        .map((revision) => `${server} ${revision} ${scenario} ${id}`);
    });
    expect(unjudged).toEqual([]);
  });

  it("cannot pass with a server that does not speak MCP", async () => {
    const results = await resultsOf(new Hono(), "2026-07-28");
    const applicable = scenariosFor("2026-07-28").filter((name) => !Object.hasOwn(notApplicable, name));
    const passing = applicable.filter((name) => {
      const ids = excused.filter(({ scenario }) => scenario === name).map(({ id }) => id);
      return faultsOf(results.get(name) ?? [], ids).length === 0;
    });
    expect(passing).toEqual([]);
  });
});

describe("faultsOf", () => {
  const passes: Check = { id: "a", status: "SUCCESS" };

  it("finds no fault in successes, and in what is excused and fails", () => {
    expect(faultsOf([passes, passes], [])).toEqual([]);
    expect(faultsOf([passes, { id: "b", status: "SKIPPED" }], ["b"])).toEqual([]);
  });

  it.each(["FAILURE", "WARNING", "SKIPPED", "INFO"])("counts %s as no success", (status) => {
    expect(faultsOf([passes, { id: "a", status, errorMessage: "why" }], [])).toEqual([`a ${status} why`]);
  });

  it("finds excuses that are of no use any more", () => {
    expect(faultsOf([passes], ["a", "b"])).toEqual(["a is excused and passes", "b is not checked"]);
  });

  it("takes nothing for a fault", () => {
    expect(faultsOf([], [])).toEqual(["nothing was checked"]);
  });
});
