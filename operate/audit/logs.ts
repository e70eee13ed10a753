/**
 * Compares the ledger with the chain's logs, fetched again: a row without a log, a log without a row, other arguments. Finds
 * what no view shows, such as a missing change of terms.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import canonicalize from "canonicalize";
import { type Address, decodeEventLog, type Hex, type Log, type PublicClient, toEventSelector } from "viem";
import { escrowFactoryEventsAbi } from "../../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { type Database, ONE_SNAPSHOT } from "../../api/database/checkpoint.ts";
import type { Settings } from "../../config/environment.ts";
import { refusalKindOf } from "../../config/format/refusal.ts";
import * as tables from "../../ponder.schema.ts";
import { type DeskLog, type EscrowLog, lower, toDeskEvent, toListingEvent } from "../../src/fold/events.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { OnProgress } from "./audit.ts";
import { type Comparison, createComparison, type Where } from "./comparison.ts";
import { type IndexedState, ledgerRows } from "./indexed-state.ts";

/** Blocks per request at first; halved when a node refuses, doubled again after this many answers. */
const RANGE = 5_000n;
const ANSWERS_BEFORE_DOUBLING = 20;
/** Milliseconds before a request is made again that came too soon; doubled each time, up to the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 32_000;

export type CompareWithLogsParameters = {
  state: IndexedState;
  client: PublicClient;
  database: Pick<Database, "transaction">;
  settings: Pick<Settings, "escrows" | "escrowFactory" | "desk">;
  onProgress: OnProgress;
};

/** An event in the form in which rows and logs are compared. */
type ComparableEvent = { escrowAddress: string; onchainId: bigint; text: string };

/** Compares up to the indexed head. Slow: it requests every block since the first. */
export async function compareWithLogs(parameters: CompareWithLogsParameters): Promise<Comparison> {
  const comparison = createComparison();
  const [rows, logs] = [await readRows(parameters), await readLogs(parameters)];
  for (const place of [...new Set([...rows.keys(), ...logs.keys()])].sort()) {
    const [row, log] = [rows.get(place), logs.get(place)];
    const event = row ?? log;
    if (event === undefined) continue;
    const { escrowAddress, onchainId } = event;
    const where: Where = { check: "logs", escrowAddress, onchainId, field: `event at ${place}` };
    comparison.compare(where, log?.text ?? "no log", row?.text ?? "no row");
  }
  return comparison;
}

async function readRows({
  database,
  state,
}: CompareWithLogsParameters): Promise<Map<string, ComparableEvent>> {
  const events = new Map<string, ComparableEvent>();
  await database.transaction(async (tx) => {
    for await (const { escrowAddress, onchainId, kind, args, blockNumber, logIndex, txHash } of ledgerRows(
      tx,
      tables,
    )) {
      if (blockNumber > state.head.number) continue;
      const text = comparableText(kind, args, txHash);
      put(events, placeOf(blockNumber, logIndex), { escrowAddress, onchainId, text });
    }
  }, ONE_SNAPSHOT);
  return events;
}

async function readLogs(parameters: CompareWithLogsParameters): Promise<Map<string, ComparableEvent>> {
  const { state, settings } = parameters;
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
  // A listed escrow starts at its own block, whatever a factory announces.
  for (const { address, startBlock } of escrows) followedFrom.set(address, BigInt(startBlock));

  const events = new Map<string, ComparableEvent>();
  const first = [...followedFrom.values()].reduce((a, b) => (b < a ? b : a), state.head.number);
  for (const log of await fetchLogs(parameters, [...followedFrom.keys()] as Address[], Number(first))) {
    const from = followedFrom.get(lower(log.address));
    if (log.blockNumber === null || from === undefined || log.blockNumber < from) continue;
    const decoded = decode(listingEscrowEventsAbi, log) as EscrowLog | null;
    if (decoded === null) continue;
    const { kind, args } = toListingEvent(decoded);
    const escrowAddress = lower(log.address);
    const { onchainId } = decoded.args;
    put(events, placeOf(log.blockNumber, log.logIndex), {
      escrowAddress,
      onchainId,
      text: comparableText(kind, toLedgerArgs(args), log.transactionHash),
    });
  }
  if (desk !== null) {
    const owners = new Map(state.tables.listingToken.map((token) => [token.token as string, token]));
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
      put(events, placeOf(log.blockNumber, log.logIndex), {
        escrowAddress,
        onchainId,
        text: comparableText(kind, toLedgerArgs(args), log.transactionHash),
      });
    }
  }
  return events;
}

/** The logs of these addresses up to the indexed head, in ranges as wide as the node accepts. */
async function fetchLogs(
  { client, state, onProgress }: CompareWithLogsParameters,
  address: Address[],
  startBlock: number,
): Promise<Log<bigint, number, false>[]> {
  const logs: Log<bigint, number, false>[] = [];
  const first = BigInt(startBlock);
  const last = state.head.number;
  if (address.length === 0) return logs;
  let range = RANGE;
  let answered = 0;
  let pause = FIRST_PAUSE;
  for (let from = first; from <= last; ) {
    const to = from + range - 1n > last ? last : from + range - 1n;
    try {
      const found = await client.getLogs({ address, fromBlock: from, toBlock: to });
      requirePlaces(found);
      logs.push(...found);
      from = to + 1n;
      answered += 1;
      if (answered % ANSWERS_BEFORE_DOUBLING === 0 && range < RANGE) range *= 2n;
      onProgress(Number(from - first), Number(last - first + 1n));
      pause = FIRST_PAUSE;
    } catch (error) {
      if (refusalKindOf(error) === "rate" && pause <= LONGEST_PAUSE) {
        await sleep(pause);
        pause *= 2;
        continue;
      }
      // Nodes limit blocks or results, each with its own error message.
      if (range === 1n || error instanceof MisplacedLogError) throw error;
      range /= 2n;
      answered = 0;
    }
  }
  return logs;
}

class MisplacedLogError extends Error {}

/** @throws {MisplacedLogError} where a log has no place in a block of the chain */
function requirePlaces(logs: readonly Log[]): void {
  for (const log of logs) {
    const { blockNumber, transactionIndex, logIndex, transactionHash, address, removed } = log;
    const isPlaced = [blockNumber, transactionIndex, logIndex, transactionHash, address].every(
      (field) => field !== null,
    );
    if (isPlaced && !removed) continue;
    const said = removed ? "is marked as removed" : "lacks its transaction, index or address";
    throw new MisplacedLogError(`eth_getLogs returned a log of block ${blockNumber} that ${said}`);
  }
}

/** A second event with the index of another one is kept as well: neither may hide the other. */
function put(events: Map<string, ComparableEvent>, place: string, event: ComparableEvent): void {
  const other = events.get(place);
  if (other === undefined || other.text === event.text) events.set(place, event);
  else put(events, `${place} again`, event);
}

/** Null for an event outside the interface, or with malformed data: Ponder skips these too. */
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

function comparableText(kind: string, args: object, txHash: Hex | null): string {
  return `${kind} ${canonicalize(args) ?? ""} in ${txHash}`;
}
