/** @module The originators: their grades from their credit records, and the visible listings of each. */
import { stripControl } from "../../config/format/untrusted-text.ts";
import type { ListingRow, RepaymentRow } from "../../src/fold/state.ts";
import { pairKey, type Registry, type RegistryOriginator } from "../registry/schema.ts";
import { gradeAt, gradeTurnsOf } from "./grade.ts";
import { type Credit, creditOf } from "./grade-history.ts";
import { withOrders } from "./listings-order.ts";
import { createMoments, nextOf } from "./moments.ts";
import type { Edit } from "./ordered.ts";
import type { Grade, Listing, Originator, Rating } from "./schema.ts";
import { createRunningRecord, keepRecord } from "./stats.ts";

export type Businesses = {
  /** Brings a raise's part in the credit record of its originator up to date. */
  record(pair: string, row: ListingRow, repayments: readonly RepaymentRow[]): void;
  /** Regrades originators whose record or time requires it. Returns the pairs of those whose grade changed. */
  regrade(now: bigint): string[];
  gradeOf(publicId: string): Grade;
  /** What the grade of a shown originator was computed from, unpublished raises included. */
  creditsOf(originator: Originator): readonly Credit[];
  /** Applies edits of visible listings. Returns the originators that changed; those without a listing are not shown. */
  update(edits: readonly Edit<Listing>[]): Edit<Originator>[];
};

type Business = {
  readonly entry: RegistryOriginator;
  readonly pairs: readonly string[];
  readonly credits: Map<string, Credit>;
  /** the same as a list; null since a change */
  creditList: readonly Credit[] | null;
  graded: { grade: Grade; rating: Rating };
  listings: readonly Listing[];
  /** of the listings */
  readonly record: ReturnType<typeof createRunningRecord>;
  shown: Originator | null;
};

/** @param now unix seconds, the time of the first block */
export function createBusinesses(registry: Registry, now: bigint): Businesses {
  const published = Map.groupBy(registry.listings, (entry) => entry.originator);
  const businesses = new Map<string, Business>(
    registry.originators.map((entry) => [
      entry.publicId,
      {
        entry,
        pairs: (published.get(entry.publicId) ?? []).map(pairKey),
        credits: new Map(),
        creditList: null,
        graded: gradeAt([], entry.kybStatus === "approved", now),
        listings: [],
        record: createRunningRecord(),
        shown: null,
      },
    ]),
  );
  const ofAddress = Map.groupBy(
    registry.originators.flatMap(({ publicId, addresses }) =>
      addresses.map((address) => ({ publicId, address })),
    ),
    ({ address }) => address,
  );
  const moments = createMoments(now);
  const toGrade = new Set<string>();
  const toShow = new Set<string>();
  /** by the originator object, so that older markets keep theirs */
  const creditsOf = new WeakMap<Originator, readonly Credit[]>();

  const business = (publicId: string): Business => {
    const known = businesses.get(publicId);
    if (known === undefined) throw new Error(`no originator ${publicId}`);
    return known;
  };
  /** The originators with a raise in their record: unpublishing a raise does not hide a default from its addresses. */
  const ownersOf = (pair: string, { originator }: ListingRow): readonly string[] => {
    const entry = registry.listingByPair.get(pair);
    if (entry !== undefined) return [entry.originator];
    return originator === null ? [] : (ofAddress.get(originator) ?? []).map(({ publicId }) => publicId);
  };

  return {
    record(pair, row, repayments) {
      const credit = creditOf(pair, row, repayments);
      for (const publicId of ownersOf(pair, row)) {
        const one = business(publicId);
        if (credit !== null) one.credits.set(pair, credit);
        else if (!one.credits.delete(pair)) continue;
        one.creditList = null;
        toGrade.add(publicId);
      }
    },
    regrade(now) {
      for (const publicId of moments.due(now)) toGrade.add(publicId);
      const pairs = [...toGrade].flatMap((publicId) => {
        const one = business(publicId);
        const records = listed(one);
        const before = one.graded;
        one.graded = gradeAt(records, one.entry.kybStatus === "approved", now);
        moments.set(publicId, nextOf(records.flatMap(gradeTurnsOf), now));
        toShow.add(publicId);
        return before.grade === one.graded.grade ? [] : one.pairs;
      });
      toGrade.clear();
      return pairs;
    },
    gradeOf: (publicId) => business(publicId).graded.grade,
    creditsOf: (originator) => creditsOf.get(originator) ?? [],
    update(edits) {
      const byOriginator = Map.groupBy(edits, ({ before, after }) => (after ?? before)?.originator ?? "");
      for (const [publicId, own] of byOriginator) {
        const one = business(publicId);
        one.listings = withOrders(one.listings, own);
        for (const { before, after } of own) {
          if (before !== null) one.record.count(before, -1);
          if (after !== null) one.record.count(after, 1);
        }
        toShow.add(publicId);
      }
      const shown = [...toShow].flatMap((publicId): Edit<Originator>[] => {
        const one = business(publicId);
        const before = one.shown;
        one.shown = one.listings.length === 0 ? null : toOriginator(one);
        if (one.shown !== null) {
          creditsOf.set(one.shown, listed(one));
          keepRecord(one.shown, one.record.current());
        }
        return before === null && one.shown === null ? [] : [{ before, after: one.shown }];
      });
      toShow.clear();
      return shown;
    },
  };
}

function listed(one: Business): readonly Credit[] {
  one.creditList ??= [...one.credits.values()];
  return one.creditList;
}

/** Interface document: "a business that has published a listing". */
function toOriginator({ entry, graded, listings }: Business): Originator {
  const { publicId, jurisdiction, kybStatus } = entry;
  const legalName = stripControl(entry.legalName, { keepLineFeeds: false });
  const { grade: ratingGrade, rating } = graded;
  return { publicId, legalName, jurisdiction, ratingGrade, kybStatus, rating, listings };
}
