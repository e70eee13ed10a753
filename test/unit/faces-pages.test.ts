/**
 * One market, many faces: the pages of a listing and of a business say, in HTML and in Markdown, what REST, GraphQL and
 * the tools say, field by field.
 */
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { type Listing, listingSchema, originatorSchema } from "../../api/market/schema.ts";
import { appShowing } from "../harness/app.ts";
import { arbitraryMarket } from "../harness/arbitrary-market.ts";
import { asking } from "../harness/asking.ts";
import { busyLedger, calling } from "../harness/mcp.ts";
import {
  type ExactFact,
  exactFactsOf,
  factsOfHtml,
  factsOfMarkdown,
  type PageFacts,
} from "../harness/page-facts.ts";
import { checkAgainst, type Fields } from "../harness/rest-facts.ts";
import { DESK } from "../harness/rows.ts";
import { SITE, snapshotOf } from "../harness/snapshot.ts";

const EVENTS = 3;

const { app, show } = await appShowing({ ledger: busyLedger(EVENTS) });
const ask = asking(app);
const read = async (path: string) => JSON.parse((await ask(path)).text);
const { facts } = calling(app);

/** Both forms of a page, which say the same; and every fact of the HTML with what it is exactly. */
async function pageAt(path: string) {
  const url = SITE.publicUrl + path;
  const html = await ask(path, { headers: { Accept: "text/html" } });
  const markdown = await ask(path, { headers: { Accept: "text/markdown" } });
  expect([html.status, markdown.status]).toEqual([200, 200]);
  const said = factsOfMarkdown(markdown.text, url);
  // The Markdown begins with the way to all pages; the form's address is no link in it.
  const lead = [`${SITE.publicUrl}/llms.txt`, `${SITE.publicUrl}/`];
  const comparable = ({ title, links, ...rest }: PageFacts) => ({
    ...rest,
    title: oneLine(title),
    links: links.filter((link) => !lead.includes(link)),
  });
  expect(comparable(said)).toEqual(comparable(factsOfHtml(html.text, url)));
  const exact = exactFactsOf(html.text, url);
  return { html: html.text, said, exact, alone: exact.filter(({ row }) => row === null) };
}

/** The facts of some parts of a page, each with what it is exactly; those in tables left out. */
function factsIn(html: string, path: string, ids: readonly string[]): ExactFact[] {
  const { document } = parseHTML(html);
  const parts = ids.flatMap((id) => document.querySelector(`#${id}`)?.outerHTML ?? []);
  const facts = exactFactsOf(
    `<html><body><main>${parts.join("")}</main></body></html>`,
    SITE.publicUrl + path,
  );
  return facts.filter(({ row }) => row === null);
}

/** Those facts that are fields of this object, after each was seen to be what the field says; the names of them. */
function same(facts: readonly ExactFact[], subject: Fields, where: string): string[] {
  return [...new Set(checkAgainst(facts, [subject], where))].toSorted();
}

it("a listing's page says what REST, GraphQL and the tools say", async () => {
  const property = fc.asyncProperty(arbitraryMarket(5), async ({ tables, registry }) => {
    const snapshot = await snapshotOf(tables, registry, { ...SITE, desk: DESK });
    show(snapshot);
    const { trading } = await read("/v1/listings");
    for (const { publicId } of snapshot.market.listings) {
      const path = `/listings/${publicId}`;
      const { html, said, exact, alone } = await pageAt(path);
      const listing: Listing = await read(`/v1${path}`);

      const { deal, schedule } = (await facts("get_deal", { id: publicId })) as Record<string, Fields>;
      const query = `{ listing(id: "${publicId}") { ${scalars} originator { publicId } } }`;
      const graphql = await read(`/graphql?${new URLSearchParams({ query })}`);
      const linked = graphql.data.listing;
      const fields = factsIn(html, path, FIELD_PLACES);
      for (const subject of [listing, deal, { ...linked, originator: linked.originator.publicId }]) {
        expect(same(fields, subject ?? {}, path)).toEqual(FIELDS);
      }
      const { document } = parseHTML(html);
      const quoted = [...document.querySelectorAll("#description blockquote p")].map(
        (one) => one.textContent,
      );
      expect(oneLine(quoted.join(" "))).toBe(oneLine(listing.description));
      expect(said.title.length).toBeGreaterThan(0);

      const due = await read(`/v1${path}/schedule`);
      const ofSchedule = factsIn(html, path, ["schedule"]);
      if (ofSchedule.length > 0) {
        expect(same(ofSchedule, due, path)).toEqual(["maturityAt"]);
        same(ofSchedule, schedule ?? {}, path);
        const lines = { principal: "paidPrincipal", interest: "paidInterest", total: null } as const;
        for (const [part, paid] of Object.entries(lines)) {
          const cells = exact.filter(({ row }) => row === `due-${part}`);
          const exactly = (key: string) => cells.find((cell) => cell.key === key)?.exact;
          expect(exactly("due")).toBe(due[part]);
          if (paid !== null && !due.estimated) expect(exactly("paid")).toBe(due[paid]);
          if (part === "principal" && !due.estimated) expect(exactly("owed")).toBe(due.outstandingPrincipal);
        }
      }
      checkAgainst(alone, [listing, due], path);
      const own = trading.listings.find((one: Fields) => one.publicId === publicId);
      const ofDesk = factsIn(html, path, ["desk"]);
      expect(ofDesk.length > 0).toBe(own !== undefined);
      if (own !== undefined) expect(same(ofDesk, own, path).length).toBeGreaterThan(3);

      const business = await read(`/v1/originators/${listing.originator}`);
      expect(same(factsIn(html, path, ["grade"]), business, path)).toEqual(
        expect.arrayContaining(["kybStatus", "ratingGrade"]),
      );

      const { events } = await read(`/v1${path}/events`);
      expect(events).toHaveLength(EVENTS);
      for (const event of events as Fields[]) {
        const key = `${event.blockNumber}.${event.logIndex}`;
        const row = exact.filter((fact) => fact.row === key);
        expect(same(row, event, `${key} of ${path}`)).toEqual([
          "blockNumber",
          "blockTime",
          "finality",
          "txHash",
        ]);
      }
    }
  });
  await fc.assert(property, { numRuns: 8 });
});

