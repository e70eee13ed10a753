/**
 * The escrows of `contracts/examples/RaiseEscrow.sol` as the demo's market needs them: a factory deploys one for each raise. What they
 * do not say is in the registry. The raises are those of the plain demo that such an escrow can have.
 * @module
 */
import { type Address, getContractAddress } from "viem";
import { testDollarAbi } from "../../../abis/TestDollar.ts";
import { isoTime } from "../../../config/format/time.ts";
import { raiseEscrowAbi } from "../../../contracts/artifacts/RaiseEscrow.ts";
import { raiseFactoryAbi, raiseFactoryBytecode } from "../../../contracts/artifacts/RaiseFactory.ts";
import { testDollarBytecode } from "../../../contracts/artifacts/TestDollar.ts";
import type { LocalChain } from "../../chain.ts";
import { addressAndBlock } from "../../deploy.ts";
import type { RaiseId } from "../../market/actions.ts";
import { contractAt } from "../../market/calls.ts";
import { type Actor, BACKERS } from "../../market/cast.ts";
import type { Call, CallableAction, Figures, MarketContracts, RaiseFacts } from "../../market/contracts.ts";
import { accountsOf } from "../../market/play.ts";
import type { RaiseStory } from "../../market/raise-story.ts";
import { CURRENT_RAISES } from "../../market/raises-current.ts";
import { OPEN_RAISES } from "../../market/raises-open.ts";
import { type Example, WITHOUT_DESK } from "../example.ts";

const COURSES: readonly string[] = ["repaid", "outstanding", "undrawn", "missed", "open"];

/** No auctions, no reserve, no raise without an end, and nothing that takes an owner of all escrows. */
const STORIES: readonly RaiseStory[] = [...CURRENT_RAISES, ...OPEN_RAISES]
  .filter(({ pricingMode, closeDay, course }) => {
    const isPostponed = course.kind === "open" && course.postponed === true;
    return pricingMode === "fixed" && closeDay !== null && COURSES.includes(course.kind) && !isPostponed;
  })
  .map((story) => ({ ...story, insuranceBps: 0 }));

export const RAISE_ESCROWS: Example = {
  module: new URL("contracts.mjs", import.meta.url),
  stories: STORIES,
  refnumOf,
  async set(chain, deploy) {
    const dollar = await deploy({ abi: testDollarAbi, bytecode: testDollarBytecode });
    const args = [dollar.address, accountsOf(chain)("operator")];
    const factory = await deploy({ abi: raiseFactoryAbi, bytecode: raiseFactoryBytecode, args });
    return {
      contracts: createEscrows(chain, { dollar: dollar.address, factory: factory.address }),
      settings: { ESCROW_FACTORY: addressAndBlock(factory) },
      places: [{ address: factory.address, note: "the factory; each raise has an escrow" }],
    };
  },
};

function refnumOf({ onchainId }: RaiseId): string {
  return `EX${String(onchainId).padStart(5, "0")}`;
}

function entryOf({ refnum, terms }: Pick<RaiseFacts, "refnum" | "terms">) {
  const { targetAmount, minRaise, goLiveAt, closeAt, ...rest } = terms;
  return {
    refnum,
    terms: {
      ...{ targetAmount: targetAmount.toString(), minRaise: minRaise.toString(), ...rest },
      goLiveAt: isoTime(BigInt(goLiveAt)),
      closeAt: closeAt === null ? null : isoTime(BigInt(closeAt)),
    },
  };
}

function createEscrows(
  chain: LocalChain,
  { dollar, factory: factoryAddress }: { dollar: Address; factory: Address },
): MarketContracts {
  const addressOf = accountsOf(chain);
  const dollars = contractAt(dollar, testDollarAbi);
  const factory = contractAt(factoryAddress, raiseFactoryAbi);
  /** The factory deploys nothing else, and a contract's nonce begins with 1. */
  const escrowOf = ({ onchainId }: RaiseId) =>
    getContractAddress({ from: factoryAddress, nonce: BigInt(onchainId) }).toLowerCase() as Address;
  const encode = (by: Actor, action: CallableAction): [by: Actor, ...calls: Omit<Call, "from">[]] => {
    if (action.kind === "mint") return [by, dollars("mint", addressOf(by), action.amount)];
    if (!("raise" in action)) return [by];
    const address = escrowOf(action.raise);
    const escrow = contractAt(address, raiseEscrowAbi);
    const withApproval = (amount: bigint, call: Omit<Call, "from">) =>
      [dollars("approve", address, amount), call] as const;
    switch (action.kind) {
      case "createListing": {
        const { targetAmount, minRaise, goLiveAt, closeAt } = action.terms;
        const times = [BigInt(goLiveAt), BigInt(closeAt ?? 0)] as const;
        return [by, factory("deploy", addressOf(action.originator), targetAmount, minRaise, ...times)];
      }
      case "subscribe":
        return [action.backer, ...withApproval(action.amount, escrow("deposit", action.amount))];
      case "withdraw":
        return [by, escrow("withdraw", action.amount)];
      case "refund":
        return [by, escrow("giveBack", addressOf(action.backer))];
      case "drawDown":
        return [by, escrow("take")];
      case "repay": {
        const amount = action.principal + action.interest;
        return [by, ...withApproval(amount, escrow("repay", amount))];
      }
      case "claimPayout":
        return [by, escrow("collect")];
      default:
        return [by];
    }
  };
  return {
    ...WITHOUT_DESK,
    ...{ addressOf, refnumOf, entryOf },
    placeOf: (raise) => ({ escrowAddress: escrowOf(raise), onchainId: "1" }),
    async callsOf(by, action) {
      const [from, ...calls] = encode(by, action);
      return calls.map((call) => ({ from: addressOf(from), ...call }));
    },
    figuresOf: (raise) => figuresOf(chain, escrowOf(raise)),
    async holdersOf(raise) {
      const escrow = { address: escrowOf(raise), abi: raiseEscrowAbi } as const;
      const positions = await Promise.all(
        BACKERS.map(async (backer) => {
          const args = [addressOf(backer)] as const;
          const position = { ...escrow, functionName: "positions", args } as const;
          return { backer, amount: await chain.publicClient.readContract(position) };
        }),
      );
      return positions.filter(({ amount }) => amount > 0n);
    },
    async nextId() {
      const count = { address: factoryAddress, abi: raiseFactoryAbi, functionName: "raiseCount" } as const;
      return Number(await chain.publicClient.readContract(count)) + 1;
    },
    abilities: { auctions: false, reserve: false, undoing: false },
  };
}

/** The stage follows from what the escrow says: it has no such view. */
async function figuresOf({ publicClient }: LocalChain, address: Address): Promise<Figures> {
  const escrow = { address, abi: raiseEscrowAbi } as const;
  const [raised, minimum, repaid, isClosed, isTaken] = await Promise.all([
    publicClient.readContract({ ...escrow, functionName: "raised" }),
    publicClient.readContract({ ...escrow, functionName: "minimum" }),
    publicClient.readContract({ ...escrow, functionName: "repaid" }),
    publicClient.readContract({ ...escrow, functionName: "isClosed" }),
    publicClient.readContract({ ...escrow, functionName: "isTaken" }),
  ]);
  const owed = repaid < raised ? raised - repaid : 0n;
  if (!isClosed) return { stage: "open", raised, outstanding: 0n };
  if (raised < minimum) return { stage: "failed", raised, outstanding: 0n };
  if (!isTaken) return { stage: "succeeded", raised, outstanding: 0n };
  return { stage: owed > 0n ? "drawn" : "settled", raised, outstanding: owed };
}
