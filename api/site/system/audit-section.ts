/**
 * The part of the system page on the last audit: a comparison of every figure with the chain and with the ledger.
 * @module
 */
import type { Audit, Auditor, Finding } from "../../health/audit.ts";
import type { Block, Fact, Row, Section, Table } from "../page.ts";
import { code, count, counted, NONE, text, time, word } from "../value.ts";

/** More are read better by a program. */
const MOST_FINDINGS = 50;

const RESULT_WORDS: Record<Audit["status"], { text: string; note: string }> = {
  ok: { text: "Passed", note: "Every figure that was compared agrees." },
  red: { text: "Not passed", note: "At least one figure differs from the chain or from the ledger." },
  failed: { text: "Not done", note: "The audit could not be done: that says nothing about the figures." },
};

const CHECK_WORDS: Record<Finding["check"], string> = {
  views: "the escrow's own figures",
  supply: "the token's supply",
  holders: "the token's holders",
  balance: "the escrow's dollars",
  sums: "sums within the tables",
  totals: "running totals in events",
  listings: "which raises there are",
  ledger: "rows of the ledger",
  refold: "the ledger computed again",
  logs: "the chain's logs",
};

export function auditSection({ running, last }: ReturnType<Auditor["state"]>): Section {
  return {
    id: "audit",
    title: "Last audit",
    blocks: [
      {
        kind: "paragraph",
        text: "An audit compares every figure of the book with what the contracts say at the same block, and computes the ledger again from its first event.",
      },
      ...(running === null ? [] : [notice(progressOf(running))]),
      { kind: "facts", look: "grid", facts: factsOf(last) },
      ...problemOf(last),
      ...(last === null || last.findings.length === 0 ? [] : findingsOf(last.findings)),
      {
        kind: "links",
        links: [
          { text: "The whole audit as JSON", href: "/v1/audit", note: "every raise that was compared" },
        ],
      },
    ],
  };
}

function notice(content: string): Block {
  return { kind: "notice", tone: "info", text: content };
}

function progressOf({ done, total }: { done: number; total: number }): string {
  return total === 0
    ? "An audit has begun."
    : `An audit is running: ${done} of ${total} questions are answered.`;
}

/** By the keys of `/v1/health`, and two more that `/v1/audit` has. */
function factsOf(last: Audit | null): readonly Fact[] {
  if (last === null) {
    return [
      { key: "audit", label: "Result", value: NONE, note: "No audit has ended since the service began." },
    ];
  }
  const { status, block, at, listings, events, checks, findings } = last;
  return [
    {
      key: "audit.status",
      label: "Result",
      value: word(RESULT_WORDS[status].text, status),
      note: RESULT_WORDS[status].note,
    },
    { key: "audit.block", label: "Block that was audited", value: block === null ? NONE : code(block) },
    { key: "audit.at", label: "Time of that block", value: time(at) },
    { key: "audit.listings", label: "Raises audited", value: count(listings.length) },
    { key: "audit.events", label: "Events computed again", value: count(events) },
    { key: "audit.checks", label: "Figures compared", value: count(checks) },
    { key: "audit.findings", label: "Figures that differ", value: count(findings.length) },
  ];
}

function problemOf(last: Audit | null): readonly Block[] {
  if (last === null || last.problem === null) return [];
  return [{ kind: "notice", tone: "warning", text: last.problem }];
}

function findingsOf(findings: readonly Finding[]): readonly Block[] {
  const shown = findings.slice(0, MOST_FINDINGS);
  const table: Table = {
    caption: "Figures that differ",
    columns: [
      { key: "refnum", label: "Raise" },
      { key: "field", label: "Figure" },
      { key: "check", label: "Compared with" },
      { key: "expected", label: "Expected", align: "end" },
      { key: "found", label: "Found", align: "end" },
      { key: "block", label: "Block", align: "end" },
    ],
    rows: shown.map(
      ({ refnum, onchainId, field, check, expected, found, block }, place): Row => ({
        key: `${place}`,
        cells: [
          text(refnum ?? (onchainId === null ? "The whole escrow" : `Id ${onchainId}`)),
          code(field),
          text(CHECK_WORDS[check]),
          code(expected),
          code(found),
          code(block),
        ],
      }),
    ),
    empty: "No figure differs.",
  };
  const more = findings.length - shown.length;
  if (more === 0) return [{ kind: "table", table }];
  return [
    { kind: "table", table },
    { kind: "paragraph", text: `Left out of this table: ${counted(more, "findings")} of the whole audit.` },
  ];
}
