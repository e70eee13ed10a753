/**
 * The model beside a chain: what the service must answer at a block, and what the escrows say themselves.
 * @module
 */
import { type Address, type BlockTag, type Hex, numberToHex, type PublicClient } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { type Head, historiesOf, type Prediction, predict } from "./answers.ts";
import { type ChainLog, isOfListing, type RawLog, toChainLog } from "./chain-log.ts";
import { raiseOf } from "./raise.ts";
import { pairOf, type RegistryDocument } from "./registry.ts";

export type Escrow = { address: string /** earlier logs are ignored */; startBlock?: bigint };

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
  escrows: readonly Escrow[];
  registry: RegistryDocument;
  /** the block up to which the service has indexed; the chain's newest when not given */
  block?: bigint;
  /** `PUBLIC_URL` and `APP_URL` of the service, without a slash at the end */
  publicUrl: string;
  appUrl: string;
  chainId?: number;
};

/** The bodies of `GET /v1/listings` and `GET /v1/originators` at a block. */
export async function expectedAnswers(params: ExpectedAnswersParameters): Promise<Prediction> {
  const { client, escrows, block, ...rest } = params;
  const head = await headAt(client, block);
  return predict({ ...rest, head, logs: await fetchLogs(client, escrows, head.number) });
}

export async function headAt(client: PublicClient, block?: bigint): Promise<Head> {
  return readBlock(client, block === undefined ? "latest" : numberToHex(block));
}

/** Every event of the escrows up to a block, decoded, in the chain's order. */
export async function fetchLogs(
  client: PublicClient,
  escrows: readonly Escrow[],
  toBlock: bigint,
): Promise<ChainLog[]> {
  const raw: RawLog[] = [];
  for (const { address, startBlock = 0n } of escrows) {
    const filter = {
      address: address as Address,
      fromBlock: numberToHex(startBlock),
      toBlock: numberToHex(toBlock),
    };
    const logs: RawLog[] = await client.request({ method: "eth_getLogs", params: [filter] });
    raw.push(...logs.filter(isOfListing));
  }
  const times = new Map<string, bigint>();
  for (const { blockNumber } of raw) {
    if (blockNumber === null || times.has(blockNumber)) continue;
    times.set(blockNumber, (await readBlock(client, blockNumber)).timestamp);
  }
  return raw.map((log) => toChainLog(log, times.get(log.blockNumber ?? "") ?? 0n));
}

/** What the escrows' view functions say at a block, of every listing they have. */
export async function viewTotals(
  client: PublicClient,
  escrows: readonly Escrow[],
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
      totals[pairOf(address, id)] = { raisedAmount, refundedAmount, reserveBalance, outstandingPrincipal };
    }
  }
  return totals;
}

/** What the model makes of the same listings, the unpublished ones included. */
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
      pairOf(escrowAddress, onchainId),
      {
        raisedAmount: listing.raisedAmount,
        refundedAmount: listing.refundedAmount,
        reserveBalance: listing.reserveBalance,
        outstandingPrincipal: listing.outstandingPrincipal,
      },
    ]),
  );
}

async function readBlock(client: PublicClient, which: Hex | BlockTag): Promise<Head> {
  const block = await client.request({ method: "eth_getBlockByNumber", params: [which, false] });
  if (!block?.number) throw new Error(`the chain has no block ${which}`);
  return { number: BigInt(block.number), timestamp: BigInt(block.timestamp) };
}
