import { describe, expect, it } from "vitest";
import type { Explorer } from "../../config/url-values.ts";
import { siteDependenciesIn } from "../../test/harness/app.ts";
import { withExplorer } from "./explorer.ts";
import { ValueText } from "./html/value.tsx";
import { sectionMarkdown } from "./markdown/document.ts";
import type { Page } from "./page.ts";
import { systemPage } from "./system/index.ts";
import { addressCode, blockCode, code, shortCode, txCode, type Value } from "./value.ts";

const EXPLORER: Explorer = {
  tx: "https://scan.example/?q={tx}&a=(b)",
  address: "https://scan.example/address/{address}#code",
  block: null,
};
const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"cd".repeat(20)}`;

/** A page with the values in facts, a table, and badges. */
function pageOf(values: readonly Value[]): Page {
  const facts = values.map((value, index) => ({ key: `${index}`, label: "L", value }));
  const table = {
    caption: "C",
    columns: [{ key: "a", label: "A" }],
    rows: values.map((value, index) => ({ key: `${index}`, cells: [value] })),
    empty: "",
  };
  return {
    path: "/",
    title: "T",
    description: "D",
    updated: "2026-03-01",
    crumbs: [],
    badges: facts,
    sections: [
      {
        id: "s",
        title: "S",
        blocks: [
          { kind: "facts", look: "grid", facts },
          { kind: "table", table },
        ],
      },
    ],
    isLive: false,
  };
}

/** The links of a page's values, in order. */
function hrefsOf(page: Page): (string | undefined)[] {
  const [facts, table] = page.sections[0]?.blocks ?? [];
  const ofFacts = facts?.kind === "facts" ? facts.facts.map(({ value }) => value) : [];
  const ofTable = table?.kind === "table" ? table.table.rows.flatMap(({ cells }) => cells) : [];
  const ofBadges = (page.badges ?? []).map(({ value }) => value);
  return [...ofFacts, ...ofTable, ...ofBadges].map((value) => (value.kind === "code" ? value.href : "none"));
}

describe("withExplorer", () => {
  const values = [txCode(HASH), addressCode(ADDRESS), blockCode("12"), code("org_a"), shortCode("0x12")];

  it("leads to the explorer's pages, wherever the values stand, and nowhere without one", () => {
    const hrefs = [
      `https://scan.example/?q=${HASH}&a=(b)`,
      `https://scan.example/address/${ADDRESS}#code`,
      undefined,
      undefined,
      undefined,
    ];
    expect(hrefsOf(withExplorer(pageOf(values), EXPLORER))).toEqual([...hrefs, ...hrefs, ...hrefs]);
    const page = pageOf(values);
    expect(withExplorer(page, null)).toBe(page);
  });

  it("takes a value for no part of the URL", () => {
    const hostile = `../x"><script>?a#b&{tx}$&`;
    const [href] = hrefsOf(withExplorer(pageOf([txCode(hostile)]), EXPLORER));
    expect(href).toBe(`https://scan.example/?q=${encodeURIComponent(hostile)}&a=(b)`);
  });

  it("is said by both writers, and read out as what it is", () => {
    const page = withExplorer(pageOf([txCode(HASH)]), EXPLORER);
    const [section] = page.sections;
    const [fact] = page.badges ?? [];
    if (section === undefined || fact === undefined) throw new Error("the page is not whole");
    const html = String(ValueText({ value: fact.value }));
    expect(html).toContain(`<a href="https://scan.example/?q=${HASH}&amp;a=(b)" rel="noopener noreferrer">`);
    expect(html).toContain('<span aria-hidden="true"> ↗</span>');
    expect(html).toContain(" on the block explorer</span>");
    const link = `[\`${HASH}\`](https://scan.example/?q=${HASH}&a=%28b%29)`;
    expect(sectionMarkdown(section, "https://raises.example").split(link)).toHaveLength(3);
  });

  it("leaves everything but the links as it is, on a page with every kind of figure", async () => {
    const page = systemPage(await siteDependenciesIn());
    const linked = withExplorer(page, { ...EXPLORER, block: "https://scan.example/b/{block}" });
    const texts = (of: Page) => JSON.stringify(of, (name, value) => (name === "href" ? undefined : value));
    expect(JSON.stringify(linked)).toContain("https://scan.example/b/");
    expect(texts(linked)).toBe(texts(page));
  });
});
