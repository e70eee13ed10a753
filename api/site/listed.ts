/**
 * Every canonical page with its last change, in groups for the sitemaps. A raise is in the group of the month in which it was created, so a
 * group stays as it is once its raises are finished. Of the raises only columns are read.
 * @module
 */
import { isoTime } from "../../config/format/time.ts";
import { columnsOf } from "../market/columns.ts";
import type { Market } from "../market/market.ts";
import { nameOfPeriod } from "../market/periods.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { PAGES } from "./pages.ts";
import { businessPath, raisePath } from "./paths.ts";
import type { ListedGroup } from "./site-page.ts";
import { knowledgeUpdated, latest, marketUpdated, raisesUpdated } from "./times.ts";

/** Characters of a public id: a prefix of four, and at most 64 more. */
const LONGEST_ID = 68;
/** Characters; no other page of ours has an address that is nearly as long. */
const LONGEST_PATH = 200;

type Listed = Pick<SiteDependencies, "knowledge" | "description">;

/** @param market null before the first indexed block */
export function listGroups(deps: Listed, market: Market | null): readonly ListedGroup[] {
  const knowledgeAt = knowledgeUpdated(deps.knowledge);
  const marketAt = market === null || market.listings.length === 0 ? knowledgeAt : marketUpdated(market);
  const pages = PAGES.flatMap(({ list }) => list({ ...deps, marketAt, knowledgeAt }));
  const own: ListedGroup = {
    ...{ name: "pages", count: pages.length, longest: LONGEST_PATH, revision: `${marketAt} ${knowledgeAt}` },
    updated: latest(pages.map(({ updated }) => updated)),
    pages: () => pages,
  };
  return market === null ? [own] : [own, businessGroup(market, marketAt), ...raiseGroups(market)];
}

function businessGroup(market: Market, marketAt: string): ListedGroup {
  const { originators, head } = market;
  const columns = columnsOf(market);
  return {
    ...{ name: "businesses", count: originators.length, updated: marketAt },
    longest: businessPath({ publicId: "" }).length + LONGEST_ID,
    revision: `${columns?.version() ?? head.number}`,
    pages() {
      const changes = columns?.changesByOriginator();
      return originators.map((originator) => {
        const changedAt = changes?.get(originator.publicId);
        const updated =
          changedAt === undefined ? raisesUpdated(market, originator.listings) : isoTime(BigInt(changedAt));
        return { path: businessPath(originator), updated };
      });
    },
  };
}

function raiseGroups(market: Market): readonly ListedGroup[] {
  const { listings, head } = market;
  const longest = raisePath({ publicId: "" }).length + LONGEST_ID;
  const columns = columnsOf(market);
  if (columns === null) {
    const pages = () =>
      listings.map((listing) => ({ path: raisePath(listing), updated: market.changedAt(listing) }));
    const updated = marketUpdated(market);
    return [{ name: "raises", count: listings.length, longest, revision: `${head.number}`, updated, pages }];
  }
  return [...columns.months()].map(([month, { count, latest, revision }]) => ({
    ...{ name: `raises-${nameOfPeriod(month, "month")}`, count, longest, revision: `${revision}` },
    updated: isoTime(BigInt(latest)),
    pages: () =>
      columns.ofMonth(month).map(({ publicId, changedAt }) => ({
        path: raisePath({ publicId }),
        updated: isoTime(BigInt(changedAt)),
      })),
  }));
}
