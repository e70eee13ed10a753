/**
 * The structure of a document without its words, read in two independent ways: by a parser
 * of HTML, and by a scanner that takes only what our pages are written in.
 * @module
 */
import { parseHTML } from "linkedom";
import { lexer, type Token, type Tokens } from "marked";

/** Attributes that hold words or figures; of every other one the value counts too. */
const OF_WORDS = new Set([
  ...["content", "title", "value", "aria-label", "alt", "datetime", "height", "width", "d", "points"],
  ...[
    "data-exact",
    "data-label",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
    "tooldescription",
    "toolparamdescription",
    "placeholder",
  ],
]);

/** A line for each element in the order of the document: its depth, name and attributes. */
export function shapeOfHtml(html: string): string[] {
  const { document } = parseHTML(html);
  return [...document.querySelectorAll("*")].map((element) => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      OF_WORDS.has(name) ? name : `${name}=${value}`,
    );
    return `${depthOf(element)} ${element.localName} ${attributes.toSorted().join(" ")}`;
  });
}

function depthOf(element: Element): number {
  let depth = 0;
  for (let at = element.parentElement; at !== null; at = at.parentElement) depth++;
  return depth;
}

const DOCTYPE = /<!doctype html>\n/y;
const WORDS = /[^<>]+/y;
const OPENING = /<([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9:-]*(?:="[^"<>]*")?)*) ?\/?>/iy;
const CLOSING = /<\/[a-z][a-z0-9]*>/iy;
const SCRIPT_DATA = /(?:(?!<\/?script|<!--)[\s\S])*<\/script>/iy;

/**
 * The opening tags of a document with the names of their attributes. Throws at the first place that is not plainly
 * text, a tag with quoted attributes, or a script.
 */
export function tagsOfHtml(html: string): string[] {
  const tags: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(html);
    if (found !== null) at += found[0].length;
    return found;
  };
  take(DOCTYPE);
  while (at < html.length) {
    const tag = take(OPENING);
    if (tag !== null) {
      const [, name = "", attributes = ""] = tag;
      tags.push(
        [name, ...[...attributes.matchAll(/ ([\w:-]+)(?:="[^"]*")?/g)].map(([, one]) => one)].join(" "),
      );
      if (name === "script" && take(SCRIPT_DATA) === null)
        throw new Error(`no end of a script: ${around(html, at)}`);
    } else if (take(CLOSING) === null && take(WORDS) === null) {
      throw new Error(`neither words nor a tag: ${around(html, at)}`);
    }
  }
  return tags;
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}

/** The active parts of a document that the pages' policy does not allow; empty if all is well. */
export function actionsOfHtml(html: string): string[] {
  const { document } = parseHTML(html);
  return [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].flatMap(({ name, value }) => {
      const isRunning = name === "style" || name.startsWith("on") || name === "srcdoc";
      const isAddress = ["href", "src", "action", "formaction", "xlink:href", "data"].includes(name);
      const isAllowed = /^(https?:\/\/|\/(?!\/)|#|$)/.test(value);
      return isRunning || (isAddress && !isAllowed) ? [`${element.localName} ${name}="${value}"`] : [];
    }),
  );
}

/** The kinds of all tokens of a Markdown text in their order, with the targets of its links; words are left out. */
export function shapeOfMarkdown(markdown: string): string[] {
  const kinds: string[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (!["text", "escape", "space"].includes(token.type)) kinds.push(kindOf(token));
      if (token.type === "list") walk((token as Tokens.List).items);
      else if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        for (const cell of [header, ...rows].flat()) walk(cell.tokens);
      } else if ("tokens" in token) walk(token.tokens ?? []);
    }
  };
  const [, body = ""] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(markdown) ?? [];
  if (body === "") throw new Error("the Markdown has no frontmatter");
  walk(lexer(body));
  return kinds;
}

function kindOf(token: Token): string {
  if (token.type === "link" || token.type === "image") return `${token.type} ${(token as Tokens.Link).href}`;
  if (token.type === "heading") return `heading ${(token as Tokens.Heading).depth}`;
  return token.type;
}

/** The same text without a meaning: blank space stays, all else is one letter. */
export function harmless(text: string): string {
  return text.replace(/\S/gu, "x");
}

/** A page in either form without the elements and characters that isolate a text; an end without a beginning stays. */
export function withoutIsolations(text: string): string {
  return text.replaceAll(/<\/?bdi>/g, "").replaceAll(/\u2068([^\u2068\u2069]*)\u2069/g, "$1");
}
