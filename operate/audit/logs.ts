/**
 * Compares the ledger with the chain's logs, fetched again: a row without a log, a log without a row, other arguments. Finds
 * what no view shows, such as a missing change of terms.
 * @module
 */
import canonicalize from "canonicalize";
import type { Hex } from "viem";
import { type Database, ONE_SNAPSHOT } from "../../api/database/checkpoint.ts";
import type { ChainClient } from "../../chain/client.ts";
import { firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import type { Log } from "../../chain/logs.ts";
import { type Page, readPages } from "../../chain/pages.ts";
import type { Settings } from "../../config/environment.ts";
import * as tables from "../../ponder.schema.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf, mapRawLog, placeIn } from "../../src/contracts/contracts.ts";
import { type EventPosition, placeInBlock } from "../../src/fold/event-id.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { OnProgress } from "./audit.ts";
import { type Comparison, createComparison, type Where } from "./comparison.ts";
import { type IndexedState, ledgerRows } from "./indexed-state.ts";

/** Requests at the same time, and pages fetched ahead. */
export const READ_AHEAD = 2;

export type CompareWithLogsParameters = {
  state: IndexedState;
  client: ChainClient;
  database: Pick<Database, "transaction">;
  settings: Pick<Settings, "contracts" | "escrows" | "escrowFactory" | "desk" | "logsRange">;
  onProgress: OnProgress;
};

/** An event in the form in which rows and logs are compared. */
type ComparableEvent = { escrowAddress: string; onchainId: bigint; text: string };
/** The place of an event on the chain. */
type Place = { txHash: Hex | null; blockHash: Hex | null; blockTime: bigint };

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

type Events = Map<string, ComparableEvent>;

function readRows({ database, state }: CompareWithLogsParameters): Promise<Events> {
  return database.transaction(async (tx) => {
    const events: Events = new Map();
    for await (const { row, blockHash } of ledgerRows(tx, tables)) {
      const { escrowAddress, onchainId, kind, args, blockNumber } = row;
      if (blockNumber > state.head.number) continue;
      const text = comparableText(kind, args, { ...row, blockHash });
      put(events, placeOf(blockNumber, row), { escrowAddress, onchainId, text });
    }
    return events;
  }, ONE_SNAPSHOT);
}

async function readLogs(parameters: CompareWithLogsParameters): Promise<Events> {
  const { client, state, settings, onProgress } = parameters;
  const [from, to] = [firstBlockOf(settings), Number(state.head.number)];
  const owners = new Map(state.tables.listingToken.map((token) => [token.token as string, token]));
  const tokenOf = new Map<bigint, string>();
  const events: Events = new Map();
  const contracts = contractsOf(settings);
  const pages = readPages({
    ...{ client, from, to, ahead: READ_AHEAD },
    followed: followContracts({ ...settings, holders: false }),
    ranges: createRanges(settings.logsRange),
  });
  for await (const page of pages) {
    for (const log of page.logs) {
      for (const [part, found] of eventsOf(log, page, contracts, owners, tokenOf).entries())
        put(events, placeOf(log.block, { logIndex: log.logIndex, part }), found);
    }
    onProgress(page.to - from + 1, to - from + 1);
  }
  return events;
}

type Owners = ReadonlyMap<string, Pick<ComparableEvent, "escrowAddress" | "onchainId">>;

/** None for malformed data, which the indexer skips too, and for a trade of a token that no listing has. */
function eventsOf(
  log: Log,
  { blocks }: Page,
  contracts: Contracts,
  owners: Owners,
  tokenOf: Map<bigint, string>,
): ComparableEvent[] {
  const { address, raw } = log;
  const place = placeIn(log, blocks.get(log.block));
  return mapRawLog(contracts, raw, place).flatMap(({ content }) => {
    const { kind, args } = content.event;
    const text = comparableText(kind, toLedgerArgs(args), { ...place, blockHash: raw.blockHash });
    if (content.source === "escrow") return [{ escrowAddress: address, onchainId: content.onchainId, text }];
    const { event } = content;
    const { offerId } = event.args;
    if (event.kind === "offer_created" && !tokenOf.has(offerId)) tokenOf.set(offerId, event.args.token);
    const token = tokenOf.get(offerId) ?? ("token" in event.args ? event.args.token : null);
    const owner = token === null ? undefined : owners.get(token);
    return owner === undefined
      ? []
      : [{ escrowAddress: owner.escrowAddress, onchainId: owner.onchainId, text }];
  });
}

/** A second event with the index of another one is kept as well: neither may hide the other. */
function put(events: Events, place: string, event: ComparableEvent): void {
  const other = events.get(place);
  if (other === undefined || other.text === event.text) events.set(place, event);
  else put(events, `${place} again`, event);
}

function placeOf(blockNumber: bigint | number, place: Omit<EventPosition, "blockNumber">): string {
  return `block ${blockNumber.toString().padStart(12, "0")}, log ${placeInBlock(place).padStart(9, "0")}`;
}

function comparableText(kind: string, args: object, { txHash, blockHash, blockTime }: Place): string {
  return `${kind} ${canonicalize(args) ?? ""} in ${txHash}, block ${blockHash} at ${blockTime}`;
}
