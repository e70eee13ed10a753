/**
 * Every canonical page with its last change, in groups for the sitemaps. A raise is in the group of the month in which it was created, so a
 * group stays as it is once its raises are finished. Of the raises only columns are read.
 * @module
 */
import { isoTime } from "../../config/format/time.ts";
import { columnsOf } from "../market/columns.ts";
import type { Market } from "../market/market.ts";
import { nameOfPeriod } from "../market/periods.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { PAGES } from "./pages.ts";
import { businessPath, raisePath } from "./paths.ts";
import type { ListedGroup } from "./site-page.ts";
import { knowledgeUpdated, latest, marketUpdated } from "./times.ts";

/** Characters of a public id: a prefix of four, and at most 64 more. */
const LONGEST_ID = 68;
/** Characters; no other page of ours has an address that is nearly as long. */
const LONGEST_PATH = 200;

type Listed = Pick<SiteDependencies, "knowledge" | "description">;

export function listGroups(
  deps: Listed,
  { market, registry, reverts }: Pick<Snapshot, "market" | "registry" | "reverts">,
): readonly ListedGroup[] {
  const knowledgeAt = knowledgeUpdated(deps.knowledge);
  const marketAt = market.listings.length === 0 ? knowledgeAt : marketUpdated(market);
  const pages = PAGES.flatMap(({ list }) => list({ ...deps, marketAt, knowledgeAt }));
  const own: ListedGroup = {
    ...{ name: "pages", count: pages.length, longest: LONGEST_PATH, revision: `${marketAt} ${knowledgeAt}` },
    updated: latest(pages.map(({ updated }) => updated)),
    pages: () => pages,
  };
  // Only the registry changes public ids, which are in the addresses; and a reorg may show another raise of the same times.
  const ofSnapshot = ({ revision, ...group }: ListedGroup) => ({
    ...group,
    revision: `${revision} ${registry.hash} ${reverts}`,
  });
  return [own, ...[businessGroup(market, marketAt), ...raiseGroups(market)].map(ofSnapshot)];
}

function businessGroup(market: Market, marketAt: string): ListedGroup {
  const { originators } = market;
  const changes = columnsOf(market).changesByOriginator();
  return {
    ...{ name: "businesses", count: originators.length, updated: marketAt },
    longest: businessPath({ publicId: "" }).length + LONGEST_ID,
    revision: `${marketAt} ${originators.length}`,
    pages: () =>
      originators.map((originator) => ({
        path: businessPath(originator),
        updated: isoTime(BigInt(changes.get(originator.publicId) ?? 0)),
      })),
  };
}

function raiseGroups(market: Market): readonly ListedGroup[] {
  const longest = raisePath({ publicId: "" }).length + LONGEST_ID;
  const columns = columnsOf(market);
  return [...columns.months()].map(([month, { count, latest, revision }]) => ({
    ...{ name: `raises-${nameOfPeriod(month, "month")}`, count, longest },
    ...{ revision: `${count} ${revision}`, updated: isoTime(BigInt(latest)) },
    pages: () =>
      columns.ofMonth(month).map(({ publicId, changedAt }) => ({
        path: raisePath({ publicId }),
        updated: isoTime(BigInt(changedAt)),
      })),
  }));
}
