import { lexer } from "marked";
import { beforeAll, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { appIn } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { recordedLog, SITE } from "../../test/harness/snapshot.ts";
import { markdownLinks } from "../../test/harness/web-links.ts";
import type { Knowledge, KnowledgePage } from "../knowledge/load.ts";
import { loadKnowledge } from "../knowledge/load.ts";
import { TOOLS } from "../mcp/catalog.ts";

/** The parts of the API reference, in alphabetical order. */
const REFERENCE = [
  "discovery",
  "graphql",
  "graphql-events",
  "graphql-types",
  "ledger",
  "listings",
  "originators",
  "pages",
  "proofs",
  "service",
  "stats",
  "tools",
];
const FOLDER = new URL("../../knowledge", import.meta.url).pathname;

let ask: Ask;
let knowledge: Knowledge;
beforeAll(async () => {
  ask = asking(await appIn());
  knowledge = await loadKnowledge(FOLDER, SITE.publicUrl);
});

/** The words of Markdown without spaces, marks of headings, and links to pages of the knowledge base. */
const words = (text: string) =>
  text.replace(/\[([^[\]]+)\]\([^()\s]*\/knowledge\/[^()\s]*\)/g, "$1").replace(/[#\s]+/g, " ");

describe("/llms.txt", () => {
  let text: string;
  beforeAll(async () => {
    text = (await ask("/llms.txt")).text;
  });

  it("has one heading of the first level, then a quote, then when to use it", () => {
    const tokens = lexer(text).filter(({ type }) => type !== "space");
    expect(tokens[0]).toMatchObject({ type: "heading", depth: 1 });
    expect(tokens[1]?.type).toBe("blockquote");
    expect(tokens[2]).toMatchObject({ type: "heading", depth: 2, text: "When to use this" });
    expect(tokens.filter((token) => token.type === "heading" && token.depth === 1)).toHaveLength(1);
  });

  const LONGEST_HOST = `${`${"a".repeat(59)}.`.repeat(4)}raises.example`.slice(-253);

  it.each(["raises.example", "raises.a-longer-name.example", `${"a".repeat(60)}.example`, LONGEST_HOST])(
    "is short enough to be read whole, and is whole, under the address %s",
    async (host) => {
      const publicUrl = `https://${host}`;
      const elsewhere = (await asking(await appIn({ publicUrl }))("/llms.txt")).text;
      expect(elsewhere.length).toBeLessThan(30_000);
      for (const { title, slug } of knowledge.pages) {
        expect(elsewhere).toContain(`\n## ${title}\n`);
        const links = markdownLinks(elsewhere).map((href) => new URL(href, `${publicUrl}/llms.txt`).href);
        expect(links).toContain(`${publicUrl}/knowledge/${slug}.md`);
      }
      expect(elsewhere).toMatch(/`POST (https:\/\/[^/]+)?\/v1\/mcp`/);
      expect(elsewhere).toContain(publicUrl);
    },
  );

  it("names the endpoint of the tools and each tool", () => {
    expect(text).toContain(`\`POST ${SITE.publicUrl}/v1/mcp\``);
    for (const { name } of TOOLS) expect(text).toMatch(new RegExp(`^- \`${name}\`: [A-Z].{20,}\\.$`, "m"));
  });

  it("lists every page, by its Markdown form", () => {
    expect(knowledge.pages.length).toBeGreaterThanOrEqual(13);
    for (const { slug, title } of knowledge.pages) {
      expect(text).toContain(`- [${title}](${SITE.publicUrl}/knowledge/${slug}.md)\n`);
    }
    const ofPages = markdownLinks(text).filter((href) => href.includes("/knowledge/"));
    expect(ofPages.filter((href) => !/\.md(#|$)/.test(href))).toEqual([]);
  });

  it("has the whole knowledge base in it, in its order", () => {
    let at = 0;
    for (const { title, markdown } of knowledge.pages) {
      const found = text.indexOf(`\n## ${title}\n`, at);
      expect(found, title).toBeGreaterThan(at);
      at = found;
      expect(words(text), title).toContain(words(markdown).trim());
    }
  });

  it("links to pages in its index alone: their text is in it", () => {
    const links = markdownLinks(text).filter((href) => href.includes("/knowledge/"));
    expect(links.toSorted()).toEqual(
      knowledge.pages.map(({ slug }) => `${SITE.publicUrl}/knowledge/${slug}.md`).toSorted(),
    );
    expect(text).toContain("The life of a raise has the steps.");
  });

  it("keeps code as it is: a line there that looks like a heading is not one", async () => {
    const page: KnowledgePage = {
      slug: "code",
      title: "Code",
      description: "A page with code.",
      updated: "2026-01-01",
      markdown: "Intro.\n\n## One\n\n```sh\n## not a heading\n```\n\n### Two\n\nText.",
      sections: [],
    };
    const overrides = { knowledge: { pages: [page], pageBySlug: new Map([[page.slug, page]]) } };
    const { text: short } = await asking(await appIn({ overrides }))("/llms.txt");
    expect(short).toContain(
      "## Code\n\nIntro.\n\n### One\n\n```sh\n## not a heading\n```\n\n#### Two\n\nText.\n",
    );
  });

  describe("of a larger knowledge base", () => {
    const pageOf = (at: number, length: number): KnowledgePage => ({
      slug: `page-${at}`,
      title: `Page ${at}`,
      description: `What page ${at} is about, in a sentence.`,
      updated: "2026-01-01",
      markdown: `${`p${at} `.repeat(length)}end of page ${at}`,
      sections: [],
    });
    const textOf = async (pages: readonly KnowledgePage[]) => {
      const { log, lines } = recordedLog();
      const pageBySlug = new Map(pages.map((page) => [page.slug, page]));
      const app = asking(await appIn({ overrides: { log, knowledge: { pages, pageBySlug } } }));
      const { status, text } = await app("/llms.txt");
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(30_000);
      const page = await app(`/knowledge/${pages[0]?.slug}.md`);
      const index = await app("/knowledge.md");
      return { text, lines, page: page.text, index: index.text };
    };
    const chapters = (text: string) => [...text.matchAll(/end of page (\d+)\n/g)].map(([, at]) => Number(at));
    const links = (text: string) => markdownLinks(text).filter((href) => /\/knowledge\/page-/.test(href));
    const PROMISE = "All pages of the knowledge base in one file";

    it("the index lists titles only; every page is still included", async () => {
      const pages = Array.from({ length: 60 }, (_, at) => pageOf(at, 90));
      const { text, lines, page } = await textOf(pages);
      expect(chapters(text)).toEqual(pages.map((_, at) => at));
      expect(links(text)).toHaveLength(60);
      expect(text).not.toContain("What page 1 is about");
      expect(page).toContain(PROMISE);
      expect(lines).toEqual([]);
    });

    it("then a page that does not fit is only linked", async () => {
      const sizes = [1_000, 20_000, 1_000, 4_000, 5_000, 100];
      const pages = sizes.map((size, at) => pageOf(at, size));
      const { text, lines, page, index } = await textOf(pages);
      expect(chapters(text)).toEqual([0, 2, 3, 5]);
      expect(links(text)).toHaveLength(6);
      expect(text).toContain(`(${SITE.publicUrl}/knowledge.md).`);
      for (const form of [page, index]) {
        expect(form).not.toContain(PROMISE);
        expect(form).toContain("/llms.txt)");
      }
      expect(lines.map(({ level }) => level)).toEqual(["info"]);
    });

    it("finally the index is cut and links to the list of all pages", async () => {
      const { text } = await textOf(Array.from({ length: 2_000 }, (_, at) => pageOf(at, 10)));
      expect(links(text).length).toBeGreaterThan(200);
      expect(text).toContain(`(${SITE.publicUrl}/knowledge.md).`);
    });
  });
});

describe("/auth.md", () => {
  it("has its name as its heading, then what each reader looks for", async () => {
    const { text } = await ask("/auth.md");
    const headings = lexer(text).flatMap((token) => (token.type === "heading" ? [token.text] : []));
    expect(headings).toEqual([
      "auth.md",
      "Audience",
      "Registration",
      "Methods",
      "Credentials",
      "Who signs",
      "Limits",
      "Errors",
      "Deliberately absent",
    ]);
    expect(text.length).toBeLessThan(5_000);
  });

  it("says that nothing is issued, that a person signs, and what is missing on purpose", async () => {
    const text = words((await ask("/auth.md")).text);
    expect(text).toContain("No credential is issued, needed or accepted");
    expect(text).toContain("Registration None");
    expect(text).toContain("Sign-In With Ethereum signature, made by a person in a browser");
    expect(text).toContain(
      "To a person, hand over the appUrl of the raise: there the person checks it and signs.",
    );
    for (const name of ["openid-configuration", "oauth-authorization-server", "oauth-protected-resource"]) {
      expect(text).toContain(`\`/.well-known/${name}\``);
    }
    for (const { name } of TOOLS) expect(text).toContain(`\`${name}\``);
  });
});

describe("a page as Markdown", () => {
  const MARKDOWN = { headers: { Accept: "text/markdown" } };

  it("says in its frontmatter what it is, and points to llms.txt at its top", async () => {
    for (const { slug, title, description, updated, markdown } of knowledge.pages) {
      const { text } = await ask(`/knowledge/${slug}`, MARKDOWN);
      const [, yaml = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      expect(parseDocument(yaml).toJS()).toEqual({
        title,
        description,
        canonical: `${SITE.publicUrl}/knowledge/${slug}`,
        last_updated: updated,
      });
      expect(body.startsWith(`\n# ${title}\n\n> ${description}`)).toBe(true);
      expect(body.slice(0, 600)).toContain(`(${SITE.publicUrl}/llms.txt)`);
      expect(body).toContain(`\n\n${markdown}\n`);
    }
  });

  it("quotes what YAML would read as something else", async () => {
    const page = {
      ...(knowledge.pages[0] as KnowledgePage),
      title: 'Yes: "no" # 1 - [x]',
      description: "null",
    };
    const overrides = { knowledge: { pages: [page], pageBySlug: new Map([[page.slug, page]]) } };
    const { text } = await asking(await appIn({ overrides }))(`/knowledge/${page.slug}`, MARKDOWN);
    const yaml = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
    expect(parseDocument(yaml).toJS()).toMatchObject({ title: page.title, description: "null" });
  });

  it("the index of the knowledge base has them all, the front page the ways in", async () => {
    const index = (await ask("/knowledge", MARKDOWN)).text;
    const front = (await ask("/", MARKDOWN)).text;
    const below = `${SITE.publicUrl}/knowledge/`;
    expect(markdownLinks(index).filter((href) => href.startsWith(below))).toEqual(
      knowledge.pages.map(({ slug }) => below + slug),
    );
    for (const path of ["/llms.txt", "/openapi.json", "/auth.md"]) {
      expect(markdownLinks(front)).toContain(SITE.publicUrl + path);
    }
    expect(front).toContain(`${SITE.publicUrl}/v1/mcp`);
  });
});

describe("what crawlers read", () => {
  it("both sitemaps have every canonical page once, with the day of its text", async () => {
    const xml = (await ask("/sitemap.xml")).text;
    const entries = [...xml.matchAll(/<url><loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod><\/url>/g)];
    const updated = new Map(entries.map(([, url = "", day = ""]) => [url, day]));
    const at = (path: string) => SITE.publicUrl + path;
    const { listings } = JSON.parse((await ask("/v1/listings")).text);
    const { originators } = JSON.parse((await ask("/v1/originators")).text);
    const ids = (items: { publicId: string }[]) => items.map(({ publicId }) => publicId);
    const paths = [
      ...[
        "/",
        "/originators",
        "/statistics",
        "/knowledge",
        "/developers",
        "/developers/limits",
        "/data",
        "/developers/reference",
        ...REFERENCE.map((part) => `/developers/reference/${part}`),
        "/developers/graphql",
        "/system",
      ],
      ...ids(listings).map((id) => `/listings/${id}`),
      ...ids(originators).map((id) => `/originators/${id}`),
      ...knowledge.pages.map(({ slug }) => `/knowledge/${slug}`),
    ];
    expect([...updated.keys()]).toEqual(paths.map(at).sort());
    for (const page of knowledge.pages) expect(updated.get(at(`/knowledge/${page.slug}`))).toBe(page.updated);
    expect(entries).toHaveLength(updated.size);
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n/);
    expect((await ask("/sitemap.txt")).text).toBe([...updated.keys(), ""].join("\n"));
  });

  it("robots.txt has one group, which lets everybody read, search and learn", async () => {
    const lines = (await ask("/robots.txt")).text.trim().split("\n");
    expect(lines).toEqual([
      "User-agent: *",
      "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
      "Allow: /",
      "",
      `Sitemap: ${SITE.publicUrl}/sitemap.xml`,
      `Sitemap: ${SITE.publicUrl}/sitemap.txt`,
      `Agentmap: ${SITE.publicUrl}/.well-known/ard.json`,
    ]);
  });
});
