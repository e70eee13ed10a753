import { expect, it } from "vitest";
import { readDocument } from "../../test/harness/documents/document.ts";
import { RECIPES, tablesSql } from "./recipes.ts";

it("are in the document word for word; test/integration/open-data.test.ts runs them", () => {
  const { snippets } = readDocument("docs/open-data.md");
  const found = snippets.filter(({ language }) => language === "sql").map(({ text }) => text.trim());
  expect(found).toEqual([tablesSql("https://raises.example/data/"), ...RECIPES.map(({ sql }) => sql)]);
});
