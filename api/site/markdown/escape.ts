/** @module Escapes third-party text for Markdown. By hand: marked writes HTML only. */
import { isolated, stripButIsolations, stripControl } from "../../../config/format/untrusted-text.ts";

/** Some parsers unescape link text before they look for links and images in it. */
const TARGETS = /(?<=\])\(/g;
/** Special anywhere in a line. A hyphen, a dot or a digit is special at its beginning only. */
const ANYWHERE = /[\\`*_[\]<>&|~]/g;
/** Autolinks of GitHub's Markdown: `https://…`, `www.…` and email addresses. */
const BARE_LINKS = /(?<=:)\/\/|(?<=www)\.|@/gi;
const AT_LINE_START = /^(?=[#+\-=:])|(?<=^\d+)(?=[.)](?:\s|$))/;

export function escapeLine(text: string): string {
  const escaped = onOneLine(text)
    .replace(ANYWHERE, "\\$&")
    .replace(TARGETS, "\\(")
    .replace(BARE_LINKS, (found) => `\\${found}`);
  return escaped.replace(AT_LINE_START, "\\");
}

/** Inline code, with as many backticks as necessary; isolated outside of them, since code is copied. */
export function inlineCode(text: string): string {
  const oneLine = stripControl(onOneLine(text), { keepLineFeeds: false });
  // An empty pair of backticks would open a longer code span.
  if (oneLine === "") return "";
  const longest = Math.max(0, ...(oneLine.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = oneLine.startsWith("`") || oneLine.endsWith("`") ? " " : "";
  return isolated(`${fence}${pad}${oneLine}${pad}${fence}`);
}

/** A code block, fenced with more backticks than it contains. */
export function codeBlock(language: string, code: string): string {
  const text = stripControl(code, { keepLineFeeds: true });
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Invisible characters go first: between two marks they would hide that the marks belong together. */
function onOneLine(text: string): string {
  const spaced = text.replace(/\s+/g, " ");
  return stripButIsolations(spaced).replace(/ +/g, " ").trim();
}
