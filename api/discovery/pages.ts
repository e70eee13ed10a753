/**
 * The pages of the site as Markdown: the front page and the knowledge base. Interface document, "Discovery and
 * agent-facing files", rules 1 and 2.
 * @module
 */
import type { Knowledge, KnowledgePage } from "../knowledge/load.ts";
import { SERVER_TITLE } from "../mcp/server.ts";
import { TOOLS } from "../mcp/tools/index.ts";
import { linkHeader, linksOfPage, markdownPath, PATHS } from "./links.ts";
import { frontmatter, toolLines } from "./markdown.ts";
import { MARKDOWN_TYPE, type PublishedFile, textBody } from "./published.ts";

export type Page = {
  /** canonical, from the root */
  path: string;
  title: string;
  /** one sentence */
  description: string;
  /** YYYY-MM-DD */
  updated: string;
  /** what stands below the title; links are absolute */
  markdown: string;
};

/** All canonical pages, the front page first. */
export function pagesOf(knowledge: Knowledge, publicUrl: string): readonly Page[] {
  const pages = knowledge.pages.map((page) => ({ ...page, path: pathOf(page) }));
  const updated = pages.map((page) => page.updated).reduce((a, b) => (a > b ? a : b), "1970-01-01");
  return [
    { ...frontPage(publicUrl), updated },
    {
      path: PATHS.knowledge,
      title: "Knowledge base",
      description: "All pages that explain the market, its words and rules, and how to read it.",
      updated,
      markdown: pages.map(({ path, ...page }) => entry(publicUrl + path, page)).join("\n"),
    },
    ...pages,
  ];
}

/** A page at its canonical path, with `.md` behind it, and below `/md`. The last two are its Markdown for ever. */
export function filesOfPage(page: Page, publicUrl: string): PublishedFile[] {
  const { path } = page;
  const canonical = publicUrl + path;
  const body = textBody(MARKDOWN_TYPE, render(page, publicUrl));
  const links = linksOfPage(publicUrl, path);
  const twinLinks = [...links, { rel: "canonical", href: canonical }];
  // A search engine should list a page once.
  const twin = { Link: linkHeader(twinLinks), "X-Robots-Tag": "noindex" };
  return [
    { path, body, headers: { Link: linkHeader(links) } },
    { path: path === "/" ? "/index.md" : `${path}.md`, body, headers: twin },
    { path: markdownPath(path), body, headers: twin },
  ];
}

/** A page of the knowledge base as an item of a list. */
export function entry(url: string, { title, description }: Pick<KnowledgePage, "title" | "description">) {
  return `- [${title}](${url}): ${description}`;
}

export function pathOf({ slug }: KnowledgePage): string {
  return `${PATHS.knowledge}/${slug}`;
}

function render({ path, title, description, updated, markdown }: Page, publicUrl: string): string {
  return `${frontmatter({ title, description, canonical: publicUrl + path, last_updated: updated })}
# ${title}

> ${description} All pages in one file: [llms.txt](${publicUrl}${PATHS.llms})

${markdown}
`;
}

function frontPage(publicUrl: string): Omit<Page, "updated"> {
  const at = (path: string) => publicUrl + path;
  return {
    path: "/",
    title: SERVER_TITLE,
    description:
      "The open, read-only book of a fundraising marketplace: its raises, its businesses, its rules.",
    markdown: `Businesses borrow money for a fixed term in raises; backers lend it; escrow contracts hold it. This service
follows those contracts on a test network (chain 97) and shows what they say. No value here is real. Nothing needs
an account, a key or a payment, and nothing here can move money.

## Ask with tools

MCP over streamable HTTP, without authentication: \`POST ${at(PATHS.tools)}\`
([server card](${at(PATHS.serverCard)})).

${toolLines(TOOLS).join("\n")}

## Ask over HTTP

- [Raises](${at(PATHS.listings)}): every visible listing, and what the secondary desk does.
- [Businesses](${at("/v1/originators")}): each with its grade, the figures behind it and its raises.
- [Statistics](${at("/v1/stats")}) and [health](${at(PATHS.health)}) of the service.
- [OpenAPI](${at(PATHS.openApi)}) describes all of it; [the API catalog](${at(PATHS.apiCatalog)}) lists the interfaces.
- [GraphQL](${at(PATHS.graphql)}): several things in one question.

## Read

- [Knowledge base](${at(PATHS.knowledge)}): what the words mean and which rules hold.
- [How agents authenticate](${at(PATHS.auth)}): not at all.
- [Skills for agents](${at(PATHS.skills)}) and [the manifest of all of them](${at(PATHS.aiCatalog)}).

## To take part

Only a person can: every listing has an \`appUrl\`, the page on which its reader signs with their own wallet. An agent
reads the market, forms a recommendation, and hands over that link.`,
  };
}
