import { describe, expect, it } from "vitest";
import { rollFrom } from "../../test/harness/ledger-story.ts";
import { createEntryScanner } from "./entry-scanner.ts";

/** The entries, in parts of so many bytes; what is around them as text. */
function scan(document: string, step = document.length || 1) {
  const entries: [string, string][] = [];
  const repeated: string[] = [];
  const scanner = createEntryScanner({
    onEntry: (list, bytes) => entries.push([list, Buffer.from(bytes).toString()]),
    onRepeated: (list) => repeated.push(list),
  });
  const bytes = Buffer.from(document);
  for (let start = 0; start < bytes.length; start += step) scanner.write(bytes.subarray(start, start + step));
  return { entries, repeated, around: scanner.end().toString() };
}

describe("the entries of a document", () => {
  it("are found as they are written, with a number in place of each", () => {
    const { entries, around } = scan(
      `{"$schema":"[\\"{","listings": [ {"a":[1,{"b":"]}"}]} ,\n"text\\\\", 12 ,null],"originators":[[]],"x":[{}]}`,
    );
    expect(entries).toEqual([
      ["listings", `{"a":[1,{"b":"]}"}]}`],
      ["listings", `"text\\\\"`],
      ["listings", "12"],
      ["listings", "null"],
      ["originators", "[]"],
    ]);
    expect(around).toBe(`{"$schema":"[\\"{","listings": [ 0 ,\n0, 0 ,0],"originators":[0],"x":[{}]}`);
  });

  it("are the same however the bytes are cut", () => {
    const document = `{"revision":3,"listings":[{"title":"é \\" \\\\","n":-1.5e3}, true],"originators":[{"a":{}}]}`;
    const whole = scan(document);
    for (let step = 1; step < 40; step++) expect(scan(document, step)).toEqual(whole);
  });

  it("are only those of the two lists of the document", () => {
    for (const document of [
      `["listings",[{}]]`,
      `{"a":{"listings":[{}]}}`,
      `{"a":"listings","b":[{}]}`,
      `{"listings":{"a":[{}]}}`,
      `{"list\\u0069ngs":[{}]}`,
      `[[{}]]`,
      `"listings"`,
      "",
    ])
      expect(scan(document)).toEqual({ entries: [], repeated: [], around: document });
  });

  it("say when a list begins again", () => {
    expect(scan(`{"listings":[],"listings":[1]}`).repeated).toEqual(["listings"]);
  });

  it("leave nothing out: with them put back, the document is the same", () => {
    const roll = rollFrom(7);
    const alphabet = [...'{}[]",:\\ 01ae', '"listings":[', '"originators":[', "\n"];
    for (let run = 0; run < 5_000; run++) {
      const document = Array.from({ length: 1 + roll(40) }, () => alphabet[roll(alphabet.length)]).join("");
      const { entries, around } = scan(document, 1 + roll(9));
      const isJson = (text: string) => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      };
      const isAccepted = isJson(around) && entries.every(([, entry]) => isJson(entry));
      expect(isAccepted, document).toBe(isJson(document));
    }
  });
});
