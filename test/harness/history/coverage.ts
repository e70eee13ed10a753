/**
 * What a history reached, by the model: a test of a history that reached nothing would prove nothing.
 * @module
 */
import type { Prediction } from "../../model/answers.ts";
import type { ChainLog } from "../../model/chain-log.ts";

export type Coverage = {
  events: Record<string, number>;
  statuses: Record<string, number>;
  repayments: Record<string, number>;
  outcomes: Record<string, number>;
  pricingModes: Record<string, number>;
  grades: Record<string, number>;
  caps: Record<string, number>;
  /** listings that the chain and the registry tell different things about */
  unverified: { originator: number; metadata: number };
};

export function coverageOf(logs: readonly ChainLog[], { listings, originators }: Prediction): Coverage {
  const shown = listings.listings;
  return {
    events: counted(logs.map(({ name }) => name)),
    statuses: counted(shown.map(({ status }) => status)),
    repayments: counted(shown.map(({ repayment }) => repayment)),
    outcomes: counted(shown.map(({ outcome }) => outcome ?? "none")),
    pricingModes: counted(shown.map(({ pricingMode }) => pricingMode ?? "unknown")),
    grades: counted(originators.originators.map(({ ratingGrade }) => ratingGrade)),
    caps: counted(originators.originators.map(({ rating }) => rating.cap ?? "none")),
    unverified: {
      originator: shown.filter(({ originatorVerified }) => !originatorVerified).length,
      metadata: shown.filter(({ metadataVerified }) => !metadataVerified).length,
    },
  };
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
