/** @module A page of the ledger by one prepared statement, in a separate process: the cost of the database and its driver. */
import { decodeEventCursor } from "../../api/ledger/cursor.ts";
import { AFTER_ALL_EVENTS } from "../../src/fold/event-id.ts";
import { poolOf, type Source } from "./pool.ts";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

const PAGE = `SELECT * FROM ledger WHERE (block_number, log_index) < ($1, $2)
  ORDER BY block_number DESC, log_index DESC LIMIT $3`;

answerOwner(async (source: Omit<Source, "limit">) => {
  const pool = poolOf(source);
  return serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const { blockNumber, logIndex } = decodeEventCursor(searchParams.get("cursor") ?? "") ?? {
      ...{ blockNumber: AFTER_ALL_EVENTS.slice(0, 20), logIndex: 0 },
    };
    const limit = Number(searchParams.get("limit")) + 1;
    const { rows } = await pool.query({ name: "page", text: PAGE, values: [blockNumber, logIndex, limit] });
    const body = Buffer.from(JSON.stringify({ events: rows }));
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
});
