/** @module The paths of the pages, and the names of raises and businesses in links. */
import { isolated } from "../../config/format/untrusted-text.ts";
import { PATHS } from "../http/links.ts";
import type { Originator } from "../market/originator.ts";
import type { Listing } from "../market/schema.ts";
import type { Crumb } from "./page.ts";
import { link, type Value } from "./value.ts";

export const SITE_PATHS = {
  board: "/",
  listings: "/listings",
  originators: "/originators",
  statistics: "/statistics",
  compare: "/compare",
  watched: "/watched",
  knowledge: PATHS.knowledge,
  developers: PATHS.developers,
  limits: `${PATHS.developers}/limits`,
  data: PATHS.data,
  system: "/system",
  reference: PATHS.reference,
  graphql: PATHS.graphqlPage,
} as const;

export const CRUMBS = {
  board: { title: "Raises", path: SITE_PATHS.board },
  originators: { title: "Businesses", path: SITE_PATHS.originators },
  knowledge: { title: "Knowledge base", path: SITE_PATHS.knowledge },
  developers: { title: "For developers", path: SITE_PATHS.developers },
} as const satisfies Record<string, Crumb>;

/** Whether an address is always Markdown: `/md/<path>`, `<path>.md`. */
export function isMarkdownPath(path: string): boolean {
  return /^\/md\/.|\.md$/.test(path);
}

export function businessPath({ publicId }: Pick<Originator, "publicId">): string {
  return `${SITE_PATHS.originators}/${publicId}`;
}

export function raisePath({ publicId }: Pick<Listing, "publicId">): string {
  return `${SITE_PATHS.listings}/${publicId}`;
}

export const STREAM_PATH = "/v1/stream";

/** The stream of the events that change a page: one raise's, those of a business's raises, or all. Pages need no heads. */
export function streamPath(filter?: { listing: string } | { originator: string }): string {
  return `${STREAM_PATH}?${new URLSearchParams(filter ?? { heads: "rows" })}`;
}

/** Isolated, for a sentence or a line of ours. */
export function businessName({ legalName, publicId }: Pick<Originator, "legalName" | "publicId">): string {
  return legalName.trim() === "" ? publicId : isolated(legalName);
}

/** The title, else the reference number, else the public id; isolated, for a sentence or a line of ours. */
export function raiseTitle({
  title,
  refnum,
  publicId,
}: Pick<Listing, "title" | "refnum" | "publicId">): string {
  const names = [title, refnum].map(isolated);
  return names.find((name) => name.trim() !== "") ?? publicId;
}

export function businessLink(business: Pick<Originator, "legalName" | "publicId">): Value {
  return link(businessName(business), businessPath(business));
}

export function raiseLink(listing: Pick<Listing, "title" | "refnum" | "publicId">): Value {
  return link(raiseTitle(listing), raisePath(listing));
}
