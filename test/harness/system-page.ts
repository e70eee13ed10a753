/** @module The page on the service in situations, held against what `/v1/health` says in them. */
import { expect } from "vitest";
import type { Audit, Finding } from "../../api/health/audit.ts";
import type { Page } from "../../api/site/page.ts";
import { systemPage } from "../../api/site/system/index.ts";
import { textOf } from "../../api/site/value.ts";
import { failed } from "../../operate/audit/audit.ts";
import { type Situation, siteDependenciesIn } from "./app.ts";
import { blocksOf, checkForm, exactFacts, sectionOf, wordsOf } from "./site-pages.ts";

export function auditWith(changes: Partial<Audit>): Pick<Situation, "overrides"> {
  const last: Audit = {
    ...failed(""),
    status: "ok",
    problem: null,
    block: "48211000",
    at: "2026-03-01T11:59:00Z",
    ...changes,
  };
  return { overrides: { audit: { start: () => {}, state: () => ({ running: null, last }) } } };
}

export function findingOf(changes: Partial<Finding> = {}): Finding {
  return {
    check: "views",
    escrowAddress: `0x${"e5".repeat(20)}`,
    onchainId: "3",
    refnum: "RB00003",
    field: "raisedAmount",
    expected: "100",
    found: "99",
    block: "48211000",
    ...changes,
  };
}

/** The page in a situation, checked against what `/v1/health` says in the same one. */
export async function look(situation: Situation = {}) {
  const deps = await siteDependenciesIn(situation);
  const page = systemPage(deps);
  const health = deps.health.report();
  checkForm(page);
  const {
    restarts,
    registry,
    contracts,
    anomalies,
    audit,
    disputedBlock,
    completeness,
    unfitEndpoints,
    instances,
    finality,
    root: _root,
    troubles,
    ...fields
  } = health;
  const notices = blocksOf(sectionOf(page, "status"), "notice");
  expect(notices).toHaveLength(troubles.length);
  const { problem, imageProblem } = registry;
  // Problems are said only where there are any.
  const said = Object.entries(registry).filter(([key, value]) => value !== null || !/problem$/i.test(key));
  const { reason, ...counted } = restarts;
  const nested = (name: string, object: object) =>
    Object.entries(object).map(([key, value]) => [`${name}.${key}`, value]);
  const expected = [
    ...Object.entries(fields),
    ...nested("restarts", reason === null ? counted : restarts),
    ...nested("registry", Object.fromEntries(said)),
    ...nested("contracts", contracts),
    ...nested("finality", finality ?? {}),
    ["anomalies.total", anomalies.total],
    ...nested("anomalies.byKind", anomalies.byKind),
    ...(audit === null ? [["audit", null]] : nested("audit", audit)),
  ].map(([key, value]) => [key, value === null ? null : String(value)]);
  const facts = exactFacts(page);
  expect(facts).toMatchObject(Object.fromEntries(expected));
  expect("registry.problem" in facts).toBe(problem !== null);
  expect("registry.imageProblem" in facts).toBe(imageProblem !== null);
  expect(facts.disputedBlock ?? null).toBe(disputedBlock);
  expect(facts["completeness.provenBlock"] ?? null).toBe(completeness?.provenBlock ?? null);
  const unfit = Object.entries(facts).filter(([key]) => key.startsWith("unfitEndpoints."));
  expect(unfit.map(([, value]) => value)).toEqual(unfitEndpoints.map(({ endpoint }) => endpoint));
  expect("restarts.reason" in facts).toBe(reason !== null);
  expect(facts["instances.indexing"]).toBe(
    instances === null ? undefined : (instances.indexing?.id ?? "none"),
  );
  expect(facts["instances.standby"]).toBe(instances === null ? undefined : String(instances.standby.length));
  const ofKinds = Object.keys(facts).filter((key) => key.startsWith("anomalies.byKind."));
  expect(ofKinds).toEqual(Object.keys(anomalies.byKind).map((kind) => `anomalies.byKind.${kind}`));
  return { page, facts, words: wordsOf(page), state: [stateOf(page)] };
}

/** The first thing that the page says. */
function stateOf({ sections }: Page): string | undefined {
  const [first] = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "facts" ? block.facts : [])),
  );
  return first && textOf(first.value);
}
