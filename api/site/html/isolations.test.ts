import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { withIsolations } from "./isolations.ts";

const FSI = "\u2068";
const PDI = "\u2069";

it("makes elements of isolations in texts, and leaves the characters where there can be no elements", () => {
  const html = `<title>${FSI}ב 1${PDI} – Site</title><h1 title="${FSI}ב 1${PDI}">${FSI}ב 1${PDI}</h1><option>${FSI}ב${PDI}</option>`;
  expect(withIsolations(html)).toBe(
    `<title>${FSI}ב 1${PDI} – Site</title><h1 title="${FSI}ב 1${PDI}"><bdi>ב 1</bdi></h1><option>${FSI}ב${PDI}</option>`,
  );
});

it("keeps marks within an isolation", () => {
  expect(withIsolations(`<p>In: ${FSI}ב <mark>1</mark>${PDI}</p>`)).toBe(
    "<p>In: <bdi>ב <mark>1</mark></bdi></p>",
  );
});

it("leaves programs the text alone", () => {
  expect(withIsolations(`<script>{"name":"${FSI}ב${PDI}"}</script><p>${FSI}ב${PDI}</p>`)).toBe(
    '<script>{"name":"ב"}</script><p><bdi>ב</bdi></p>',
  );
});

it("never writes an element that does not end in its place, whatever is in the texts", () => {
  const text = fc.string({
    unit: fc.constantFrom(FSI, PDI, "\u202E", "\u2067", "ב", "a", "&lt;", "\n"),
    maxLength: 12,
  });
  const property = fc.property(text, text, text, (a, b, c) => {
    const written = withIsolations(`<div><p title="${a}">${a}<b>${b}</b>${c}</p><i>${b}</i></div>`);
    expect(written).not.toMatch(/[\u202A-\u202E\u2066\u2067]/);
    expect(written.replaceAll(/<\/?bdi>|[\u2066-\u2069]/g, "")).toBe(
      `<div><p title="${a}">${a}<b>${b}</b>${c}</p><i>${b}</i></div>`.replaceAll(
        /[\u202A-\u202E\u2066-\u2069]/g,
        "",
      ),
    );
    const { document } = parseHTML(written);
    expect(document.querySelector("div")?.outerHTML.match(/<bdi>/g)?.length).toBe(
      written.match(/<bdi>/g)?.length,
    );
    expect(written).not.toMatch(/<bdi>[^<]*<(?!\/bdi>)/);
    // In an attribute each isolation that begins also ends.
    expect(/title="([^"]*)"/.exec(written)?.[1]?.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, "")).not.toMatch(
      /[\u2068\u2069]/,
    );
  });
  fc.assert(property, { numRuns: 300 });
});