it("a business's page, and its row in the list, say what REST and the tools say", async () => {
  const property = fc.asyncProperty(arbitraryMarket(8), async ({ tables, registry }) => {
    show(await snapshotOf(tables, registry, { ...SITE, desk: DESK }));
    const { originators } = await read("/v1/originators");
    const { businesses } = (await facts("list_businesses", {})) as { businesses: Fields[] };
    const list = await pageAt("/originators");
    const rows = list.exact.flatMap(({ row }) => (row === null ? [] : [row]));
    // The page has an order of its own.
    expect([...new Set(rows)].toSorted()).toEqual(originators.map(({ publicId }: Fields) => publicId));
    for (const originator of originators) {
      const { publicId } = originator;
      const path = `/originators/${publicId}`;
      const { exact, alone } = await pageAt(path);
      expect(await read(`/v1${path}`)).toEqual(originator);
      expect(same(alone, originator, path)).toEqual(expect.arrayContaining(OF_BUSINESS));
      const business = businesses.find((one) => one.publicId === publicId);
      if (business !== undefined) same(alone, business, path);
      same(
        list.exact.filter(({ row }) => row === publicId),
        originator,
        "/originators",
      );
      const shown = new Set(exact.flatMap(({ row }) => (row === null ? [] : [row])));
      for (const listing of originator.listings as Fields[]) {
        expect(shown).toContain(listing.publicId);
        const cells = exact.filter(({ row }) => row === listing.publicId);
        expect(same(cells, listing, `${listing.publicId} of ${path}`).length).toBeGreaterThan(4);
      }
    }
  });
  await fc.assert(property, { numRuns: 10 });
});

it("the board says what REST says, with every form", async () => {
  const property = fc.asyncProperty(arbitraryMarket(20), async ({ tables, registry }) => {
    show(await snapshotOf(tables, registry, { ...SITE, desk: DESK }));
    const { listings } = await read("/v1/listings");
    const { exact } = await pageAt("/?show=all&view=table");
    for (const listing of listings as Fields[]) {
      const cells = exact.filter(({ row }) => row === listing.publicId);
      expect(same(cells, listing, `${listing.publicId} of the board`)).toEqual(ON_BOARD);
    }
  });
  await fc.assert(property, { numRuns: 6 });
});

/** Title and description stand by themselves. */
const FIELDS = Object.keys(listingSchema.shape)
  .filter((field) => field !== "description" && field !== "title")
  .toSorted();
/** The places of fields on the page of a listing: next to the title, in the state of the raise, or folded away. */
const FIELD_PLACES = ["pageTitle", "state", "proof", "details"];
const ON_BOARD = [
  "couponRateBps",
  "originator",
  "originatorGrade",
  "raisedAmount",
  "status",
  "targetAmount",
  "tenorDays",
  "title",
];
const OF_BUSINESS = Object.keys(originatorSchema.shape).filter(
  (field) => !["rating", "listings"].includes(field),
);
const scalars = FIELDS.filter((field) => field !== "originator").join(" ");

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
