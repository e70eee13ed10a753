/**
 * The answer of `list_businesses` in lines.
 * @module
 */
import { oneLine } from "../../../config/format/untrusted-text.ts";
import type { Activity } from "./activity.ts";

type Business = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  ratingGrade: string;
  kybStatus: string;
  rating: { n: number };
  deals: number;
  openDeals: number;
  display: Readonly<Record<string, string>>;
  url: string;
};

type Page = {
  businesses: readonly Business[];
  total: number;
  nextCursor: string | null;
  activity?: Activity | undefined;
  asOf: { block: string; time: string };
};

/** Longer names are cut. Characters. */
const LONGEST_NAME = 300;

/** A paragraph for each business, and one for the activity in the span. */
export function textOfBusinesses({ businesses, total, nextCursor, activity, asOf }: Page): string {
  return [
    `${businesses.length} of ${counted(total, "business", "businesses")}, as of block ${asOf.block} (${asOf.time}).`,
    ...(activity === undefined ? [] : ["", ...activityLines(activity)]),
    ...businesses.flatMap((business) => ["", ...businessLines(business)]),
    ...(nextCursor === null ? [] : ["", `For the next page: cursor ${nextCursor}`]),
  ].join("\n");
}

function businessLines({ publicId, legalName, display, rating, ...business }: Business): string[] {
  const { volume, loss, late, raised, repaid, outstanding, writtenOff, ...owed } = display;
  const record = [
    `${counted(rating.n, "resolved raise", "resolved raises")} of ${volume}`,
    ...(loss === undefined ? [] : [`${loss} lost`]),
    ...(late === undefined ? [] : [`${late} late`]),
  ];
  const parts = Object.entries(owed).map(([name, amount]) => `${name.replace("owed_", "")} ${amount}`);
  return [
    `${publicId}: ${oneLine(legalName, LONGEST_NAME)} (${business.jurisdiction})`,
    `Grade ${business.ratingGrade}: ${record.join(", ")}. Verification: ${business.kybStatus}.`,
    `Raises: ${business.deals}, ${business.openDeals} of them open. Raised ${raised}, repaid ${repaid}, written off ${writtenOff}.`,
    `Owed: ${[outstanding, ...parts].join("; ")}.`,
    business.url,
  ];
}

function activityLines({ since, until, countedSince, events, byKind, display, newest }: Activity): string[] {
  const { committed, refunded, drawn, repaidPrincipal, repaidInterest, writtenOff } = display;
  const kinds = Object.entries(byKind).map(([kind, count]) => `${count} ${kind}`);
  return [
    `From ${momentText(since)} to ${momentText(until)}: ${counted(events, "event", "events")}${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}.`,
    ...(countedSince === null
      ? []
      : [`More happened than is counted at once: these are the events since ${countedSince}.`]),
    `Repaid ${repaidPrincipal} of principal and ${repaidInterest} of interest. Committed (net) ${committed}, refunded ${refunded}, drawn ${drawn}, written off ${writtenOff}.`,
    ...newest.map(({ kind, refnum, title, blockTime, display: amounts }) => {
      const figures = Object.entries(amounts).map(([name, amount]) => `${name} ${amount}`);
      const of = `${refnum} “${oneLine(title, LONGEST_NAME)}”`;
      return `- ${blockTime} ${kind} ${of}${figures.length === 0 ? "" : `: ${figures.join(", ")}`}`;
    }),
  ];
}

function momentText(moment: string): string {
  return /^\d+$/.test(moment) ? `block ${moment}` : moment;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
