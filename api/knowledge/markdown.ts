/**
 * The Markdown of a page: its sections, anchors and links, what is wrong with them, and its plain text. marked's own text
 * renderer would leave nested marks, such as a link in bold, as written.
 * @module
 */
import GithubSlugger from "github-slugger";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { quote } from "../../config/format/untrusted-text.ts";

/** A level-two heading and the text below it; above the first one: the anchor "" and the page's title as heading. */
export type Section = {
  anchor: string;
  heading: string;
  /** without the heading line; every link is absolute */
  markdown: string;
  /** plain text, one line for each paragraph, item, row and line of code */
  text: string;
};

export type PageOutline = {
  /** anchors of headings at every level */
  anchors: ReadonlySet<string>;
  /** targets as written, in order */
  links: readonly string[];
  problems: readonly string[];
};

/** From this level-two heading on, a page is about fields and calls; the site shows that part closed. */
export const FOR_DEVELOPERS = "For developers";

/** A path on this site: one slash, then characters that need no escaping in Markdown. */
const ROOT_RELATIVE = /^\/(?!\/)[\w.~/?#=&,:%@+-]*$/;

export function outlineOf(markdown: string): PageOutline {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  const links: string[] = [];
  const problems: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "heading") {
      const heading = inlineText(token.tokens);
      const anchor = slugger.slug(heading);
      anchors.add(anchor);
      if (token.depth === 1) {
        problems.push(`has the heading # ${quote(heading)}; the title is the heading: begin with ##`);
      }
      if (!/^#{1,5} /.test(token.raw)) {
        const form = "write two to five # and a space at the beginning of the line";
        problems.push(`has the heading ${quote(heading)} in another form; ${form}`);
      }
      if (!/[\p{L}\p{N}]/u.test(anchor)) problems.push("has a heading without a letter or a digit");
    } else if (token.type === "link") {
      links.push(token.href);
      problems.push(...linkProblems(token.href));
    } else if (token.type === "html") {
      problems.push(`has raw HTML: ${quote(token.raw.trim())}; write Markdown, and < in code or as &lt;`);
    } else if (token.type === "image") {
      problems.push(`has the image ${quote(token.href)}; the pages are text alone`);
    } else if (token.type === "def") {
      problems.push(`defines the link ${quote(token.tag)} apart; write [text](target) where it is used`);
    }
  });
  for (const { heading, markdown: body } of partsOf(markdown, "")) {
    if (heading !== "" && body.trim() === "")
      problems.push(`has nothing below the heading ${quote(heading)}`);
  }
  return { anchors, links, problems };
}

function linkProblems(target: string): string[] {
  if (ROOT_RELATIVE.test(target)) return [];
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url?.protocol === "https:" && url.username === "" && url.password === "") return [];
  return [
    `links to ${quote(target)}; allowed are https:// and paths from the root such as /knowledge/grades#the-formula`,
  ];
}

/** The sections of a page whose links are already absolute. Empty ones are left out. */
export function sectionsOf(markdown: string, title: string): Section[] {
  return partsOf(markdown, title)
    .map(({ tokens, ...part }) => ({ ...part, text: plainText(tokens) }))
    .filter(({ text }) => text !== "");
}

export type Passage = {
  /** plain */
  text: string;
  /** the words in bold, which it defines */
  defined: string;
  /** whether it is an item of a glossary */
  isDefinition: boolean;
};

/** The unit of search: a section, or one item of a glossary, since each explains one word. */
export function passagesIn(markdown: string): Passage[] {
  const tokens = lexer(markdown).filter(({ type }) => type !== "space");
  const items = tokens.flatMap((token) => (token.type === "list" ? (token as Tokens.List).items : []));
  const isGlossary =
    tokens.every(({ type }) => type === "list") && items.every(({ text }) => text.startsWith("**"));
  const passages = isGlossary ? items.map((item) => [item]) : [tokens];
  return passages.map((one) => ({
    text: plainText(one.flatMap((token) => (token.type === "list_item" ? (token.tokens ?? []) : [token]))),
    defined: definedIn(one),
    isDefinition: isGlossary,
  }));
}

