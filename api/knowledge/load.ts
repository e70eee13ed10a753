/** @module The knowledge base, read and checked once. Operators edit it: all problems of all files are reported at once. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { quote, stripControl } from "../../config/format/untrusted-text.ts";
import { type Frontmatter, splitFrontmatter } from "./frontmatter.ts";
import { outlineOf, type PageOutline, type Section, sectionsOf, withAbsoluteLinks } from "./markdown.ts";

export type KnowledgePage = {
  slug: string;
  title: string;
  description: string;
  /** YYYY-MM-DD */
  updated: string;
  /** the heading over the page in the index */
  group?: string | undefined;
  /** without frontmatter; every link is absolute */
  markdown: string;
  sections: readonly Section[];
};

/** Pages in the order of their frontmatter. */
export type Knowledge = {
  pages: readonly KnowledgePage[];
  pageBySlug: ReadonlyMap<string, KnowledgePage>;
};

/** The knowledge base is invalid. Most problems begin with the name of a file. */
export class KnowledgeError extends Error {
  override readonly name = "KnowledgeError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["The knowledge base cannot be used:", ...problems.map((problem) => `- ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

/** Bytes; a larger file cannot be a page. */
const LARGEST_FILE = 1_000_000;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Root-relative links become absolute with `publicUrl` (no trailing slash). @throws {KnowledgeError} with every problem */
export async function loadKnowledge(folder: string, publicUrl: string): Promise<Knowledge> {
  const names = await namesIn(folder);
  const drafts = await Promise.all(
    names.map(async (name) => draftOf(name, await readText(join(folder, name)))),
  );
  const problems = [...drafts.flatMap(problemsOf), ...sharedProblems(drafts)];
  const pages = drafts
    .flatMap(({ frontmatter, ...draft }) => (frontmatter === null ? [] : { ...draft, frontmatter }))
    .toSorted((a, b) => a.frontmatter.order - b.frontmatter.order)
    .flatMap(({ name, slug, body, frontmatter }): KnowledgePage[] => {
      const { title, description, updated, group } = frontmatter;
      const markdown = withAbsoluteLinks(body, publicUrl);
      if (markdown !== null) {
        return [
          { slug, title, description, updated, group, markdown, sections: sectionsOf(markdown, title) },
        ];
      }
      problems.push(
        `${name}: has code that reads like a link next to a real one; write one of the two differently`,
      );
      return [];
    });
  if (problems.length > 0) throw new KnowledgeError(problems);
  return { pages, pageBySlug: new Map(pages.map((page) => [page.slug, page])) };
}

async function namesIn(folder: string): Promise<string[]> {
  let found: string[];
  try {
    found = await readdir(folder);
  } catch (error) {
    throw new KnowledgeError([`the folder ${quote(folder)} ${whyUnreadable(error)}`]);
  }
  // Editors' temporary files begin with a dot.
  const names = found.filter((name) => name.endsWith(".md") && !name.startsWith("."));
  if (names.length === 0) throw new KnowledgeError([`the folder ${quote(folder)} has no .md file`]);
  return names.toSorted();
}

type PageText = { text: string } | { problem: string };

async function readText(path: string): Promise<PageText> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST_FILE) return { problem: `is larger than ${LARGEST_FILE} bytes` };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    return text.trim() === "" ? { problem: "is empty" } : { text: text.replaceAll("\r\n", "\n") };
  } catch (error) {
    return { problem: error instanceof TypeError ? "is not UTF-8" : whyUnreadable(error) };
  }
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist";
  if (code === "ENOTDIR") return "is not a folder";
  return `cannot be read${typeof code === "string" ? ` (${code})` : ""}`;
}

type Draft = {
  name: string;
  slug: string;
  frontmatter: Frontmatter | null;
  body: string;
  outline: PageOutline;
  problems: readonly string[];
};

function draftOf(name: string, source: PageText): Draft {
  const slug = name.slice(0, -".md".length);
  const problems: string[] = [];
  if (!SLUG.test(slug)) {
    problems.push("has a bad name: a page is named with a-z, 0-9 and single hyphens, such as my-page.md");
  }
  if ("problem" in source) {
    const outline = { anchors: new Set<string>(), links: [], problems: [] };
    return { name, slug, frontmatter: null, body: "", outline, problems: [...problems, source.problem] };
  }
  problems.push(...characterProblems(source.text));
  const { frontmatter, body, problems: aboveBody } = splitFrontmatter(source.text);
  problems.push(...aboveBody);
  if (body === "") problems.push("has no text below its frontmatter");
  const outline = outlineOf(body);
  return { name, slug, frontmatter, body, outline, problems: [...problems, ...outline.problems] };
}

function characterProblems(text: string): string[] {
  return text.split("\n").flatMap((content, index) => {
    if (stripControl(content, { keepLineFeeds: false }) === content) return [];
    const tab = content.includes("\t") ? " (such as a tab)" : "";
    return `has a control or bidirectional character${tab} in line ${index + 1}: ${quote(content)}`;
  });
}

function problemsOf({ name, problems }: Draft): string[] {
  return problems.map((problem) => `${quote(name).slice(1, -1)}: ${problem}`);
}

/** Problems between files. */
function sharedProblems(drafts: readonly Draft[]): string[] {
  return [...drafts.flatMap((draft) => brokenLinks(draft, drafts)), ...repeatedOrders(drafts)];
}

function repeatedOrders(drafts: readonly Draft[]): string[] {
  const first = new Map<number, string>();
  return drafts.flatMap(({ name, frontmatter }) => {
    if (frontmatter === null) return [];
    const { order } = frontmatter;
    const before = first.get(order);
    if (before === undefined) first.set(order, name);
    return before === undefined ? [] : `${name}: frontmatter order ${order} is already that of ${before}`;
  });
}

function brokenLinks({ name, outline }: Draft, drafts: readonly Draft[]): string[] {
  return outline.links.flatMap((target) => {
    if (!target.startsWith("/")) return [];
    const [path = "", anchor] = target.split("#");
    const slug = /^(?:\/md)?\/knowledge\/(.*)$/.exec(path.split("?")[0] ?? "")?.[1];
    if (slug === undefined) return [];
    const page = drafts.find((draft) => draft.slug === slug);
    if (page === undefined)
      return `${name}: links to ${quote(target)}, but there is no ${quote(`${slug}.md`)}`;
    if (anchor === undefined || page.outline.anchors.has(anchor)) return [];
    const anchors = [...page.outline.anchors].map((one) => `#${one}`).join(", ") || "none";
    return `${name}: links to ${quote(target)}, but that page has no such anchor (it has ${anchors})`;
  });
}
