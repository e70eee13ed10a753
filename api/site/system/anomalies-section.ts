/**
 * The part of the system page on anomalies: what each kind is called and means, in the words of a newcomer.
 * docs/anomalies.md has the rules at length.
 * @module
 */
import type { AnomalyKind } from "../../../src/fold/vocabulary.ts";
import type { Health } from "../../health/schema.ts";
import type { Fact, Section } from "../page.ts";
import { count } from "../value.ts";

export function anomaliesSection({ anomalies: { total, byKind } }: Health): Section {
  const kinds = Object.entries(byKind).map(([kind, number]): Fact => {
    const { label, meaning } = wordsOfAnomaly(kind);
    return { key: `anomalies.byKind.${kind}`, label, value: count(number), note: meaning };
  });
  const facts: Fact[] = [{ key: "anomalies.total", label: "In all", value: count(total) }, ...kinds];
  return {
    id: "anomalies",
    title: "Anomalies",
    blocks: [
      {
        kind: "paragraph",
        text:
          total === 0
            ? "Everything on the chain added up so far."
            : "What did not add up on the chain. Nothing is dropped and nothing corrected in silence.",
      },
      { kind: "facts", look: "list", facts },
      {
        kind: "links",
        links: [
          {
            text: "All anomalies as JSON",
            href: "/v1/anomalies",
            note: "what was expected and what was found",
          },
        ],
      },
    ],
  };
}

const ANOMALY_WORDS: Record<AnomalyKind, { label: string; meaning: string }> = {
  unknown_listing: {
    label: "Unknown raise",
    meaning:
      "An event of a raise or an offer whose creation was never seen: the index probably begins too late.",
  },
  total_mismatch: {
    label: "Total that does not add up",
    meaning: "A running total on the chain is not the sum of what came before; the chain's figure is kept.",
  },
  refund_exceeds_principal: {
    label: "Refund above the principal",
    meaning: "A backer got back more than they had in the raise; the raise is never lowered below zero.",
  },
  zero_amount: {
    label: "Amount of zero",
    meaning: "An event that should move something moved nothing; nothing is counted.",
  },
  subscribed_after_close: {
    label: "Subscription after the close",
    meaning: "Somebody subscribed after the raise had closed; it stands in the ledger only.",
  },
  terms_after_close: {
    label: "Terms changed after the close",
    meaning: "The terms were changed when the raise had closed; those of the close stay.",
  },
  repaid_before_drawdown: {
    label: "Repayment before the drawdown",
    meaning: "Money was repaid when nothing was owed; it counts as repaid, and nothing is outstanding.",
  },
  second_terminal: {
    label: "Ended twice",
    meaning: "A raise that had ended was settled, cancelled or voided again; the first end counts.",
  },
  second_close: {
    label: "Closed twice",
    meaning: "A raise was closed again after its close or its end; the first close fixed the figures.",
  },
  second_created: {
    label: "Created twice",
    meaning: "A raise or an offer was created under an id that exists already; the first one counts.",
  },
  second_drawdown: {
    label: "Drawn twice",
    meaning: "The money of a raise was drawn again; the first drawdown counts.",
  },
  token_reused: {
    label: "Token used twice",
    meaning: "A raise names the token of another raise; the token stays with the first.",
  },
  bad_refnum: {
    label: "Unusual reference number",
    meaning: "A reference number is not letters and five digits; it is shown as it is.",
  },
};

/** The kind's words; one that this version does not know is called by its name. */
function wordsOfAnomaly(kind: string): { label: string; meaning: string } {
  if (Object.hasOwn(ANOMALY_WORDS, kind)) return ANOMALY_WORDS[kind as AnomalyKind];
  return { label: kind, meaning: "The list of anomalies says what was expected and what was found." };
}
