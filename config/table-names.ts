/** @module Names of tables that are not in `ponder.schema.ts`, and of columns that Ponder's tables get. Those of leases are in `fence.ts`. */

/** The table with a backfill's checkpoint; in the schema itself, so that it is dropped with it. */
export const FAST_FORWARD_TABLE = "_fast_forward";

/** This table exists once a reorg has gone deeper than the finality depth. */
export const DEEP_REORG_TABLE = "_deep_reorg";

/** The table of final blocks of which events are missing: the tables are folded again from before the first of them. */
export const GAPS_TABLE = "_gap";

/** The table of ranges of blocks that were folded again as events of them were missing: clients that had followed up to one are told. */
export const REFOLDS_TABLE = "_refold";

/**
 * The table of ledger files that were imported and wait for a first start. It has its own schema, as the schema to be filled
 * does not exist yet.
 */
export const IMPORTS = { schema: "raisebook_import", table: "raisebook_import.ledger_file" } as const;

/** The table with the last good copy of each service's registry, in a schema that outlives those of releases. */
export const REGISTRY_COPIES = {
  schema: "raisebook_registry",
  table: "raisebook_registry.last_good",
} as const;

/** The log of each service's registry revisions, and the texts that they changed. */
export const REGISTRY_REVISIONS = {
  schema: REGISTRY_COPIES.schema,
  revisions: "raisebook_registry.revision",
  texts: "raisebook_registry.revision_text",
} as const;

/** The table of blocks whose events were reverted by reorgs, each with the number of the reorg. */
export const ORPHANS_TABLE = "_orphan";

/** The column of `_ponder_checkpoint` that is true while the rows do not match the block that it names. */
export const REVERTED_COLUMN = "reverted";

/** The column of `_ponder_checkpoint` that counts reverts. */
export const REVERTS_COLUMN = "reverts";

/**
 * More columns of `_ponder_checkpoint`: the block up to which several endpoints agree, null with a single endpoint; and the first
 * block on which they disagree, null if they agree.
 */
export const AGREED_COLUMN = "agreed_checkpoint";
export const DISPUTED_COLUMN = "disputed_block";

/**
 * Two more: the block up to which rows are served as final by their depth, null before the first; and where what is final comes
 * from (`operate/backfill/finality.ts`).
 */
export const FINAL_COLUMN = "final_checkpoint";
export const FINALITY_COLUMN = "finality";
/** The endpoints' `finalized` blocks, or a depth below the head; `stalled`: the depth, as those blocks stand still. */
export type FinalitySource = "finalized" | "depth" | "stalled";
