/** @module The findings of the checks of PostgreSQL. */
import { type Problem, problemWith, type Warning } from "../../config/problems.ts";
import type { VariableName } from "../../config/variables.ts";

type Fact = { readonly about: string; readonly values: Readonly<Record<string, string | number | boolean>> };

export type PostgresCheck = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  readonly facts: readonly Fact[];
};

/** Collects facts and problems, each about this variable unless another is named. */
export function createFindings(variable: VariableName) {
  const found = { problems: [] as Problem[], warnings: [] as Warning[], facts: [] as Fact[] };
  return {
    found,
    problem: (what: string, remedy: string) => void found.problems.push(problemWith(variable, what, remedy)),
    warn: (warning: string, remedy: string, about = variable) =>
      void found.warnings.push({ variable: about, warning, remedy }),
    fact: (about: string, values: Fact["values"]) => void found.facts.push({ about, values }),
  };
}

export type Findings = ReturnType<typeof createFindings>;
