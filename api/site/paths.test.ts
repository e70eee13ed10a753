import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, SITE_PATHS } from "./paths.ts";

describe("an address", () => {
  it.each([
    ["/", "/", false],
    ["/index.md", "/", true],
    ["/md/index", "/", true],
    ["/listings/lst_1", "/listings/lst_1", false],
    ["/listings/lst_1.md", "/listings/lst_1", true],
    ["/md/listings/lst_1", "/listings/lst_1", true],
    ["/knowledge.md", "/knowledge", true],
    ["/md/", "/md/", false],
    ["/md", "/md", false],
    ["/mdx", "/mdx", false],
    // Twice is once too often: what is left is no page.
    ["/md/md/index", "/md/index", true],
    ["/md/listings/lst_1.md", "/listings/lst_1.md", true],
  ])("%s is that of %s", (pathname, path, isMarkdown) => {
    expect(addressOf(pathname)).toEqual({ path, isMarkdown });
  });

  it("of a page's Markdown leads back to the page", () => {
    const paths = fc
      .array(fc.stringMatching(/^[\w-]{1,20}$/), { minLength: 0, maxLength: 2 })
      .map((steps) => `/${steps.join("/")}`)
      .filter((path) => !path.startsWith("/md"));
    fc.assert(
      fc.property(paths, (path) => {
        expect(addressOf(path)).toEqual({ path, isMarkdown: false });
        expect(addressOf(SITE_PATHS.markdownOf(path))).toEqual({ path, isMarkdown: true });
        if (path !== "/") expect(addressOf(`${path}.md`)).toEqual({ path, isMarkdown: true });
      }),
    );
  });
});
