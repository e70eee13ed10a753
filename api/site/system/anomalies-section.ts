/**
 * The anomalies on the system page: a label and a meaning for each kind, for newcomers. docs/anomalies.md has the full
 * rules.
 * @module
 */
import type { AnomalyKind } from "../../../src/fold/vocabulary.ts";
import type { Health } from "../../health/schema.ts";
import { fact, facts, links, linkTo, paragraph, section } from "../blocks.ts";
import type { Fact, Section } from "../page.ts";
import { count } from "../value.ts";

export function anomaliesSection({ anomalies: { total, byKind } }: Health): Section {
  const kinds = Object.entries(byKind).map(([kind, number]): Fact => {
    const [label, meaning] = wordsOfAnomaly(kind);
    return fact(`anomalies.byKind.${kind}`, label, count(number), meaning);
  });
  return section("anomalies", "Anomalies", [
    paragraph(
      total === 0
        ? "Everything on the blockchain has added up so far."
        : "What did not add up on the blockchain. Nothing is dropped, and nothing is corrected silently.",
    ),
    facts("list", [fact("anomalies.total", "Total", count(total)), ...kinds]),
    links([linkTo("All anomalies", "/v1/anomalies", "JSON, with expected and actual values")]),
  ]);
}

const ANOMALY_WORDS: Record<AnomalyKind, readonly [label: string, meaning: string]> = {
  unknown_listing: [
    "Unknown raise",
    "An event of a raise or an offer whose creation was never seen: the index probably begins too late.",
  ],
  total_mismatch: [
    "Total that does not add up",
    "A running total on the chain is not the sum of the events before it; the chain's figure is kept.",
  ],
  refund_exceeds_principal: [
    "Refund above the principal",
    "A backer was refunded more than they had committed; the raise's total never drops below zero.",
  ],
  zero_amount: ["Amount of zero", "An event that should move an amount moved zero; it is not counted."],
  subscribed_after_close: [
    "Subscription after the close",
    "A backer subscribed after the raise had closed; it is recorded in the ledger only.",
  ],
  terms_after_close: [
    "Terms changed after the close",
    "The terms were changed after the raise had closed; the terms at the close remain.",
  ],
  repaid_before_drawdown: [
    "Repayment before the drawdown",
    "Money was repaid when nothing was owed; it counts as repaid, and nothing is outstanding.",
  ],
  second_terminal: [
    "Ended twice",
    "A raise that had ended was settled, cancelled or voided again; the first end counts.",
  ],
  second_close: [
    "Closed twice",
    "A raise was closed again after its close or its end; the first close fixed the figures.",
  ],
  second_created: [
    "Created twice",
    "A raise or an offer was created under an id that exists already; the first one counts.",
  ],
  second_drawdown: ["Drawn twice", "The money of a raise was drawn again; the first drawdown counts."],
  token_reused: [
    "Token used twice",
    "A raise names the token of another raise; the token stays with the first.",
  ],
  bad_refnum: [
    "Unusual reference number",
    "A reference number is not letters and five digits; it is shown as it is.",
  ],
};

/** The label and the meaning of a kind; an unknown one is called by its name. */
function wordsOfAnomaly(kind: string): readonly [label: string, meaning: string] {
  if (Object.hasOwn(ANOMALY_WORDS, kind)) return ANOMALY_WORDS[kind as AnomalyKind];
  return [kind, "The list of anomalies has the expected and the actual values."];
}
