import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownPath } from "../http/links.ts";
import { isMarkdownPath } from "./paths.ts";

describe("an address", () => {
  it.each([
    ["/", false],
    ["/index.md", true],
    ["/md/index", true],
    ["/listings/lst_1", false],
    ["/listings/lst_1.md", true],
    ["/md/listings/lst_1", true],
    ["/knowledge.md", true],
    ["/md/", false],
    ["/md", false],
    ["/mdx", false],
    ["/listings/lst_md", false],
  ])("%s is one of Markdown: %s", (path, isMarkdown) => {
    expect(isMarkdownPath(path)).toBe(isMarkdown);
  });

  it("is never Markdown for a page, and always for its twins", () => {
    const paths = fc
      .array(fc.stringMatching(/^[\w-]{1,20}$/), { minLength: 0, maxLength: 2 })
      .map((steps) => `/${steps.join("/")}`)
      .filter((path) => !path.startsWith("/md"));
    fc.assert(
      fc.property(paths, (path) => {
        expect(isMarkdownPath(path)).toBe(false);
        expect(isMarkdownPath(markdownPath(path))).toBe(true);
        expect(isMarkdownPath(`${path}.md`)).toBe(true);
      }),
    );
  });
});
