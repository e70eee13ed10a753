/**
 * What a day's calls cost at providers that publish the weight of each call
 * (docs/decisions/0031-doctor.md has the sources and their dates).
 * @module
 */
import type { DailyCalls } from "../daemon/check-costs.ts";

/** Units of a call; null: not published. */
type Weights = { readonly blocks: number; readonly logs: number; readonly notices: number | null };

type Provider = {
  readonly name: string;
  readonly unit: string;
  readonly weights: Weights;
  /** Dollars for a million units, where a plan is paid by use. */
  readonly perMillion: number | null;
  /** Units a month that a plan includes, by its name. */
  readonly plans: Readonly<Record<string, number>>;
};

const DAYS = 30;
const MILLION = 1_000_000;

const PROVIDERS: readonly Provider[] = [
  {
    name: "Alchemy",
    unit: "compute units",
    // A notice is 0.04 a byte, and typically 1,000 bytes.
    weights: { blocks: 20, logs: 60, notices: 40 },
    perMillion: 0.45,
    plans: {},
  },
  {
    name: "Ankr",
    unit: "API credits",
    weights: { blocks: 200, logs: 200, notices: 100 },
    perMillion: 0.1,
    plans: {},
  },
  {
    name: "Moralis",
    unit: "compute units",
    weights: { blocks: 3, logs: 12, notices: null },
    perMillion: null,
    plans: { Starter: 10 * MILLION, Pro: 100 * MILLION, Business: 350 * MILLION },
  },
  {
    name: "QuickNode",
    unit: "API credits",
    weights: { blocks: 20, logs: 20, notices: 20 },
    perMillion: null,
    plans: {},
  },
];

type CostFact = { about: string; values: Record<string, string | number> };

/** The calls of a day, and units a month at each provider with the smallest plan that has them, or their price. */
export function costFacts(daily: DailyCalls): CostFact[] {
  const { blocks, logs, notices } = daily;
  const counts = { blocks: Math.round(blocks), logs: Math.round(logs), notices: Math.round(notices) };
  const calls = { about: "calls a day", values: { total: Math.round(blocks + logs), ...counts } };
  return [calls, ...PROVIDERS.flatMap((provider) => costAt(provider, daily) ?? [])];
}

/** Null where a part of it has no published price. */
function costAt({ name, unit, weights, perMillion, plans }: Provider, daily: DailyCalls): CostFact | null {
  if (weights.notices === null && daily.notices > 0) return null;
  const { blocks, logs, notices } = daily;
  const units = Math.round(
    DAYS * (blocks * weights.blocks + logs * weights.logs + notices * (weights.notices ?? 0)),
  );
  const plan = Object.entries(plans).find(([, included]) => units <= included)?.[0];
  return {
    about: `${name}, a month`,
    values: {
      [unit]: units,
      ...(perMillion === null ? {} : { dollars: Math.round((units / MILLION) * perMillion) }),
      ...(Object.keys(plans).length === 0 ? {} : { plan: plan ?? "larger than the published ones" }),
    },
  };
}
