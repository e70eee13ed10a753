/** @module Compares the published content of two markets. */
import { setImmediate as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Archive } from "../market/archive/archive.ts";
import { isRow, type ListingFacts } from "../market/archive/facts.ts";
import type { Market } from "../market/market.ts";

/** Most differences to name. */
const MOST = 20;
/** Listings that are compared without a pause. */
const AT_ONCE = 200;

/** The differences by name: public ids, and parts of the market. Empty for equal markets. Answers go on meanwhile. */
export async function differences(a: Market, b: Market): Promise<string[]> {
  const ids = new Set<string>();
  let compared = 0;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const facts of one.listings.facts()) {
      if (!isSame(facts, one, other)) ids.add(facts.publicId);
      if (++compared % AT_ONCE === 0) await pause();
      if (ids.size >= MOST) break;
    }
  }
  const found = [...ids];
  for (const part of ["trading", "stats"] as const) {
    if (JSON.stringify(a[part]) !== JSON.stringify(b[part])) found.push(part);
  }
  for (const part of ["unprojectable", "contradictions"] as const) {
    if (linesOf(a[part]) !== linesOf(b[part])) found.push(part);
  }
  if (originatorsText(a) !== originatorsText(b)) found.push("originators");
  if (overTimeText(a) !== overTimeText(b)) found.push("overTime");
  if (!(await isSameOrder(a, b))) found.push("order");
  if (a.unpublished !== b.unpublished) found.push("unpublished");
  return found.slice(0, MOST);
}

/** Sorted, because the order depends on how raises were read. */
function linesOf(found: readonly object[]): string {
  return found
    .map((one) => JSON.stringify(one))
    .sort()
    .join("\n");
}

/** Two rows of archives are compared by what is kept of them, any others as they are published. */
function isSame(facts: ListingFacts, one: Market, other: Market): boolean {
  const { publicId, refnum } = facts;
  if (one.publicIdByRefnum.get(refnum) !== other.publicIdByRefnum.get(refnum)) return false;
  const [archived, others] = [one.listings.archived?.view, other.listings.archived?.view];
  if (isRow(facts) && archived !== undefined && others !== undefined) {
    const row = others.archive.rowOfPublicId(publicId, others.version);
    if (row !== null) {
      const theirs = others.archive.facts(others.gradeOf);
      theirs.row = row;
      return (
        isKeptSame(archived.archive, facts.row, others.archive, row) && factsText(facts) === factsText(theirs)
      );
    }
  }
  return listingText(one, publicId) === listingText(other, publicId);
}

/** Equal bytes are equal rows. Others may be equal too: bytes depend on the order of flows. */
function isKeptSame(one: Archive, row: number, other: Archive, otherRow: number): boolean {
  if (Buffer.compare(one.bytes(row), other.bytes(otherRow)) === 0) return true;
  const [kept, otherKept] = [one.read(row), other.read(otherRow)].map(({ madeAt: _, flows, ...rest }) => ({
    ...rest,
    flows: flows.toSorted((a, b) => a.day - b.day || (a.measure < b.measure ? -1 : 1)),
  }));
  return isDeepStrictEqual(kept, otherKept);
}

/** The members of a listing that its events do not decide alone, as text for a comparison. */
function factsText({ publicId, originator, originatorGrade, status, repayment }: ListingFacts): string {
  return [publicId, originator, originatorGrade, status, repayment].join();
}

function listingText(market: Market, id: string): string | null {
  const listing = market.listingByPublicId.get(id);
  if (listing === undefined) return null;
  return JSON.stringify([
    listing,
    market.scheduleOf(listing),
    market.openedAt(listing),
    market.changedAt(listing),
  ]);
}

function originatorsText({ originators }: Market): string {
  return JSON.stringify(originators.map((one) => ({ ...one, listings: one.listings.length })));
}

async function isSameOrder(a: Market, b: Market): Promise<boolean> {
  const others = b.listings.walk("newest");
  let compared = 0;
  for (const { publicId } of a.listings.walk("newest")) {
    if (others.next().value?.publicId !== publicId) return false;
    if (++compared % (10 * AT_ONCE) === 0) await pause();
  }
  return others.next().done === true;
}

function overTimeText({ overTime }: Market): string | null {
  if (overTime === null) return null;
  const cohorts = overTime.cohorts({ by: "month" });
  // A market that has just been made of all rows has not counted them.
  return JSON.stringify([overTime.series({ by: "month" }), "reason" in cohorts ? null : cohorts]);
}
