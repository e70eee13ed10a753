/** @module A market made at once, where the service keeps one up to date. */
import type { ChainRows } from "../../api/market/chain-rows.ts";
import type { Head, Market } from "../../api/market/market.ts";
import { createProjection } from "../../api/market/project.ts";
import type { ProjectionParameters } from "../../api/market/project-form.ts";

/**
 * The market of all rows at one head, built once.
 * @param finalized the last block that no reorg can revert
 */
export function project({
  rows,
  head,
  finalized,
  ...others
}: {
  rows: ChainRows;
  head: Head;
  finalized: bigint;
} & Omit<ProjectionParameters, "start" | "keepsDays" | "archive">): Market {
  const whole = { start: head, keepsDays: false, archive: { atOnce: null } };
  return createProjection({ ...others, ...whole }).advance(rows, head, finalized);
}
