/** @module The raises of the live market, planned and new, with their latest figures from the chain. */
import type { RaiseId, Terms } from "../market/actions.ts";
import type { BusinessName } from "../market/cast.ts";
import type { Figures, MarketContracts, RaiseStage } from "../market/contracts.ts";
import { basisPoints } from "../market/money.ts";
import type { MarketPlan } from "../market/plan.ts";
import type { Role } from "../market/raise-story.ts";

/**
 * The intended end of a new raise: filled within minutes; open until its deadline, above its minimum or below; cancelled;
 * voided after its close.
 */
export type Fate = "succeed" | "wait" | "miss" | "cancel" | "void";

export type LiveRaise = {
  readonly id: RaiseId;
  readonly refnum: string;
  readonly title: string;
  readonly business: BusinessName;
  readonly terms: Terms;
  readonly role?: Role;
  readonly fate: Fate;
  /** The maximum total of subscriptions, in base units. */
  readonly ceiling: bigint;
  /** Opened by the live market, not by the plan. */
  readonly isNew: boolean;
  stage: RaiseStage;
  raised: bigint;
  outstanding: bigint;
  /** Chain time at which the stage was first seen. */
  since: number;
};

export type NewRaise = Omit<LiveRaise, keyof Figures | "since">;

export type Raises = {
  inStage(stage: RaiseStage): LiveRaise[];
  /** Adds a raise that is already on the chain. */
  add(raise: NewRaise, now: number): Promise<LiveRaise>;
  /** Reads a raise's figures from the chain. */
  refresh(raise: LiveRaise, now: number): Promise<void>;
  holders(raise: LiveRaise): ReturnType<MarketContracts["holdersOf"]>;
};

/** Starts with the raises of the plan. */
export async function trackRaises(
  contracts: Pick<MarketContracts, "figuresOf" | "holdersOf">,
  plan: MarketPlan,
  now: number,
): Promise<Raises> {
  const entries: LiveRaise[] = [];
  const raises: Raises = {
    inStage: (stage) => entries.filter((raise) => raise.stage === stage),
    async add(raise, time) {
      const entry = { ...raise, stage: "none", raised: 0n, outstanding: 0n, since: time } satisfies LiveRaise;
      entries.push(entry);
      await raises.refresh(entry, time);
      return entry;
    },
    async refresh(raise, time) {
      const figures = await contracts.figuresOf(raise.id);
      if (figures.stage !== raise.stage) raise.since = time;
      Object.assign(raise, figures);
    },
    holders: ({ id }) => contracts.holdersOf(id),
  };
  for (const { id, refnum, terms, story } of plan.raises) {
    const { title, business, role } = story;
    const ceiling = ceilingOf(terms, role === "failing" ? "miss" : "succeed", role);
    const planned = { id, refnum, terms, title, business, role, ceiling };
    await raises.add({ ...planned, fate: "succeed", isNew: false }, now);
  }
  return raises;
}

/** The maximum total of subscriptions to a raise, in base units. */
export function ceilingOf(terms: Terms, fate: Fate, role?: Role): bigint {
  if (role === "untouched") return 0n;
  if (fate === "miss") return basisPoints(terms.minRaise, 8_000);
  // A filled raise closes: it could neither wait nor be cancelled.
  if (role === "unfilled" || fate === "wait" || fate === "cancel")
    return basisPoints(terms.targetAmount, 9_000);
  // Beyond the target bids compete, and some are outbid at the close.
  return terms.pricingMode === "auction" ? basisPoints(terms.targetAmount, 12_500) : terms.targetAmount;
}
