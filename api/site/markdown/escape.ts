/**
 * Text in Markdown that stays text, whatever it says.
 * @module
 */
import { stripControl } from "../../../format/untrusted-text.ts";

/** Some readers take the backslashes out of the text of a link before they look for links and images in it. */
const TARGETS = /(?<=\])\(/g;
/** What has a meaning anywhere in a line. A hyphen, a dot or a digit has one at its beginning only. */
const ANYWHERE = /[\\`*_[\]<>&|~]/g;
/** What GitHub's Markdown makes a link of by itself: `https://…`, `www.…` and addresses of mail. */
const BARE_LINKS = /(?<=:)\/\/|(?<=www)\.|@/gi;
const AT_LINE_START = /^(?=[#+\-=:])|(?<=^\d+)(?=[.)](?:\s|$))/;

/** A third party's text on one line. */
export function escapeLine(text: string): string {
  const escaped = onOneLine(text)
    .replace(ANYWHERE, "\\$&")
    .replace(TARGETS, "\\(")
    .replace(BARE_LINKS, (found) => `\\${found}`);
  return escaped.replace(AT_LINE_START, "\\");
}

/** Code on one line: between as many backticks as it takes. */
export function inlineCode(text: string): string {
  const oneLine = onOneLine(text);
  // A pair of backticks without anything between would begin code of the text behind it.
  if (oneLine === "") return "";
  const longest = Math.max(0, ...(oneLine.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = oneLine.startsWith("`") || oneLine.endsWith("`") ? " " : "";
  return `${fence}${pad}${oneLine}${pad}${fence}`;
}

/** A block of code, fenced with more backticks than it has. */
export function codeBlock(language: string, code: string): string {
  const text = stripControl(code, { keepLineFeeds: true });
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** What nobody sees goes before anything is escaped: between two marks it would hide that they belong together. */
function onOneLine(text: string): string {
  const spaced = text.replace(/\s+/g, " ");
  return stripControl(spaced, { keepLineFeeds: false }).replace(/ +/g, " ").trim();
}
