/**
 * The raises of the live market, planned and new, with their latest figures from the chain.
 * @module
 */
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import type { LocalChain } from "../chain.ts";
import type { RaiseId, Terms } from "../market/actions.ts";
import type { Contracts } from "../market/calls.ts";
import { BACKERS, type Backer, type BusinessName } from "../market/cast.ts";
import { basisPoints } from "../market/money.ts";
import type { MarketPlan } from "../market/plan.ts";
import type { Role } from "../market/raise-story.ts";

/** Indexed by the escrow's enum. */
const STAGES = ["none", "open", "succeeded", "failed", "cancelled", "voided", "drawn", "settled"] as const;

type Stage = (typeof STAGES)[number];

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
  stage: Stage;
  raised: bigint;
  outstanding: bigint;
  /** Chain time at which the stage was first seen. */
  since: number;
};

export type NewRaise = Omit<LiveRaise, "stage" | "raised" | "outstanding" | "since">;

export type Raises = {
  inStage(stage: Stage): LiveRaise[];
  /** Adds a raise that is already on the chain. */
  add(raise: NewRaise, now: number): Promise<LiveRaise>;
  /** Reads a raise's figures from the chain. */
  refresh(raise: LiveRaise, now: number): Promise<void>;
  /** The holders of a raise's tokens; before the drawdown the amount is the principal. */
  holders(raise: LiveRaise): Promise<{ backer: Backer; amount: bigint }[]>;
};

/** Starts with the raises of the plan. */
export async function trackRaises(
  chain: LocalChain,
  contracts: Contracts,
  plan: MarketPlan,
  now: number,
): Promise<Raises> {
  const entries: LiveRaise[] = [];
  const read = (raise: LiveRaise, functionName: "stageOf" | "raisedAmount" | "outstandingPrincipal") =>
    chain.publicClient.readContract({
      address: contracts.escrow(raise.id.escrow),
      abi: listingEscrowAbi,
      functionName,
      args: [BigInt(raise.id.onchainId)],
    });
  const raises: Raises = {
    inStage: (stage) => entries.filter((raise) => raise.stage === stage),
    async add(raise, time) {
      const entry = { ...raise, stage: "none", raised: 0n, outstanding: 0n, since: time } satisfies LiveRaise;
      entries.push(entry);
      await raises.refresh(entry, time);
      return entry;
    },
    async refresh(raise, time) {
      const [stage, raised, outstanding] = await Promise.all([
        read(raise, "stageOf"),
        read(raise, "raisedAmount"),
        read(raise, "outstandingPrincipal"),
      ]);
      const current = STAGES[Number(stage)] ?? "none";
      if (current !== raise.stage) raise.since = time;
      Object.assign(raise, { stage: current, raised: BigInt(raised), outstanding: BigInt(outstanding) });
    },
    async holders(raise) {
      const token = await contracts.tokenOf(raise.id);
      const balances = await Promise.all(
        BACKERS.map(async (backer) => {
          const args = [contracts.addressOf(backer)] as const;
          const view = { address: token, abi: listingTokenAbi, functionName: "balanceOf", args } as const;
          return { backer, amount: await chain.publicClient.readContract(view) };
        }),
      );
      return balances.filter(({ amount }) => amount > 0n);
    },
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
