/** @module The project's own contracts as the demo's market needs them. */
import type { Address } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import type { LocalChain } from "../chain.ts";
import type { Deployment } from "../deploy.ts";
import type { EscrowName, RaiseId } from "./actions.ts";
import { callOf } from "./calls.ts";
import { BACKERS } from "./cast.ts";
import { type MarketContracts, STAGES } from "./contracts.ts";
import { refnumOf } from "./plan.ts";

/** The number of latest offers. */
const LATEST = 12;

export type ReferenceContracts = MarketContracts & { escrow(name: EscrowName): Address };

/** @param deployments escrows may be added later */
export function createReferenceContracts(
  chain: LocalChain,
  deployments: { dollar: Deployment; desk: Deployment; escrows: ReadonlyMap<EscrowName, Deployment> },
  addressOf: MarketContracts["addressOf"],
): ReferenceContracts {
  const tokens = new Map<string, Address>();
  const { dollar, desk, escrows } = deployments;
  const escrow = (name: EscrowName) => deployed(escrows, name).address;
  const view = (
    { escrow: name, onchainId }: RaiseId,
    functionName: "stageOf" | "raisedAmount" | "outstandingPrincipal",
  ) =>
    chain.publicClient.readContract({
      ...{ address: escrow(name), abi: listingEscrowAbi, functionName, args: [BigInt(onchainId)] },
    });
  const tokenOf = async ({ escrow: name, onchainId }: RaiseId): Promise<Address> => {
    const key = `${name}/${onchainId}`;
    const cached = tokens.get(key);
    if (cached !== undefined) return cached;
    const token = await chain.publicClient.readContract({
      address: escrow(name),
      abi: listingEscrowAbi,
      functionName: "tokenOf",
      args: [BigInt(onchainId)],
    });
    tokens.set(key, token);
    return token;
  };
  const addresses = { dollar: dollar.address, desk: desk.address, escrow, addressOf, tokenOf };
  const onDesk = { address: desk.address, abi: secondaryDeskAbi } as const;
  return {
    ...{ addressOf, escrow, refnumOf },
    placeOf: ({ escrow: name, onchainId }) => ({ escrowAddress: escrow(name), onchainId: String(onchainId) }),
    entryOf: () => ({}),
    callsOf: async (by, action) => [await callOf(by, action, addresses)],
    async figuresOf(raise) {
      const [stage, raised, outstanding] = await Promise.all([
        view(raise, "stageOf"),
        view(raise, "raisedAmount"),
        view(raise, "outstandingPrincipal"),
      ]);
      return {
        stage: STAGES[Number(stage)] ?? "none",
        raised: BigInt(raised),
        outstanding: BigInt(outstanding),
      };
    },
    async holdersOf(raise) {
      const token = await tokenOf(raise);
      const balances = await Promise.all(
        BACKERS.map(async (backer) => {
          const args = [addressOf(backer)] as const;
          const balance = { address: token, abi: listingTokenAbi, functionName: "balanceOf", args } as const;
          return { backer, amount: await chain.publicClient.readContract(balance) };
        }),
      );
      return balances.filter(({ amount }) => amount > 0n);
    },
    async nextId() {
      const address = escrow("current");
      const count = { address, abi: listingEscrowAbi, functionName: "listingCount" } as const;
      return Number(await chain.publicClient.readContract(count)) + 1;
    },
    async latestOffers() {
      const count = Number(await chain.publicClient.readContract({ ...onDesk, functionName: "offerCount" }));
      const ids = Array.from({ length: Math.min(count, LATEST) }, (_, index) => count - index);
      return Promise.all(
        ids.map(async (offerId) => {
          const args = [BigInt(offerId)] as const;
          const stored = await chain.publicClient.readContract({ ...onDesk, functionName: "offers", args });
          const [, expiresAt, , remaining] = stored;
          return { offerId, expiresAt, remaining };
        }),
      );
    },
    abilities: { auctions: true, reserve: true, undoing: true },
  };
}

export function deployed(escrows: ReadonlyMap<EscrowName, Deployment>, name: EscrowName): Deployment {
  const deployment = escrows.get(name);
  if (deployment === undefined) throw new Error(`the ${name} escrow is not deployed yet`);
  return deployment;
}
