/**
 * The console: one page that loads nothing, under a policy that allows it alone.
 */
import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { askingOf, graphqlOf } from "./asking.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const FIRST_QUERY_OPTION = '"title":"Raisebook GraphiQL","query":';

let page: string;
let headers: Headers;
let app: Awaited<ReturnType<typeof graphqlOf>>;
const open = (path: string, given: Record<string, string> = {}) =>
  app.request(path, { headers: { Accept: BROWSER, ...given } });

beforeAll(async () => {
  app = await graphqlOf();
  const answer = await open("/", { "Accept-Encoding": "br" });
  headers = answer.headers;
  page = brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString();
}, 60_000);

describe("the console", () => {
  it("is what a browser gets, with a query in its address too; a program never does", async () => {
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("vary")).toContain("Accept");
    expect(page).toContain("<title>Raisebook GraphiQL</title>");
    expect((await open("/", { "If-None-Match": headers.get("etag") ?? "" })).status).toBe(304);
    const typed = await open("/?query=%7B__typename%7D");
    expect([typed.status, typed.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    // Nothing that hides the query of the address.
    expect(await typed.text()).not.toContain(FIRST_QUERY_OPTION);
    for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5"]) {
      const answer = await open("/?query=%7B__typename%7D", { Accept: accept });
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  it("loads nothing from anywhere", () => {
    const markup = page.replace(/<script>[\s\S]*<\/script>/, "").replace(/<style>[\s\S]*<\/style>/, "");
    expect(markup).not.toMatch(/https?:|src=/);
    expect([...markup.matchAll(/href="(.{5})/g)].map(([, start]) => start)).toEqual(["data:"]);
    const styles = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(styles.length).toBeGreaterThan(1000);
    expect(styles).not.toMatch(/@import/);
    const urls = [...styles.matchAll(/url\(\s*["']?(.{5})/g)].map(([, start]) => start);
    expect(new Set(urls)).toEqual(new Set(["data:"]));
  });

  it("runs its own script and no other, and never evaluates text", () => {
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources.join(" ")];
      }),
    );
    expect(page.match(/<script>/g)?.length).toBe(2);
    const start = page.indexOf("<script>") + "<script>".length;
    const script = page.slice(start, page.lastIndexOf("</script>"));
    // One element for a parser of HTML: the second opening stands in a text of the script, and nothing closes it early.
    expect(script).not.toMatch(/<\/script/i);
    expect(script.search(/<script/)).toBeLessThan(script.search(/<!--/));
    // A parser would make one line feed of it, and the hash would be of another text.
    expect(script).not.toMatch(/[\r\0]/);
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policy.get("script-src")).toBe(`'sha256-${hash}'`);
    expect(script).not.toMatch(/new Function\(|\beval\(/);
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("connect-src")).toBe("'self'");
    expect(policy.get("worker-src")).toBe("blob:");
    expect(
      [...policy].filter(([, sources]) => sources.includes("unsafe-inline")).map(([name]) => name),
    ).toEqual(["style-src"]);
    expect([...policy].filter(([, sources]) => /unsafe-eval|https?:|\*/.test(sources))).toEqual([]);
  });

  it("keeps its policy in the whole app, whose other answers have a stricter one", async () => {
    const whole = await appIn();
    const policyOf = async (path: string) =>
      (await whole.request(path, { headers: { Accept: BROWSER } })).headers.get("content-security-policy");
    expect(await policyOf("/graphql")).toBe(headers.get("content-security-policy"));
    expect(await policyOf("/v1/stats")).not.toContain("script-src");
  });

  it("begins with a query that is answered", async () => {
    const options = new RegExp(`${FIRST_QUERY_OPTION}("(?:[^"\\\\]|\\\\.)*")`).exec(page)?.[1];
    const query: string = JSON.parse(options ?? '""');
    const { data, errors } = await askingOf(app)(query);
    expect(errors).toBeUndefined();
    expect(data.listings.nodes.length).toBeGreaterThan(0);
  });
});
