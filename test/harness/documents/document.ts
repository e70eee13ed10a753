/** @module The Markdown documents of the repository: their snippets, code spans, headings and links. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";
import { lexer, walkTokens } from "marked";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A fenced block. */
export type Snippet = {
  /** `README.md:12` */
  readonly at: string;
  readonly document: string;
  /** The nearest heading above. */
  readonly section: string;
  readonly language: string;
  /** The words after the language: where it is run, by `places.ts`. */
  readonly words: readonly string[];
  readonly text: string;
};

export type Document = {
  /** From the root of the repository. */
  readonly path: string;
  readonly snippets: readonly Snippet[];
  /** The text of each `code` in a sentence or a table. */
  readonly spans: readonly string[];
  readonly anchors: ReadonlySet<string>;
  /** Targets as they are written. */
  readonly links: readonly string[];
};

const isForeign = (path: string) => /(^|\/)(node_modules|\.\w+)(\/|$)/.test(path);

export function readDocuments(): readonly Document[] {
  return globSync("**/*.md", { cwd: ROOT, exclude: isForeign }).toSorted().map(readDocument);
}

export function readDocument(path: string): Document {
  const text = readFileSync(join(ROOT, path), "utf8");
  return documentOf(path, text);
}

export function documentOf(path: string, text: string): Document {
  // The frontmatter of a page of the knowledge base.
  const body = text.replace(/^---\n.*?\n---\n/s, (front) => front.replaceAll(/[^\n]/g, ""));
  const slugger = new GithubSlugger();
  const snippets: Snippet[] = [];
  const spans: string[] = [];
  const anchors = new Set<string>();
  const links: string[] = [];
  let section = "";
  let from = 0;
  walkTokens(lexer(body), (token) => {
    if (token.type === "heading") {
      section = plainText(token.text);
      anchors.add(slugger.slug(section));
    } else if (token.type === "link" || token.type === "image") {
      // A word such as http://HOST:PORT is no link.
      if (token.raw !== token.href || /\/\/[\w-]+\./.test(token.href)) links.push(token.href);
    } else if (token.type === "codespan") spans.push(token.text);
    else if (token.type === "code" && token.lang !== undefined) {
      const [language = "", ...words] = token.lang.split(/\s+/);
      const fence = body.indexOf(`\`\`\`${token.lang}\n`, from);
      from = fence + 1;
      const at = `${path}:${body.slice(0, fence).split("\n").length}`;
      snippets.push({ at, document: path, section, language, words, text: token.text });
    }
  });
  return { path, snippets, spans, anchors, links };
}

/** A heading as text, from which its anchor is made. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}
