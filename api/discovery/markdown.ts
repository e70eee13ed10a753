/**
 * Pieces of Markdown that several files are put together from.
 * @module
 */
import { marked } from "marked";
import type { KnowledgePage } from "../knowledge/load.ts";
import type { ToolServer } from "./dependencies.ts";

/** A page as a part of a longer text: its title is a heading of the second level, its own ones stand a level deeper. */
export function asChapter({ title, markdown }: KnowledgePage): string {
  const body = marked
    .lexer(markdown)
    .map((token) => (token.type === "heading" ? `#${token.raw}` : token.raw))
    .join("");
  return `## ${title}\n\n${body.trim()}\n`;
}

/** A page of the knowledge base as an item of a list. */
export function entry(
  url: string,
  { title, description }: Pick<KnowledgePage, "title" | "description">,
): string {
  return `- [${title}](${url}): ${description}`;
}

/** One line for each tool: its name and the first sentence of its description. */
export function toolLines(tools: ToolServer["tools"]): string[] {
  return tools.map(({ name, description }) => `- \`${name}\`: ${firstSentence(description)}`);
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
