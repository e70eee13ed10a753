/** The HTML of every page is valid and means what it says. */
import { type ConfigData, HtmlValidate, StaticConfigLoader } from "html-validate";
import { afterAll, expect, test } from "vitest";
import { CARDS, PAGES } from "./pages.ts";
import { openSite } from "./site.ts";

const RULES: ConfigData = {
  extends: ["html-validate:recommended", "html-validate:a11y"],
  rules: {
    // The layout of the source is JSX's own, and is not read.
    "doctype-style": "off",
    "void-style": "off",
    "attribute-boolean-style": "off",
    "no-trailing-whitespace": "off",
    // Third parties choose the titles of raises; each place that shows one cuts it where it must.
    "long-title": "off",
    // On a phone a table becomes cards, and with `display: block` its rows and cells would lose their roles.
    "no-redundant-role": "off",
    // Check boxes of one name are several values of one question.
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "button", "reset", "submit"] }],
  },
};

const site = await openSite();
afterAll(() => site[Symbol.asyncDispose]());

const validator = new HtmlValidate(new StaticConfigLoader({ root: true, ...RULES }));

async function findingsIn(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, selector }) => `${ruleId}: ${message} (${selector ?? ""}, line ${line})`,
    ),
  );
}

test("invalid HTML is found", async () => {
  const found = await findingsIn(
    `<!doctype html><html lang="en"><body><p><div>x</div></p><img src="x"></body></html>`,
  );
  expect(found.join("\n")).toMatch(/close-order|no-implicit-close/);
  expect(found.join("\n")).toMatch(/wcag\/h37|element-required-attributes/);
});

test.each([...PAGES, ...CARDS])("$name", async (page) => {
  const response = await fetch(site.urlOf(page), { headers: { Accept: "text/html" } });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await findingsIn(await response.text())).toEqual([]);
});
