/**
 * The tables of a bench as they go on: a block with one event at a time, as the indexer writes it.
 * @module
 */
import pg from "pg";
import { HEAD, listingRow } from "../../test/harness/rows.ts";
import { checkpoint, SCHEMA } from "./tables.ts";

/** Blocks between the head and what is final. */
const UNTIL_FINAL = 30n;

export type GrowingLedger = {
  /** Writes the next block. Resolves to the id of its event in the stream, and when it was committed, by the machine's clock. */
  append(): Promise<{ id: string; committedAt: number }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** @param listings in the tables: their events come in turn */
export async function growingLedger(connectionString: string, listings: number): Promise<GrowingLedger> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`SET search_path TO ${SCHEMA}`);
  const { escrowAddress } = listingRow();
  const backer = `0x${"b0".repeat(20)}`;
  const args = JSON.stringify({ backer, payer: backer, amount: "1000", bidRateBps: 0, totalRaised: "5000" });
  let number = HEAD.number;
  return {
    async append() {
      number += 1n;
      const listing = 1n + (number % BigInt(listings));
      const event = checkpoint(number);
      const hash = `0x${number.toString(16).padEnd(64, "5")}`;
      const time = HEAD.timestamp + number - HEAD.number;
      // Statements without parameters are one transaction.
      await client.query(`
        INSERT INTO event_block (number, hash) VALUES (${number}, '${hash}');
        INSERT INTO ledger (escrow_address, onchain_id, event_id, kind, block_number, block_time, tx_hash, log_index, part, args, committed)
          VALUES ('${escrowAddress}', ${listing}, '${event}', 'subscribed', ${number}, ${time}, '${hash}', 0, 0, '${args}', 1000);
        UPDATE listing SET raised_amount = raised_amount + 1000, updated_block = ${number}, updated_event_id = '${event}'
          WHERE onchain_id = ${listing};
        UPDATE tally SET events = events + 1, last_event_id = '${event}', last_block_hash = '${hash}'
          WHERE family = 'listings';
        UPDATE _ponder_checkpoint SET safe_checkpoint = '${event}', latest_checkpoint = '${event}',
          finalized_checkpoint = '${checkpoint(number - UNTIL_FINAL)}';
        NOTIFY ${SCHEMA}_live_query`);
      return {
        id: `${number}-0-${hash.slice(2, 10)}`,
        committedAt: performance.timeOrigin + performance.now(),
      };
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
