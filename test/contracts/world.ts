/**
 * One chain with the reference contracts on it and a cast of accounts, for the tests of this folder.
 * Each transaction gets a block of its own, one second after the last, so that every time is chosen by the test.
 *
 * @module
 */
import {
  type Abi,
  type Address,
  encodeFunctionData,
  keccak256,
  type Log,
  parseEther,
  parseEventLogs,
  toHex,
} from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import { type Deployment, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { PRICING } from "../harness/enums.ts";
import { revertOf } from "./reverts.ts";

export const genesis = 1_700_000_000n;
export const day = 86_400n;
export const closeAt = genesis + 30n * day;
export const metadata = keccak256(toHex("metadata"));

/** Indexes of the accounts. */
export const owner = 0;
export const originator = 1;
export const alice = 2;
export const bob = 3;
export const carol = 4;
export const treasury = 5;
export const stranger = 6;

export const usd = (amount: number | string) => parseEther(String(amount));

/** A raise of 1000 with a minimum of 400, a reserve of 100, and 180 days; each test changes what it is about. */
export const baseTerms = {
  targetAmount: usd(1000),
  minRaise: usd(400),
  couponRateBps: 1450,
  insuranceBps: 1000,
  tenorDays: 180,
  pricingMode: PRICING.fixed as number,
  goLiveAt: genesis,
  closeAt,
};

export type Terms = typeof baseTerms;

/** The events of the escrow's own interface among `logs`. */
export function escrowLogs(escrow: Address, logs: Log[]) {
  const own = logs.filter(({ address }) => address.toLowerCase() === escrow);
  return parseEventLogs({ abi: listingEscrowEventsAbi, logs: own });
}

export type EscrowLog = ReturnType<typeof escrowLogs>[number];

interface Call {
  to: Address;
  abi: Abi;
  functionName: string;
  args?: readonly unknown[];
  /** The block's time; a second after the last block when not given. */
  at?: bigint;
}

export interface World {
  chain: LocalChain;
  dollar: Address;
  escrow: Address;
  /** Dollars that reached the escrow without any of its functions; a test that sends some says so here. */
  sentDirectly: bigint;
  address(account: number): Address;
  send(account: number, call: Call): Promise<Log[]>;
  /** Calls the escrow; returns the events that it emitted. */
  act(account: number, functionName: string, args: readonly unknown[], at?: bigint): Promise<EscrowLog[]>;
  /** Creates a listing, numbered from 1; returns its token. */
  list(changes?: Partial<Terms>): Promise<Address>;
  subscribe(account: number, amount: bigint, bidRateBps?: number, at?: bigint): Promise<EscrowLog[]>;
  read<T = bigint>(functionName: string, args?: readonly unknown[]): Promise<T>;
  balance(token: Address, holder: Address | number): Promise<bigint>;
  now(): bigint;
  warp(time: bigint): void;
  snapshot(): Promise<() => Promise<void>>;
}

export interface WorldParameters {
  feeBps?: number;
  deployDollar?: (chain: LocalChain) => Promise<Deployment>;
}

export async function createWorld(params: WorldParameters = {}): Promise<World> {
  const chain = await startChain({ genesisTimestamp: Number(genesis) });
  const { publicClient, testClient } = chain;
  const address = (account: number) => chain.walletClient(account).account.address;
  const dollar = (await (params.deployDollar ?? deployDollar)(chain)).address;
  const { address: escrow } = await deployEscrow(chain, {
    dollar,
    feeBps: params.feeBps,
    feeRecipient: address(treasury),
  });
  let clock = (await publicClient.getBlock()).timestamp;

  async function send(account: number, { to, abi, functionName, args, at }: Call): Promise<Log[]> {
    const data = encodeFunctionData({ abi, functionName, args });
    clock = at ?? clock + 1n;
    await testClient.setNextBlockTimestamp({ timestamp: clock });
    // A fixed limit, below the cap for one transaction (2^24), instead of an estimate at another block's time.
    const hash = await chain.walletClient(account).sendTransaction({ to, data, gas: 16_700_000n });
    const { status, logs, blockNumber } = await chain.receiptOf(hash);
    if (status === "reverted") throw await revertOf(chain, { from: address(account), to, data }, blockNumber);
    return logs;
  }

  async function act(account: number, functionName: string, args: readonly unknown[], at?: bigint) {
    return escrowLogs(
      escrow,
      await send(account, { to: escrow, abi: listingEscrowAbi, functionName, args, at }),
    );
  }

  async function read<T = bigint>(functionName: string, args: readonly unknown[] = [1n]): Promise<T> {
    const abi: Abi = listingEscrowAbi;
    return (await publicClient.readContract({ address: escrow, abi, functionName, args })) as T;
  }

  for (const account of [owner, originator, alice, bob, carol]) {
    const abi = mintAndApprove;
    await send(account, { to: dollar, abi, functionName: "mint", args: [address(account), usd(1_000_000)] });
    await send(account, { to: dollar, abi, functionName: "approve", args: [escrow, usd(1_000_000)] });
  }

  return {
    chain,
    dollar,
    escrow,
    sentDirectly: 0n,
    address,
    send,
    act,
    read,
    async list(changes = {}) {
      const id = (await read("listingCount", [])) + 1n;
      const refnum = `RB${String(id).padStart(5, "0")}`;
      await act(owner, "createListing", [
        address(originator),
        refnum,
        { ...baseTerms, ...changes },
        metadata,
      ]);
      return read<Address>("tokenOf", [id]);
    },
    subscribe: (account, amount, bidRateBps = 0, at) =>
      act(account, "subscribe", [1n, address(account), amount, bidRateBps], at),
    balance: (token, holder) =>
      publicClient.readContract({
        address: token,
        abi: listingTokenAbi,
        functionName: "balanceOf",
        args: [typeof holder === "number" ? address(holder) : holder],
      }),
    now: () => clock,
    warp(time) {
      clock = time - 1n;
    },
    async snapshot() {
      const id = await testClient.snapshot();
      const time = clock;
      return async () => {
        await testClient.revert({ id });
        clock = time;
      };
    },
  };
}

const mintAndApprove = [
  {
    type: "function",
    name: "mint",
    stateMutability: "nonpayable",
    inputs: [{ type: "address" }, { type: "uint256" }],
    outputs: [],
  },
  ...listingTokenAbi.filter((item) => item.type === "function" && item.name === "approve"),
] as const satisfies Abi;
