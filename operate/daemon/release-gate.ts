/**
 * Whether readers of a release may take over from those of another: only with the same book. The root of the other's is computed here,
 * from its schema in the same database, as of the last block that is final in both. Escrows that only one of the two follows do not count.
 * @module
 */
import { type Checkpoint, lastSettledOf } from "../../api/database/checkpoint.ts";
import type { MomentUnavailable } from "../../api/history/as-of.ts";
import { createPause } from "../../api/history/fold.ts";
import { rootOf } from "../../api/proof/book-leaves.ts";
import { type Book, type BookRootParameters, createBookRoots } from "../../api/proof/book-root.ts";
import { leavesBeyond } from "../../api/proof/book-tree.ts";
import type { BookQueries } from "../../api/proof/read-book.ts";
import type { Logger } from "../../config/log.ts";
import type { ReleaseBook } from "./service.ts";

/** Milliseconds until two releases are compared again. */
const AGAIN_AFTER = 60_000;
/** Milliseconds for reading the other's whole ledger. */
const PATIENCE = 600_000;
/** The other release has other tables: undefined_table and undefined_column of PostgreSQL. */
const OTHER_TABLES = new Set(["42P01", "42703"]);

/** The tables of another release. */
type OtherTables = { queries: BookQueries; position(): Promise<Checkpoint | null> };

export type ReleaseGateParameters = {
  own: ReleaseBook;
  tablesOf(schema: string): OtherTables;
  /** whether differences are wanted, as the operator says */
  allowsDifferences: boolean;
  log: Logger;
};

type Verdict = { passes: boolean; at: number };

/** @returns whether the own book is that of the release with this schema; null while that is not known */
export function createReleaseGate(
  parameters: ReleaseGateParameters,
): (schema: string) => Promise<boolean | null> {
  const { allowsDifferences, log } = parameters;
  const verdicts = new Map<string, Verdict>();
  const others = new Map<string, OtherTables>();
  const tablesOf = (schema: string) => {
    const known = others.get(schema) ?? parameters.tablesOf(schema);
    others.set(schema, known);
    return known;
  };
  return async (schema) => {
    const known = verdicts.get(schema);
    if (known && performance.now() - known.at < AGAIN_AFTER) return known.passes;
    const found = await compareWith(parameters.own, tablesOf(schema)).catch((error: unknown) => {
      if (!hasOtherTables(error)) throw error;
      log.warn({ msg: "The other release's book cannot be compared: it has other tables", schema });
      return "same" as const;
    });
    if (found === "unknown") return known?.passes ?? null;
    const passes = found === "same" || allowsDifferences;
    verdicts.set(schema, { passes, at: performance.now() });
    if (found !== "same") {
      const msg = passes
        ? "The book differs from the other release's, which ALLOW_DIFFERENT_BOOK permits"
        : "The book differs from the other release's: this release waits";
      log.warn({ msg, schema, ...found });
    }
    return passes;
  };
}

/** The book of these tables as of a final block, read from the beginning. */
function bookAt(
  parameters: Pick<BookRootParameters, "queries" | "escrows">,
  block: bigint,
): Promise<Book | MomentUnavailable> {
  const position = { number: block, timestamp: 0n };
  const roots = createBookRoots({
    ...parameters,
    // Never of an earlier block.
    pastListings: async () => [],
    ...{ pause: createPause(), patience: PATIENCE, log: { info: () => {}, warn: () => {} } },
  });
  return roots.at({ backfilled: true, finalized: position, lastChanged: position, reverts: null }, block);
}

function hasOtherTables(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return (code !== undefined && OTHER_TABLES.has(code)) || (cause != null && hasOtherTables(cause));
}

type Found =
  | "same"
  | "unknown"
  | { block: string; root: string; otherRoot: string; missing: number; added: number };

async function compareWith(own: ReleaseBook, { queries, position }: OtherTables): Promise<Found> {
  const snapshot = own.current();
  // While its own indexer restarts, rows are missing here too.
  if (!snapshot?.backfilled) return "unknown";
  const progress = await position();
  // While its indexer restarts, rows are missing above what no reorg takes back.
  const theirLast =
    progress === null ? 0n : (progress.backfilled ? progress.finalized : lastSettledOf(progress)).number;
  // There is nothing yet that it could have served.
  if (theirLast === 0n) return "same";
  const ownLast = snapshot.finalized.number;
  const block = theirLast < ownLast ? theirLast : ownLast;
  const theirs = await bookAt({ queries }, block);
  const ours = await own.roots.at(snapshot, block);
  if ("reason" in theirs || "reason" in ours) return "unknown";
  if (rootOf(theirs) === rootOf(ours)) return "same";
  const escrows = new Set((await queries.escrows()).filter(own.follows));
  const [one, other] = await Promise.all([
    bookAt({ queries, escrows }, block),
    bookAt({ queries: own.queries, escrows }, block),
  ]);
  if ("reason" in one || "reason" in other) return "unknown";
  if (rootOf(one) === rootOf(other)) return "same";
  const beyond = (book: Book, another: Book) =>
    (["listings", "ledger"] as const).reduce(
      (total, tree) => total + [...leavesBeyond(book[tree], another[tree])].length,
      0,
    );
  return {
    ...{ block: `${block}`, root: rootOf(other), otherRoot: rootOf(one) },
    ...{ missing: beyond(one, other), added: beyond(other, one) },
  };
}
