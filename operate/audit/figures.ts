/**
 * The chain's own figures at one block: the escrows' views, the tokens' supplies, the escrows' dollars. Calls are batched
 * through a contract that is never deployed: any node can run it, and nothing is written.
 * @module
 */
import {
  type Abi,
  type Address,
  ContractFunctionExecutionError,
  erc20Abi,
  maxUint256,
  type PublicClient,
} from "viem";
import { type Pair, pairKey } from "../../api/registry/schema.ts";
import { refusalBytes } from "../../chain/views.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { scaleOf } from "../../src/contracts/market-event.ts";
import { dataOf, type EscrowView, LISTING_VIEWS, type ListingView } from "../../src/contracts/views.ts";
import type { HolderRow } from "../../src/fold/state.ts";

/** A view's answer, in the tables' base units: a figure, a revert with a reason, or nothing, as for a missing view. */
export type Figure = bigint | "reverted" | "no answer";

export type FigureTargets = {
  listings: readonly Pair[];
  /** each escrow with the first id that should not exist */
  escrows: readonly { address: Address; nextId: bigint }[];
  tokens: readonly Address[];
  holders: readonly Pick<HolderRow, "token" | "holder">[];
};

export type EscrowFigures = {
  /** of the view `requiredBalance` */
  required: Figure;
  /** the escrow's balance in dollars */
  held: Figure;
  /** those of its dollar; null where that does not say */
  decimals: number | null;
  /** raisedAmount of the first id that should not exist */
  next: Figure;
  /** raisedAmount of an impossible id: whether the escrow distinguishes a listing from none */
  never: Figure;
};

export type Figures = {
  /** by listing; of the views that the contracts' module names */
  views: ReadonlyMap<string, Readonly<Partial<Record<ListingView, Figure>>>>;
  escrows: ReadonlyMap<string, EscrowFigures>;
  supplies: ReadonlyMap<string, Figure>;
  /** by `holderKey`, of those that were asked for */
  balances: ReadonlyMap<string, Figure>;
};

export const holderKey = ({ token, holder }: Pick<HolderRow, "token" | "holder">) => `${token}/${holder}`;

/** About 15 KB of code, well below the 49,152 bytes that a node creates (EIP-3860), whatever is called. */
const CALLS_PER_REQUEST = 50;
/** Calls between progress reports, whose requests are sent together. */
const CALLS_PER_REPORT = 1000;

/** An integer, which viem decodes to a number up to 48 bits, an address, or the failure of the call. */
type Answer = bigint | number | string;
type Call = { address: Address; abi: Abi; functionName: string; args?: readonly unknown[] };

/** Stands for a view that the module does not name: no call is made, and the result is null. */
const NO_CALL = null;

/** The call of a view; none without a view, or where its module has no arguments for this raise. */
function callOf(address: Address, view: EscrowView | undefined, onchainId: bigint): Call | null {
  if (view === undefined || dataOf(view, onchainId) === null) return NO_CALL;
  return { address, abi: [view.item], functionName: view.item.name, args: view.argsFor(onchainId) };
}

