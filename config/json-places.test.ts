import fc from "fast-check";
import { expect, it } from "vitest";
import { RegistryError } from "../api/registry/error.ts";
import { parseRegistry } from "../test/harness/parsed-registry.ts";
import { createLocator } from "./json-places.ts";

/** The place of the first problem in a text. */
function placeIn(text: string) {
  try {
    parseRegistry(new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof RegistryError) return createLocator(text)(error.problems[0] ?? "");
    throw error;
  }
  throw new Error("the text is a registry");
}

const documentOf = (originators: number, listings: number) => ({
  originators: Array.from({ length: originators }, (_, index) => ({
    ...{ publicId: `org_${index}`, legalName: 'A\n"B"', jurisdiction: "SG", kybStatus: "approved" },
    addresses: [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`],
  })),
  listings: Array.from({ length: listings }, (_, index) => ({
    ...{ publicId: `lst_${index}`, originator: "org_0", escrowAddress: `0x${"c3".repeat(20)}` },
    ...{ onchainId: `${index + 1}`, title: "T", description: "D" },
  })),
});

/** A value that nothing else in the document is, and that is wrong wherever it stands. */
const WRONG = 987654321;

it("any value that is wrong is found where it stands, however the document is laid out", () => {
  const cases = fc.record({
    size: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
    list: fc.constantFrom("originators" as const, "listings" as const),
    at: fc.nat(),
    field: fc.nat(),
    indent: fc.constantFrom(undefined, 1, 2, "\t"),
  });
  fc.assert(
    fc.property(cases, ({ size, list, at, field, indent }) => {
      const document = documentOf(...size);
      const entries: Record<string, unknown>[] = document[list];
      const entry = entries[at % entries.length] ?? {};
      const names = Object.keys(entry);
      entry[names[field % names.length] ?? ""] = WRONG;
      const text = JSON.stringify(document, null, indent);
      const before = text.slice(0, text.indexOf(`${WRONG}`)).split("\n");
      expect(placeIn(text)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
    }),
    { numRuns: 300 },
  );
});

it.each([
  ["a field that is missing: its entry", '{"originators": [],\n  "listings": [\n  {}]}', 3, 3],
  ["a list that is missing: the document", "{}", 1, 1],
  [
    "the last one of a name, which is the one that counts",
    '{"originators": [], "originators": 1,\n"listings": []}',
    1,
    36,
  ],
  ["a syntax error", '{"originators": [],\n  "listings": [1 2]}', 2, 18],
  ["an end that comes too early", '{"originators": [\n', 2, 1],
  ["an empty document", "", 1, 1],
  ["a word", '{"originators": [],\n"listings": some}', 2, 13],
  ["a line feed in a string", '{"originators": "a\n"}', 1, 19],
])("%s", (_, text, line, column) => {
  expect(placeIn(text)).toEqual({ line, column });
});
