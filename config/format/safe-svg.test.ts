import { readFileSync } from "node:fs";
import { assert, property, string, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSvg } from "./safe-svg.ts";

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = "") =>
  `<svg ${NS} viewBox="0 0 32 16" ${attributes}>${content}</svg>`;
const SIZE = { width: 32, height: 16 };

function problemsOf(source: string): string {
  const checked = checkSvg(source);
  return "problems" in checked ? checked.problems.join("; ") : "none";
}

describe("checkSvg", () => {
  it("takes our own mark", () => {
    const mark = readFileSync(new URL("../../api/site/brand/mark.svg", import.meta.url), "utf8");
    expect(checkSvg(mark)).toEqual({ width: 32, height: 32 });
  });

  it.each([
    ["shapes", svg('<g><path d="M0 0h1"/><rect width="1" height="1"/></g>')],
    [
      "what stands before a drawing",
      `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg("")}\n`,
    ],
    ["a gradient of its own", svg('<linearGradient id="a"/><rect fill="url(#a)" stroke="url( \'#a\' )"/>')],
    [
      "a reference within",
      svg('<g id="a"/><use href="#a"/><use xlink:href="#a"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink"'),
    ],
    [
      "styles for light and dark",
      svg("<style>.a{fill:#111} @media (prefers-color-scheme: dark){.a{fill:#eee}}</style>"),
    ],
    ["a shadow", svg('<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><g filter="url(#f)"/>')],
    ["words with references", svg("<title>A &amp; B &lt;script&gt; &#x1F4D6;</title>")],
    ["words about a page", svg("<desc>see https://raises.example and url(x)</desc>")],
  ])("takes %s", (_, source) => {
    expect(checkSvg(source)).toEqual(SIZE);
  });

  it.each([
    ["<script>alert(1)</script>", "<script>"],
    ["<SCRIPT/>", "<SCRIPT>"],
    ['<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>', "<h:script>"],
    ["<foreignObject/>", "<foreignObject>"],
    ['<image href="data:image/png;base64,AA"/>', "<image>"],
    ['<feImage href="#a"/>', "<feImage>"],
    ['<a href="#x"/>', "<a>"],
    ['<animate attributeName="href"/>', "<animate>"],
    ['<set attributeName="onload" to="x"/>', "<set>"],
    ['<rect onclick="x()"/>', "event handler onclick"],
    ['<rect ONLOAD="x()"/>', "event handler ONLOAD"],
    ['<use href="https://evil.example/a.svg#b"/>', "outside of itself (href)"],
    ['<use href="/a.svg#b"/>', "outside of itself (href)"],
    ['<use href="&#106;avascript:x"/>', "outside of itself (href)"],
    ['<rect fill="url(https://evil.example/#a)"/>', "outside of itself (fill)"],
    ['<rect fill="u&#x72;l (//evil.example)"/>', "outside of itself (fill)"],
    ['<rect fill="\\75rl(//evil.example)"/>', "outside of itself (fill)"],
    ["<rect style=\"fill:url('x')\"/>", "outside of itself in a style"],
    ['<g xml:base="https://evil.example/"/>', "attribute xml:base"],
    ['<g inkscape:label="x"/>', "save it as plain SVG"],
    ['<g xmlns="http://www.w3.org/1999/xhtml"/>', "declares xmlns"],
    ['<g xmlns:x="http://www.w3.org/1999/xlink" x:href="https://evil.example"/>', "declares xmlns:x"],
    ["<style>@import 'https://evil.example/a.css';</style>", "not @media"],
    ["<style>@font-face{src:url(#a)}</style>", "not @media"],
    ["<style>a{background:url(https://evil.example)}</style>", "outside of itself in a style"],
    ["<style>a{background:u<!-- -->rl(https://evil.example)}</style>", "comment within its <style>"],
    [
      "<style>a{background:image-set('https://evil.example/a.png' 1x)}</style>",
      "outside of itself in a style",
    ],
    ["<style>a{background:ur\\6c(x)}</style>", "backslash"],
    ["<style>&#64;import 'x'</style>", "not @media"],
    ["<style><![CDATA[@import 'x']]></style>", "CDATA"],
    ["<style><g/></style>", "within its <style>"],
    ["<?xml-stylesheet href='https://evil.example/a.css'?>", "processing instruction"],
    ["&xxe;", "known reference"],
    ["&#xD800;", "does not allow"],
    ["&#0;", "does not allow"],
    ["\u0000", "does not allow"],
    ["<g", "not well-formed"],
    ["<g a=b/>", "not well-formed"],
    ['<g a="1" a="2"/>', "a twice"],
    ["<g>", "closes nothing"],
    ["</g>", "closes nothing"],
    ["]]>", "]]>"],
  ])("refuses %s", (content, expected) => {
    expect(problemsOf(svg(content))).toContain(expected);
  });

  it.each([
    ["", "no <svg> element"],
    ["words", "not an SVG document"],
    ['<html xmlns="http://www.w3.org/1999/xhtml"/>', "begins with <html>"],
    [`<!DOCTYPE svg [<!ENTITY x "<script/>">]>${svg("&x;")}`, "document type"],
    [`<?xml version="1.0" encoding="UTF-7"?>${svg("")}`, "XML 1.0 in UTF-8"],
    [`<?xml-stylesheet href="a.css"?>${svg("")}`, "processing instruction"],
    [svg("") + svg(""), "behind its <svg>"],
    [`${svg("")}words`, "not an SVG document"],
    [`<svg ${NS} viewBox="0 0 1 1">`, "not closed"],
    [`<svg viewBox="0 0 1 1"/>`, "does not say xmlns"],
    [`<svg ${NS}/>`, "no viewBox"],
    [`<svg ${NS} viewBox="0 0 0 1"/>`, "no viewBox"],
    [`<svg ${NS} viewBox="0 0 1 1 1"/>`, "no viewBox"],
  ])("refuses the file %s", (source, expected) => {
    expect(problemsOf(source)).toContain(expected);
  });

  it("says several problems at once", () => {
    expect(problemsOf(svg("<script/><image/><g onload='x'/>"))).toMatch(/<script>.*<image>.*onload/);
  });

  it("always ends, whatever it is given", () => {
    const parts = [
      "<svg",
      svg("<g"),
      "</svg>",
      "<!--",
      "-->",
      " a='",
      '"',
      ">",
      "/>",
      "<style>",
      "&#x41;",
      "]]>",
      " ",
    ];
    const end = property(string({ unit: "grapheme" }), subarray(parts, { maxLength: 8 }), (text, chosen) => {
      const checked = checkSvg(chosen.join(text));
      expect("width" in checked || checked.problems.length > 0).toBe(true);
    });
    assert(end, { numRuns: 500 });
    expect(problemsOf(svg(`<g ${"a ".repeat(40_000)}`))).toContain("not well-formed");
    expect(problemsOf(svg("<g>".repeat(30_000)))).toContain("closes nothing");
    expect(problemsOf(`<!--${"-".repeat(90_000)}`)).toContain("not well-formed");
  });
});
