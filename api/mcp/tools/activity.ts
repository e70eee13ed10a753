/** @module The activity of some raises in a span of time: sums over the span, and the newest events. */
import { counted } from "../../../config/format/counted.ts";
import { type BlockOrTime, isoTime, notAfter } from "../../../config/format/time.ts";
import { oneLine } from "../../../config/format/untrusted-text.ts";
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import { readableAmounts } from "../../ledger/event.ts";
import { toEventPage } from "../../ledger/pages.ts";
import type { LedgerQueries } from "../../ledger/read.ts";
import type { ListingSet } from "../../ledger/read-events.ts";
import { readNewest } from "../../ledger/read-newest.ts";
import { activityOf, ChainSilentError, type ListingKindSums } from "../../ledger/sums.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import { byPublicId } from "../../market/ordered.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { pairKey } from "../../registry/schema.ts";
import { adviceOnLater } from "./fields.ts";

const NEWEST = 5;
const MOST_CHANGED = 20;
/** The sums, each with the kind of event that makes it up. */
const SUMS = {
  committed: "subscribed",
  withdrawn: "refunded",
  refunded: "refunded",
  drawn: "drawn_down",
  repaidPrincipal: "repaid",
  repaidInterest: "repaid",
  writtenOff: "listing_settled",
} as const satisfies Record<string, EventKind>;
type Sum = keyof typeof SUMS;

/** `since` and `until` are times in ISO 8601, or block numbers where the caller named blocks. */
export type Activity = {
  since: string;
  until: string;
  /** the start of the sums; null for the whole span */
  countedSince: string | null;
  events: number;
  byKind: Readonly<Record<string, number>>;
  /** the number of raises with such an event */
  raises: number;
  /** those with most events */
  changed: readonly { publicId: string; refnum: string; events: number }[];
  /** the sums as people read them, by name: without those of kinds that were not asked for */
  display: Readonly<Partial<Record<Sum, string>>>;
  newest: readonly {
    kind: string;
    publicId: string;
    refnum: string;
    title: string;
    blockTime: string;
    display: Readonly<Record<string, string>>;
  }[];
  /** whether there are older ones that were not looked for */
  newestCut: boolean;
};

export async function readActivity(parameters: {
  snapshot: Snapshot;
  ledger: LedgerQueries;
  exposeAccounts: boolean;
  listings: ListingSet;
  /** both inclusive; up to the head without an end */
  since: BlockOrTime;
  until: BlockOrTime | undefined;
  /** only these kinds of events; null for all */
  kinds: ReadonlySet<EventKind> | null;
}): Promise<Activity | { advice: string }> {
  const {
    snapshot: { market },
    ledger,
    exposeAccounts,
    listings,
    since,
    until,
    kinds,
  } = parameters;
  const { head } = market;
  const later = adviceOnLater("since", since, head);
  if (later !== null) return later;
  // The ledger is read later than the snapshot, possibly at a newer block.
  const span = { since, until: notAfter(until ?? null, head) };
  const found = await ledger.sums(listings, span).catch((error: unknown) => {
    if (error instanceof ChainSilentError) return CHAIN_SILENT;
    throw error;
  });
  if (typeof found === "string") return STILL_READING;
  if ("advice" in found) return found;
  const own = found.rows.filter((row) => listings.has(row) && (kinds === null || kinds.has(row.kind)));
  const { events, byKind, ...sums } = activityOf(own, listings);
  const amounts: Record<Sum, bigint> = { ...sums, writtenOff: lossesIn(own, market) };
  const newest = { ...span, kinds, before: null, limit: Math.min(NEWEST, events) };
  const page = await readNewest(ledger, listings, newest);
  if (typeof page === "string") return STILL_READING;
  const changed = changedIn(own, market);
  const named = Object.entries(SUMS).flatMap(([name, kind]) =>
    kinds === null || kinds.has(kind) ? [[name, amounts[name as Sum]] as const] : [],
  );
  return {
    since: shown(since),
    until: span.until === until ? shown(until) : isoTime(head.timestamp),
    // A span with too many events is summed from this time on only.
    countedSince: found.cutAt === null ? null : isoTime(found.cutAt + 1n),
    events,
    byKind,
    raises: changed.length,
    changed: changed.slice(0, MOST_CHANGED),
    ...Object.fromEntries(named.map(([name, amount]) => [name, amount.toString()])),
    display: Object.fromEntries(named.map(([name, amount]) => [name, signedAmount(amount)])),
    newest: toEventPage(page, market, exposeAccounts).events.map((event) => ({
      kind: event.kind,
      publicId: event.publicId,
      refnum: event.refnum,
      title: market.listingByPublicId.get(event.publicId)?.title ?? "",
      blockTime: event.blockTime,
      display: readableAmounts(event, event.refnum),
    })),
    newestCut: page.next !== null,
  };
}

