/**
 * What a day's calls weigh at providers that publish the weight of each call
 * (docs/decisions/0031-doctor.md has the sources and their dates).
 * @module
 */
import type { DailyCalls } from "../daemon/check-costs.ts";

/** Units of a call; null: not published. */
type Weights = { readonly blocks: number; readonly logs: number; readonly notices: number | null };

const PROVIDERS: readonly { readonly name: string; readonly unit: string; readonly weights: Weights }[] = [
  // A notice is 0.04 a byte, and typically 1,000 bytes.
  { name: "Alchemy", unit: "compute units", weights: { blocks: 20, logs: 60, notices: 40 } },
  { name: "Ankr", unit: "API credits", weights: { blocks: 200, logs: 200, notices: 100 } },
  { name: "Moralis", unit: "compute units", weights: { blocks: 3, logs: 12, notices: null } },
  { name: "QuickNode", unit: "API credits", weights: { blocks: 20, logs: 20, notices: 20 } },
];

type CostFact = { about: string; values: Record<string, number> };

/** The calls of a day, and their units at each provider that publishes the weight of all of them. */
export function costFacts({ blocks, logs, notices }: DailyCalls): CostFact[] {
  const counts = { blocks: Math.round(blocks), logs: Math.round(logs), notices: Math.round(notices) };
  const calls = { about: "calls a day", values: { total: Math.round(blocks + logs), ...counts } };
  const units = PROVIDERS.flatMap(({ name, unit, weights }) => {
    if (weights.notices === null && notices > 0) return [];
    const sum = blocks * weights.blocks + logs * weights.logs + notices * (weights.notices ?? 0);
    return [{ about: `${name}, a day`, values: { [unit]: Math.round(sum) } }];
  });
  return [calls, ...units];
}
