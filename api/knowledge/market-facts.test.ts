import { describe, expect, it } from "vitest";
import { business, marketOf } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { factsFor } from "./market-facts.ts";

/** Each lends 80,000: on time, in default, ended with a loss of 500. A grade needs a verified business: these are NR. */
const market = marketOf(
  [
    listingRow({ onchainId: 1n, ...DRAWN }),
    listingRow({ onchainId: 2n, ...DRAWN, maturityAt: NOW - 120n * DAY }),
    listingRow({
      ...{ onchainId: 3n, ...DRAWN, outstandingPrincipal: 0n, repaidPrincipal: 79_500n * DOLLAR },
      ...{ terminalKind: "settled" as const, terminalAt: NOW, writtenOffPrincipal: 500n * DOLLAR },
    }),
    listingRow({ onchainId: 4n }),
  ],
  ["1", "2", "3", "4"].map((onchainId) => entryDraft({ onchainId })),
  [business({ kybStatus: "submitted" })],
);
const answer = (text: string, settings = SITE, of = market) => {
  const hit = factsFor(text, of, settings);
  return hit && [hit.kind, hit.title, hit.excerpt, hit.url.replace(SITE.publicUrl, "")];
};

describe("a question that a few figures answer", () => {
  it("is about the totals", () => {
    const [kind, title, note, path] = answer("total amount lent so far and total losses") ?? [];
    expect([kind, path]).toEqual(["market", "/statistics"]);
    expect(title).toBe("240,000 USD-test lent, 79,500 USD-test repaid, 500 USD-test of principal lost");
    expect(note).toContain(`block ${market.head.number}`);
    expect(answer("how much was lost in all")?.[1]).toBe(title);
  });

  it("is about failures by grade, with how many loans there were", () => {
    expect(answer("default rate by grade")).toEqual([
      "market",
      "Loans in default or ended with a loss, by today's grade: NR 2 of 3",
      "A default itself lowers the grade, and small numbers prove little.",
      "/statistics#by-grade",
    ]);
    const empty = marketOf([listingRow()], [entryDraft()]);
    expect(answer("loss rates of each grade", SITE, empty)?.[1]).toBe("No business has drawn a loan yet.");
  });

  it("is no failure where the principal is paid off and only the settlement is missing", () => {
    const paidOff = { ...DRAWN, maturityAt: NOW - 120n * DAY, outstandingPrincipal: 0n };
    const calm = marketOf(
      [listingRow({ onchainId: 1n, ...paidOff })],
      [entryDraft({ onchainId: "1" })],
      [business({ kybStatus: "submitted" })],
    );
    expect(answer("default rate by grade", SITE, calm)?.[1]).toContain("NR 0 of 1");
  });

  it.each([
    "total lent last month",
    "total repaid in 2025",
    "total lost per quarter",
    "how much was repaid in all of March in total",
    "total lent in Q3",
    "total lent since January",
    "total lost this week",
  ])("says where totals of a period are, not those of all time: %s", (text) => {
    expect(answer(text.toLowerCase())).toEqual([
      "market",
      "The statistics have what was lent, repaid and lost in each month and quarter",
      "By day and week they are in the API.",
      "/statistics#flows",
    ]);
  });

  it("is about the chain and its nodes", () => {
    expect(answer("which chain id and rpc should my script use")).toEqual([
      "market",
      "The chain ID is 97, a test network",
      "For RPC take any node of this chain; this site names none.",
      "/system",
    ]);
    const node = "https://node.example/";
    expect(answer("rpc url", { ...SITE, publicNode: node })?.[2]).toContain(node);
  });

  it.each([
    "can there be a total loss",
    "does the reserve cover a loss in all cases",
    "how is the grade worked out",
    "what is a default",
    "default rate by grade last year",
    "loss rates of each grade in 2025",
    "",
  ])("is not: %s", (question) => expect(answer(question)).toBeNull());
});
