import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

/** The library's answer, or that it throws. */
const answerOf = (write: (value: unknown) => string | undefined, value: unknown) => {
  try {
    return write(value) ?? "";
  } catch {
    return new Error("refused");
  }
};

it("is what the library gives, for whatever JSON has, and for what it has not", () => {
  const key = fc.oneof(
    fc.constantFrom(
      "publicId",
      "a",
      "aB",
      "b9",
      "$schema",
      "10",
      "9",
      "-1",
      "__proto__",
      "toJSON",
      "",
      "é",
      "𝒳",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }),
      fc.constantFrom<unknown>(
        null,
        true,
        0,
        -0,
        1e21,
        1e-7,
        0.1,
        2 ** 53,
        Number.NaN,
        Infinity,
        "\ud800",
        "\u2028",
      ),
      fc.double(),
      fc.constantFrom<unknown>(undefined, new Date(0), new Map(), Object.create(null), Symbol("a")),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      expect(answerOf(canonicalJson, one)).toEqual(answerOf(canonicalize, one));
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

it("has keys in the order of their code units, and nothing between tokens", () => {
  expect(canonicalJson({ b: 1, a: { d: [true, null, "é\n"], C: -0 } })).toBe(
    '{"a":{"C":0,"d":[true,null,"é\\n"]},"b":1}',
  );
});
