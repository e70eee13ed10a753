/** @module Counts over the listings of a market: for its archive they are kept from block to block. */
import { LRUCache } from "lru-cache";
import type { Archive } from "./archive/archive.ts";
import type { ListingFacts } from "./archive/facts.ts";
import { createFollower, type Follower } from "./archive/follower.ts";
import type { Market } from "./market.ts";
import type { Status } from "./schema.ts";

/** Questions whose counts are kept, about 1 kB each. */
const MOST_KEPT = 500;

const kept = new WeakMap<Archive, LRUCache<string, Follower<number[]>>>();

type Question = {
  /** equal only for questions with the same counts */
  key: string;
  /** whether the counts depend on grades of businesses */
  hasGrades: boolean;
  /** the only states that can count; all when not given */
  status?: readonly Status[] | undefined;
  /** the counts of no listing */
  start: () => number[];
  count(counts: number[], facts: ListingFacts, sign: 1 | -1): void;
};

/** The counts of all listings. */
export function countsOf(listings: Market["listings"], question: Question): number[] {
  const counts = [...countsOfArchive(listings, question)];
  for (const listing of listings.full) question.count(counts, listing, 1);
  return counts;
}

/** The counts of the archive alone. Later calls change them. */
export function countsOfArchive(
  listings: Market["listings"],
  { key, hasGrades, status, start, count }: Question,
): readonly number[] {
  const { archived } = listings.among(status);
  if (archived === null) return start();
  const { view } = archived;
  const followers = kept.get(view.archive) ?? new LRUCache<string, Follower<number[]>>({ max: MOST_KEPT });
  kept.set(view.archive, followers);
  const follow = followers.get(key) ?? createFollower(start, { hasGrades });
  followers.set(key, follow);
  return follow(view, count).state;
}

/** A key for values of queries. */
export function keyOf(...values: readonly unknown[]): string {
  return JSON.stringify(values, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}
