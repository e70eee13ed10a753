/**
 * The pooled loans of `contracts/examples/TranchedPools.sol` as the demo's market needs them: a raise is a tranche, and two tranches
 * in a row make a pool, the senior one first. Their dollar has six decimals.
 * @module
 */
import { type Address, maxUint256 } from "viem";
import {
  sixDecimalDollarAbi,
  sixDecimalDollarBytecode,
} from "../../../contracts/artifacts/SixDecimalDollar.ts";
import { tranchedPoolsAbi, tranchedPoolsBytecode } from "../../../contracts/artifacts/TranchedPools.ts";
import { trancheShareAbi } from "../../../contracts/artifacts/TrancheShare.ts";
import type { LocalChain } from "../../chain.ts";
import { addressAndBlock } from "../../deploy.ts";
import type { RaiseId } from "../../market/actions.ts";
import { contractAt } from "../../market/calls.ts";
import { type Actor, BACKERS } from "../../market/cast.ts";
import { type Call, type MarketContracts, STAGES } from "../../market/contracts.ts";
import { accountsOf } from "../../market/play.ts";
import { type Example, WITHOUT_DESK } from "../example.ts";
import { TRANCHES } from "./stories.ts";

/** Base units of the market in one of the dollar's. */
const UNIT = 10n ** 12n;

export const POOLED_LOANS: Example = {
  module: new URL("contracts.mjs", import.meta.url),
  stories: TRANCHES,
  refnumOf,
  async set(chain, deploy) {
    const dollar = await deploy({ abi: sixDecimalDollarAbi, bytecode: sixDecimalDollarBytecode });
    const owner = accountsOf(chain)("operator");
    const args = [dollar.address, owner];
    const pools = await deploy({ abi: tranchedPoolsAbi, bytecode: tranchedPoolsBytecode, args });
    return {
      contracts: createPools(chain, { dollar: dollar.address, pools: pools.address }),
      settings: { ESCROWS: addressAndBlock(pools) },
      places: [{ address: pools.address, note: "SR…, JR…" }],
    };
  },
};

/** Pools of the live market have one tranche. */
function poolOf({ onchainId }: RaiseId): { pool: number; prefix: "SR" | "JR" } {
  const planned = TRANCHES.length;
  if (onchainId > planned) return { pool: planned / 2 + onchainId - planned, prefix: "SR" };
  return { pool: Math.ceil(onchainId / 2), prefix: onchainId % 2 === 1 ? "SR" : "JR" };
}

/** Such as `JR00003`: the junior tranche of the third pool. */
function refnumOf(id: RaiseId): string {
  const { pool, prefix } = poolOf(id);
  return `${prefix}${String(pool).padStart(5, "0")}`;
}

function createPools(
  chain: LocalChain,
  { dollar, pools: address }: { dollar: Address; pools: Address },
): MarketContracts {
  const addressOf = accountsOf(chain);
  const dollars = contractAt(dollar, sixDecimalDollarAbi);
  const pools = contractAt(address, tranchedPoolsAbi);
  const contract = { address, abi: tranchedPoolsAbi } as const;
  const trancheOf = async ({ onchainId }: RaiseId) => {
    const args = [BigInt(onchainId)] as const;
    const read = await chain.publicClient.readContract({ ...contract, functionName: "tranches", args });
    const [, , share, , , deposited, owed, , , , , stage] = read;
    return { share, deposited, owed, stage };
  };
  const encode: Encode = (action, by) => {
    if (action.kind === "mint") return [by, dollars("mint", addressOf(by), action.amount / UNIT)];
    if (action.kind === "approveDollar") return [by, dollars("approve", address, maxUint256)];
    if (!("raise" in action)) return null;
    const id = BigInt(action.raise.onchainId);
    switch (action.kind) {
      case "createListing": {
        const { originator, refnum, terms } = action;
        const { targetAmount, minRaise, couponRateBps, tenorDays, goLiveAt, closeAt } = terms;
        const amounts = [targetAmount / UNIT, minRaise / UNIT] as const;
        const times = [BigInt(goLiveAt), BigInt(closeAt ?? 0)] as const;
        const borrower = addressOf(originator);
        const pool = BigInt(poolOf(action.raise).pool);
        return [
          by,
          pools("openTranche", pool, borrower, refnum, ...amounts, couponRateBps, tenorDays, ...times),
        ];
      }
      case "subscribe":
        return [action.backer, pools("deposit", id, action.amount / UNIT)];
      case "withdraw":
        return [by, pools("withdraw", id, action.amount / UNIT)];
      case "close":
        return [by, pools("lock", id)];
      case "cancel":
      case "voidListing":
        return [by, pools("cancel", id)];
      case "refund":
        return [by, pools("giveBack", id, addressOf(action.backer))];
      case "drawDown":
        return [by, pools("drawdown", id)];
      case "repay":
        return [by, pools("pay", id, action.principal / UNIT, action.interest / UNIT)];
      case "claimPayout":
        return [by, pools("collect", id)];
      default:
        return null;
    }
  };
  return {
    ...WITHOUT_DESK,
    ...{ addressOf, refnumOf },
    placeOf: ({ onchainId }) => ({ escrowAddress: address, onchainId: String(onchainId) }),
    entryOf: () => ({}),
    async callsOf(by, action) {
      const encoded = encode(action, by);
      return encoded === null ? [] : [{ from: addressOf(encoded[0]), ...encoded[1] }];
    },
    async figuresOf(raise) {
      const { deposited, owed, stage } = await trancheOf(raise);
      return { stage: STAGES[stage] ?? "none", raised: deposited * UNIT, outstanding: owed * UNIT };
    },
    async holdersOf(raise) {
      const { share } = await trancheOf(raise);
      const balances = await Promise.all(
        BACKERS.map(async (backer) => {
          const args = [addressOf(backer)] as const;
          const balance = { address: share, abi: trancheShareAbi, functionName: "balanceOf", args } as const;
          return { backer, amount: UNIT * (await chain.publicClient.readContract(balance)) };
        }),
      );
      return balances.filter(({ amount }) => amount > 0n);
    },
    async nextId() {
      const count = await chain.publicClient.readContract({ ...contract, functionName: "trancheCount" });
      return Number(count) + 1;
    },
    abilities: { auctions: false, reserve: false, undoing: true },
  };
}

/** A call and its sender; null for none. */
type Encode = (
  action: Parameters<MarketContracts["callsOf"]>[1],
  by: Actor,
) => readonly [by: Actor, call: Omit<Call, "from">] | null;
