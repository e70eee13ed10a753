/**
 * PROVISIONAL, so that the faces can be built: replaced by the real loader.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

export type Section = { anchor: string; heading: string; markdown: string; text: string };
export type KnowledgePage = {
  slug: string;
  title: string;
  description: string;
  updated: string;
  markdown: string;
  sections: readonly Section[];
};
export type Knowledge = {
  pages: readonly KnowledgePage[];
  pageBySlug: ReadonlyMap<string, KnowledgePage>;
};

export async function loadKnowledge(folder: string, publicUrl: string): Promise<Knowledge> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  const pages = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      const { title, description, order, updated } = parse(front);
      const markdown = body.trim().replaceAll("](/", `](${publicUrl}/`);
      const sections = markdown.split(/^## /m).map((part, index) => {
        const [heading = "", ...rest] = part.split("\n");
        const anchor = heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, "")
          .replace(/\s/g, "-");
        return index === 0
          ? { anchor: "", heading: title, markdown: part, text: part }
          : { anchor, heading, markdown: rest.join("\n"), text: rest.join("\n") };
      });
      return {
        slug: name.slice(0, -3),
        title,
        description,
        order,
        updated: String(updated),
        markdown,
        sections,
      };
    }),
  );
  pages.sort((a, b) => a.order - b.order);
  return { pages, pageBySlug: new Map(pages.map((page) => [page.slug, page])) };
}
