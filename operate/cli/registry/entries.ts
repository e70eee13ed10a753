/**
 * Registry entries for listings that the registry does not name, filled in from the chain. Fields that only the operator knows are
 * left empty, which is invalid, so that they cannot be forgotten.
 * @module
 */

import { formatAmount, formatRate } from "../../../api/market/amount.ts";
import { pairKey, type Registry } from "../../../api/registry/schema.ts";
import { isoTime } from "../../../config/format/time.ts";
import { quote } from "../../../config/format/untrusted-text.ts";
import { type Lifecycle, REQUIRED_TERMS } from "../../../src/fold/derived.ts";
import type { Created, OnChain } from "./created.ts";

type Originator = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  kybStatus: "not_started";
  addresses: string[];
};

type Listing = {
  publicId: string;
  originator: string;
  escrowAddress: string;
  onchainId: string;
  title: string;
  description: string;
  /** where the chain gives none */
  refnum?: string;
  terms?: Record<string, string>;
};

export type Entries = {
  originators: Originator[];
  listings: Listing[];
  /** about each listing, and about existing entries that may match it; for people */
  notes: string[];
};

type Known = Pick<
  Registry,
  "originators" | "listings" | "listingByPair" | "originatorByPublicId" | "listingByPublicId"
>;

/** Digits that distinguish addresses. */
const SHORT = 6;
const LONGEST_SLUG = 40;

export function missingEntries(
  known: Known,
  { created, escrows }: OnChain,
  { derivesClose }: Pick<Lifecycle, "derivesClose">,
): Entries {
  const entries: Entries = { originators: [], listings: [], notes: [] };
  const businesses = new Map<string, string>();
  for (const { publicId, addresses } of known.originators)
    for (const address of addresses) if (!businesses.has(address)) businesses.set(address, publicId);
  const takeOriginatorId = freeIds(known.originatorByPublicId.keys());
  const takeListingId = freeIds(known.listingByPublicId.keys());
  const namedByRefnum = new Map(
    created.flatMap((one) => {
      const entry = known.listingByPair.get(pairKey(one));
      return entry === undefined || one.refnum === null ? [] : [[one.refnum, entry.publicId] as const];
    }),
  );

  const businessOf = ({ originator }: Created): string => {
    // If the contract does not say who raises, the operator has to.
    const publicId = businesses.get(originator ?? "");
    if (publicId !== undefined) return publicId;
    const digits = originator?.slice(2);
    const name = digits?.slice(0, SHORT) ?? "unknown";
    const added = takeOriginatorId(`org_${name}`, digits ?? "business");
    const unknown = { legalName: "", jurisdiction: "", kybStatus: "not_started" as const };
    entries.originators.push({
      publicId: added,
      ...unknown,
      addresses: originator === null ? [] : [originator],
    });
    businesses.set(originator ?? "", added);
    return added;
  };

  for (const one of created) {
    const { escrowAddress, onchainId, refnum } = one;
    if (known.listingByPair.has(pairKey(one))) continue;
    const publicId = takeListingId(
      `lst_${slugOf(refnum ?? `raise ${onchainId}`)}`,
      escrowAddress.slice(2, 2 + SHORT),
    );
    const originator = businessOf(one);
    const pair = { escrowAddress, onchainId: `${onchainId}` };
    entries.listings.push({
      ...{ publicId, originator, ...pair, title: "", description: "" },
      ...(refnum === null && { refnum: "" }),
      ...missingTerms(one, derivesClose),
    });
    entries.notes.push(`${publicId}: ${describe(one)}, by ${originator}`);
    const before = refnum === null ? undefined : namedByRefnum.get(refnum);
    if (before !== undefined) {
      entries.notes.push(
        `  ${before} has the same reference number: if this is that raise on a new escrow, point ${before} here instead, and its links stay`,
      );
    }
  }
  const strays = known.listings.filter(({ escrowAddress }) => !escrows.has(escrowAddress));
  const [first] = strays;
  if (first !== undefined && entries.listings.length > 0) {
    entries.notes.push(
      `${strays.length} ${strays.length === 1 ? "entry names an escrow" : "entries name escrows"} that the settings do not follow (such as ${first.publicId}): after a redeploy point them at the new pairs instead of adding entries, and their links stay`,
    );
  }
  return entries;
}

/**
 * Gives the id if it is free, then with more text to distinguish it, then numbered. Never derived from an on-chain id, which
 * restarts at 1 with each escrow.
 */
function freeIds(known: Iterable<string>): (id: string, more: string) => string {
  const taken = new Set(known);
  /** the last count by id and text, as thousands of raises may have one reference number */
  const counts = new Map<string, number>();
  return (id, more) => {
    const key = `${id} ${more}`;
    let count = counts.get(key) ?? 0;
    const numbered = () => (count === 0 ? id : `${id}_${more}${count === 1 ? "" : `_${count}`}`);
    while (taken.has(numbered())) count += 1;
    counts.set(key, count);
    taken.add(numbered());
    return numbered();
  };
}

/** The part of a reference number, which is arbitrary text, that a public id may contain. */
function slugOf(refnum: string): string {
  const slug = refnum
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join("_")
    .slice(0, LONGEST_SLUG);
  return slug ?? "raise";
}

/**
 * All terms where the chain does not give them all: those that it gives, and the others empty; the closing time only where it is what
 * closes a raise.
 */
function missingTerms({ terms }: Created, derivesClose: boolean): { terms?: Record<string, string> } {
  if (REQUIRED_TERMS.every((name) => terms[name] !== undefined)) return {};
  const written = REQUIRED_TERMS.map((name) => {
    const value = terms[name];
    if (value === undefined) return [name, ""];
    return [name, name === "goLiveAt" ? isoTime(BigInt(value)) : `${value}`];
  });
  const { closeAt } = terms;
  if (closeAt != null) written.push(["closeAt", isoTime(closeAt)]);
  else if (closeAt === undefined && derivesClose) written.push(["closeAt", ""]);
  return { terms: Object.fromEntries(written) };
}

function describe({ refnum, terms, block, isAnnounced }: Created): string {
  const { targetAmount, tenorDays, couponRateBps } = terms;
  const hasTerms = targetAmount !== undefined && tenorDays !== undefined && couponRateBps !== undefined;
  const facts = [
    ...(refnum === null ? [] : [quote(refnum)]),
    ...(hasTerms
      ? [`${formatAmount(targetAmount)} for ${tenorDays} days at ${formatRate(couponRateBps)} a year`]
      : []),
  ];
  return [...facts, `${isAnnounced ? "created" : "first event"} in block ${block}`].join(", ");
}
