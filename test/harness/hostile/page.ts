/** @module A page that says one text in every place of it, and texts that would break out of one. */
import fc from "fast-check";
import type { Block, Page } from "../../../api/site/page.ts";
import { code, link, text as textValue } from "../../../api/site/value.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { hostileText } from "./text.ts";

/** Text that ends an attribute, an element, a comment or a script, and text that parsers treat in a special way. */
const BREAKERS = [
  '"',
  "'",
  "`",
  "<",
  ">",
  "&",
  "</script>",
  "</SCRIPT ><script>hostile()</script>",
  "<!--",
  "--><script>",
  "]]>",
  "<![CDATA[",
  "</title><script>hostile()</script>",
  "</textarea>",
  "&lt;b&gt;&amp;&quot;&#39;&#x3c;",
  "&notanentity;",
  '" onmouseover="hostile()',
  "' style='color:red",
  "<svg onload=hostile()>",
  "javascript:hostile()",
  "a\u2028b\u2029c",
  "\u202Egpj.exe\u202C",
  "\u0000\u0001\u001b[31m",
  "\uFEFFbom",
  "{{constructor.constructor('hostile()')()}}",
  "$& $1 $$",
];
/** Texts that end what they stand in, if anything lets them. Well-formed: half a surrogate pair has no UTF-8 form. */
export const breakingText: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...BREAKERS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    hostileText,
    fc.string({ unit: fc.constantFrom(..."<>\"'&/=;!-x \n`"), maxLength: 30 }),
  )
  .map((one) => one.toWellFormed());

/** A page that says the text wherever a page says anything. */
export function pageSaying(said: string): Page {
  const table = {
    caption: said,
    columns: [
      { key: "a", label: said },
      { key: "b", label: said, align: "end" as const },
    ],
    rows: [{ key: "row", cells: [textValue(said), code(said)] }],
    empty: said,
  };
  const blocks: Block[] = [
    { kind: "paragraph", text: said },
    // As in the market's descriptions: without invisible characters.
    { kind: "quote", text: `.${stripControl(said, { keepLineFeeds: true })}` },
    { kind: "notice", tone: "error", word: "Problem:", text: said },
    { kind: "facts", look: "grid", facts: [{ key: "k", label: said, value: textValue(said), note: said }] },
    { kind: "facts", look: "list", facts: [{ key: "l", label: said, value: link(said, "/listings/lst_1") }] },
    { kind: "table", table },
    { kind: "table", table: { ...table, rows: [] } },
    { kind: "links", links: [{ text: said, href: "/originators", note: said }] },
    { kind: "action", link: { text: said, href: "https://app.example", note: said } },
    { kind: "snippet", snippet: { label: said, language: "text", text: said } },
    {
      kind: "progress",
      progress: { label: said, value: "1", max: "2", marks: [{ label: said, at: "1" }], text: said },
    },
    {
      kind: "form",
      form: {
        action: "/",
        label: said,
        submit: said,
        attributes: { tooldescription: said },
        reset: "/",
        fields: [
          {
            name: "q",
            label: said,
            description: said,
            value: said,
            attributes: { toolparamdescription: said },
          },
          { name: "s", label: said, description: said, value: said, options: [{ value: said, label: said }] },
        ],
      },
    },
  ];
  return {
    path: "/listings/lst_1",
    title: said,
    description: said,
    updated: "2026-03-01T12:00:00Z",
    crumbs: [{ title: said, path: "/" }],
    badges: [{ key: "badge", label: said, value: textValue(said) }],
    sections: [{ id: "all", title: said, blocks }],
    isLive: true,
    jsonLd: [{ "@context": "https://schema.org", "@type": "Organization", name: said }],
  };
}
