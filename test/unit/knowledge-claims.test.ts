/**
 * The knowledge base is true. Every figure and every statement on behaviour has a claim: the words as they
 * stand on the page, with a check of the rule itself or the place that proves it. An operator who edits a page edits
 * its claim.
 */
import { readdirSync, readFileSync } from "node:fs";
import { marked, type Token, type Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { GRADES, listingSchema, STATUSES } from "../../api/market/schema.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import type { Claim } from "./knowledge-claims.ts";
import { CLAIMS_ON_AMOUNTS } from "./knowledge-claims-amounts.ts";
import { CLAIMS_ON_ANSWERS } from "./knowledge-claims-answers.ts";
import { CLAIMS_ON_THE_API } from "./knowledge-claims-api.ts";
import { CLAIMS_ON_THE_DESK } from "./knowledge-claims-desk.ts";
import { CLAIMS_ON_GRADES } from "./knowledge-claims-grades.ts";
import { CLAIMS_ON_RAISES } from "./knowledge-claims-raises.ts";
import { CLAIMS_ON_REFUNDS, CLAIMS_ON_THE_TEST_NETWORK } from "./knowledge-claims-refunds.ts";
import { CLAIMS_ON_RISKS } from "./knowledge-claims-risks.ts";
import { CLAIMS_OF_THE_GLOSSARY, CLAIMS_ON_SIGNING } from "./knowledge-claims-signing.ts";
import { CLAIMS_ON_STATUS } from "./knowledge-claims-status.ts";
import { CLAIMS_ON_TOOLS } from "./knowledge-claims-tools.ts";

const CLAIMS: readonly Claim[] = [
  ...CLAIMS_ON_RAISES,
  ...CLAIMS_ON_RISKS,
  ...CLAIMS_ON_STATUS,
  ...CLAIMS_ON_REFUNDS,
  ...CLAIMS_ON_AMOUNTS,
  ...CLAIMS_ON_GRADES,
  ...CLAIMS_ON_THE_DESK,
  ...CLAIMS_ON_THE_API,
  ...CLAIMS_ON_ANSWERS,
  ...CLAIMS_ON_TOOLS,
  ...CLAIMS_ON_SIGNING,
  ...CLAIMS_ON_THE_TEST_NETWORK,
  ...CLAIMS_OF_THE_GLOSSARY,
];

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** A paragraph, an item, a row, a block of code: the smallest piece that has a claim of its own. */
type Part = { page: string; anchor: string; text: string };
type Page = { slug: string; front: Record<string, unknown>; body: string; anchors: string[]; parts: Part[] };

const PAGES = readdirSync(new URL("knowledge", root))
  .filter((name) => name.endsWith(".md"))
  .map((name) => readPage(name.slice(0, -3)));

function readPage(slug: string): Page {
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(textOf(`knowledge/${slug}.md`)) ?? [];
  const page: Page = { slug, front: parse(front), body, anchors: [""], parts: [] };
  for (const token of marked.lexer(body)) {
    if (token.type === "heading") page.anchors.push(anchorOf(token.text));
    const anchor = page.anchors.at(-1) ?? "";
    page.parts.push(...partsOf(token).map((text) => ({ page: slug, anchor, text: oneLine(text) })));
  }
  return page;
}

/** GitHub's rule, for the characters that the headings have. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function partsOf(token: Token): string[] {
  // The number of an item is no figure.
  if (token.type === "list") return (token as Tokens.List).items.map(({ text }) => text);
  if (token.type === "table") return token.raw.trim().split("\n").slice(2);
  if (token.type === "code") return [(token as Tokens.Code).text];
  return token.type === "paragraph" ? [token.raw] : [];
}

const WORDS = [
  ...["Originator", "Backer", "Holder", "Operator", "Listing", "KYB", "Escrow", "Token"],
  ...["Subscription", "Target", "Minimum", "Principal", "Coupon", "Tenor", "Basis points", "Base units"],
  ...["Clearing rate", "Drawdown", "Maturity", "Payout", "Reserve", "Settled", "Written off", "Par", "Ask"],
  ...["refnum", "publicId", "onchainId", "Ledger", "Anomaly", "Indexed block", "Reorg", "Finality"],
  ...["Self-custody", "MCP"],
];

const parts = PAGES.flatMap((page) => page.parts);
const whole = PAGES.map(({ body }) => body).join("\n");
const claimsOn = ({ page, anchor }: Part) =>
  CLAIMS.filter((claim) => claim.page === page && claim.anchor === anchor);

describe("a claim", () => {
  it.each(CLAIMS)("stands on $page#$anchor as it is quoted: $quote", ({ page, anchor, quote }) => {
    const section = parts.filter((part) => part.page === page && part.anchor === anchor);
    expect(section.map(({ text }) => text).join(" ")).toContain(quote);
  });

  const checked = CLAIMS.flatMap(({ proof, ...claim }) =>
    typeof proof === "function" ? [{ ...claim, check: proof }] : [],
  );
  it.each(checked)("on $page is what the service does: $quote", ({ check }) => check());

  const references = CLAIMS.flatMap(({ proof, page, quote }) =>
    Array.isArray(proof) ? proof.map((reference: string) => ({ reference, page, quote })) : [],
  );
  it.each(references)("on $page is proven where it says: $reference", ({ reference }) => {
    const [path = "", test] = reference.split(" › ");
    if (test !== undefined) {
      expect(textOf(path)).toContain(JSON.stringify(test));
      return;
    }
    const [file = "", name = ""] = path.split("#");
    const declaration = new RegExp(`\\b(function|const|type|contract|library)\\s+${name}\\b`);
    expect(textOf(file)).toMatch(declaration);
  });
});

describe("the pages", () => {
  it("have no sentence, row or formula without a claim", () => {
    const bare = parts.flatMap(unclaimedSentences);
    // The glossary says what words mean; its figures are claimed like all others.
    expect(bare.filter(({ page }) => page !== "glossary")).toEqual([]);
  });

  it("have no figure outside a claim", () => {
    const bare = parts.map((part) => ({ ...part, text: unclaimedText(part) }));
    expect(bare.filter(({ text }) => /\d/.test(text))).toEqual([]);
  });

  it("are the thirteen, each with a title, a description of one sentence, a group, an order of its own and a date", () => {
    const bySlug = Object.fromEntries(PAGES.map(({ slug, front }) => [slug, front]));
    expect(Object.keys(bySlug).sort()).toEqual([
      "amounts-and-rates",
      "glossary",
      "grades",
      "how-raises-work",
      "life-of-a-raise",
      "reading-the-api",
      "refunds-and-reserve",
      "risks",
      "secondary-desk",
      "signing",
      "statuses",
      "test-network",
      "using-the-tools",
    ]);
    for (const front of Object.values(bySlug)) {
      expect(Object.keys(front)).toEqual(["title", "description", "group", "order", "updated"]);
      expect(`${front.description}`).toMatch(/^[A-Z].{20,158}\.$/);
      expect(`${front.updated}`).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
    expect(new Set(Object.values(bySlug).map(({ order }) => order)).size).toBe(13);
  });

  it("fit into llms.txt with room to spare", () => {
    expect(whole.length).toBeLessThan(26_200);
  });

  const repayments = listingSchema.shape.repayment.options;
  const tools = ["list_deals", "get_deal", "list_businesses", "search_knowledge"];
  it.each([...STATUSES, ...GRADES, ...EVENT_KINDS, ...repayments, ...tools])("name %s", (word) => {
    expect(whole).toMatch(new RegExp(`(\`|\\| )${word}(\`| )`));
  });

  it.each(WORDS)("explain the word %s in the glossary", (word) => {
    const glossary = PAGES.find(({ slug }) => slug === "glossary")?.body;
    expect(glossary).toContain(`**${word}**`);
  });

  it("link to pages and sections that are there, and to nothing outside the site", () => {
    const anchors = new Map(PAGES.map((page) => [page.slug, page.anchors]));
    const links = [...whole.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThanOrEqual(8);
    for (const link of links) {
      expect(link).toMatch(/^\//);
      const [, slug, anchor = ""] = /^\/knowledge\/([^#]+)#?(.*)$/.exec(link) ?? [];
      if (slug !== undefined) expect(anchors.get(slug), link).toContain(anchor);
    }
  });
});

/** Stands on no page. */
const CLAIMED = "█";

/** The part with a block for each character that a claim quotes. A quote can go over the end of a part. */
function unclaimedText(part: Part): string {
  return claimsOn(part).reduce((text, { quote }) => {
    if (quote.includes(part.text)) return CLAIMED.repeat(text.length);
    const start = part.text.indexOf(quote);
    if (start < 0) return text;
    return text.slice(0, start) + CLAIMED.repeat(quote.length) + text.slice(start + quote.length);
  }, part.text);
}

/** Sentences of three words or more of which no claim quotes anything. */
function unclaimedSentences(part: Part): Part[] {
  const left = unclaimedText(part);
  const sentences = [...part.text.matchAll(/.+?(?:[.?!](?= )|$)/g)];
  return sentences
    .filter(({ 0: text, index }) => text.trim().split(" ").length > 2 && left.startsWith(text, index))
    .map(([text]) => ({ ...part, text: text.trim() }));
}
