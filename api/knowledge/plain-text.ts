/**
 * What a reader sees of Markdown: its words without the marks. One line for each paragraph, item, row and line of code.
 * @module
 */
import type { Token, Tokens } from "marked";

/** `marked` leaves references as they were written; these are the ones that Markdown makes necessary. */
const REFERENCES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The text of block tokens. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .flatMap(linesOf)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** The text of a heading, a cell or a paragraph, on one line. */
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
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((cells) => cells.map((cell) => inlineText(cell.tokens)).join(", "));
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
