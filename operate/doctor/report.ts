/** @module A report as text. */
import { counted } from "../../config/format/counted.ts";
import { stripControl } from "../../config/format/untrusted-text.ts";
import type { Report } from "./doctor.ts";
import type { Fact, Finding, Proposal } from "./notes.ts";

/** @param isVerbose whether facts are in it */
export function textOf({ findings, facts, isWhole }: Report, { isVerbose }: { isVerbose: boolean }): string {
  const known = isVerbose ? factsText(facts) : "";
  if (findings.length === 0) return `${known}Nothing is wrong with this set-up.\n`;
  const parts = [known + findings.map(findingText).join(""), proposalsText(findings)];
  const end = isWhole ? [] : ["The rest is checked once that is fixed.\n"];
  return [...parts.filter((part) => part !== ""), ...end, `${countsText(findings)}\n`].join("\n");
}

function findingText({ severity, variable, what, remedy }: Finding): string {
  const subject = variable === null ? "" : `${variable} `;
  // List lines are already indented.
  const text = stripControl(subject + what, { keepLineFeeds: true });
  return `${severity.padEnd(7)}  ${text}\n         -> ${remedy}\n`;
}

/** Values that fix something, each variable once: all findings about one propose the same. */
function proposalsText(findings: readonly Finding[]): string {
  const proposed = Object.entries(proposalOf(findings));
  if (proposed.length === 0) return "";
  return `Proposed for the environment:\n${proposed.map(([name, value]) => `  ${name}=${value}\n`).join("")}`;
}

export function proposalOf(findings: readonly Finding[]): Proposal {
  return Object.assign({}, ...findings.map(({ proposal }) => proposal ?? {}));
}

function countsText(findings: readonly Finding[]): string {
  const count = (severity: Finding["severity"]) => {
    const { length } = findings.filter((one) => one.severity === severity);
    return length === 0 ? [] : counted(length, `${severity}s`);
  };
  return `${[count("problem"), count("warning")].flat().join(", ")}.`;
}

function factsText(facts: readonly Fact[]): string {
  const lines = facts.map(({ subject, about, values }) => {
    const known = Object.entries(values).map(([name, value]) => `${name}=${value ?? "unknown"}`);
    return stripControl(`${subject.padEnd(14)}  ${about}: ${known.join(" ")}`, { keepLineFeeds: false });
  });
  return lines.map((line) => `${line}\n`).join("");
}
