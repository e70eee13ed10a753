/** @module The links in what a service says of itself, as a client reads them: by the standards, knowing nothing of the service. */
import { lexer, walkTokens } from "marked";

export type WebLink = { href: string; rel: string; type: string | undefined };

const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+="[^"]*")*)\s*(?:,|$)/y;
const PARAMETER = /([\w-]+)="([^"]*)"/g;

/** The links of a `Link` header, RFC 8288. Throws at what it cannot read. */
export function parseLinkHeader(header: string): WebLink[] {
  const links: WebLink[] = [];
  const text = header.trim();
  for (let at = 0; at < text.length; ) {
    LINK.lastIndex = at;
    const found = LINK.exec(text);
    if (found === null) throw new Error(`no link at "${text.slice(at)}"`);
    const [whole, href = "", rest = ""] = found;
    const parameters = new Map(
      [...rest.matchAll(PARAMETER)].map(([, name = "", value = ""]) => [name, value]),
    );
    for (const rel of (parameters.get("rel") ?? "").split(" ")) {
      links.push({ href, rel, type: parameters.get("type") });
    }
    at += whole.length;
    while (text[at] === " ") at++;
  }
  return links;
}

/** The targets of a Markdown text's links. */
export function markdownLinks(text: string): string[] {
  const targets: string[] = [];
  walkTokens(lexer(text), (token) => {
    if (token.type === "link") targets.push(token.href);
  });
  return targets;
}

/** Every text in a JSON document that is a URL and nothing else, with the `type` next to it. */
export function jsonLinks(value: unknown): { href: string; type: string | undefined }[] {
  if (value === null || typeof value !== "object") return [];
  const { type } = value as { type?: unknown };
  return Object.values(value).flatMap((item) => {
    if (typeof item !== "string") return jsonLinks(item);
    if (!/^https?:\/\/\S+$/.test(item)) return [];
    return [{ href: item, type: typeof type === "string" ? type : undefined }];
  });
}

/** `text/markdown` of `text/markdown; charset=utf-8`. */
export function essenceOf(type: string | null | undefined): string {
  return (type ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The links in the header of every page, in order; the Markdown of the page is its `alternate`. */
const RELATIONS = [
  "api-catalog",
  "service-desc",
  "service-desc",
  "service-doc",
  "service-doc",
  "service-meta",
  "describedby",
  "describedby",
  "alternate",
  "ai-catalog",
  "ard",
  "status",
  "sitemap",
  "sitemap",
];

/** Pages that have a feed and a calendar too. */
const FOLLOWED = /^\/$|^\/(listings|originators)\/./;

/** The relations of the links of a page, in order. @param path null for a page without an address */
export function relationsOf(path: string | null): readonly string[] {
  if (path === null) return RELATIONS.filter((rel) => rel !== "alternate");
  return RELATIONS.flatMap((rel) => (rel === "alternate" && FOLLOWED.test(path) ? [rel, rel, rel] : [rel]));
}
