/** @module Guesses which page was meant by an address that does not exist, from its words, and searches for them. */
import type { Knowledge } from "../knowledge/load.ts";
import { linkTo } from "./blocks.ts";
import { knowledgePath, searchForm } from "./knowledge/search-form.ts";
import type { FilterForm, PageLink } from "./page.ts";
import { SITE_PATHS } from "./paths.ts";

/** Words for the main pages, as people write them in addresses. */
const MAIN_PAGES: readonly (readonly [words: string, title: string, path: string])[] = [
  [
    "raises raise listing listings deals deal loans loan projects campaigns invest browse market home index board",
    "All raises",
    SITE_PATHS.board,
  ],
  [
    "originators originator businesses business companies company borrowers borrower issuers",
    "All businesses",
    SITE_PATHS.originators,
  ],
  [
    "knowledge help faq faqs about learn guide guides wiki support terms how blog",
    "Knowledge base",
    SITE_PATHS.knowledge,
  ],
  [
    "developers developer dev api docs doc documentation sdk rest mcp",
    "For developers",
    SITE_PATHS.developers,
  ],
  ["reference swagger openapi redoc", "API reference", SITE_PATHS.reference],
  ["limits errors quota", "Limits and errors", SITE_PATHS.limits],
  ["graphql graphiql", "GraphQL", SITE_PATHS.graphql],
  ["system status health uptime audit", "System status", SITE_PATHS.system],
];
const MOST_GUESSES = 3;
const MOST_WORDS = 6;
/** Shorter words are compared as they are. */
const SHORTEST_ALIKE = 5;

/** The words of a path, without the names of folders and file types. */
function wordsIn(path: string): string[] {
  const words = decoded(path)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !/^(?:md|html?|php|aspx?)$/.test(word));
  return words.slice(0, MOST_WORDS).map((word) => word.slice(0, 40));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).toWellFormed();
  } catch {
    return "";
  }
}

/** Links to at most three pages, the likeliest first; none without a likely one. */
export function guessFor(path: string, { pages }: Knowledge): PageLink[] {
  // The folder says which kind of page was looked for.
  const isExplanation = path.startsWith(`${SITE_PATHS.knowledge}/`);
  const words = wordsIn(isExplanation ? path.slice(SITE_PATHS.knowledge.length) : path);
  const explained = pages.map((page) => ({
    link: linkTo(page.title, knowledgePath(page), page.description),
    shared: sharedWords(words, page.slug.split("-")),
  }));
  const main = MAIN_PAGES.map(([names, title, target]) => ({
    link: linkTo(title, target),
    shared: sharedWords(words, names.split(" ")),
  }));
  return (isExplanation ? [...explained, ...main] : [...main, ...explained])
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_GUESSES)
    .map(({ link }) => link);
}

/** How many words are among these, slips of the pen included. Little words name nothing. */
function sharedWords(words: readonly string[], names: readonly string[]): number {
  const named = names.filter((name) => !/^(?:and|the|a|of)$/.test(name));
  return words.filter((word) => named.some((name) => isAlike(word, name))).length;
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < SHORTEST_ALIKE) return shorter > 3 && (a === `${b}s` || b === `${a}s`);
  return isOneEditApart(a, b);
}

function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}

/** A search of raises, businesses and the knowledge base, with the words of the path. */
export function searchFor(path: string): FilterForm {
  const words = wordsIn(path);
  // In `/knowledge/risk`, the last part is the subject.
  const last = wordsIn(path.split("/").findLast((part) => part !== "") ?? "");
  return { ...searchForm((last.length > 0 ? last : words).join(" ")), reset: null };
}
