/**
 * Isolates of third parties' texts in a written document become elements, in the one place that every page goes through.
 * docs/decisions/0055-text-that-is-not-ours.md.
 * @module
 */
import { stripControl } from "../../../config/format/untrusted-text.ts";

/** Marks of what a search was for stand within a text. */
const TAG = /(<(?!\/?mark>)[^>]*>)/;
/** Within one text or one attribute: the writer escapes these signs there. */
const ISOLATION = /\u2068((?:[^\u2066-\u2069<>"]|<\/?mark>)*)\u2069/;
/** Elements that hold text alone, where the characters themselves isolate. */
const TEXT_ONLY = new Set(["title", "desc", "text", "tspan", "option", "textarea"]);

/** `html` with `<bdi>` for each isolation, and without any other control character, so that no text reorders or hides others. */
export function withIsolations(html: string): string {
  if (!html.includes("\u2068")) return strip(html);
  let element = "";
  return html
    .split(TAG)
    .map((part, at) => {
      if (at % 2 === 1) {
        element = part.match(/^<(\w+)/)?.[1] ?? "";
        return isolations(part, "\u2068", "\u2069");
      }
      // Programs read these as they are.
      if (element === "script") return strip(part);
      return TEXT_ONLY.has(element)
        ? isolations(part, "\u2068", "\u2069")
        : isolations(part, "<bdi>", "</bdi>");
    })
    .join("");
}

function isolations(part: string, start: string, end: string): string {
  return part
    .split(ISOLATION)
    .map((text, at) => (at % 2 === 1 ? start + strip(text) + end : strip(text)))
    .join("");
}

function strip(text: string): string {
  return stripControl(text, { keepLineFeeds: true });
}
