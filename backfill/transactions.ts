/**
 * Transactions on the embedded database. Ponder runs what is inside of one statement by statement there, so that an indexer that is
 * killed while it writes the history would leave rows of events that it then counts a second time. Here they are real.
 * @module
 */
import type { PonderApp, QueryBuilder } from "./ponder.ts";

type Work = (tx: QueryBuilder) => Promise<unknown>;

/** What Ponder's callers pass before and after the work (a label, a context) serves its metrics alone. */
const workIn = (args: readonly unknown[]) => args.find((one) => typeof one === "function") as Work;

/** From now on; on PostgreSQL they are already. */
export function makeTransactionsReal({ database }: Pick<PonderApp, "database">): void {
  if (database.driver.dialect !== "pglite") return;
  for (const builder of [database.userQB, database.adminQB]) {
    builder.transaction = (...args) => builder.session.transaction((tx) => workIn(args)(asBuilder(tx)));
  }
}

/** A transaction as Ponder's own code expects one. One inside of it is the same. */
function asBuilder(tx: QueryBuilder): QueryBuilder {
  return Object.assign(tx, {
    raw: tx,
    $dialect: "pglite",
    $client: tx.session.client,
    wrap: (...args: unknown[]) => workIn(args)(tx),
    transaction: (...args: unknown[]) => workIn(args)(tx),
  });
}