const STILL_READING = {
  advice: "The indexer is still reading the past: leave out since, or ask again later.",
};

const CHAIN_SILENT = {
  advice:
    "The chain does not tell the times of these blocks now: give times for since and until, or ask again later.",
};

/** The backers' losses in the settlements of these sums, base units: as the raises say, since a contract may tell another loss than was owed. */
function lossesIn(rows: readonly ListingKindSums[], { factsByPair, listingByPair }: Market): bigint {
  const settled = rows.filter(({ kind, outstanding }) => kind === "listing_settled" && outstanding !== 0n);
  return [...new Set(settled.map(pairKey))]
    .filter((pair) => factsByPair(pair)?.repayment === "written_off")
    .reduce((total, pair) => total + BigInt(listingByPair.get(pair)?.writtenOffAmount ?? 0), 0n);
}

/** The visible raises with an event in these sums, those with most events first. */
function changedIn(rows: readonly ListingKindSums[], { factsByPair }: Market): Activity["changed"] {
  return [...Map.groupBy(rows, pairKey)]
    .flatMap(([pair, own]) => {
      const facts = factsByPair(pair);
      const events = own.reduce((count, row) => count + row.events, 0);
      return facts === undefined || events === 0
        ? []
        : [{ publicId: facts.publicId, refnum: facts.refnum, events }];
    })
    .sort((a, b) => b.events - a.events || byPublicId(a, b));
}

function shown(moment: BlockOrTime): string {
  return "block" in moment ? `${moment.block}` : isoTime(moment.time);
}

function signedAmount(amount: bigint): string {
  return amount < 0n ? `-${formatAmount(-amount)}` : formatAmount(amount);
}

/** Longer names are cut. Characters. */
export const LONGEST_NAME = 300;

/** @param kinds that the activity is of; none for all */
export function activityLines(activity: Activity, kinds: readonly string[]): string[] {
  const { since, until, countedSince, events, byKind, raises, changed, display, newest, newestCut } =
    activity;
  const scope =
    kinds.length === 0 ? "" : `, of the ${kinds.length === 1 ? "kind" : "kinds"} ${kinds.join(", ")} alone`;
  const counts = Object.entries(byKind).map(([kind, count]) => `${count} ${kind}`);
  const sums = sumsText(display);
  const lines = [
    `From ${momentText(since)} to ${momentText(until)}${scope}: ${counted(events, "events")}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}.`,
    ...(countedSince === null
      ? []
      : [`More happened than is counted at once: these are the events since ${countedSince}.`]),
    ...(sums === "" ? [] : [sums]),
    ...(raises === 0
      ? []
      : [
          `In ${counted(raises, "raises")}: ${changed.map(changeWords).join(", ")}${raises > changed.length ? ", …" : ""}.`,
        ]),
    ...newest.map(({ kind, refnum, title, blockTime, display: amounts }) => {
      const figures = Object.entries(amounts).map(([name, amount]) => `${name} ${amount}`);
      const of = `${refnum} “${title.slice(0, LONGEST_NAME)}”`;
      return `- ${blockTime} ${kind} ${of}${figures.length === 0 ? "" : `: ${figures.join(", ")}`}`;
    }),
    ...(newestCut
      ? ["Older ones were not looked for: nearly all events of this span are of other raises."]
      : []),
  ];
  // Titles come from the registry and refnums from the chain, also as the units of amounts.
  return lines.map((line) => oneLine(line, line.length));
}

/** At most two sentences with the sums. */
function sumsText(display: Activity["display"]): string {
  const { committed, withdrawn, refunded, drawn, repaidPrincipal, repaidInterest, writtenOff } = display;
  const others = Object.entries({
    ...{ committed, "withdrawn or outbid": withdrawn, "refunded in all": refunded, drawn },
    "written off": writtenOff,
  })
    .flatMap(([name, amount]) => (amount === undefined ? [] : [`${name} ${amount}`]))
    .join(", ");
  return [
    ...(repaidPrincipal === undefined
      ? []
      : [`Repaid ${repaidPrincipal} of principal and ${repaidInterest} of interest.`]),
    ...(others === "" ? [] : [`${others.charAt(0).toUpperCase()}${others.slice(1)}.`]),
  ].join(" ");
}

function changeWords({ refnum, publicId, events }: Activity["changed"][number]): string {
  return `${refnum} (${publicId}) ${counted(events, "events")}`;
}

function momentText(moment: string): string {
  return /^\d+$/.test(moment) ? `block ${moment}` : moment;
}
