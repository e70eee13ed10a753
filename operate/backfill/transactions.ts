/**
 * Real transactions. On the embedded database Ponder runs the statements of a transaction one by one, so that an indexer killed
 * while it writes the history would leave rows of events that it then counts a second time.
 *
 * On PostgreSQL Ponder retries a transaction when its connection is lost. If that happens during the commit or just before it, Ponder's
 * rows in memory are those after it, and its outcome may be unknown: events would be omitted or counted twice. Instead, the indexer
 * ends here and the next one resumes from the database. The same applies if the database has lost commits, as after a failover to a
 * replica that is behind, and if another indexer has the tables.
 * @module
 */
import { endToRestart } from "../../config/end-to-restart.ts";
import { FENCED } from "../../config/fence.ts";
import type { Logger } from "../../config/log.ts";
import { REVERTS_COLUMN } from "../../config/table-names.ts";
import type { PonderApp, QueryBuilder } from "./ponder.ts";

type Work = (tx: QueryBuilder) => Promise<unknown>;

/** The label and context that Ponder's callers pass before and after the work only serve its metrics. */
const workIn = (args: readonly unknown[]) => args.find((one) => typeof one === "function") as Work;

/** Applies to all later transactions. */
export function makeTransactionsReal(
  { database, namespaceBuild }: Pick<PonderApp, "database" | "namespaceBuild">,
  log: Logger,
): void {
  if (database.driver.dialect === "postgres") {
    endWithLostCommits(database.userQB, namespaceBuild.schema, log);
    return;
  }
  for (const builder of [database.userQB, database.adminQB])
    builder.transaction = (...args) => builder.session.transaction((tx) => workIn(args)(asBuilder(tx)));
}

/** A transaction with the interface that Ponder expects. A nested one is the same transaction. */
function asBuilder(tx: QueryBuilder): QueryBuilder {
  return Object.assign(tx, {
    raw: tx,
    $dialect: "pglite",
    $client: tx.session.client,
    wrap: (...args: unknown[]) => workIn(args)(tx),
    transaction: (...args: unknown[]) => workIn(args)(tx),
  });
}

/** At once: no transaction of this indexer can succeed any more, and Ponder would wait for its own to end. */
function endFenced(log: Logger): void {
  log.warn({ msg: "Another start has taken the tables over: this indexer ends" });
  process.kill(process.pid, "SIGKILL");
}

/** Awaits what may write, and ends this indexer if the tables are another one's. */
function unlessFenced<Result>(writing: Promise<Result>, log: Logger): Promise<Result> {
  return writing.catch((error: unknown) => {
    if (String(error).includes(FENCED)) endFenced(log);
    throw error;
  });
}

function endWithLostCommits(builder: QueryBuilder, schema: string, log: Logger): void {
  const transaction = builder.transaction.bind(builder);
  /** The row that the last transaction left; null before the first. */
  let latest: string | null = null;
  const end = (msg: string): never => {
    log.warn({ msg });
    endToRestart();
    throw new Error(msg);
  };
  /** Changes with every block that is indexed or reverted, whose rows or time may be those of another one. */
  const stateIn = async (tx: QueryBuilder): Promise<string> => {
    const query = `SELECT concat_ws(' ', latest_checkpoint, ${REVERTS_COLUMN},
      (SELECT json_agg(tally ORDER BY family) FROM "${schema}".tally)) AS state FROM "${schema}"._ponder_checkpoint`;
    const { rows } = (await tx.wrap((db) => db.execute(query))) as { rows: { state: string }[] };
    return rows[0]?.state ?? "";
  };
  builder.transaction = async (...args) => {
    const work = workIn(args);
    let isDone = false;
    let reached = "";
    const once: Work = async (tx) => {
      if (isDone)
        end("The connection to PostgreSQL was lost while a block was committed: the indexer starts again");
      // A nested one is the same transaction: Ponder would try it again for a minute on a connection that is lost.
      tx.transaction = (...args) => workIn(args)(tx);
      const state = await stateIn(tx);
      if (latest !== null && state !== latest) {
        // Another indexer may have written it. The fence refuses this one even a statement that changes no row.
        const nothing = `DELETE FROM "${schema}"._ponder_checkpoint WHERE false`;
        await unlessFenced(
          tx.wrap((db) => db.execute(nothing)),
          log,
        );
        end("PostgreSQL has lost blocks that were committed: the indexer starts again");
      }
      const result = await unlessFenced(work(tx), log);
      // From here on Ponder's rows in memory are those after it, and only the commit should follow.
      isDone = true;
      reached = await stateIn(tx);
      return result;
    };
    const result = await transaction(...args.map((one) => (one === work ? once : one)));
    latest = reached;
    return result;
  };
}
