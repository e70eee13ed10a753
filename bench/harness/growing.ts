/** @module The tables of a bench while they grow: a block with one event at a time, as the indexer writes it. */
import pg from "pg";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { HEAD, listingRow } from "../../test/harness/rows.ts";
import { checkpoint, SCHEMA } from "./tables.ts";

/** Blocks between the head and what is final. */
export const UNTIL_FINAL = 30n;

export type GrowingParameters = {
  /** the schema of the tables; default: that of the filled ones */
  schema?: string;
  /** the last block; blocks follow a second apart */
  head?: Block;
  /** the raise of a block's event */
  raiseOf(block: bigint): Pick<ListingRow, "escrowAddress" | "onchainId">;
};

export type GrowingLedger = {
  /** Writes the next block. Resolves to the id of its event in the stream, and when it was committed, by the machine's clock. */
  append(): Promise<{ id: string; committedAt: number }>;
  /** Has a reorg take back the last block, which has an event, and writes the next one, with another. */
  replace(): Promise<void>;
  /** Writes the next block without an event. */
  pass(): Promise<void>;
  /** the number of the last block */
  head(): bigint;
  [Symbol.asyncDispose](): Promise<void>;
};

/** @param listings in the tables: their events come in turn */
export function eventsInTurn(listings: number): GrowingParameters {
  const { escrowAddress } = listingRow();
  return { raiseOf: (block) => ({ escrowAddress, onchainId: 1n + (block % BigInt(listings)) }) };
}

export async function growingLedger(
  connectionString: string,
  { schema = SCHEMA, head = HEAD, raiseOf }: GrowingParameters,
): Promise<GrowingLedger> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  // Triggers of the indexer would want tables of its session.
  await client.query(`SET search_path TO ${schema}; SET session_replication_role TO replica`);
  const backer = `0x${"b0".repeat(20)}`;
  const args = JSON.stringify({ backer, payer: backer, amount: "1000", bidRateBps: 0, totalRaised: "5000" });
  let { number } = head;
  const passing = () => {
    const at = checkpoint(number, head);
    return `UPDATE _ponder_checkpoint SET safe_checkpoint = '${at}', latest_checkpoint = '${at}',
          finalized_checkpoint = '${checkpoint(number - UNTIL_FINAL, head)}';
        NOTIFY ${schema}_live_query`;
  };
  const isOfRaise = () => {
    const { escrowAddress, onchainId } = raiseOf(number);
    return `escrow_address = '${escrowAddress}' AND onchain_id = ${onchainId}`;
  };
  // Statements without parameters are one transaction.
  const write = async (before = "") => {
    number += 1n;
    const { escrowAddress, onchainId } = raiseOf(number);
    const event = checkpoint(number, head);
    const hash = `0x${number.toString(16).padEnd(64, "5")}`;
    const time = head.timestamp + number - head.number;
    await client.query(`${before}
        INSERT INTO event_block (number, hash) VALUES (${number}, '${hash}');
        INSERT INTO ledger (escrow_address, onchain_id, event_id, kind, block_number, block_time, tx_hash, log_index, part, args, committed)
          VALUES ('${escrowAddress}', ${onchainId}, '${event}', 'subscribed', ${number}, ${time}, '${hash}', 0, 0, '${args}', 1000);
        UPDATE listing SET raised_amount = raised_amount + 1000, updated_block = ${number}, updated_event_id = '${event}'
          WHERE ${isOfRaise()};
        UPDATE tally SET events = events + 1, last_event_id = '${event}', last_block_hash = '${hash}'
          WHERE family = 'listings';
        ${passing()}`);
    return {
      id: `${number}-0-${hash.slice(2, 10)}`,
      committedAt: performance.timeOrigin + performance.now(),
    };
  };
  return {
    append: () => write(),
    async replace() {
      await write(`
        DELETE FROM event_block WHERE number = ${number};
        DELETE FROM ledger WHERE block_number = ${number};
        UPDATE listing SET raised_amount = raised_amount - 1000 WHERE ${isOfRaise()};
        UPDATE tally SET events = events - 1 WHERE family = 'listings';`);
    },
    async pass() {
      number += 1n;
      await client.query(passing());
    },
    head: () => number,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
