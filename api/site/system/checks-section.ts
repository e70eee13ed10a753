/**
 * The continuous checks, with the current state and the alarm threshold of each.
 * @module
 */

import type { Health } from "../../health/schema.ts";
import type { Trouble } from "../../health/troubles.ts";
import { fact, facts, section } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Section } from "../page.ts";
import { type Value, word } from "../value.ts";

type Check = { what: string; bad: string; alarm: string };

const CHECKS: Record<Trouble, Check> = {
  node_silent: {
    what: "Blockchain node",
    bad: "Silent",
    alarm: "An alarm after a minute without an answer.",
  },
  index_stalled: {
    what: "Reading of blocks",
    bad: "Stalled",
    alarm: "An alarm after a minute without progress.",
  },
  database_silent: { what: "Database", bad: "Silent", alarm: "An alarm after 10 seconds without an answer." },
  endpoints_disagree: {
    what: "Nodes against one another",
    bad: "Disagree",
    alarm: "With several nodes: an alarm when they do not say the same of a block.",
  },
  registry_refused: {
    what: "Names and texts",
    bad: "Update refused",
    alarm: "An invalid update is refused; the texts before it stay.",
  },
  audit_red: {
    what: "Audit",
    bad: "Differences",
    alarm: "An alarm when a figure differs from the contracts.",
  },
};

export function checksSection({ health }: Pick<SiteDependencies, "health">, { audit }: Health): Section {
  const troubles = health.troubles();
  const stateOf = (trouble: Trouble): Value => {
    if (troubles.includes(trouble)) return word(CHECKS[trouble].bad, trouble, "warn");
    if (trouble === "audit_red" && audit?.status !== "ok") return word("Not done yet", "none", "idle");
    return word("Normal", "ok", "good");
  };
  return section("checks", "What is checked", [
    facts(
      "grid",
      (Object.keys(CHECKS) as Trouble[]).map((trouble) =>
        fact(`check.${trouble}`, CHECKS[trouble].what, stateOf(trouble), CHECKS[trouble].alarm),
      ),
    ),
  ]);
}
