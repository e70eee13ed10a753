/** A recorded answer on the page: what is not shown is counted, and nothing else is changed. */
import { describe, expect, it } from "vitest";
import { answerOf } from "./operations.ts";

const json = (example: unknown, leftOut?: Record<string, number>) =>
  answerOf({ "application/json": { example, ...(leftOut && { "x-left-out": leftOut }) } });

describe("answerOf", () => {
  it("is the JSON of a short answer, to the letter", () => {
    const example = { a: [], c: [{ d: 'quote " and \\' }] };
    expect(json(example)).toEqual({
      label: "Response (application/json)",
      language: "json",
      text: JSON.stringify(example, null, 2),
    });
  });

  it("counts the items that the recording lacks, where they are missing", () => {
    const answer = json({ "a~b": { c: [1] } }, { "/a~b/c": 1_234 });
    expect(answer?.language).toBe("text");
    expect(answer?.text).toBe('{\n  "a~b": {\n    "c": [\n      1,\n      … 1,234 more\n    ]\n  }\n}');
  });

  it("counts the lines and the characters that it leaves out", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const shown = answerOf({ "text/plain": { example: lines.join("\n") } })?.text.split("\n") ?? [];
    expect(shown.at(-1)).toBe(`… ${100 - (shown.length - 1)} more lines`);
    const word = "x".repeat(1_000);
    const [, kept = "", more] =
      /^(x+)… ([\d,]+) more characters$/.exec(answerOf({ "text/csv": { example: word } })?.text ?? "") ?? [];
    expect(kept.length + Number(more)).toBe(1_000);
  });

  it("is null without an example", () => {
    expect(answerOf({ "text/html": {} })).toBeNull();
    expect(answerOf()).toBeNull();
  });
});
