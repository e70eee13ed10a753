/** @module The sections of the system page about checks, contracts, registry and anomalies. */

import { counted } from "../../../config/format/counted.ts";
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { AnomalyKind } from "../../../src/fold/vocabulary.ts";
import type { Health } from "../../health/schema.ts";
import type { Trouble } from "../../health/troubles.ts";
import type { Market } from "../../market/market.ts";
import { countByEscrow } from "../../market/market-query.ts";
import { fact, facts, links, linkTo, paragraph, section, table } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Fact, Section } from "../page.ts";
import {
  addressCode,
  blockCode,
  code,
  count,
  NONE,
  shortCode,
  text,
  time,
  type Value,
  word,
  yesOrNo,
} from "../value.ts";

type Check = { what: string; bad: string; alarm: string };

const CHECKS: Record<Trouble, Check> = {
  node_silent: {
    what: "Blockchain node",
    bad: "Silent",
    alarm: "Alerts after a minute without a response.",
  },
  index_stalled: {
    what: "Indexing",
    bad: "Stalled",
    alarm: "Alerts after a minute without progress.",
  },
  database_silent: { what: "Database", bad: "Silent", alarm: "Alerts after 10 seconds without a response." },
  endpoints_disagree: {
    what: "Node agreement",
    bad: "Disagree",
    alarm: "Alerts when two nodes disagree about a block.",
  },
  finality_stalled: {
    what: "Finality",
    bad: "Stalled",
    alarm: "Alerts when the nodes report no newer final block.",
  },
  logs_incomplete: {
    what: "Complete events",
    bad: "Events missing",
    alarm: "Alerts when a node leaves out events; they are then fetched again.",
  },
  endpoint_unfit: {
    what: "Node history",
    bad: "Parts are missing",
    alarm: "Alerts when a node lacks blocks we need or returns unusable events.",
  },
  registry_refused: {
    what: "Names and texts",
    bad: "Update rejected",
    alarm: "Invalid updates are rejected; the previous text stays.",
  },
  audit_red: {
    what: "Audit",
    bad: "Differences",
    alarm: "Alerts when a figure differs from the contracts.",
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

/** A factory can deploy an escrow for each raise. */
const MOST_ESCROWS = 50;

/** Whose contracts they are; the escrows of the visible raises, those with most raises first, and the desk. */
export function contractsSection(
  market: Market | null,
  { desk, followsHolders }: PublicSettings,
  { contracts: { name, decimals, events } }: Pick<Health, "contracts">,
): Section {
  const escrows = [...(market === null ? [] : countByEscrow(market))]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([address, raises]) => ({ key: address, address, raises }));
  const shown = escrows.slice(0, MOST_ESCROWS);
  const ofDesk = desk === null ? [] : [{ key: `desk ${desk}`, address: desk, raises: null }];
  const others = (market?.listings.length ?? 0) - shown.reduce((sum, { raises }) => sum + raises, 0);
  return section("contracts", "Contracts", [
    facts("grid", [
      fact("contracts.name", "Contracts of", text(name)),
      fact(
        "contracts.decimals",
        "Decimals of the dollar token",
        count(decimals),
        "On the blockchain; amounts here have 18.",
      ),
      fact("contracts.events", "Kinds of events followed", count(events)),
    ]),
    table({
      caption: "Contracts whose raises or offers are shown here",
      items: [...shown, ...ofDesk],
      keyOf: ({ key }) => key,
      columns: [
        ["address", "Address", ({ address }) => addressCode(address)],
        ["role", "Contract", ({ raises }) => text(raises === null ? "Secondary desk" : "Escrow")],
        ["listings", "Visible raises", ({ raises }) => count(raises), "end"],
        [
          "followsHolders",
          "Holders counted",
          ({ address, raises }) => (raises === null ? NONE : yesOrNo(followsHolders(address))),
        ],
      ],
      empty: "No contract has anything to show yet.",
    }),
    others > 0
      ? paragraph(`Not shown in this table: the escrows of ${counted(others, "other raises")}.`)
      : null,
  ]);
}

const UPDATE_WORDS: Record<Health["registry"]["status"], readonly [text: string, note: string]> = {
  ok: ["Accepted", "The copy in use is the operator's latest."],
  refused: ["Rejected", "It was invalid; the previous copy is in use."],
};

export function registrySection({ registry, unpublished, unprojectable }: Health): Section {
  const { status, version, hash, revision, signer, sinceBlock, since } = registry;
  const { originators, listings, problem, images, imageProblem, contradictions } = registry;
  const [update, note] = UPDATE_WORDS[status];
  return section("registry", "Registry", [
    paragraph(
      "Names, titles and descriptions are not on the blockchain: the operator publishes them in a registry.",
    ),
    facts("grid", [
      fact("registry.status", "Last update", word(update, status), note),
      fact("registry.version", "Version", code(version), "The beginning of its fingerprint."),
      signer === null
        ? fact(
            "registry.signer",
            "Signed by",
            NONE,
            "Not signed: only this server vouches for names and texts.",
          )
        : fact(
            "registry.signer",
            "Signed by",
            shortCode(signer, "address"),
            "The operator's key. Updates that it has not signed are rejected.",
          ),
      fact("registry.revision", "Revision", count(revision), "The operator's own number for it."),
      fact(
        "registry.hash",
        "Hash",
        shortCode(hash),
        "The fingerprint of its content, which the operator signs.",
      ),
      fact(
        "registry.sinceBlock",
        "In use since block",
        blockCode(sinceBlock),
        "When it was last changed, or the service restarted.",
      ),
      fact("registry.since", "Time of that block", time(since)),
      fact("registry.originators", "Businesses listed", count(originators)),
      fact("registry.listings", "Raises listed", count(listings)),
      fact("registry.images", "Pictures", count(images), "Covers and logos from the operator."),
      ...(problem === null ? [] : [fact("registry.problem", "Problem", text(problem))]),
      ...(contradictions === undefined
        ? []
        : [
            fact(
              "registry.contradictions",
              "Contradicted by the chain",
              count(contradictions),
              "Raises whose terms differ between registry and contract. The contract counts.",
            ),
          ]),
      ...(imageProblem === null
        ? []
        : [
            fact(
              "registry.imageProblem",
              "Picture not used",
              text(imageProblem),
              "A pattern is shown instead.",
            ),
          ]),
      fact(
        "unpublished",
        "Not published",
        count(unpublished),
        "Raises on the blockchain that the registry does not name, so they are not shown.",
      ),
      fact("unprojectable", "Left out", count(unprojectable), "Raises in the registry that cannot be shown."),
    ]),
  ]);
}

export function anomaliesSection({ anomalies: { total, byKind } }: Health): Section {
  const kinds = Object.entries(byKind).map(([kind, number]): Fact => {
    const [label, meaning] = wordsOfAnomaly(kind);
    return fact(`anomalies.byKind.${kind}`, label, count(number), meaning);
  });
  return section("anomalies", "Anomalies", [
    paragraph(
      total === 0
        ? "No inconsistencies found on the chain so far."
        : "These events on the blockchain do not add up. We drop none, and correct none silently.",
    ),
    facts("list", [fact("anomalies.total", "Total", count(total)), ...kinds]),
    links([linkTo("All anomalies", "/v1/anomalies", "JSON, with expected and actual values")]),
  ]);
}

const ANOMALY_WORDS: Record<AnomalyKind, readonly [label: string, meaning: string]> = {
  unmapped_event: [
    "Event that could not be interpreted",
    "The operator's description of the contracts does not explain an event; it is in the ledger, but in no figure.",
  ],
  unknown_listing: [
    "Unknown raise",
    "An event of a raise or an offer whose creation we never saw: indexing probably begins too late.",
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
