import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import type { PublicSettings } from "../../../config/public-settings.ts";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { marketOfTheRegistry } from "../../../test/harness/businesses.ts";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import {
  ask,
  linksIn,
  noticesIn,
  pageOf,
  section,
  snapshotWith,
  tableIn,
  textIn,
} from "../../../test/harness/listing-page.ts";
import { business } from "../../../test/harness/market.ts";
import { DAY, DRAWN, entryDraft, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { OPERATOR } from "../../../test/harness/signed-registry.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Audit } from "../../health/audit.ts";
import type { Page } from "../page.ts";
import { NONE, textOf } from "../value.ts";

describe("a listing's page is", () => {
  it("that of its public id", async () => {
    expect(await ask({})).toMatchObject({ kind: "page", page: { path: "/listings/lst_1", isLive: true } });
  });

  it("moved there from its reference number, with the place in its history", async () => {
    expect(await ask({ id: "RB00002" })).toEqual({ kind: "moved", path: "/listings/lst_2" });
    expect(await ask({ id: "RB00002", query: "before=a%26b" })).toEqual({
      kind: "moved",
      path: "/listings/lst_2?before=a%26b",
    });
  });

  it.each(["lst_98", "lst_", "", "__proto__", "<script>"])("missing at %j, with a sentence", async (id) => {
    const found = await ask({ id });
    expect(found).toEqual({
      kind: "missing",
      detail: `No visible raise has the public id or reference number ${JSON.stringify(id)}.`,
    });
  });

  it("not there before the first indexed block, nor while the ledger cannot be read", async () => {
    expect(await ask({ snapshot: null })).toEqual({ kind: "not_indexed_yet" });
    expect(await ask({ ledger: fixedLedger({ events: "not_indexed_yet" }) })).toEqual({
      kind: "not_indexed_yet",
    });
    expect(await ask({ ledger: fixedLedger({ series: "not_indexed_yet" }) })).toEqual({
      kind: "not_indexed_yet",
    });
  });

  it.each(["", "x", "MTIwLjM=", "<script>"])("refused with %j as a place in its history", async (cursor) => {
    const found = await ask({ query: new URLSearchParams({ before: cursor }).toString() });
    if (found.kind !== "refused") throw new Error(`${found.kind} is no refusal`);
    const [only] = found.page.sections;
    expect(found.page.sections).toHaveLength(1);
    expect(only?.blocks[0]).toMatchObject({ kind: "notice", tone: "error" });
    expect(textIn(found.page)).not.toContain("<script");
    expect(only && linksIn(only)).toMatchObject([{ href: "/listings/lst_1#history" }]);
  });
});

describe("texts of third parties", () => {
  const HARM = '<script>alert(1)</script> ](javascript:alert(1)) "\\ **x**\n\n# heading';

  it("are values and nothing else", async () => {
    const page = await pageOf({ snapshot: await snapshotWith({ title: HARM, description: HARM }) });
    expect(page.title).toBe(HARM.replaceAll("\n", ""));
    expect(section(page, "description").blocks).toContainEqual({ kind: "quote", text: HARM });
    const kinds = new Set(page.sections.flatMap(({ blocks }) => blocks.map(({ kind }) => kind)));
    expect(kinds).not.toContain("prose");
  });

  it("leave something to read if they are empty without their control characters", async () => {
    const blank = "\u202E\u202C";
    const page = await pageOf({ snapshot: await snapshotWith({ title: blank, description: blank }) });
    expect(page.title).toBe("RB00001");
    expect(section(page, "description").blocks.at(-1)).toEqual({
      kind: "paragraph",
      text: "The business has not written a description.",
    });
  });

  it("come with a warning if the chain does not commit to them", async () => {
    const warnings = async (title: string) =>
      warningsIn(await pageOf({ snapshot: await snapshotWith({ title }) }));
    expect([await warnings("Raise 1"), await warnings("Another title")]).toEqual([
      [],
      ["Text not confirmed."],
    ]);
  });
});

/** The first words of the warnings at the top. */
function warningsIn({ sections }: Page): string[] {
  const blocks = sections.find(({ id }) => id === "warnings")?.blocks ?? [];
  return blocks.flatMap((block) => (block.kind === "notice" ? [block.word] : []));
}

describe("the page says", () => {
  it("that the raise was not created by the business", async () => {
    const warnings = async (addresses: string[]) =>
      warningsIn(await pageOf({ snapshot: await snapshotWith({}, addresses) }));
    expect([await warnings(business().addresses), await warnings([])]).toEqual([
      [],
      ["Creator not confirmed."],
    ]);
  });

  it("first what is to be checked before money is sent, and then no longer invites to send it", async () => {
    const sound = await pageOf({ snapshot: await snapshotWith({}) });
    const doubtful = await pageOf({ snapshot: await snapshotWith({}, []) });
    expect(doubtful.sections[0]).toMatchObject({ id: "warnings", tone: "bad" });
    const action = (page: Page) => section(page, "state").blocks.find(({ kind }) => kind === "action");
    expect(action(sound)).toMatchObject({ isSecondary: false });
    expect(action(doubtful)).toMatchObject({ isSecondary: true });
  });

  it("where it stands", async () => {
    const page = await pageOf({ snapshot: await snapshotWith({}) });
    expect(page.crumbs).toEqual([
      { title: "Raises", path: "/" },
      { title: "Northwind Bakery Pte. Ltd.", path: "/originators/org_northwind" },
    ]);
  });

  it("in a sentence what is sought, on which terms", async () => {
    const said = async (changes: Parameters<typeof listingRow>[0]) => {
      const tables = tablesOf({ listings: [listingRow(changes)] });
      return (await pageOf({ snapshot: await snapshotOf(tables, registryOf([entryDraft()], [business()])) }))
        .description;
    };
    expect(await said({ tenorDays: 1 })).toBe(
      "Northwind Bakery Pte. Ltd. seeks 100,000 USD-test for 1 day, at 14.50% a year; nothing is committed. Status: Open.",
    );
    const bids = { pricingMode: "auction", raisedAmount: 1n, firstSubscribedAt: NOW - DAY } as const;
    expect(await said(bids)).toContain("for 180 days, at most 14.50% a year; <0.01 USD-test is committed.");
    const inDefault = { ...DRAWN, maturityAt: NOW - 100n * DAY };
    expect(await said(inDefault)).toContain("Status: In default · 100 days overdue.");
    const cleared = { ...bids, frozenAt: NOW, decidedAt: NOW, closedAt: NOW, closedCouponRateBps: 1212 };
    expect(await said(cleared)).toContain("sought 100,000 USD-test for 180 days, at 12.12% a year;");
  });

  it.each([
    ["while it may still come to it", {}, ["Not settled yet.", "No money has been drawn yet.", "Known once"]],
    [
      "once it has failed",
      { terminalKind: "cancelled", terminalAt: NOW - DAY },
      ["Only raises that were drawn", "No money was drawn.", "None without a drawdown"],
    ],
  ] as const)("why there is no loan: %s", async (_, changes, notes) => {
    const tables = tablesOf({ listings: [listingRow(changes)] });
    const page = await pageOf({
      snapshot: await snapshotOf(tables, registryOf([entryDraft()], [business()])),
    });
    const facts = section(page, "details").blocks.flatMap((block) =>
      block.kind === "facts" ? block.facts : [],
    );
    for (const [at, key] of ["outcome", "drawnDownAt", "maturityAt"].entries()) {
      expect(facts.find((fact) => fact.key === key)?.note).toContain(notes[at]);
    }
  });

  it("that nothing on the chain confirms what is in the registry alone", async () => {
    const page = await pageOf({ snapshot: await marketOfTheRegistry() });
    const warnings = ["state", "description"].flatMap((id) => noticesIn(section(page, id)));
    expect(warnings).toEqual([
      expect.stringMatching(/^The chain does not say who created this raise/),
      expect.stringMatching(/^The contract does not give all terms of this raise/),
      expect.stringMatching(/^The chain does not confirm title and description/),
    ]);
  });

  it("whose terms they are where the contract does not give them", async () => {
    const page = await pageOf({ snapshot: await marketOfTheRegistry() });
    expect(textIn(page)).toContain("Names, descriptions and terms come from the operator");
  });

  it("what was never paid of a loan that was settled", async () => {
    const settled = {
      ...DRAWN,
      maturityAt: NOW - 20n * DAY,
      terminalKind: "settled",
      terminalAt: NOW - DAY,
      clearedAt: NOW - DAY,
      outcome: "repaid",
      outstandingPrincipal: 0n,
      repaidPrincipal: DRAWN.drawnAmount,
      writtenOffPrincipal: 0n,
    } as const;
    const tables = tablesOf({ listings: [listingRow(settled)] });
    const page = await pageOf({
      snapshot: await snapshotOf(tables, registryOf([entryDraft()], [business()])),
    });
    const figure = section(page, "state").blocks.flatMap((block) =>
      block.kind === "facts" ? block.facts : [],
    );
    expect(figure.find(({ key }) => key === "drawnAmount")?.label).toBe(
      "lent, principal repaid in full, in USD-test",
    );
    // 80,000 × 14.50% × 180 / 365 = 5,720.547…
    expect(section(page, "state").blocks).toContainEqual({
      kind: "paragraph",
      text: "Of the interest due, 5,720.54 USD-test was never paid.",
    });
    const due = tableIn(section(page, "schedule"));
    expect(due?.columns.at(-1)?.label).toBe("Never paid");
    expect(due?.rows.map(({ cells }) => textOf(cells.at(-1) ?? NONE))).toEqual(["0", "5,720.54", "5,720.54"]);
  });

  it("that it was checked, with what came of it", async () => {
    const { escrowAddress } = listingRow();
    const audited = (findings: number): Audit => ({
      ...{ status: "ok", block: "48211034", at: isoTime(NOW), events: 3, checks: 12 },
      listings: [
        {
          ...{ escrowAddress, onchainId: "1", refnum: "RB00001", raisedAmount: "0", refundedAmount: "0" },
          ...{ reserveBalance: "0", outstandingPrincipal: "0", supply: null, findings },
        },
      ],
      ...{ notAuditable: [], surpluses: [], completeness: null, findings: [], problem: null },
    });
    const said = async (audit: Audit | null, id = "lst_1") =>
      [(await pageOf({ audit, id })).proof].flatMap((proof) =>
        proof === undefined ? [] : [[proof.text, proof.tone]],
      );
    expect(await said(audited(0))).toEqual([
      ["Checked against the contract at block 48,211,034: 0 differences", "good"],
    ]);
    expect(await said(audited(1))).toEqual([
      ["Checked against the contract at block 48,211,034: 1 difference", "bad"],
    ]);
    expect([await said(null), await said(audited(0), "lst_2")]).toEqual([[], []]);
    const notAuditable = [`${escrowAddress}: raisedAmount()`, `0x${"11".repeat(20)}: dollar()`];
    expect(await said({ ...audited(0), notAuditable })).toEqual([
      ["Checked against the contract at block 48,211,034: 0 differences, 1 could not be compared", "good"],
    ]);
  });

  it("whether the operator signed names and texts, in both forms", async () => {
    const proofOf = async (registrySigner: PublicSettings["registrySigner"]) => {
      const overrides = { publicSettings: { ...SITE, registrySigner } };
      const ask = asking(await appIn({ overrides }));
      const [html, markdown] = [await ask("/listings/lst_1"), await ask("/md/listings/lst_1")];
      const { document } = parseHTML(html.text);
      const [, ofMarkdown = ""] = markdown.text.split("## Check it yourself");
      return [document.querySelector("#proof")?.closest("section")?.textContent ?? "", ofMarkdown];
    };
    for (const text of await proofOf(null)) {
      expect(text).toContain(
        "Names and descriptions come from the operator, not the blockchain, and are not signed.",
      );
    }
    for (const text of await proofOf(OPERATOR)) {
      expect(text).toContain("and are signed with the operator's key.");
      expect(text).toContain(OPERATOR.slice(0, 8));
    }
  });

  it("how its totals are proven: a command in both forms, and a place for the button in one", async () => {
    const ask = asking(await appIn());
    const [html, markdown] = [await ask("/listings/lst_1"), await ask("/md/listings/lst_1")];
    const command = `npx raisebook verify ${SITE.publicUrl}/listings/lst_1 --rpc https://a-node-of-yours.example`;
    const { document } = parseHTML(html.text);
    expect(document.querySelector("#proof pre")?.textContent).toBe(command);
    expect(markdown.text).toContain(command);
    const prover = document.querySelector("#proof #prover");
    expect([prover?.getAttribute("data-listing"), prover?.getAttribute("data-chain")]).toEqual([
      "lst_1",
      "97",
    ]);
    expect([prover?.childNodes.length, markdown.text.includes("prover")]).toEqual([0, false]);
    expect(prover?.hasAttribute("data-node")).toBe(false);
  });

  it("where programs read the same", async () => {
    const app = await appIn();
    const links = linksIn(section(await pageOf({}), "elsewhere"));
    const apiLinks = links.filter(({ href }) => href.startsWith("/v1/"));
    expect(apiLinks).toHaveLength(4);
    for (const { href } of apiLinks) expect([href, (await app.request(href)).status]).toEqual([href, 200]);
  });
});
