/**
 * The ledger against the chain's logs, fetched once more: a row without a log, a log without a row, other arguments.
 * It finds what no view tells, a hidden change of terms for one.
 * @module
 */
import canonicalize from "canonicalize";
import { asc, gt } from "ponder";
import { type Address, decodeEventLog, type Hex, type Log, type PublicClient, toEventSelector } from "viem";
import { escrowFactoryEventsAbi } from "../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../abis/SecondaryDeskEvents.ts";
import { type Database, ONE_SNAPSHOT } from "../api/database/checkpoint.ts";
import type { Settings } from "../config/environment.ts";
import * as tables from "../ponder.schema.ts";
import { type DeskLog, type EscrowLog, lower, toDeskEvent, toListingEvent } from "../src/fold/events.ts";
import { toLedgerArgs } from "../src/fold/ledger.ts";
import type { OnProgress } from "./audit.ts";
import type { Book } from "./book.ts";
import { type Comparison, createComparison, type Where } from "./comparison.ts";

/** Blocks in one request at first; halved where a node refuses, doubled again after some that it did not. */
const RANGE = 5_000n;
const BEFORE_DOUBLING = 20;
const CHUNK = 2000;

export type CompareWithLogsParameters = {
  book: Book;
  client: PublicClient;
  database: Database;
  settings: Pick<Settings, "escrows" | "escrowFactory" | "desk">;
  onProgress: OnProgress;
};

/** An event in the one form that a row and a log are compared in. */
type Told = { escrowAddress: string; onchainId: bigint; text: string };

/** Compares up to the block of the book. Long: it asks for every block since the first. */
export async function compareWithLogs(parameters: CompareWithLogsParameters): Promise<Comparison> {
  const comparison = createComparison();
  const [rows, logs] = [await readRows(parameters), await readLogs(parameters)];
  for (const place of [...new Set([...rows.keys(), ...logs.keys()])].sort()) {
    const [row, log] = [rows.get(place), logs.get(place)];
    const one = row ?? log;
    if (one === undefined) continue;
    const { escrowAddress, onchainId } = one;
    const where: Where = { check: "logs", escrowAddress, onchainId, field: `event at ${place}` };
    comparison.compare(where, log?.text ?? "no log", row?.text ?? "no row");
  }
  return comparison;
}

async function readRows({ database, book }: CompareWithLogsParameters): Promise<Map<string, Told>> {
  const { ledger } = tables;
  const found = new Map<string, Told>();
  await database.transaction(async (tx) => {
    let last = "";
    for (;;) {
      const rows = await tx
        .select()
        .from(ledger)
        .where(gt(ledger.eventId, last))
        .orderBy(asc(ledger.eventId))
        .limit(CHUNK);
      for (const { escrowAddress, onchainId, kind, args, blockNumber, logIndex, txHash } of rows) {
        if (blockNumber > book.head.number) continue;
        found.set(placeOf(blockNumber, logIndex), {
          escrowAddress,
          onchainId,
          text: told(kind, args, txHash),
        });
      }
      const end = rows.at(-1);
      if (end === undefined || rows.length < CHUNK) return;
      last = end.eventId;
    }
  }, ONE_SNAPSHOT);
  return found;
}

