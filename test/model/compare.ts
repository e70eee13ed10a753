/** @module The model next to a chain: the answers that the service must give at a block, and the escrows' own figures. */
import { type Address, type BlockTag, type Hex, numberToHex, type PublicClient } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { type Head, historiesOf, type Prediction, predict } from "./answers.ts";
import { type ChainLog, isOfListing, type RawLog, those, toChainLog } from "./chain-log.ts";
import { type DeskLog, isOfDesk, toDeskLog } from "./desk-log.ts";
import { TRANSFER, type Transfer, toTransfer } from "./holders.ts";
import { raiseOf } from "./raise.ts";
import { pairKeyOf, type RegistryDocument } from "./registry.ts";

/** An escrow or a desk. */
export type Followed = { address: string /** earlier logs are ignored */; startBlock?: bigint };

/** The figures that an escrow can be asked for, base units as decimal strings. */
export type Totals = {
  raisedAmount: string;
  refundedAmount: string;
  reserveBalance: string;
  outstandingPrincipal: string;
};

/** Totals by listing: the keys are `escrow/onchainId`, the escrow in lowercase. */
export type TotalsByListing = Record<string, Totals>;

export type ExpectedAnswersParameters = {
  client: PublicClient;
  escrows: readonly Followed[];
  /** none when not given */
  desk?: Followed | null;
  /** whether the service follows the tokens of all escrows; it does not when not told */
  holders?: boolean;
  registry: RegistryDocument;
  /** the block up to which the service has indexed; the chain's newest when not given */
  block?: bigint;
  /** a past block instead, as `asOf` names it: no holders are counted then */
  atBlock?: bigint;
  /** unix seconds, when the question is a time between that block and the next; the block's own when not given */
  now?: bigint;
  /** the last block that no reorg takes back; the newest of the question when not given */
  finalized?: bigint;
  /** `PUBLIC_URL` and `APP_URL` of the service, without a slash at the end; null: no app is configured */
  publicUrl: string;
  appUrl: string | null;
  chainId?: number;
};

/** The answers that the service must give at a block. */
export async function expectedAnswers(params: ExpectedAnswersParameters): Promise<Prediction> {
  const { client, escrows, desk, block, atBlock, now, holders = false, ...rest } = params;
  const { number, timestamp } = await headAt(client, atBlock ?? block);
  const logs = await fetchLogs(client, escrows, number);
  return predict({
    ...rest,
    head: { number, timestamp: now ?? timestamp },
    logs,
    desk: desk?.address ?? null,
    deskLogs: desk ? await fetchDeskLogs(client, desk, number) : [],
    transfers: desk && holders ? await fetchTransfers(client, logs, number) : [],
    holders: holders && atBlock === undefined,
  });
}

export async function headAt(client: PublicClient, block?: bigint): Promise<Head> {
  return readBlock(client, block === undefined ? "latest" : numberToHex(block));
}

/** Every event of the escrows up to a block, decoded, in the chain's order. */
export async function fetchLogs(
  client: PublicClient,
  escrows: readonly Followed[],
  toBlock: bigint,
): Promise<ChainLog[]> {
  const raw = await Promise.all(escrows.map((escrow) => fetchRaw(client, escrow, toBlock)));
  const logs = raw.flat().filter(isOfListing);
  const timeOf = await timesOf(client, logs);
  return logs.map((log) => toChainLog(log, timeOf(log)));
}

/** Every event of the desk up to a block. */
export async function fetchDeskLogs(
  client: PublicClient,
  desk: Followed,
  toBlock: bigint,
): Promise<DeskLog[]> {
  const logs = (await fetchRaw(client, desk, toBlock)).filter(isOfDesk);
  const timeOf = await timesOf(client, logs);
  return logs.map((log) => toDeskLog(log, timeOf(log)));
}

