/**
 * Whether newcomers and visitors find the section that answers them. The questions were written before the search was tuned; those
 * that are held out were never tuned for.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Hit } from "../../api/knowledge/hit.ts";
import { loadKnowledge } from "../../api/knowledge/load.ts";
import { createSearch } from "../../api/knowledge/search.ts";
import type { Market } from "../../api/market/market.ts";
import { business, marketOf } from "../harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../harness/rows.ts";
import { SITE } from "../harness/snapshot.ts";

const QUESTIONS = z.array(
  z.strictObject({
    question: z.string().min(1),
    heldOut: z.boolean(),
    /** `slug` (what stands before the first heading) or `slug#anchor`; several where all are right */
    expect: z.array(z.string()).min(1),
  }),
);
type Question = z.infer<typeof QUESTIONS>[number];

const jsonIn = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
const questions = QUESTIONS.parse(jsonIn("knowledge-questions.json"));
/** Questions of a person who had read the interface document alone, and none of the pages. */
const second = QUESTIONS.parse(jsonIn("knowledge-questions-second.json"));

/** Questions of visitors, whose answer may also be a view with live figures. */
const VISITORS_QUESTIONS = z.array(
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
/**
 * The blind set was written by a person who had not read the pages, with what a right answer has to tell. Then each question got the
 * sections and views that tell all of it. 28 had none: the pages were completed, and the set is not blind to them any more. The first
 * answer was right for 17 of the 60 before that, for 34 with the completed pages and the old search. The other set was written with a
 * review of the pages, and their names, in mind.
 */
const VISITORS_SETS = ["backer-questions.json", "blind-questions.json"].map((name) => ({
  name,
  questions: VISITORS_QUESTIONS.parse(jsonIn(name)),
}));

const knowledge = await loadKnowledge(join(import.meta.dirname, "../../knowledge"), SITE.publicUrl);
const { search } = createSearch(knowledge, SITE);
/** A page of the knowledge base by its slug, another by its path. */
const inShort = ({ url }: Hit) => url.replace(`${SITE.publicUrl}/knowledge/`, "").replace(SITE.publicUrl, "");
const sections = knowledge.pages.flatMap(({ slug, sections }) =>
  sections.map(({ anchor }) => (anchor === "" ? slug : `${slug}#${anchor}`)),
);

/** Places, from 1, of the first right answer; null when it is not among the first three. */
function judge(asked: readonly Question[], market: Market | null) {
  const answers = asked.map((question) => {
    const found = search(question.question, 3, market).map(inShort);
    const place = found.findIndex((one) => question.expect.includes(one)) + 1;
    return { question, found, place: place === 0 ? null : place };
  });
  const misses = answers
    .filter(({ place }) => place !== 1)
    .map(
      ({ question, found, place }) =>
        `${place ?? "-"} ${question.question}\n    found ${found.join(", ") || "nothing"}\n    not   ${question.expect.join(", ")}`,
    );
  const rateOf = (right: typeof answers) => right.length / answers.length;
  return {
    first: rateOf(answers.filter(({ place }) => place === 1)),
    inThree: rateOf(answers.filter(({ place }) => place !== null)),
    misses: `\n${misses.join("\n")}`,
  };
}

/** Raises and a business that are named after what newcomers ask for. */
function noisyMarket(): Market {
  const titles = [
    "Refund guaranteed, get your money back",
    "Grade A raise, not NR",
    "What does the reserve cover? Everything!",
    "Sell before maturity on the secondary market",
    "Real money, no test network, no fees",
    "Safe blockchain for bakers: no API key, no login",
  ];
  const ids = titles.map((_, index) => index + 1);
  return marketOf(
    ids.map((id) => listingRow({ onchainId: BigInt(id) })),
    ids.map((id) =>
      entryDraft({ onchainId: `${id}`, title: titles[id - 1] ?? "", description: titles.join(". ") }),
    ),
    [business({ legalName: "Interest and Coupon Escrow Ltd.", jurisdiction: "NZ" })],
  );
}

/** Open with and without a closing time, on time, late, in default, ended with a loss; the last business is Kenyan. */
const MARKET = marketOf(
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

describe("a newcomer's question", () => {
  it.each([
    { name: "the first set", asked: questions, least: { all: 50, heldOut: 15 } },
    { name: "the second", asked: second, least: { all: 60, heldOut: 20 } },
  ])("is one of many in $name, some of them held out, each with sections that exist", ({ asked, least }) => {
    expect(asked.length).toBeGreaterThanOrEqual(least.all);
    expect(asked.filter(({ heldOut }) => heldOut).length).toBeGreaterThanOrEqual(least.heldOut);
    expect(new Set(asked.map(({ question }) => question)).size).toBe(asked.length);
    for (const one of asked) expect(sections).toEqual(expect.arrayContaining(one.expect));
  });

  it("has the right section first in 85%, also if its author has not read the pages", () => {
    const { first, inThree, misses } = judge(second, null);
    expect(first, misses).toBeGreaterThanOrEqual(0.85);
    expect(inThree, misses).toBeGreaterThanOrEqual(0.95);
  });

  it("about ratings is read as one about grades, not rates", () => {
    for (const question of ["rated", "rating", "how do I get a business rated", "why is a business unrated"])
      for (const market of [null, MARKET])
        expect(search(question, 1, market).map(inShort)[0], question).toMatch(/^grades(#|$)/);
  });

  it("about verifying an event is read as one about proofs, not verified businesses", () => {
    for (const question of ["verify an event", "how do I verify an event", "verify events"])
      expect(search(question, 2, null).map(inShort), question).toEqual([
        "how-raises-work#can-i-check-the-figures-myself",
        "reading-the-api#proofs-and-data-files",
      ]);
    expect(search("is the business verified", 1, null).map(inShort)).toEqual([
      "risks#what-does-verified-mean",
    ]);
  });

  it("has the right section first in 85%, and among the first three in 95%", () => {
    const { first, inThree, misses } = judge(questions, null);
    expect(first, misses).toBeGreaterThanOrEqual(0.85);
    expect(inThree, misses).toBeGreaterThanOrEqual(0.95);
  });

  it("is answered among the first three also when it was never tuned for, and mostly at once", () => {
    const { first, inThree, misses } = judge(
      questions.filter(({ heldOut }) => heldOut),
      null,
    );
    // 16 questions: one of them is 6%.
    expect(first, misses).toBeGreaterThanOrEqual(2 / 3);
    expect(inThree, misses).toBeGreaterThanOrEqual(0.9);
  });

  it("is answered by the rules also where raises are named after it", () => {
    const { first, inThree, misses } = judge(questions, noisyMarket());
    expect(first, misses).toBeGreaterThanOrEqual(0.85);
    expect(inThree, misses).toBeGreaterThanOrEqual(0.95);
  });
});

describe.each(VISITORS_SETS)("a visitor's question of $name", ({ questions }) => {
  it("is one of sixty, each with sections that exist or a live view", () => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(60);
    for (const { sections: right = [], views = [] } of questions) {
      expect(sections).toEqual(expect.arrayContaining(right));
      expect(right.length > 0).toBe(views.length === 0);
    }
  });

  it("has the right answer first in 85% of all", () => {
    const misses = questions.flatMap(({ question, sections = [], views = [] }) => {
      const found = search(question, 3, MARKET).map(inShort);
      const right = [...sections, ...views];
      const isRight = right.includes(found[0] ?? "");
      return isRight ? [] : [`${question}\n    found ${found.join(", ")}\n    not   ${right.join(", ")}`];
    });
    const share = 1 - misses.length / questions.length;
    expect(share, `\n${misses.join("\n")}`).toBeGreaterThanOrEqual(0.85);
  });
});
