/** @module Search in the knowledge base, section by section, and in the market's texts where a query names one. */
import type { PublicSettings } from "../../config/public-settings.ts";
import type { Market } from "../market/market.ts";
import type { Knowledge, KnowledgePage, Section } from "./load.ts";
import { passagesIn } from "./markdown.ts";
import { createMarketTexts, type MarketMatches, type MatchedText, searchMarket } from "./market-texts.ts";
import { parseQuery, type Query } from "./query.ts";
import { termsOf, type Word, wordsIn } from "./terms.ts";
import { createTextIndex, type Match } from "./text-index.ts";

export type Hit = {
  kind: "knowledge" | "listing" | "originator";
  /** title of the page, listing or originator; the latter two are untrusted, a third party's text */
  title: string;
  /** heading of the section; null for a listing or originator */
  heading: string | null;
  /** plain text around the match, at most 240 characters; untrusted unless the kind is `knowledge` */
  excerpt: string;
  /** absolute, with the section's anchor */
  url: string;
  /** null for a listing or originator */
  section: Section | null;
};

export type Search = {
  /** At most `limit` hits, best first, at most two of them of the market; only the first 400 characters of the query count. */
  search(query: string, limit: number, market: Market | null): Hit[];
};

/** Weight of a term by field. The title is what all sections of a page share. */
const BOOSTS = { heading: 3, title: 1, defined: 0.5, text: 1 };
/** "What is a coupon?" is best answered where the word is in bold. */
const BOOSTS_FOR_MEANING = { ...BOOSTS, defined: 4 };
const FIELDS = ["heading", "title", "defined", "text"] as const;
const SYNONYM_WEIGHT = 0.75;
/** A definition is rarely the answer to a question that does not ask for one. */
const DEFINITION_WEIGHT = 0.8;
/** "The meaning of tenor" is about tenor. */
const ASKING = new Set(termsOf("meaning mean define definition"));
const ASKING_WEIGHT = 0.5;
/** Listings must not crowd out the answer to a question about rules. */
const MOST_MARKET_HITS = 2;
const NOTHING: MarketMatches = { named: [], mentioned: [] };

/** Indexes the knowledge base immediately, a market when it is first searched. */
export function createSearch(knowledge: Knowledge, publicSettings: PublicSettings): Search {
  const passages = knowledge.pages.flatMap((page) =>
    page.sections.flatMap((section) =>
      passagesIn(section.markdown).map((one) => ({ page, section, ...one })),
    ),
  );
  const index = createTextIndex(FIELDS);
  for (const [place, { page, section, text, defined }] of passages.entries()) {
    index.put(place, {
      // The first section has the page's title as its heading.
      heading: section.anchor === "" ? "" : section.heading,
      title: page.title,
      defined,
      text,
    });
  }
  const textsOf = createMarketTexts(publicSettings);

  function explain({ terms, synonyms, asksForMeaning }: Query): Match[] {
    const own = new Set(terms);
    return index.find([...terms, ...synonyms], {
      boosts: asksForMeaning ? BOOSTS_FOR_MEANING : BOOSTS,
      weightOf(term) {
        if (ASKING.has(term)) return ASKING_WEIGHT;
        return own.has(term) ? 1 : SYNONYM_WEIGHT;
      },
      isApproximate: (term) => !index.has(term),
      weightOfDocument: (place) => (!asksForMeaning && passages[place]?.isDefinition ? DEFINITION_WEIGHT : 1),
    });
  }

  return {
    search(text, limit, market) {
      const query = parseQuery(text);
      const familiarity = {
        isKnown: (term: string) => index.has(term) || query.translated.has(term),
        isAlike: (term: string) => index.find([term], { isApproximate: () => true }).length > 0,
      };
      const { named, mentioned } =
        market === null ? NOTHING : searchMarket(textsOf(market), query, familiarity);
      const placed = new Set<Section>();
      const explained = explain(query).flatMap(({ place, terms }): Hit[] => {
        const found = passages[place];
        if (found === undefined || placed.has(found.section) || placed.size === limit) return [];
        placed.add(found.section);
        return [sectionHit(found, terms, publicSettings)];
      });
      return arrange(
        explained,
        named.slice(0, limit).map(marketHit),
        mentioned.slice(0, limit).map(marketHit),
        limit,
      );
    },
  };
}

