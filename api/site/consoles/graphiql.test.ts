/**
 * The console for GraphQL: a page like the others at the endpoint's own address, which programs ask as ever.
 */
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { recordedLog } from "../../../test/harness/snapshot.ts";

const PATH = "/graphql";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const QUERY = "?query=%7B__typename%7D";

const ask = asking(await appIn());
const typeOf = async (path: string, accept: string) =>
  (await ask(path, { headers: { Accept: accept } })).headers.get("content-type");

let page: Awaited<ReturnType<typeof ask>>;
let document: Document;
let files: Map<string, string>;
beforeAll(async () => {
  page = await ask(PATH, { headers: { Accept: BROWSER } });
  document = parseHTML(page.text).document;
  const paths = [...document.querySelectorAll("script[src], link[rel=stylesheet]")]
    .map((element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "")
    .filter((path) => path.startsWith(`${PATH}/assets/`));
  files = new Map();
  for (const path of paths) files.set(path.replace(/.*\//, ""), (await ask(path)).text);
});

describe("the address of the endpoint", () => {
  it("is a page for a browser and for who takes Markdown, with a query in it too; for a program never", async () => {
    for (const path of [PATH, PATH + QUERY]) {
      expect(await typeOf(path, BROWSER)).toBe("text/html; charset=utf-8");
      expect(await typeOf(path, "text/markdown")).toBe("text/markdown; charset=utf-8");
    }
    for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5"]) {
      expect(await typeOf(PATH + QUERY, accept)).toBe("application/json");
    }
    expect(await typeOf(PATH, "*/*")).toBe("text/plain; charset=utf-8");
    const posted = await ask(PATH, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: BROWSER },
      body: '{"query":"{__typename}"}',
    });
    expect(posted.headers.get("content-type")).toBe("application/json");
  });

  it("says in both forms where the endpoint and the schema are", async () => {
    const markdown = await ask(`${PATH}.md`);
    expect(markdown.text).toBe((await ask(`/md${PATH}`)).text);
    for (const text of [markdown.text, document.querySelector("main")?.textContent ?? ""]) {
      expect(text).toContain("https://raises.example/graphql");
      expect(text).toContain("Accept: text/plain");
    }
    const { text } = await ask(PATH, { headers: { Accept: "text/plain" } });
    expect(text).toContain("type Query {");
  });

  it("with a slash at its end leads to the page, with its query", async () => {
    const { status, headers } = await ask(`${PATH}/${QUERY}`);
    expect([status, headers.get("location")]).toEqual([308, PATH + QUERY]);
  });
});

describe("the console", () => {
  it("is light: what it runs has addresses of its own", () => {
    expect(page.text.length).toBeLessThan(50_000);
    expect([...files.keys()]).toEqual([
      "graphiql-bundle.css",
      "graphiql.css",
      "graphiql-bundle.js",
      "graphiql.js",
    ]);
    for (const [name, text] of files) expect(text.length, name).toBeGreaterThan(100);
  });

  it("loads nothing from anywhere, and never evaluates text", () => {
    const styles = files.get("graphiql-bundle.css") ?? "";
    expect(styles).not.toMatch(/@import/);
    const urls = [...styles.matchAll(/url\(\s*["']?(.{5})/g)].map(([, start]) => start);
    expect(new Set(urls)).toEqual(new Set(["data:"]));
    expect(files.get("graphiql-bundle.js")).not.toMatch(/new Function\(|\beval\(/);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'sha256-[^' ]+';/);
    expect(policy).toContain("worker-src blob:");
    expect(policy).toContain("connect-src 'self'");
  });

  it("begins with a query that is answered", async () => {
    const query = /`([^`]+)`/.exec(files.get("graphiql.js") ?? "")?.[1] ?? "";
    const answer = await ask(PATH, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = JSON.parse(answer.text);
    expect(errors).toBeUndefined();
    expect(data.listings.nodes.length).toBeGreaterThan(0);
  });

  it("writes nothing into the log", async () => {
    const { log, lines } = recordedLog();
    await asking(await appIn({ overrides: { log } }))(PATH, { headers: { Accept: BROWSER } });
    expect(lines).toEqual([]);
  });
});
