/** @module The raises that an address names, `?ids=`: public ids or reference numbers, with commas or one for each parameter. */
import { isolatedQuote } from "../../../config/format/untrusted-text.ts";
import { findListing, type Market } from "../../market/market.ts";
import type { Listing } from "../../market/schema.ts";
import type { FilterForm, Page, Section } from "../page.ts";
import { CRUMBS, streamPath } from "../paths.ts";
import { marketUpdated, raisesUpdated } from "../times.ts";

export type Chosen = {
  /** in the order of the address, each once */
  raises: readonly Listing[];
  unknown: readonly string[];
};

/** More than any list has, so that an address of any length costs little. */
const MOST_READ = 200;

export function readChosen(query: URLSearchParams, market: Market): Chosen {
  const names = query
    .getAll("ids")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const raises = new Set<Listing>();
  const unknown = new Set<string>();
  for (const name of new Set(names.slice(0, MOST_READ))) {
    const listing = findListing(market, name);
    if (listing === undefined) unknown.add(name);
    else raises.add(listing);
  }
  return { raises: [...raises], unknown: [...unknown] };
}

/** @param path of the page that shows them */
export function chosenPath(path: string, raises: readonly Pick<Listing, "publicId">[]): string {
  return raises.length === 0 ? path : `${path}?ids=${raises.map(({ publicId }) => publicId).join(",")}`;
}

/** A page that shows raises of the reader's choice. */
export function chosenPage(
  head: Pick<Page, "path" | "title" | "description">,
  sections: readonly Section[],
  shown: readonly Listing[],
  market: Market,
): Page {
  return {
    ...head,
    updated: shown.length === 0 ? marketUpdated(market) : raisesUpdated(market, shown),
    crumbs: [CRUMBS.board],
    sections,
    isUnlisted: true,
    isLive: shown.length > 0,
    stream: streamPath(),
  };
}

/** Such as `There is no raise "RB99999".` */
export function unknownWords(unknown: readonly string[]): string {
  return `There is no raise ${unknown.map((name) => isolatedQuote(name)).join(", ")}.`;
}

/** The raises of a page, to change by hand. @param most raises of the page */
export function chosenForm(
  { action, label, submit }: Pick<FilterForm, "action" | "label" | "submit">,
  raises: readonly Listing[],
  most: number,
): FilterForm {
  return {
    action,
    label,
    submit,
    fields: [
      {
        name: "ids",
        label: "Reference numbers",
        description: `Up to ${most} reference numbers or public ids, with commas between them.`,
        value: raises.map(({ refnum }) => refnum).join(", "),
      },
    ],
    reset: null,
  };
}
