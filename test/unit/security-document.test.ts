/** docs/security.md against the repository: every file that it names is there, and every test in its file. */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const text = readFileSync(new URL("docs/security.md", root), "utf8");
/** A reference may go on in the next line. */
const flat = text.replaceAll(/\s*\n(?!\n|\||#)/g, " ");

const FILE = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs)|dependencies\.ts|THIRD-PARTY\.md)`/g;
const TESTS = /`([\w./-]+\.test\.ts)`((?:,? "[^"]+")*)/g;

const files = [...flat.matchAll(FILE)].map(([, file = ""]) => file);
const tests = [...flat.matchAll(TESTS)].flatMap(([, file = "", names = ""]) => {
  const named = [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name }));
  return named.length > 0 ? named : [{ file, name: "" }];
});
/** The rows of the tables of threats. */
const threats = text
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter(
    ([, threat, , shown, ...rest]) => rest.length === 1 && threat !== "threat" && !/^-+$/.test(shown ?? ""),
  );

it("names files that are there", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

it("names tests that are in their files", () => {
  expect(tests.length).toBeGreaterThan(70);
  const missing = tests.filter(({ file, name }) => {
    if (name === "") return true;
    // With the quote before it: the name is that of a test, from its first letter on.
    return !readFileSync(new URL(file, root), "utf8").includes(`"${name}"`);
  });
  expect(missing).toEqual([]);
});

it("has a test for each threat", () => {
  expect(threats.length).toBeGreaterThan(40);
  expect(threats.filter(([, , , shown = ""]) => !/`[\w./-]+\.test\.ts` "/.test(shown))).toEqual([]);
});

it("says of each danger what is not defended", () => {
  const sections = text
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.includes("| threat"));
  expect(sections.length).toBe(11);
  // The table itself limits the rights of an anonymous reader.
  expect(sections.filter((section) => !section.includes("\nNot defended: "))).toHaveLength(1);
});
