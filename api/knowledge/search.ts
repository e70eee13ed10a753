/** @module Search in the knowledge base, section by section, and in the market's texts where a query names one. */
import type { PublicSettings } from "../../config/public-settings.ts";
import { whenAsked } from "../../config/when-asked.ts";
import type { Market } from "../market/market.ts";
import { excerptOf, marksIn } from "./excerpt.ts";
import type { Hit } from "./hit.ts";
import type { Knowledge, KnowledgePage } from "./load.ts";
import { FOR_DEVELOPERS, passagesIn, type Section } from "./markdown.ts";
import { answerFromMarket } from "./market-questions.ts";
import { createMarketTexts, type MarketMatches, type MatchedText, searchMarket } from "./market-texts.ts";
import { parseQuery, type Query } from "./query.ts";
import { termsOf } from "./terms.ts";
import { createTextIndex, type Match } from "./text-index.ts";

export type Search = {
  /**
   * At most `limit` hits, best first. A question about the market itself, such as "who is late", has the raises first in half of
   * the places; otherwise at most two hits are of the market. Only the first 400 characters of the query count.
   */
  search(query: string, limit: number, market: Market | null): Hit[];
  /** Whether all texts of the market are searched: those of a large one are read in turns, and an answer before that must not be kept. */
  isComplete(market: Market): boolean;
};

/** Weight of a term by field. The title is what all sections of a page share. */
const BOOSTS = { heading: 3, opening: 1.5, title: 1, defined: 0.5, text: 1 };
/** "What is a coupon?" is best answered where the word is in bold. */
const BOOSTS_FOR_MEANING = { ...BOOSTS, defined: 4 };
const FIELDS = ["heading", "opening", "title", "defined", "text"] as const;
const SYNONYM_WEIGHT = 0.75;
/** A definition is rarely the answer to a question that does not ask for one. */
const DEFINITION_WEIGHT = 0.8;
/** "The meaning of tenor" is about tenor. */
const ASKING = new Set(termsOf("meaning mean define definition"));
const ASKING_WEIGHT = 0.25;
/** Words that nearly every section has. */
const COMMON = new Set(termsOf("raise loan business money people"));
const COMMON_WEIGHT = 0.5;
/** Sections on fields and calls, which are closed on the site, answer people's questions less often. */
const DEVELOPERS_WEIGHT = 0.75;
/** Listings must not crowd out the answer to a question about rules. */
const MOST_MARKET_HITS = 2;
const NOTHING: MarketMatches = { named: [], mentioned: [] };

/** The sections of the knowledge base by the terms in them. */
function indexOf(knowledge: Knowledge) {
  const passages = knowledge.pages.flatMap((page) => {
    const developers = page.sections.findIndex(({ heading }) => heading === FOR_DEVELOPERS);
    return page.sections.flatMap((section, at) => {
      const isForDevelopers = developers >= 0 && at >= developers;
      return passagesIn(section.markdown).map((one) => ({ page, section, isForDevelopers, ...one }));
    });
  });
  const index = createTextIndex(FIELDS);
  for (const [place, { page, section, text, defined }] of passages.entries()) {
    index.put(place, {
      heading: section.anchor === "" ? "" : section.heading,
      opening: section.anchor === "" ? page.title : "",
      title: page.title,
      defined,
      text,
    });
  }
  return { passages, index };
}

/** Indexes the knowledge base and a market when they are first searched. */
export function createSearch(knowledge: Knowledge, publicSettings: PublicSettings): Search {
  const indexed = whenAsked(() => indexOf(knowledge));
  const textsOf = createMarketTexts(publicSettings);

  function explain({ terms, synonyms, asksForMeaning }: Query): Match[] {
    const { passages, index } = indexed();
    const own = new Set(terms);
    return index.find([...terms, ...synonyms], {
      boosts: asksForMeaning ? BOOSTS_FOR_MEANING : BOOSTS,
      weightOf(term) {
        if (ASKING.has(term)) return ASKING_WEIGHT;
        if (COMMON.has(term)) return COMMON_WEIGHT;
        return own.has(term) ? 1 : SYNONYM_WEIGHT;
      },
      isApproximate: (term) => !index.has(term),
      weightOfDocument(place) {
        const { isDefinition, isForDevelopers } = passages[place] ?? {};
        if (isForDevelopers) return DEVELOPERS_WEIGHT;
        return isDefinition && !asksForMeaning ? DEFINITION_WEIGHT : 1;
      },
    });
  }

  return {
    isComplete: (market) => textsOf(market).isComplete,
    search(text, limit, market) {
      const { passages, index } = indexed();
      const query = parseQuery(text);
      const familiarity = {
        isKnown: (term: string) => index.has(term) || query.translated.has(term),
        isAlike: (term: string) => index.find([term], { isApproximate: () => true }).length > 0,
      };
      const { named, mentioned } =
        market === null ? NOTHING : searchMarket(textsOf(market), query, familiarity);
      const answers = market === null ? [] : answerFromMarket(query.text, market, publicSettings, named);
      const placed = new Set<Section>();
      const explained = explain(query).flatMap(({ place, terms }): Hit[] => {
        const found = passages[place];
        if (found === undefined || placed.has(found.section) || placed.size === limit) return [];
        placed.add(found.section);
        return [sectionHit(found, terms, publicSettings)];
      });
      const arranged = arrange(
        explained,
        named.slice(0, limit).map(marketHit),
        mentioned.slice(0, limit).map(marketHit),
        limit,
      );
      return withAnswers(answers, arranged, limit);
    },
  };
}

/** Answers first, in about half of the places. */
function withAnswers(answers: readonly Hit[], others: readonly Hit[], limit: number): Hit[] {
  const first = answers.slice(0, Math.max(1, Math.ceil(limit / 2)));
  const urls = new Set(first.map(({ url }) => url));
  return [...first, ...others.filter(({ url }) => !urls.has(url))].slice(0, limit);
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
  const excerpt = excerptOf(text, terms);
  return {
    kind: "knowledge",
    title: page.title,
    heading,
    excerpt,
    marks: marksIn(excerpt, terms),
    isQuoted: false,
    url: `${publicSettings.publicUrl}/knowledge/${page.slug}${anchor === "" ? "" : `#${anchor}`}`,
    section,
  };
}

function marketHit({ text, terms }: MatchedText): Hit {
  const { kind, title, url } = text;
  const excerpt = excerptOf(text.text.trim() === "" ? title : text.text, terms);
  return {
    kind,
    title,
    heading: null,
    excerpt,
    marks: marksIn(excerpt, terms),
    isQuoted: true,
    url,
    section: null,
  };
}
