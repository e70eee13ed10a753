/**
 * Whether readers of a release may take over from those of another: only with the same book. The root of the other's is computed here,
 * from its schema in the same database, as of the last block that is final in both. What contracts of this release alone have may be more.
 * @module
 */
import type { Checkpoint } from "../../api/database/checkpoint.ts";
import { createPause } from "../../api/history/fold.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { rootOf } from "../../api/proof/book-leaves.ts";
import {
  type Book,
  type BookRootParameters,
  type BookRoots,
  createBookRoots,
  type NoBook,
} from "../../api/proof/book-root.ts";
import { leavesBeyond } from "../../api/proof/book-tree.ts";
import type { BookQueries } from "../../api/proof/read-book.ts";
import type { Logger } from "../../config/log.ts";

/** Milliseconds until a refused release is compared again. */
const AGAIN_AFTER = 60_000;
/** Milliseconds for reading the other's whole ledger. */
const PATIENCE = 600_000;
/** The other release has other tables: undefined_table and undefined_column of PostgreSQL. */
const OTHER_TABLES = new Set(["42P01", "42703"]);

/** The book of a release. */
export type ReleaseBook = { roots: BookRoots; queries: BookQueries; current(): Snapshot | null };

/** Where the rows of another release are. */
export type OtherTables = { queries: BookQueries; position(): Promise<Checkpoint | null> };

export type ReleaseGateParameters = {
  own: ReleaseBook;
  tablesOf(schema: string): OtherTables;
  /** whether differences are wanted, as the operator says */
  allowsDifferences: boolean;
  log: Logger;
};

type Verdict = { passes: boolean; at: number };

/** @returns whether the own book is that of the release with this schema; false too while that is not known */
export function createReleaseGate(parameters: ReleaseGateParameters): (schema: string) => Promise<boolean> {
  const { allowsDifferences, log } = parameters;
  const verdicts = new Map<string, Verdict>();
  return async (schema) => {
    const known = verdicts.get(schema);
    if (known?.passes || (known && performance.now() - known.at < AGAIN_AFTER)) return known.passes;
    const found = await compareWith(schema, parameters).catch((error: unknown) => {
      if (!hasOtherTables(error)) throw error;
      log.warn({ msg: "The other release's book cannot be compared: it has other tables", schema });
      return "same" as const;
    });
    if (found === "unknown") return false;
    const passes = found === "same" || allowsDifferences;
    verdicts.set(schema, { passes, at: performance.now() });
    if (found !== "same") {
      const msg = passes
        ? "The book differs from the other release's, which ALLOW_DIFFERENT_BOOK permits"
        : "The book differs from the other release's: that one keeps serving";
      log.warn({ msg, schema, ...found });
    }
    return passes;
  };
}

/** The book of these tables as of a final block, read from the beginning. */
function bookAt(
  parameters: Pick<BookRootParameters, "queries" | "escrows">,
  block: bigint,
): Promise<Book | NoBook> {
  const position = { number: block, timestamp: 0n };
  const roots = createBookRoots({
    ...parameters,
    // Never of an earlier block.
    pastListings: async () => [],
    ...{ pause: createPause(), patience: PATIENCE, log: { info: () => {}, warn: () => {} } },
  });
  return roots.at({ backfilled: true, finalized: position, lastChanged: position }, block);
}

function hasOtherTables(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return (code !== undefined && OTHER_TABLES.has(code)) || (cause != null && hasOtherTables(cause));
}

type Found =
  | "same"
  | "unknown"
  | { block: string; root: string; otherRoot: string; missing: number; added: number };

async function compareWith(schema: string, { own, tablesOf }: ReleaseGateParameters): Promise<Found> {
  const { queries, position } = tablesOf(schema);
  const snapshot = own.current();
  const progress = await position();
  if (snapshot === null) return "unknown";
  // There is nothing yet that it could have served.
  if (progress === null || !progress.backfilled) return "same";
  const [one, other] = [progress.finalized.number, snapshot.finalized.number];
  const block = one < other ? one : other;
  const theirs = await bookAt({ queries }, block);
  const ours = await own.roots.at(snapshot, block);
  if ("reason" in theirs || "reason" in ours) return "unknown";
  if (rootOf(theirs) === rootOf(ours)) return "same";
  const escrows = new Set(await queries.escrows());
  const common = await bookAt({ queries: own.queries, escrows }, block);
  if ("reason" in common) return "unknown";
  if (rootOf(theirs) === rootOf(common)) return "same";
  const beyond = (one: Book, other: Book) =>
    (["listings", "ledger"] as const).reduce(
      (total, tree) => total + [...leavesBeyond(one[tree], other[tree])].length,
      0,
    );
  return {
    ...{ block: `${block}`, root: rootOf(common), otherRoot: rootOf(theirs) },
    ...{ missing: beyond(theirs, common), added: beyond(common, theirs) },
  };
}
