/**
 * Whether a visitor finds the answer, in two sets of sixty questions.
 *
 * The blind set (`blind-questions.json`) was written by a person who had not read the pages, with what a right answer has
 * to tell. Then each question got the sections and views that tell all of it. 28 had none: the pages were completed, and
 * the set is not blind to them any more. The first answer was right for 17 of the 60 before that, for 34 with the
 * completed pages and the old search.
 *
 * The other set (`backer-questions.json`) was written with a review of the pages, and their names, in mind.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loadKnowledge } from "../../api/knowledge/load.ts";
import { createSearch, type Hit } from "../../api/knowledge/search.ts";
import { business, marketOf } from "../harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../harness/rows.ts";
import { SITE } from "../harness/snapshot.ts";

const QUESTIONS = z.array(
  z.strictObject({
    question: z.string().min(1),
    /** the answer, in words */
    expects: z.string().min(1),
    /** `slug` or `slug#anchor`; several where all are right */
    sections: z.array(z.string()).optional(),
    /** the paths of pages that answer it with live figures, such as a view of the board */
    views: z.array(z.string()).optional(),
  }),
);

const SETS = ["backer-questions.json", "blind-questions.json"].map((name) => ({
  name,
  questions: QUESTIONS.parse(JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"))),
}));
const knowledge = await loadKnowledge(join(import.meta.dirname, "../../knowledge"), SITE.publicUrl);
const { search } = createSearch(knowledge, SITE);

/** Open with and without a closing time, on time, late, in default, ended with a loss; the last business is Kenyan. */
const market = marketOf(
  [
    listingRow({ onchainId: 1n, closeAt: NOW + 9n * DAY, goLiveAt: NOW - DAY }),
    listingRow({ onchainId: 2n, closeAt: NOW + 2n * DAY, goLiveAt: NOW - DAY }),
    listingRow({ onchainId: 3n, closeAt: null, goLiveAt: NOW - DAY }),
    listingRow({ onchainId: 4n, ...DRAWN }),
    listingRow({ onchainId: 5n, ...DRAWN, maturityAt: NOW - 20n * DAY }),
    listingRow({ onchainId: 6n, ...DRAWN, maturityAt: NOW - 120n * DAY }),
    listingRow({ onchainId: 7n, ...DRAWN, terminalKind: "settled", writtenOffPrincipal: 500n * DOLLAR }),
  ],
  [1, 2, 3, 4, 5, 6, 7].map((id) =>
    entryDraft({
      onchainId: `${id}`,
      title: `Raise ${["", "one", "two", "three", "four", "five", "six", "seven"][id]}`,
      ...(id === 4 && { originator: "org_nakuru" }),
    }),
  ),
  [
    business(),
    business({ publicId: "org_nakuru", legalName: "Nakuru Dairy", jurisdiction: "KE", addresses: [] }),
  ],
);

const inShort = ({ url }: Hit) => url.replace(`${SITE.publicUrl}/knowledge/`, "").replace(SITE.publicUrl, "");

describe("a visitor's question", () => {
  it.each(SETS)("of $name is one of sixty, each with sections that exist or a live view", ({ questions }) => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(60);
    const known = knowledge.pages.flatMap(({ slug, sections }) =>
      sections.map(({ anchor }) => (anchor === "" ? slug : `${slug}#${anchor}`)),
    );
    for (const { sections = [], views = [] } of questions) {
      expect(known).toEqual(expect.arrayContaining(sections));
      expect(sections.length > 0).toBe(views.length === 0);
    }
  });

  it.each(["rated", "how do I get a business rated", "rating"])(
    "about %s is answered by the grades",
    (question) => {
      expect(search(question, 1, market).map(inShort)[0]).toMatch(/^grades\b/);
    },
  );

  it.each(SETS)("of $name has the right answer first in 85% of all", ({ questions }) => {
    const misses = questions.flatMap(({ question, sections = [], views = [] }) => {
      const found = search(question, 3, market).map(inShort);
      const right = [...sections, ...views];
      const isRight = right.includes(found[0] ?? "");
      return isRight ? [] : [`${question}\n    found ${found.join(", ")}\n    not   ${right.join(", ")}`];
    });
    const share = 1 - misses.length / questions.length;
    expect(share, `\n${misses.join("\n")}`).toBeGreaterThanOrEqual(0.85);
  });
});
