/**
 * A crawler that knows the standards and nothing of the service: it follows what HTML, Markdown, `Link` headers,
 * sitemaps, JSON documents, stylesheets and manifests link to, one request at a time, on one host.
 * @module
 */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { parseHTML } from "linkedom";
import { essenceOf, jsonLinks, markdownLinks, parseLinkHeader } from "./web-links.ts";

export type CrawledLink = {
  /** the address that it was found at */
  from: string;
  /** absolute, with its anchor */
  href: string;
  /** the media type that the link announces */
  type: string | undefined;
};

export type Visit = { url: string; status: number; type: string; headers: Headers; text: string };

export type Crawl = {
  /** by address, without an anchor */
  visits: ReadonlyMap<string, Visit>;
  /** to this host, all of them */
  links: readonly CrawledLink[];
};

/** Milliseconds without a byte after which a request counts as never answered. */
const PATIENCE = 30_000;

type Target = { href: string; type?: string | undefined };

/**
 * Follows links until there are no new ones. A query that was found at an address with a query is not followed: pages of
 * pages and filters of filters have no end.
 *
 * @param start absolute addresses; all on one host
 * @param except addresses that are left alone
 * @param most addresses after which it throws: the crawl has an end that the test knows
 */
export async function crawl(
  start: readonly string[],
  { most, except = () => false }: { most: number; except?(url: string): boolean },
): Promise<Crawl> {
  const origin = new URL(start[0] ?? "").origin;
  const visits = new Map<string, Visit>();
  const links: CrawledLink[] = [];
  const queue = [...start];
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (visits.has(url)) continue;
    if (visits.size >= most) throw new Error(`more than ${most} addresses, the last one ${url}`);
    const visit = await get(url);
    visits.set(url, visit);
    for (const { href, type } of targetsOf(visit)) {
      const target = new URL(href, url);
      if (target.origin !== origin) continue;
      links.push({ from: url, href: target.href, type: type?.includes("/") ? type : undefined });
      target.hash = "";
      const isEndless = target.search !== "" && new URL(url).search !== "";
      if (!isEndless && !except(target.href)) queue.push(target.href);
    }
  }
  return { visits, links };
}

/**
 * Accepts every type; a redirect is an answer like any other. Uses a new connection: the service may close a kept one while a test
 * computes.
 */
export async function get(url: string, accept = "*/*"): Promise<Visit> {
  const sent = request(url, { agent: false, timeout: PATIENCE, headers: { Accept: accept } });
  sent.on("timeout", () => sent.destroy(new Error(`no answer from ${url}`)));
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, `${value}`);
  const type = essenceOf(headers.get("content-type"));
  const visit = { url, status: response.statusCode ?? 0, headers, type };
  if (type !== "text/event-stream") return { ...visit, text: await text(response) };
  // It does not end by itself.
  response.destroy();
  return { ...visit, text: "" };
}

function targetsOf({ url, status, type, headers, text: body }: Visit): Target[] {
  const ofHeader = parseLinkHeader(headers.get("link") ?? "");
  return status === 200 ? [...ofHeader, ...targetsIn(type, url, body)] : ofHeader;
}

function targetsIn(type: string, url: string, body: string): Target[] {
  switch (type) {
    case "text/html":
      return targetsInHtml(body);
    case "text/markdown":
      return markdownLinks(body).map((href) => ({ href }));
    case "text/css":
      return [...body.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, href = ""]) => ({ href }));
    case "text/javascript":
      return [...body.matchAll(/(?:from|import)\s*\(?\s*["'](\.{0,2}\/[^"']+)["']/g)].map(
        ([, href = ""]) => ({
          href,
        }),
      );
    case "application/xml":
      return [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, href = ""]) => ({ href: unescapeXml(href) }));
    case "text/plain":
      return [...body.matchAll(/https?:\/\/[^\s<>"'`)]*[^\s<>"'`).,;:]/g)].map(([href]) => ({ href }));
    case "application/manifest+json":
      return targetsInManifest(JSON.parse(body));
    default:
      return type.endsWith("json") ? targetsInJson(url, JSON.parse(body)) : [];
  }
}

function targetsInHtml(html: string): Target[] {
  const { document } = parseHTML(html);
  const of = (selector: string, attribute: string): Target[] =>
    [...document.querySelectorAll(selector)].map((element) => ({
      href: element.getAttribute(attribute) ?? "",
      type: element.getAttribute("type") ?? undefined,
    }));
  // Only the action of a form: the reader fills in its fields.
  const forms = [...document.querySelectorAll("form")]
    .filter((form) => (form.getAttribute("method") ?? "get").toLowerCase() === "get")
    .map((form) => ({ href: form.getAttribute("action") ?? "" }));
  const data = [...document.querySelectorAll('script[type="application/ld+json"]')]
    .flatMap((script) => jsonLinks(JSON.parse(script.textContent ?? "null")))
    // The name of a thing, which is no place.
    .filter(({ href }) => !href.includes("#"))
    .map(({ href }) => ({ href }));
  const scripts = of("script[src]", "src").map(({ href }) => ({ href, type: "text/javascript" }));
  const images = [...of("img[src]", "src"), ...of("iframe[src]", "src"), ...of("source[src]", "src")];
  return [
    ...of("a[href]", "href"),
    ...of("link[href]", "href"),
    ...scripts,
    ...images,
    ...forms,
    ...data,
  ].filter(({ href }) => !/^(mailto|tel|data|javascript):/.test(href));
}

type Manifest = { start_url?: string; icons?: { src: string; type?: string }[] };

function targetsInManifest({ start_url: start, icons = [] }: Manifest): Target[] {
  return [
    ...(start === undefined ? [] : [{ href: start }]),
    ...icons.map(({ src, type }) => ({ href: src, type })),
  ];
}

type Operation = { servers?: { url: string }[]; parameters?: { required?: boolean }[] };
type Description = {
  openapi?: string;
  servers: { url: string }[];
  paths: Record<string, { get?: Operation }>;
};

/** The requests of an API description that need no values. Its examples belong to another service. */
function targetsInJson(url: string, document: unknown): Target[] {
  const { openapi, servers, paths } = document as Description;
  if (openapi === undefined) return jsonLinks(document);
  return Object.entries(paths).flatMap(([path, { get: operation }]) => {
    const isAskable =
      operation !== undefined && !path.includes("{") && !operation.parameters?.some((one) => one.required);
    if (!isAskable) return [];
    const base = operation.servers?.[0]?.url ?? servers[0]?.url ?? "";
    return [{ href: new URL(base.replace(/\/$/, "") + path, url).href }];
  });
}

function unescapeXml(escaped: string): string {
  return escaped
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
