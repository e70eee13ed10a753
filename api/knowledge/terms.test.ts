import { describe, expect, it } from "vitest";
import { termsOf, wordsIn } from "./terms.ts";

describe("termsOf", () => {
  it.each([
    ["pay pays paid paying payment payments"],
    ["repay repays repaid repaying repayment repayments"],
    ["sell sells sold selling"],
    ["loss losses lost lose loses"],
    ["default defaults defaulted defaulting"],
    ["cancel cancels cancelled cancelling cancellation"],
    ["close closes closed closing"],
    ["business businesses"],
    ["status statuses"],
    ["calculate calculates calculated calculating calculation"],
    ["compute computed computation"],
    ["withdraw withdraws withdrawn withdrawal"],
    ["verify verified verification"],
    ["fee fees"],
    ["address addresses"],
  ])("brings together: %s", (forms) => {
    expect(new Set(termsOf(forms)).size).toBe(1);
  });

  it.each([
    ["listing", "list"],
    ["listed", "listing"],
    ["matured", "maturity"],
    ["rating", "rate"],
    ["string", "strength"],
    ["escrow", "escape"],
  ])("keeps apart: %s and %s", (one, other) => {
    expect(termsOf(one)).not.toEqual(termsOf(other));
  });

  it("has names of fields as a whole and in parts", () => {
    expect(termsOf("minRaise not_drawn")).toEqual(["minrais", "min", "rais", "notdrawn", "draw"]);
  });

  it("leaves out stop words, signs, accents and what stands behind an apostrophe", () => {
    expect(termsOf("What's THE  Café's 18 %?")).toEqual(["cafe", "18", "percent"]);
  });

  it("has no term with a space, whatever a sign is made of", () => {
    const terms = termsOf("ﷺ ½ ﷻ");
    expect(terms).not.toEqual([]);
    for (const term of terms) expect(term).not.toMatch(/\s/);
  });
});

describe("wordsIn", () => {
  it("says where each word stands in the text as it is", () => {
    const text = "Ein Café, ﬁne.";
    expect(wordsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(["Ein", "Café", "ﬁne"]);
  });
});
