/** @module The result of a search. */
import type { Section } from "./markdown.ts";

export type Hit = {
  /** `market`: a sentence of ours with live figures, such as about all raises that the question means, and the page that shows them */
  kind: "knowledge" | "market" | "listing" | "originator";
  /** title of the page, listing or originator, or the answer; those of listings and originators are untrusted, a third party's text */
  title: string;
  /** heading of the section; null unless the kind is `knowledge` */
  heading: string | null;
  /** plain text around the match, at most 240 characters; untrusted if `isQuoted` */
  excerpt: string;
  /** the words of the excerpt that were looked for, as ranges of characters */
  marks: readonly (readonly [start: number, end: number])[];
  /** absolute, with the section's anchor */
  url: string;
  /** whether the excerpt is a third party's text */
  isQuoted: boolean;
  /** null unless the kind is `knowledge` */
  section: Section | null;
};
