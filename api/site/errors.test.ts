import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";

const HTML = { headers: { Accept: "text/html" } };
const MARKDOWN = { headers: { Accept: "text/markdown" } };

describe("a missing page", async () => {
  const ask = asking(await appIn());

  it("has a search with the words of the address, and what was probably meant", async () => {
    const { status, text } = await ask("/knowledge/risk", HTML);
    expect(status).toBe(404);
    const { document } = parseHTML(text);
    const form = document.querySelector("main form");
    expect([form?.getAttribute("method"), form?.getAttribute("action")]).toEqual(["get", "/knowledge"]);
    expect(form?.querySelector("input")?.getAttribute("value")).toBe("risk");
    expect(document.querySelector("#guess a")?.getAttribute("href")).toBe("/knowledge/risks");
  });

  it("says the same in Markdown", async () => {
    const { status, text } = await ask("/knowledge/risk", MARKDOWN);
    expect(status).toBe(404);
    expect(text).toContain(
      "## Did you mean\n\n- [Risks: how you can lose money](https://raises.example/knowledge/risks)",
    );
    expect(text).toContain("https://raises.example/knowledge?q=words");
  });

  it("guesses nothing without a likely page, and takes any address for words", async () => {
    for (const path of ["/xyzzy", "/%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "/%E0%A4%A"]) {
      const { document } = parseHTML((await ask(path, HTML)).text);
      expect(document.querySelector("#guess")).toBeNull();
      expect(document.querySelector("main form")).not.toBeNull();
      expect(document.querySelectorAll("main script")).toHaveLength(0);
    }
  });

  it("is a problem for programs", async () => {
    const { status, text } = await ask("/knowledge/risk", { headers: { Accept: "application/json" } });
    expect([status, JSON.parse(text).code]).toEqual([404, "not_found"]);
  });
});

describe("a page before the first block", async () => {
  const ask = asking(await appIn({ snapshot: null }));

  it("says once what it waits for, and leads nowhere that waits too", async () => {
    const { status, text } = await ask("/", HTML);
    expect(status).toBe(503);
    const { document } = parseHTML(text);
    const words = document.body.textContent;
    expect(words.split("any blocks yet")).toHaveLength(2);
    expect(words).not.toContain("The service has just started");
    const targets = [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    expect(targets).toEqual(["/knowledge", "/system"]);
    for (const path of ["/knowledge", "/system"]) expect((await ask(path, HTML)).status).toBe(200);
  });
});

describe("every page", async () => {
  const ask = asking(await appIn());

  it("has the link to llms.txt behind its content, and only there", async () => {
    const { document } = parseHTML((await ask("/", HTML)).text);
    const links = [...document.querySelectorAll('body a[href="/llms.txt"]')];
    expect(links.map((link) => link.closest("footer")?.className)).toEqual(["site-footer"]);
    expect(document.querySelector('link[rel="describedby"][href$="/llms.txt"]')).not.toBeNull();
  });
});