/** Reads all figures at this block. Rejects if the node fails. */
export async function readFigures(
  client: PublicClient,
  {
    views,
    dollar,
    decimals,
    isNumbered,
  }: Pick<Contracts["escrow"], "views" | "dollar" | "decimals" | "isNumbered">,
  { listings, escrows, tokens, holders }: FigureTargets,
  { block, onProgress }: { block: bigint; onProgress?: ((done: number, total: number) => void) | undefined },
): Promise<Figures> {
  const names = LISTING_VIEWS.filter((name) => name in views);
  const numbering = isNumbered ? views.raisedAmount : undefined;
  const total = listings.length * names.length + escrows.length * 6 + tokens.length + holders.length;
  let done = 0;
  const ask = async (contracts: readonly Call[]): Promise<Answer[]> => {
    // A batch size of 0 keeps viem from splitting, as it counts only the bytes of the calls.
    const split = { deployless: true, batchSize: 0 };
    const found = await client.multicall({ ...split, contracts, allowFailure: true, blockNumber: block });
    return found.map(({ error, result }) => (error === undefined ? (result as Answer) : failureOf(error)));
  };
  /** Leaves out the answers of tokens that do not answer even alone: some of them use up the gas of a whole request. */
  const askTokens = async (calls: readonly Call[]): Promise<Answer[]> => {
    try {
      return await ask(calls);
    } catch (error) {
      const silent = new Set<Address>();
      for (const [address, [first]] of Map.groupBy(calls, (call) => call.address)) {
        const [answer] = first === undefined ? [] : await ask([first]);
        if (typeof answer === "string") silent.add(address);
      }
      if (silent.size === 0) throw error;
      const others = calls.filter(({ address }) => !silent.has(address));
      const found = (others.length === 0 ? [] : await askTokens(others)).values();
      return calls.map(({ address }) => (silent.has(address) ? null : found.next().value) ?? "no answer");
    }
  };
  const read = async (wanted: readonly (Call | null)[], askAll = ask): Promise<Answer[]> => {
    const calls = wanted.filter((call) => call !== NO_CALL);
    const found = (await answersOf(calls, askAll)).values();
    done += wanted.length - calls.length;
    return wanted.map((call) => (call === NO_CALL ? "no answer" : (found.next().value ?? "no answer")));
  };
  const answersOf = async (calls: readonly Call[], askAll: typeof ask): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let first = 0; first < calls.length; first += CALLS_PER_REPORT) {
      const end = Math.min(first + CALLS_PER_REPORT, calls.length);
      const requests: Promise<Answer[]>[] = [];
      for (let next = first; next < end; next += CALLS_PER_REQUEST)
        requests.push(askAll(calls.slice(next, Math.min(next + CALLS_PER_REQUEST, end))));
      answers.push(...(await Promise.all(requests)).flat());
      done += end - first;
      onProgress?.(done, total);
    }
    return answers;
  };

  const figures = await read(
    listings.flatMap(({ escrowAddress, onchainId }) =>
      names.map((name) => callOf(escrowAddress, views[name], onchainId)),
    ),
  );
  const required = await read(escrows.map(({ address }) => callOf(address, views.requiredBalance, 0n)));
  const next = await read(escrows.map(({ address, nextId }) => callOf(address, numbering, nextId)));
  const never = await read(escrows.map(({ address }) => callOf(address, numbering, maxUint256)));
  const said = await read(
    escrows.map(({ address }) => {
      if (dollar === null || "address" in dollar) return NO_CALL;
      return { address, abi: [dollar.view], functionName: dollar.view.name };
    }),
  );
  const dollars = said.map((answer) =>
    dollar !== null && "address" in dollar ? dollar.address : addressIn(answer),
  );
  const held = await read(
    escrows.map(({ address }, index) => {
      const of = dollars[index] ?? null;
      return of && { address: of, abi: erc20Abi, functionName: "balanceOf", args: [address] };
    }),
    askTokens,
  );
  // Each dollar is asked once.
  const units = await read(
    dollars.map((of, index) =>
      of === null || dollars.indexOf(of) !== index
        ? NO_CALL
        : { address: of, abi: erc20Abi, functionName: "decimals" },
    ),
    askTokens,
  );
  const supplies = await read(
    tokens.map((address) => ({ address, abi: erc20Abi, functionName: "totalSupply" })),
    askTokens,
  );
  const balances = await read(
    holders.map(({ token: address, holder }) => ({
      ...{ address, abi: erc20Abi, functionName: "balanceOf", args: [holder] },
    })),
    askTokens,
  );

  const scale = scaleOf(decimals);
  const figure = (answer: Answer | undefined): Figure => {
    if (typeof answer === "bigint" || typeof answer === "number") return BigInt(answer) * scale;
    return answer === "reverted" ? "reverted" : "no answer";
  };
  return {
    views: new Map(
      listings.map((listing, index) => {
        const first = index * names.length;
        const own = names.map((name, place) => [name, figure(figures[first + place])]);
        return [pairKey(listing), Object.fromEntries(own)];
      }),
    ),
    escrows: new Map(
      escrows.map(({ address }, index) => {
        const answers = { required: figure(required[index]), held: figure(held[index]) };
        const unit = units[dollars.indexOf(dollars[index] ?? null)];
        const decimals = typeof unit === "number" ? unit : null;
        return [address, { ...answers, decimals, next: figure(next[index]), never: figure(never[index]) }];
      }),
    ),
    supplies: new Map(tokens.map((token, index) => [token, figure(supplies[index])])),
    balances: new Map(holders.map((row, index) => [holderKey(row), figure(balances[index])])),
  };
}

/**
 * Whether the contract gave a reason. Bytes that are no answer of the view are none. A failure of the node is one of the whole batch,
 * which says nothing about its calls: it is thrown.
 */
function failureOf(error: Error): Exclude<Figure, bigint> {
  if (error instanceof ContractFunctionExecutionError && error.functionName === "aggregate3") throw error;
  return (refusalBytes(error) ?? "0x") === "0x" ? "no answer" : "reverted";
}

function addressIn(answer: Answer | undefined): Address | null {
  return typeof answer === "string" && answer.startsWith("0x") ? (answer as Address) : null;
}
