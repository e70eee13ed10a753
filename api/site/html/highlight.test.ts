/** Code in colours: nothing of its text is lost, and its parts are what they are taken for. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./highlight.ts";

const LANGUAGES = ["json", "bash", "sh", "ts", "python", "graphql", "text", "unknown"];

/** The coloured parts, as `kind text`. */
const coloured = (language: string, text: string) =>
  tokensOf(language, text).flatMap(({ kind, text }) => (kind === null ? [] : [`${kind} ${text}`]));

describe("code in colours", () => {
  it("says what it said, whatever it is", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string({ unit: fc.constantFrom(...`"'\\\`#$-:{}\n a1`) }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), text, (language, text) => {
        const tokens = tokensOf(language, text);
        expect(tokens.map((token) => token.text).join("")).toBe(text);
      }),
    );
  });

  it("has the keys, values and words of JSON", () => {
    expect(coloured("json", '{ "a\\"b": "x: y", "n": -1.5e3, "t": [true, null] }')).toEqual([
      'key "a\\"b"',
      'string "x: y"',
      'key "n"',
      "number -1.5e3",
      'key "t"',
      "word true",
      "word null",
    ]);
  });

  it("has the words, options and quotes of a shell", () => {
    expect(coloured("bash", "curl -s 'https://a.example/#x' --max-time 3 # a note")).toEqual([
      "word curl",
      "key -s",
      "string 'https://a.example/#x'",
      "key --max-time",
      "comment # a note",
    ]);
  });

  it("has the words and texts of programs", () => {
    expect(coloured("ts", 'const of = await get("/a", { limit: 5 });')).toEqual([
      "word const",
      "word of",
      "word await",
      'string "/a"',
      "key limit",
      "number 5",
    ]);
    expect(coloured("python", 'with get("x", data=body) as one: # all\n  print(r"""a\nb""")')).toEqual([
      "word with",
      'string "x"',
      "key data",
      "word as",
      "comment # all",
      "word print",
      'string r"""a\nb"""',
    ]);
    expect(coloured("graphql", "query Q($n: Int) { a(first: 3) }")).toEqual([
      "word query",
      "word $n",
      "key first",
      "number 3",
    ]);
  });

  it("leaves any other text as it is", () => {
    expect(coloured("text", 'curl "x" 1')).toEqual([]);
  });
});