/** Every transfer up to a block of the tokens that these logs create. */
export async function fetchTransfers(
  client: PublicClient,
  logs: readonly ChainLog[],
  toBlock: bigint,
): Promise<Transfer[]> {
  const address = those(logs, "ListingCreated").map(({ args }) => args.token);
  const fromBlock = numberToHex(0n);
  const filter = { address, topics: [TRANSFER], fromBlock, toBlock: numberToHex(toBlock) };
  // No address at all would be every contract's.
  if (address.length === 0) return [];
  const raw: RawLog[] = await client.request({ method: "eth_getLogs", params: [filter] });
  return raw.map(toTransfer);
}

/** The figures of the escrows' view functions at a block, for every listing they have. */
export async function viewTotals(
  client: PublicClient,
  escrows: readonly Followed[],
  blockNumber: bigint,
): Promise<TotalsByListing> {
  const totals: TotalsByListing = {};
  for (const { address } of escrows) {
    const contract = { address: address as Address, abi: listingEscrowAbi, blockNumber };
    const count = await client.readContract({ ...contract, functionName: "listingCount" });
    for (let id = 1n; id <= count; id++) {
      const ask = async (functionName: keyof Totals) =>
        `${await client.readContract({ ...contract, functionName, args: [id] })}`;
      const [raisedAmount, refundedAmount, reserveBalance, outstandingPrincipal] = await Promise.all([
        ask("raisedAmount"),
        ask("refundedAmount"),
        ask("reserveBalance"),
        ask("outstandingPrincipal"),
      ]);
      totals[pairKeyOf(address, id)] = { raisedAmount, refundedAmount, reserveBalance, outstandingPrincipal };
    }
  }
  return totals;
}

/** The model's figures of the same listings, the unpublished ones included. */
export function modelTotals(logs: readonly ChainLog[]): TotalsByListing {
  return Object.fromEntries(
    [...historiesOf(logs)].map(([pair, history]) => {
      const { raised, refunded, reserve, outstanding } = raiseOf(history);
      return [
        pair,
        {
          raisedAmount: `${raised}`,
          refundedAmount: `${refunded}`,
          reserveBalance: `${reserve}`,
          outstandingPrincipal: `${outstanding}`,
        },
      ];
    }),
  );
}

/** The same figures out of an answer's listings, to hold against the escrows' of those listings. */
export function answerTotals(
  listings: readonly (Totals & { escrowAddress: string; onchainId: string })[],
): TotalsByListing {
  return Object.fromEntries(
    listings.map(({ escrowAddress, onchainId, ...listing }) => [
      pairKeyOf(escrowAddress, onchainId),
      {
        raisedAmount: listing.raisedAmount,
        refundedAmount: listing.refundedAmount,
        reserveBalance: listing.reserveBalance,
        outstandingPrincipal: listing.outstandingPrincipal,
      },
    ]),
  );
}

async function fetchRaw(
  client: PublicClient,
  { address, startBlock = 0n }: Followed,
  toBlock: bigint,
): Promise<RawLog[]> {
  const fromBlock = numberToHex(startBlock);
  if (startBlock > toBlock) return [];
  const filter = { address: address as Address, fromBlock, toBlock: numberToHex(toBlock) };
  return client.request({ method: "eth_getLogs", params: [filter] });
}

/** The times of the logs' blocks, unix seconds. */
async function timesOf(client: PublicClient, logs: readonly RawLog[]): Promise<(log: RawLog) => bigint> {
  const times = new Map<string, bigint>();
  for (const { blockNumber } of logs) {
    if (blockNumber === null || times.has(blockNumber)) continue;
    times.set(blockNumber, (await readBlock(client, blockNumber)).timestamp);
  }
  return ({ blockNumber }) => times.get(blockNumber ?? "") ?? 0n;
}

async function readBlock(client: PublicClient, which: Hex | BlockTag): Promise<Head> {
  const block = await client.request({ method: "eth_getBlockByNumber", params: [which, false] });
  if (!block?.number) throw new Error(`the chain has no block ${which}`);
  return { number: BigInt(block.number), timestamp: BigInt(block.timestamp) };
}
