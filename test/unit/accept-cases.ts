/** @module The type that each `Accept` header gets, at each kind of path. http.md, "Pages", negotiation. */
export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";
export const PROBLEM = "application/problem+json";
export const JSON_TYPE = "application/json";
const CSV = "text/csv; charset=utf-8; header=present";

type Case = {
  accept: string | undefined;
  /** of a page that is there; a 406 where the type is a problem's */
  page: typeof HTML | typeof MARKDOWN | typeof PROBLEM;
  /** of a page that is not: always 404 */
  missing: typeof HTML | typeof MARKDOWN | typeof PROBLEM;
  /** of the listings; a 406 where the type is a problem's */
  listings: typeof JSON_TYPE | typeof CSV | typeof PROBLEM;
};

/** In the order page, missing page, listings. */
const row = (
  accept: string | undefined,
  page: Case["page"],
  missing: Case["missing"],
  listings: Case["listings"],
): Case => ({ accept, page, missing, listings });

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

export const CASES: readonly Case[] = [
  // Nothing is asked for, or nothing that can be read.
  row(undefined, HTML, HTML, JSON_TYPE),
  row("", HTML, HTML, JSON_TYPE),
  row("*/*", HTML, HTML, JSON_TYPE),
  row("garbage", HTML, HTML, JSON_TYPE),
  row(", ,;", HTML, HTML, JSON_TYPE),
  // One of the two is preferred.
  row("text/html", HTML, HTML, PROBLEM),
  row(BROWSER, HTML, HTML, JSON_TYPE),
  row("text/markdown", MARKDOWN, MARKDOWN, PROBLEM),
  row("TEXT/Markdown", MARKDOWN, MARKDOWN, PROBLEM),
  row("text/markdown;variant=GFM", MARKDOWN, MARKDOWN, PROBLEM),
  row("text/markdown; charset=utf-8", MARKDOWN, MARKDOWN, PROBLEM),
  row("text/markdown, text/html;q=0.8", MARKDOWN, MARKDOWN, PROBLEM),
  row("text/markdown;q=0.5, text/html", HTML, HTML, PROBLEM),
  row("text/html;level=1, text/markdown;q=0.5", HTML, HTML, PROBLEM),
  // At a tie the one that is named first, else HTML.
  row("text/html, text/markdown", HTML, HTML, PROBLEM),
  row("text/markdown;q=0.9, text/html;q=0.9", MARKDOWN, MARKDOWN, PROBLEM),
  row("text/markdown, text/html, */*", MARKDOWN, MARKDOWN, JSON_TYPE),
  row("text/markdown, */*", MARKDOWN, MARKDOWN, JSON_TYPE),
  row("text/*", HTML, HTML, CSV),
  // The most specific range decides, and zero excludes.
  row("text/*;q=0.5, text/markdown;q=0.1", HTML, HTML, CSV),
  row("text/html;q=0, */*", MARKDOWN, MARKDOWN, JSON_TYPE),
  row("text/html;q=0,text/markdown", MARKDOWN, MARKDOWN, PROBLEM),
  row("*/*;q=0.1, text/markdown;q=0", HTML, HTML, JSON_TYPE),
  row("text/html, */*;q=0", HTML, HTML, PROBLEM),
  row("text/plain, */*;q=0.1", HTML, HTML, JSON_TYPE),
  row("text/markdown;q=2", MARKDOWN, MARKDOWN, PROBLEM),
  // JSON: a page has none, but a program that asks for it reads the problem of one that is not there.
  row("application/json", PROBLEM, PROBLEM, JSON_TYPE),
  row("application/problem+json", PROBLEM, PROBLEM, PROBLEM),
  row("application/*", PROBLEM, PROBLEM, JSON_TYPE),
  row("application/json, text/html;q=0.5", HTML, PROBLEM, JSON_TYPE),
  row("application/json, text/html", HTML, PROBLEM, JSON_TYPE),
  row("text/html, application/json", HTML, HTML, JSON_TYPE),
  row("application/json, */*;q=0.1", HTML, PROBLEM, JSON_TYPE),
  row("application/json;q=0.5, text/markdown", MARKDOWN, MARKDOWN, JSON_TYPE),
  row("application/json, text/plain, */*", HTML, PROBLEM, JSON_TYPE),
  // Nothing fits.
  row("text/markdown;q=0", PROBLEM, PROBLEM, PROBLEM),
  row("text/html;q=0, text/markdown;q=0", PROBLEM, PROBLEM, PROBLEM),
  row("*/*;q=0", PROBLEM, PROBLEM, PROBLEM),
  row("image/png", PROBLEM, PROBLEM, PROBLEM),
  row("text/event-stream", PROBLEM, PROBLEM, PROBLEM),
  row("application/xhtml+xml", PROBLEM, PROBLEM, PROBLEM),
  row("text/csv", PROBLEM, PROBLEM, CSV),
];