function definedIn(tokens: Token[]): string {
  const defined: string[] = [];
  walkTokens(tokens, (token) => {
    if (token.type === "strong") defined.push(inlineText(token.tokens));
  });
  return defined.join(" ");
}

type Part = { anchor: string; heading: string; markdown: string; tokens: Token[] };

function partsOf(markdown: string, title: string): Part[] {
  const slugger = new GithubSlugger();
  const parts: Part[] = [{ anchor: "", heading: title, markdown: "", tokens: [] }];
  for (const token of lexer(markdown)) {
    const anchor = lastHeadingAnchor(token, slugger);
    if (token.type === "heading" && token.depth === 2) {
      parts.push({ anchor, heading: inlineText(token.tokens), markdown: "", tokens: [] });
      continue;
    }
    const part = parts.at(-1);
    part?.tokens.push(token);
    if (part) part.markdown += token.raw;
  }
  return parts.map((part) => ({ ...part, markdown: part.markdown.trim() }));
}

/** Headings inside quotations and lists get anchors too, which count towards repeated ones. */
function lastHeadingAnchor(token: Token, slugger: GithubSlugger): string {
  let anchor = "";
  walkTokens([token], (inner) => {
    if (inner.type === "heading") anchor = slugger.slug(inlineText(inner.tokens));
  });
  return anchor;
}

/** Root-relative links made absolute; null when that would change anything else, such as code that contains the same link. */
export function withAbsoluteLinks(markdown: string, publicUrl: string): string | null {
  let written = "";
  let rest = markdown;
  for (const target of linksOf(markdown).filter((link) => link.startsWith("/"))) {
    const at = rest.indexOf(`](${target}`);
    if (at < 0) return null;
    const end = at + "](".length + target.length;
    written += `${rest.slice(0, at)}](${publicUrl}${target}`;
    rest = rest.slice(end);
  }
  const absolute = written + rest;
  const expected = linksOf(markdown).map((link) => (link.startsWith("/") ? `${publicUrl}${link}` : link));
  const isSame =
    plainText(lexer(absolute)) === plainText(lexer(markdown)) &&
    JSON.stringify(linksOf(absolute)) === JSON.stringify(expected);
  return isSame ? absolute : null;
}

function linksOf(markdown: string): string[] {
  const links: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "link") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** marked leaves character references as written; these are the ones that Markdown needs. */
const REFERENCES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

export function plainText(tokens: readonly Token[]): string {
  return tokens
    .flatMap(linesOf)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** The plain text of a heading, cell or paragraph, on one line. */
export function inlineText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(wordsOf).join("").replace(/\s+/g, " ");
}

function linesOf(token: Token): string[] {
  switch (token.type) {
    case "list":
      return (token as Tokens.List).items.flatMap((item) => item.tokens.flatMap(linesOf));
    case "blockquote":
      return (token as Tokens.Blockquote).tokens.flatMap(linesOf);
    case "table": {
      // A row without its header still reads as words; a header in a line of its own does not.
      return (token as Tokens.Table).rows.map(([first, ...rest]) => {
        const name = inlineText(first?.tokens);
        return rest.length === 0
          ? name
          : `${name}: ${rest.map((cell) => inlineText(cell.tokens)).join(", ")}`;
      });
    }
    case "code":
      return (token as Tokens.Code).text.split("\n");
    case "space":
    case "hr":
    case "def":
      return [];
    default:
      return [wordsOf(token).replace(/\s+/g, " ")];
  }
}

function wordsOf(token: Token): string {
  if (token.type === "br") return " ";
  if (token.type === "codespan") return (token as Tokens.Codespan).text;
  if ("tokens" in token && token.tokens) return token.tokens.map(wordsOf).join("");
  const text: unknown = "text" in token ? token.text : token.raw;
  return String(text).replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => REFERENCES[one] ?? one);
}
