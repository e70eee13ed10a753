/**
 * What the living part knows of the raises: the plan's and its own, with their figures as the chain last had them.
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

/** As the escrow numbers them. */
const STAGES = ["none", "open", "succeeded", "failed", "cancelled", "voided", "drawn", "settled"] as const;

type Stage = (typeof STAGES)[number];

/**
 * What the living part means to do with a raise that it opened itself: have it filled within minutes; leave it open until
 * its deadline, above its minimum or below; call it off; undo it after its close.
 */
export type Fate = "succeed" | "wait" | "miss" | "cancel" | "void";

export type LivingRaise = {
  readonly id: RaiseId;
  readonly refnum: string;
  readonly title: string;
  readonly business: BusinessName;
  readonly terms: Terms;
  readonly role?: Role;
  readonly fate: Fate;
  /** Base units; nobody subscribes beyond it. */
  readonly ceiling: bigint;
  /** Opened while the demo runs. */
  readonly young: boolean;
  stage: Stage;
  raised: bigint;
  outstanding: bigint;
  /** When the stage was first seen, by the chain's clock. */
  since: number;
};

export type NewRaise = Omit<LivingRaise, "stage" | "raised" | "outstanding" | "since">;

export type Book = {
  readonly raises: readonly LivingRaise[];
  at(stage: Stage): LivingRaise[];
  /** Takes a raise in that is on the chain already. */
  add(raise: NewRaise, now: number): Promise<LivingRaise>;
  /** Reads the figures of a raise from the chain. */
  refresh(raise: LivingRaise, now: number): Promise<void>;
  /** Who holds tokens of a raise, and how many; before the drawdown that is the principal. */
  holders(raise: LivingRaise): Promise<{ backer: Backer; amount: bigint }[]>;
};

/** A book with the raises of the plan. */
export async function openBook(
  chain: LocalChain,
  contracts: Contracts,
  plan: MarketPlan,
  now: number,
): Promise<Book> {
  const raises: LivingRaise[] = [];
  const read = (raise: LivingRaise, functionName: "stageOf" | "raisedAmount" | "outstandingPrincipal") =>
    chain.publicClient.readContract({
      address: contracts.escrow(raise.id.escrow),
      abi: listingEscrowAbi,
      functionName,
      args: [BigInt(raise.id.onchainId)],
    });
  const book: Book = {
    raises,
    at: (stage) => raises.filter((raise) => raise.stage === stage),
    async add(raise, time) {
      const entry = {
        ...raise,
        stage: "none",
        raised: 0n,
        outstanding: 0n,
        since: time,
      } satisfies LivingRaise;
      raises.push(entry);
      await book.refresh(entry, time);
      return entry;
    },
    async refresh(raise, time) {
      const [stage, raised, outstanding] = await Promise.all([
        read(raise, "stageOf"),
        read(raise, "raisedAmount"),
        read(raise, "outstandingPrincipal"),
      ]);
      const seen = STAGES[Number(stage)] ?? "none";
      if (seen !== raise.stage) raise.since = time;
      Object.assign(raise, { stage: seen, raised: BigInt(raised), outstanding: BigInt(outstanding) });
    },
    async holders(raise) {
      const token = await contracts.tokenOf(raise.id);
      const held = await Promise.all(
        BACKERS.map(async (backer) => {
          const args = [contracts.addressOf(backer)] as const;
          const amount = await chain.publicClient.readContract({
            address: token,
            abi: listingTokenAbi,
            functionName: "balanceOf",
            args,
          });
          return { backer, amount };
        }),
      );
      return held.filter(({ amount }) => amount > 0n);
    },
  };
  for (const { id, refnum, terms, story } of plan.raises) {
    const { title, business, role } = story;
    const ceiling = ceilingOf(terms, role === "failing" ? "miss" : "succeed", role);
    await book.add({ id, refnum, terms, title, business, role, fate: "succeed", ceiling, young: false }, now);
  }
  return book;
}

/** Up to where a raise is subscribed to. */
export function ceilingOf(terms: Terms, fate: Fate, role?: Role): bigint {
  if (role === "untouched") return 0n;
  if (fate === "miss") return basisPoints(terms.minRaise, 8_000);
  // Filled, a raise could neither wait nor be cancelled.
  if (role === "unfilled" || fate === "wait" || fate === "cancel")
    return basisPoints(terms.targetAmount, 9_000);
  // Beyond the target bids compete, and some are outbid at the close.
  return terms.pricingMode === "auction" ? basisPoints(terms.targetAmount, 12_500) : terms.targetAmount;
}
