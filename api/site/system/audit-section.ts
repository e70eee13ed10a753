/** @module The last audit on the system page. */

import { counted } from "../../../config/format/counted.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import type { Audit, AuditorState, Finding } from "../../health/audit.ts";
import { fact, facts, links, linkTo, notice, paragraph, section, snippet, table } from "../blocks.ts";
import type { Block, Fact, Section } from "../page.ts";
import { blockCode, code, count, NONE, text, time, word } from "../value.ts";

/** More are for programs to read. */
const MOST_FINDINGS = 50;

const RESULT_WORDS: Record<Audit["status"], readonly [text: string, note: string]> = {
  ok: ["Passed", "Every compared figure agrees."],
  red: ["Not passed", "At least one figure differs from the chain or from the ledger."],
  failed: ["Not completed", "The audit could not be completed, which says nothing about the figures."],
};

const CHECK_WORDS: Record<Finding["check"], string> = {
  views: "the escrow's own figures",
  supply: "the token's supply",
  holders: "the token's holders",
  balance: "the escrow's dollars",
  sums: "sums within the tables",
  totals: "running totals in events",
  listings: "the list of raises",
  ledger: "rows of the ledger",
  refold: "the ledger, recomputed",
  logs: "the chain's logs",
};

export function auditSection({ running, last }: AuditorState): Section {
  const findings = last?.findings ?? [];
  const more = findings.length - MOST_FINDINGS;
  return section("audit", "Checked against the contracts", [
    paragraph(
      "You do not have to take our word for it. An audit asks the contracts on the blockchain again for every figure that they report, at one block: for each raise what was committed, refunded, repaid, still owed and held in reserve, the tokens and who holds them, and the dollars in escrow. It also recomputes the whole history from its first event.",
    ),
    running === null ? null : notice("info", progressOf(running)),
    facts("grid", factsOf(last)),
    last === null || last.problem === null ? null : notice("warning", last.problem),
    findings.length === 0 ? null : findingsTable(findings.slice(0, MOST_FINDINGS)),
    more > 0 ? paragraph(`Not shown in this table: ${counted(more, "findings")} of the whole audit.`) : null,
    links([linkTo("The whole result", "/v1/audit", "JSON, with every raise that was compared")]),
    snippet({
      label: "Run it yourself, from your own copy of the service and your own node",
      language: "sh",
      text: "npm run audit",
    }),
  ]);
}

function progressOf({ done, total }: { done: number; total: number }): string {
  return total === 0 ? "An audit has begun." : `An audit is running: ${done} of ${total} queries are done.`;
}

/** With the keys of `/v1/health`, and more of `/v1/audit`. */
function factsOf(last: Audit | null): readonly Fact[] {
  if (last === null)
    return [fact("audit", "Result", NONE, "No audit has finished since the service started.")];
  const { status, block, at, listings, events, checks, notAuditable, findings } = last;
  const [result, note] = RESULT_WORDS[status];
  return [
    fact("audit.status", "Result", word(result, status), note),
    fact("audit.block", "At block", blockCode(block)),
    fact("audit.at", "Time of that block", time(at)),
    fact("audit.listings", "Raises checked", count(listings.length)),
    fact("audit.events", "Events recomputed", count(events)),
    fact("audit.checks", "Figures compared", count(checks)),
    fact(
      "audit.notAuditable",
      "Could not be compared",
      count(notAuditable.length),
      "Figures that a contract does not report.",
    ),
    fact("audit.findings", "Differences", count(findings.length)),
  ];
}

function findingsTable(findings: readonly Finding[]): Block {
  return table({
    caption: "Figures that differ",
    items: findings,
    keyOf: (_, index) => `${index}`,
    columns: [
      [
        "refnum",
        "Raise",
        ({ refnum, onchainId }) =>
          text(isolated(refnum ?? (onchainId === null ? "The whole escrow" : `Id ${onchainId}`))),
      ],
      ["field", "Figure", ({ field }) => code(field)],
      ["check", "Compared with", ({ check }) => text(CHECK_WORDS[check])],
      ["expected", "Expected", ({ expected }) => code(expected), "end"],
      ["found", "Found", ({ found }) => code(found), "end"],
      ["block", "Block", ({ block }) => blockCode(block), "end"],
    ],
    empty: "No figure differs.",
  });
}
