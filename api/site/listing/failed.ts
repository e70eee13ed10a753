/**
 * Raises that failed: no loan comes of them, and the money goes back.
 * @module
 */
import type { Listing } from "../../market/schema.ts";

const FAILED: ReadonlySet<Listing["status"]> = new Set(["refunding", "voided", "cancelled"]);

export function hasFailed({ status }: Pick<Listing, "status">): boolean {
  return FAILED.has(status);
}
