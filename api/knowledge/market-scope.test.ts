import { describe, expect, it } from "vitest";
import { business, marketOf } from "../../test/harness/market.ts";
import { DAY, DRAWN, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { loadKnowledge } from "./load.ts";
import { createSearch } from "./search.ts";

const FOLDER = new URL("../../knowledge", import.meta.url).pathname;
const { search } = createSearch(await loadKnowledge(FOLDER, SITE.publicUrl), SITE);

const late = { ...DRAWN, maturityAt: NOW - 20n * DAY };
const open = { closeAt: NOW + 9n * DAY, goLiveAt: NOW - DAY };
/** Late raises of Kenya, Kenya and Denmark, then open ones of each business. Nobody has a record: all grades are NR. */
const RAISES = [
  ["org_nakuru", late],
  ["org_mombasa", late],
  ["org_nordhavn", late],
  ["org_nakuru", open],
  ["org_mombasa", open],
  ["org_nordhavn", open],
  ["org_marula", { terminalKind: "cancelled", terminalAt: NOW }],
] as const;
const market = marketOf(
  RAISES.map(([, changes], at) => listingRow({ onchainId: BigInt(at + 1), ...changes })),
  RAISES.map(([originator], at) => entryDraft({ onchainId: `${at + 1}`, originator })),
  [
    business({ publicId: "org_nakuru", legalName: "Nakuru Grain Ltd", jurisdiction: "KE", addresses: [] }),
    business({ publicId: "org_mombasa", legalName: "Mombasa Grain Ltd", jurisdiction: "KE", addresses: [] }),
    business({
      publicId: "org_nordhavn",
      legalName: "Nordhavn Freight ApS",
      jurisdiction: "DK",
      addresses: [],
    }),
    business({ publicId: "org_marula", legalName: "Kenya Marula Ltd", jurisdiction: "SD", addresses: [] }),
    business({ publicId: "org_quiet", legalName: "Quiet Kelp Oy", jurisdiction: "FI", addresses: [] }),
  ],
);
const answer = (question: string) => {
  const [first, ...others] = search(question, 20, market);
  const sentence = first?.kind === "market" ? [first.title, first.url.replace(SITE.publicUrl, "")] : null;
  return (
    sentence && [
      ...sentence,
      ...others.flatMap(({ kind, url }) => (kind === "listing" ? [url.split("/").at(-1)] : [])),
    ]
  );
};
const first = (question: string) => answer(question)?.slice(0, 2);
/** The raises in an answer, in order. */
const raises = (question: string) => answer(question)?.slice(2).toSorted();

describe("a question about a part of the market", () => {
  it("is answered for the country that it names", () => {
    expect(first("Which raises in Kenya are late?")).toEqual([
      "2 raises of businesses in Kenya are late or in default",
      "/?repayment=late,default&country=KE",
    ]);
    expect(raises("Which raises in Kenya are late?")).toEqual(["lst_1", "lst_2"]);
    expect(first("Which raises in Denmark are late?")?.[0]).toBe(
      "1 raise of businesses in Denmark is late or in default",
    );
    expect(first("late raises in Kenya or Denmark")).toEqual([
      "3 raises of businesses in Denmark or Kenya are late or in default",
      "/?repayment=late,default&country=DK,KE",
    ]);
    expect(first("late raises in Kenya")).toEqual(first("Which raises in Kenya are late?"));
    expect(first("raises in Kenya or Denmark")).toEqual([
      "6 raises are of businesses in Denmark or Kenya",
      "/?show=all&country=DK,KE",
    ]);
    for (const country of ["France", "the UK"]) {
      expect(answer(`Which raises in ${country} are late?`), country).toEqual([
        `No raise of businesses in ${country === "France" ? "France" : "United Kingdom"} is late or in default.`,
        `/?repayment=late,default&country=${country === "France" ? "FR" : "GB"}`,
      ]);
    }
    expect(first("what closes this week in Kenya")?.[0]).toBe(
      "2 open raises of businesses in Kenya have a closing time, the next one first",
    );
  });

  it("is answered for the grades that it names", () => {
    expect(answer("Which raises with grade A are open?")).toEqual([
      "No raise of businesses with grade A is open now.",
      "/?grade=A",
    ]);
    expect(first("which raises with grades A and B are open")?.[1]).toBe("/?grade=A,B");
    expect(first("any A-rated raises open")?.[1]).toBe("/?grade=A");
    expect(first("any A- to C-rated raises open")?.[1]).toBe("/?grade=A,B,C");
    expect(first("any A or B-rated raises open")?.[1]).toBe("/?grade=A,B");
    expect(first("which raises are open from businesses graded C or better?")?.[1]).toBe("/?grade=A,B,C");
    expect(first("which unrated raises are open")).toEqual([
      "3 raises of businesses with grade NR are open",
      "/?grade=NR",
    ]);
    expect(first("which raises in Kenya with grade A or NR are open")).toEqual([
      "2 raises of businesses in Kenya with grade A or NR are open",
      "/?country=KE&grade=A,NR",
    ]);
    expect(first("raises in Kenya with grade E")).toEqual([
      "No raise is of a business in Kenya with grade E.",
      "/?show=all&country=KE&grade=E",
    ]);
    expect(first("is any raise late")?.[0]).toBe("3 raises are late or in default");
  });

  it.each([
    "which grade A projects are late",
    "which grade A business is late",
    "which raises rated A right now are late",
    "Which raises graded A are late?",
    "which A-rated projects are late",
    "late loans, grade A",
    "Grade A: which loans are late?",
  ])("takes a capital A behind the word grade for the grade: %s", (question) => {
    expect(answer(question)).toEqual([
      "No raise of businesses with grade A is late or in default.",
      "/?repayment=late,default&grade=A",
    ]);
  });

  it("is as short a question with a grade as without", () => {
    for (const question of ["late loans, grade A, Kenya", "late loans with grade A in Kenya"]) {
      expect(first(question), question).toEqual([
        "No raise of businesses in Kenya with grade A is late or in default.",
        "/?repayment=late,default&country=KE&grade=A",
      ]);
    }
    expect(first("late raises with grade NR")?.[1]).toBe("/?repayment=late,default&grade=NR");
  });

  it("is answered for a country's code in capitals", () => {
    for (const question of ["which raises in KE are late", "late raises from KE"])
      expect(first(question), question).toEqual(first("Which raises in Kenya are late?"));
    expect(first("which raises in KE and DK are late")?.[1]).toBe("/?repayment=late,default&country=DK,KE");
    expect(first("which raises in KE, DK or SD are late")?.[1]).toBe(
      "/?repayment=late,default&country=DK,KE,SD",
    );
    expect(first("Which loans are late, in KE dollars?")?.[1]).toBe("/?repayment=late,default");
    // Not of this market, and a word besides.
    expect(first("which raises in IT are late")?.[1]).toBe("/?repayment=late,default");
  });

  it("is answered for a country of the market also without a preposition, and for the longest name alone", () => {
    for (const question of ["who is late, Kenya", "late Kenya raises", "which kenya raises are late"])
      expect(first(question), question).toEqual(first("Which raises in Kenya are late?"));
    expect(first("late raises in Northern Mariana Islands or Kenya")?.[1]).toBe(
      "/?repayment=late,default&country=KE,MP",
    );
    // Sudan has a business, South Sudan none.
    expect(first("late raises in South Sudan")?.[1]).toBe("/?repayment=late,default&country=SS");
    expect(first("late raises in Sudan")?.[1]).toBe("/?repayment=late,default&country=SD");
    expect(first("Is any raise of Kenya Marula late?")?.[1]).toBe(
      "/?repayment=late,default&originator=org_marula",
    );
  });

  it.each([
    "is there a rated raise open now",
    "which open raises are not rated E",
    "which raises are open except grade E",
    "which open raises have at least grade B",
    "which open raises have grade B at least",
    "which open raises are below grade C",
    "which raises outside of Kenya are open",
    "which open raises are not in Kenya",
  ])("is about the whole market where it is not plain which part it means: %s", (question) => {
    expect(first(question)?.[0]).toBe("3 raises are open");
  });

  it("keeps the other parts if it excludes one", () => {
    expect(first("which open raises in Kenya are below grade C")).toEqual([
      "2 raises of businesses in Kenya are open",
      "/?country=KE",
    ]);
    expect(first("which open raises of Nakuru Grain have at least a grade B")?.[1]).toBe(
      "/?originator=org_nakuru&show=open",
    );
    expect(first("which raises graded NR are open except those in Kenya")?.[1]).toBe("/?grade=NR");
  });

  it("is answered with a cancelled raise as called off, not closed", () => {
    const [, raise] = search("raises in Sudan", 5, market);
    expect([raise?.kind, raise?.excerpt]).toEqual(["listing", "Not open: called off."]);
  });

  it.each([
    "list late raises in Kenya of at least 1000 dollars",
    "which open raises in Kenya have a minimum below 60000",
    "list open raises in Denmark under 200 dollars",
    "which late raises of Nakuru Grain owe above 1000",
    "raises in Kenya that pay more than 15%",
    "which raises in Kenya are late except auctions",
    "which raises outside of Kenya are open with over 100 backers",
    "which open raises pay at least a fifth",
  ])("is left to the search where it compares anything but grades and countries: %s", (question) => {
    expect(answer(question)).toBeNull();
  });

  it("is answered for the business that it names, by its name, a part of it, or its public id", () => {
    for (const name of ["Nakuru Grain", "nakuru grain ltd", "Nakuru", "org_nakuru"]) {
      const question = `Is any raise of ${name} late?`;
      expect(first(question), name).toEqual([
        "1 raise of the business org_nakuru is late or in default",
        "/?repayment=late,default&originator=org_nakuru",
      ]);
      expect(raises(question), name).toContain("lst_1");
    }
    expect(first("which raises of Nordhavn Freight are open")).toEqual([
      "1 raise of the business org_nordhavn is open",
      "/?originator=org_nordhavn&show=open",
    ]);
    expect(first("which raises of org_nakuru ended with a loss")?.[0]).toBe(
      "No raise of the business org_nakuru has ended with a loss.",
    );
  });

  it("is left to the search where several businesses, or a grade or an article, may be meant", () => {
    expect(answer("Is any raise of Grain late?")).toBeNull();
    expect(answer("which open raises have a grade a bank would accept")).toBeNull();
  });

  it("is left to the search where it names a raise, there or not", () => {
    for (const question of [
      "How much has RB00001 repaid in total?",
      "is lst_1 late now",
      "is loan rb00001 late",
    ]) {
      const [hit] = search(question, 5, market);
      expect(hit?.url, question).toBe(`${SITE.publicUrl}/listings/lst_1`);
      expect(answer(question), question).toBeNull();
    }
    expect(answer("Is the loan RB99999 in default now?")).toBeNull();
    expect(first("is any raise of org_nakuru late")?.[0]).toContain("org_nakuru");
  });

  it("is not a question about rules that names another country", () => {
    expect(answer("can a company in France raise money here")).toBeNull();
  });

  it("has no totals: these are of the whole market", () => {
    expect(first("total lost")?.[1]).toBe("/statistics");
    for (const question of ["total lost by Nakuru Grain", "total lost in Kenya", "total lost by org_nakuru"])
      expect(answer(question)?.[1], question).not.toBe("/statistics");
    expect(first("default rate by grade")?.[1]).toBe("/statistics#by-grade");
    expect(first("default rate by grade in Kenya")?.[1]).not.toBe("/statistics#by-grade");
  });
});
