/**
 * What businesses and raises are called, and where their pages are. A text of nothing but control characters is empty
 * when they are gone: then something else has to be read and followed.
 * @module
 */
import type { Listing, Originator } from "../market/schema.ts";
import { stripControl } from "../untrusted-text.ts";
import type { Crumb } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";
import { link, type Value } from "./value.ts";

/** Where the way to most pages begins. */
export const BOARD_CRUMB: Crumb = { title: "Raises", path: SITE_PATHS.board };

/** The legal name, else the public id. */
export function nameOf({ legalName, publicId }: Pick<Originator, "legalName" | "publicId">): string {
  return legalName.trim() === "" ? publicId : legalName;
}

/** The title, else the reference number, else the public id. */
export function titleOf({ title, refnum, publicId }: Pick<Listing, "title" | "refnum" | "publicId">): string {
  const names = [title, stripControl(refnum, { keepLineFeeds: false })];
  return names.find((name) => name.trim() !== "") ?? publicId;
}

export function businessPath({ publicId }: Pick<Originator, "publicId">): string {
  return `${SITE_PATHS.originators}/${publicId}`;
}

export function raisePath({ publicId }: Pick<Listing, "publicId">): string {
  return `${SITE_PATHS.listings}/${publicId}`;
}

/** The business's name, which leads to its page. */
export function businessLink(business: Pick<Originator, "legalName" | "publicId">): Value {
  return link(nameOf(business), businessPath(business));
}

/** The raise's title, which leads to its page. */
export function raiseLink(listing: Pick<Listing, "title" | "refnum" | "publicId">): Value {
  return link(titleOf(listing), raisePath(listing));
}
