/** @module The newest events of some listings, from as many pages as it takes: a page can be short and yet not the last. */
import type { LedgerPage, LedgerQueries, NoPage } from "./read.ts";
import type { LedgerQuery, ListingSet } from "./read-events.ts";

/** Each looks at 2,000 rows of all listings. */
const MOST_PAGES = 5;

/** With a next page only where fewer than `limit` were found among the rows looked at. */
export async function readNewest(
  ledger: Pick<LedgerQueries, "ofListings">,
  listings: ListingSet,
  query: LedgerQuery,
): Promise<LedgerPage | NoPage> {
  const { limit } = query;
  const found: LedgerPage["rows"][number][] = [];
  let { before } = query;
  for (let pages = 1; ; pages++) {
    const page: LedgerPage | NoPage = await ledger.ofListings(listings, { ...query, before });
    if (typeof page === "string") return page;
    found.push(...page.rows.slice(0, limit - found.length));
    before = found.length < limit ? page.next : null;
    if (before === null || pages === MOST_PAGES) return { ...page, rows: found, next: before };
  }
}