async function readLogs(parameters: CompareWithLogsParameters): Promise<Map<string, Told>> {
  const { book, settings } = parameters;
  const { escrows, escrowFactory, desk } = settings;
  const followedFrom = new Map<string, bigint>();
  if (escrowFactory !== null) {
    const topics = escrowFactoryEventsAbi.map((event) => toEventSelector(event));
    for (const log of await fetchLogs(
      parameters,
      [escrowFactory.address as Address],
      escrowFactory.startBlock,
    )) {
      if (log.topics[0] === undefined || !topics.includes(log.topics[0]) || log.blockNumber === null)
        continue;
      const { args } = decodeEventLog({ abi: escrowFactoryEventsAbi, data: log.data, topics: log.topics });
      const escrow = lower(args.escrow);
      if (!followedFrom.has(escrow)) followedFrom.set(escrow, log.blockNumber);
    }
  }
  // An escrow of the list begins at its own block, whatever a factory says.
  for (const { address, startBlock } of escrows) followedFrom.set(address, BigInt(startBlock));

  const found = new Map<string, Told>();
  const first = [...followedFrom.values()].reduce((a, b) => (b < a ? b : a), book.head.number);
  for (const log of await fetchLogs(parameters, [...followedFrom.keys()] as Address[], Number(first))) {
    const from = followedFrom.get(lower(log.address));
    if (log.blockNumber === null || from === undefined || log.blockNumber < from) continue;
    const decoded = decode(listingEscrowEventsAbi, log) as EscrowLog | null;
    if (decoded === null) continue;
    const { kind, args } = toListingEvent(decoded);
    const escrowAddress = lower(log.address);
    const { onchainId } = decoded.args;
    found.set(placeOf(log.blockNumber, log.logIndex), {
      escrowAddress,
      onchainId,
      text: told(kind, toLedgerArgs(args), log.transactionHash),
    });
  }
  if (desk !== null) {
    const owners = new Map(book.tables.tokens.map((token) => [token.token as string, token]));
    const tokenOf = new Map<bigint, string>();
    for (const log of await fetchLogs(parameters, [desk.address as Address], desk.startBlock)) {
      const decoded = decode(secondaryDeskEventsAbi, log) as DeskLog | null;
      if (decoded === null || log.blockNumber === null) continue;
      const { kind, args } = toDeskEvent(decoded, lower(log.address));
      if (kind === "offer_created" && !tokenOf.has(args.offerId)) tokenOf.set(args.offerId, args.token);
      const token = tokenOf.get(args.offerId) ?? ("token" in args ? args.token : "");
      const owner = owners.get(token);
      if (owner === undefined) continue;
      const { escrowAddress, onchainId } = owner;
      found.set(placeOf(log.blockNumber, log.logIndex), {
        escrowAddress,
        onchainId,
        text: told(kind, toLedgerArgs(args), log.transactionHash),
      });
    }
  }
  return found;
}

/** The logs of these addresses up to the book's block, in ranges as wide as the node takes. */
async function fetchLogs(
  { client, book, onProgress }: CompareWithLogsParameters,
  address: Address[],
  startBlock: number,
): Promise<Log<bigint, number, false>[]> {
  const found: Log<bigint, number, false>[] = [];
  const first = BigInt(startBlock);
  const last = book.head.number;
  if (address.length === 0) return found;
  let range = RANGE;
  let answered = 0;
  for (let from = first; from <= last; ) {
    const to = from + range - 1n > last ? last : from + range - 1n;
    try {
      found.push(...(await client.getLogs({ address, fromBlock: from, toBlock: to })));
      from = to + 1n;
      answered += 1;
      if (answered % BEFORE_DOUBLING === 0 && range < RANGE) range *= 2n;
      onProgress(Number(from - first), Number(last - first + 1n));
    } catch (error) {
      // Nodes have limits of blocks and of results, each in words of its own.
      if (range === 1n) throw error;
      range /= 2n;
      answered = 0;
    }
  }
  return found;
}

/** Null for an event that is none of the interface's, or whose bytes do not fit it: Ponder leaves these out too. */
function decode(abi: typeof listingEscrowEventsAbi | typeof secondaryDeskEventsAbi, { data, topics }: Log) {
  try {
    return decodeEventLog({ abi, data, topics });
  } catch {
    return null;
  }
}

function placeOf(blockNumber: bigint, logIndex: number | null): string {
  return `block ${blockNumber.toString().padStart(12, "0")}, log ${String(logIndex).padStart(6, "0")}`;
}

function told(kind: string, args: object, txHash: Hex | null): string {
  return `${kind} ${canonicalize(args) ?? ""} in ${txHash}`;
}
