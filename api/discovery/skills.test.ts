import { describe, expect, it } from "vitest";
import { SITE } from "../../test/harness/snapshot.ts";
import { loadKnowledge } from "../knowledge/load.ts";
import { termsOf } from "../knowledge/terms.ts";
import { publishSkills } from "./skills.ts";

const FOLDER = new URL("../../knowledge", import.meta.url).pathname;
const skills = publishSkills(await loadKnowledge(FOLDER, SITE.publicUrl), SITE);
/** Words that ask for something, and are no subject. */
const ASKING = new Set(
  termsOf("raisebook judge progress alone better ago past sentence pages difference part"),
);

describe.each(skills)("the skill $skill.name", ({ skill: { description, questions }, file }) => {
  it("has what its description and its questions name", () => {
    const text = new TextDecoder().decode(file.body.bytes).replace(/^---\n.*?\n---\n/s, "");
    const has = new Set(termsOf(text));
    const named = termsOf([description, ...questions].join(" "));
    expect(named.filter((term) => !has.has(term) && !ASKING.has(term))).toEqual([]);
    // The knowledge base has no list of what is missing.
    expect(description).not.toContain("does not tell");
  });
});
