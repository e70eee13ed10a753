/** @module The results of an examination: findings, each with its remedy, and facts. */
import type { Problem, Warning } from "../../config/problems.ts";
import type { VariableName } from "../../config/variables.ts";

export type Subject =
  | "environment"
  | "endpoints"
  | "contracts"
  | "database"
  | "registry"
  | "links"
  | "webhooks"
  | "service"
  | "public address";

export type Proposal = Readonly<Partial<Record<VariableName, string>>>;

export type Finding = {
  readonly subject: Subject;
  /** With a problem the service does not start, or shows what is wrong. */
  readonly severity: "problem" | "warning";
  /** Null where no variable is concerned. */
  readonly variable: string | null;
  /** Completes "<variable> …"; a sentence without one. */
  readonly what: string;
  /** The remedy: a sentence. */
  readonly remedy: string;
  /** Values for the environment that fix it. Never secret. */
  readonly proposal?: Proposal | undefined;
};

export type Fact = {
  readonly subject: Subject;
  /** Such as the name of an endpoint. */
  readonly about: string;
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
};

type Note = (variable: string | null, what: string, remedy: string, proposal?: Proposal) => void;

type Checked = { readonly problems?: readonly Problem[]; readonly warnings?: readonly Warning[] };

/** Collects what is found of a subject. */
export type Notes = {
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly problem: Note;
  readonly warn: Note;
  fact(about: string, values: Fact["values"]): void;
  /** The findings of the checks before a start. @param proposal for its problems */
  take(checked: Checked, proposal?: Proposal): void;
};

export function createNotes(subject: Subject): Notes {
  const findings: Finding[] = [];
  const facts: Fact[] = [];
  const noting =
    (severity: Finding["severity"]): Note =>
    (variable, what, remedy, proposal) =>
      void findings.push({ subject, severity, variable, what, remedy, proposal });
  const problem = noting("problem");
  const warn = noting("warning");
  return {
    findings,
    facts,
    problem,
    warn,
    fact: (about, values) => void facts.push({ subject, about, values }),
    take({ problems = [], warnings = [] }, proposal) {
      for (const { variable, problem: what, example, remedy } of problems)
        problem(variable, what, remedy ?? `Set it to something like ${variable}=${example}`, proposal);
      for (const { variable, warning, remedy = "" } of warnings) warn(variable, warning, remedy);
    },
  };
}