/** Names first, then rules, then mentions. */
function arrange(
  explained: readonly Hit[],
  named: readonly Hit[],
  mentioned: readonly Hit[],
  limit: number,
): Hit[] {
  if (explained.length === 0) return [...named, ...mentioned].slice(0, limit);
  const first = named.slice(0, MOST_MARKET_HITS);
  const last = mentioned.slice(0, MOST_MARKET_HITS - first.length);
  // Mentions never displace the best answer.
  const kept = Math.max(limit - first.length - last.length, Math.min(1, limit));
  return [...first, ...explained.slice(0, kept), ...last].slice(0, limit);
}

function sectionHit(
  { page, section }: { page: KnowledgePage; section: Section },
  terms: ReadonlySet<string>,
  publicSettings: PublicSettings,
): Hit {
  const { anchor, heading, text } = section;
  return {
    kind: "knowledge",
    title: page.title,
    heading,
    excerpt: excerptOf(text, terms),
    url: `${publicSettings.publicUrl}/knowledge/${page.slug}${anchor === "" ? "" : `#${anchor}`}`,
    section,
  };
}

function marketHit({ text, terms }: MatchedText): Hit {
  const { kind, title, url } = text;
  return {
    kind,
    title,
    heading: null,
    excerpt: excerptOf(text.text.trim() === "" ? title : text.text, terms),
    url,
    section: null,
  };
}

export const LONGEST_EXCERPT = 240;

const BEFORE = "… ";
const AFTER = " …";
/** A passage that begins with a sentence is worth a little more, but less than another term. */
const SENTENCE = 0.5;

/** At most 240 characters on one line, cut between words, covering as many of the terms as possible. */
export function excerptOf(text: string, terms: ReadonlySet<string>): string {
  const line = onOneLine(text);
  if (line.length <= LONGEST_EXCERPT) return line;
  const words = wordsIn(line);
  const room = LONGEST_EXCERPT - BEFORE.length - AFTER.length;
  let best = { start: 0, end: cutOf(line, 0, room), worth: -1 };
  for (const [index, { start }] of words.entries()) {
    const from = index === 0 ? 0 : start;
    const end = cutOf(line, from, room);
    const worth = worthOf(words, index, end, terms) + (beginsSentence(line, from) ? SENTENCE : 0);
    if (worth > best.worth) best = { start: from, end, worth };
    if (end === line.length) break;
  }
  const { start, end } = best;
  return `${start > 0 ? BEFORE : ""}${line.slice(start, end).trim()}${end < line.length ? AFTER : ""}`;
}

/** Joins lines; those that do not end like a sentence (items, rows) with a semicolon. */
function onOneLine(text: string): string {
  return text
    .replace(/([^\s])\s*\n\s*(?=\S)/g, (_, last: string) =>
      /[.,:;!?]/.test(last) ? `${last} ` : `${last}; `,
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** The end of a passage from `start`: after the last word that fits, or inside a word too long to fit. */
function cutOf(line: string, start: number, room: number): number {
  if (line.length - start <= room) return line.length;
  const space = line.lastIndexOf(" ", start + room);
  if (space > start) return space;
  const end = start + room;
  // Never splits a surrogate pair.
  return /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end - 1 : end;
}

function beginsSentence(line: string, start: number): boolean {
  return start === 0 || /[.:;!?] $/.test(line.slice(start - 2, start));
}

function worthOf(words: readonly Word[], first: number, end: number, terms: ReadonlySet<string>): number {
  const found = new Set<string>();
  for (let index = first; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.end > end) break;
    for (const term of word.terms) if (terms.has(term)) found.add(term);
  }
  return found.size;
}
