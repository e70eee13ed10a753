/**
 * The chain's own figures at one block: the escrows' views, the tokens' supplies, the escrows' dollars. Calls are batched
 * through a contract that is never deployed: any node can run it, and nothing is written.
 * @module
 */
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
  type MulticallResponse,
  maxUint256,
  type PublicClient,
} from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";

/** The views of `contracts/IListingEscrowViews.sol`, and one that only the reference escrow has. */
export const LISTING_VIEWS = [
  "raisedAmount",
  "refundedAmount",
  "reserveBalance",
  "outstandingPrincipal",
  "claimedAmount",
] as const;
export type ListingView = (typeof LISTING_VIEWS)[number];

/** A view's answer: a figure, a revert with a reason, or nothing, as for a missing view. */
export type Figure = bigint | "reverted" | "no answer";

export type ListingKey = { escrowAddress: Address; onchainId: bigint };
export type FigureTargets = {
  listings: readonly ListingKey[];
  /** each escrow with the first id that should not exist */
  escrows: readonly { address: Address; nextId: bigint }[];
  tokens: readonly Address[];
};

export type EscrowFigures = {
  required: Figure;
  /** the escrow's balance in dollars */
  held: Figure;
  /** raisedAmount of the first id that should not exist */
  next: Figure;
  /** raisedAmount of an impossible id: whether the escrow distinguishes a listing from none */
  never: Figure;
};

export type Figures = {
  views: ReadonlyMap<string, Readonly<Record<ListingView, Figure>>>;
  escrows: ReadonlyMap<string, EscrowFigures>;
  supplies: ReadonlyMap<string, Figure>;
};

/** The key of a listing's views. */
export function keyOf({ escrowAddress, onchainId }: ListingKey): string {
  return `${escrowAddress}/${onchainId}`;
}

/** About 15 KB of code, well below the 49,152 bytes that a node creates (EIP-3860), whatever is called. */
const CALLS_PER_REQUEST = 50;
/** Calls between progress reports, whose requests are sent together. */
const CALLS_PER_REPORT = 1000;

type Call = { address: Address; abi: Abi; functionName: string; args?: readonly unknown[] };

/** Reads all figures at this block. Rejects if the node fails. */
export async function readFigures(
  client: PublicClient,
  { listings, escrows, tokens }: FigureTargets,
  { block, onProgress }: { block: bigint; onProgress?: ((done: number, total: number) => void) | undefined },
): Promise<Figures> {
  const abi = listingEscrowAbi;
  const view = (address: Address, functionName: string, ...args: readonly unknown[]): Call => {
    return { address, abi, functionName, args };
  };
  const total = listings.length * LISTING_VIEWS.length + escrows.length * 5 + tokens.length;
  let done = 0;
  const read = async (calls: readonly Call[]): Promise<(bigint | string)[]> => {
    const answers: (bigint | string)[] = [];
    for (let first = 0; first < calls.length; first += CALLS_PER_REPORT) {
      const end = Math.min(first + CALLS_PER_REPORT, calls.length);
      const requests: Promise<Pick<MulticallResponse, "error" | "result">[]>[] = [];
      for (let next = first; next < end; next += CALLS_PER_REQUEST) {
        const contracts = calls.slice(next, Math.min(next + CALLS_PER_REQUEST, end));
        // A batch size of 0 keeps viem from splitting, as it counts only the bytes of the calls.
        const split = { deployless: true, batchSize: 0 };
        requests.push(client.multicall({ ...split, contracts, allowFailure: true, blockNumber: block }));
      }
      for (const { error, result } of (await Promise.all(requests)).flat())
        answers.push(error === undefined ? (result as bigint | string) : failureOf(error));
      done += end - first;
      onProgress?.(done, total);
    }
    return answers;
  };

  const views = await read(
    listings.flatMap(({ escrowAddress, onchainId }) =>
      LISTING_VIEWS.map((name) => view(escrowAddress, name, onchainId)),
    ),
  );
  const required = await read(escrows.map(({ address }) => view(address, "requiredBalance")));
  const next = await read(escrows.map(({ address, nextId }) => view(address, "raisedAmount", nextId)));
  const never = await read(escrows.map(({ address }) => view(address, "raisedAmount", maxUint256)));
  const dollars = await read(escrows.map(({ address }) => view(address, "dollar")));
  const held = await read(
    escrows.map(({ address }, index) => ({
      // Without a dollar, the call goes to the escrow itself, which has no balances.
      address: addressOr(dollars[index], address),
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address],
    })),
  );
  const supplies = await read(
    tokens.map((address) => ({ address, abi: erc20Abi, functionName: "totalSupply" })),
  );

  return {
    views: new Map(
      listings.map((listing, index) => {
        const first = index * LISTING_VIEWS.length;
        const own = LISTING_VIEWS.map((name, place) => [name, figure(views[first + place])]);
        return [keyOf(listing), Object.fromEntries(own) as Record<ListingView, Figure>];
      }),
    ),
    escrows: new Map(
      escrows.map(({ address }, index) => {
        const answers = { required: figure(required[index]), held: figure(held[index]) };
        return [address, { ...answers, next: figure(next[index]), never: figure(never[index]) }];
      }),
    ),
    supplies: new Map(tokens.map((token, index) => [token, figure(supplies[index])])),
  };
}

/**
 * Whether the contract gave a reason. A revert without the contract's bytes comes from the node and is thrown, as is the
 * failure of a whole batch, which says nothing about its calls.
 */
function failureOf(error: Error): Exclude<Figure, bigint> {
  const isOfTheBatch = error instanceof ContractFunctionExecutionError && error.functionName === "aggregate3";
  if (error instanceof BaseError && !isOfTheBatch) {
    const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (revert instanceof ContractFunctionRevertedError && revert.raw !== undefined)
      return revert.raw === "0x" ? "no answer" : "reverted";
    if (error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null) return "no answer";
  }
  throw error;
}

function figure(answer: bigint | string | undefined): Figure {
  if (typeof answer === "bigint") return answer;
  return answer === "reverted" ? "reverted" : "no answer";
}

function addressOr(answer: bigint | string | undefined, fallback: Address): Address {
  return typeof answer === "string" && answer.startsWith("0x") ? (answer as Address) : fallback;
}
