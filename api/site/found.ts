/**
 * What asking for a page comes to.
 * @module
 */
import type { Snapshot } from "../market/snapshot.ts";
import type { Page } from "./page.ts";

export type Found =
  /** provisional: the tables were behind the market, as after a reorg, so that it is not to be kept */
  | { kind: "page"; page: Page; isProvisional?: boolean }
  /** the same page has another canonical address: a path from the root, with a query if one belongs to it */
  | { kind: "moved"; path: string }
  | { kind: "missing"; detail: string }
  /** the query of the page cannot be used; `page` says why, and what is allowed */
  | { kind: "refused"; page: Page }
  /** no block is indexed yet, or what the page needs is not there while the index is built */
  | { kind: "not_indexed_yet" };

/** A page of the market is asked for with the market as it stands; null before the first indexed block. */
export type Asked = { snapshot: Snapshot | null; query: URLSearchParams };
