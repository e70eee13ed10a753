import { wcagContrast } from "culori";
import { Hono } from "hono";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { BRAND, type Situation, siteDependenciesIn } from "../../test/harness/app.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { addBadge, BADGE_PATH } from "./badge.ts";

async function badgeIn(situation: Situation = {}): Promise<Hono> {
  const app = new Hono();
  addBadge(app, await siteDependenciesIn(situation));
  return app;
}

async function read(situation: Situation = {}) {
  const answer = await (await badgeIn(situation)).request(BADGE_PATH);
  expect(answer.status).toBe(200);
  const svg = await answer.text();
  const { document } = parseHTML(`<!doctype html><body>${svg}</body>`);
  return { svg, document, title: document.querySelector("title")?.textContent ?? "" };
}

const backfilling = async () => ({
  snapshot: await snapshotOf(
    tablesOf({ backfilled: false, head: { number: HEAD.number - 500n, timestamp: HEAD.timestamp - 900n } }),
  ),
  overrides: { firstBlock: HEAD.number - 1_000n },
});

describe("the badge", () => {
  it("says how the service is doing, in its title, its label and its drawing", async () => {
    const situations: [Situation, string][] = [
      [{}, "Raisebook: ok"],
      [await backfilling(), "Raisebook: syncing 50%"],
      [{ ...(await backfilling()), upstreamHead: null }, "Raisebook: syncing"],
      [{ snapshot: null }, "Raisebook: starting"],
      [{ registry: { status: "refused" } }, "Raisebook: degraded"],
      [{ secondsSinceSeen: 61 }, "Raisebook: degraded"],
    ];
    for (const [situation, expected] of situations) {
      const { document, title } = await read(situation);
      expect(title).toBe(expected);
      const [drawing] = document.querySelectorAll("svg");
      expect(drawing?.getAttribute("role")).toBe("img");
      expect(drawing?.getAttribute("aria-label")).toBe(expected);
      const words = [...document.querySelectorAll("text")].map((text) => text.textContent);
      expect(words.join(": ")).toBe(expected);
    }
  });

  it("reads well on each colour", async () => {
    const fills = new Set<string>();
    for (const situation of [{}, await backfilling(), { secondsSinceSeen: 61 }]) {
      const { document } = await read(situation);
      for (const rect of document.querySelectorAll("rect")) fills.add(rect.getAttribute("fill") ?? "");
      expect(document.querySelector("g[font-family]")?.getAttribute("fill")).toBe("#fff");
    }
    expect(fills.size).toBe(4);
    for (const fill of fills) expect(wcagContrast("#ffffff", fill)).toBeGreaterThanOrEqual(4.5);
  });

  it("needs nothing that a policy without exceptions forbids", async () => {
    const { svg } = await read();
    expect(svg).not.toMatch(/style|script|href|url\(|<image|\son\w+=/i);
  });

  it("shows a name full of HTML as text", async () => {
    const name = `"></text><script>alert('x')</script><b> & ]]>`;
    const { document, title } = await read({ overrides: { brand: { ...BRAND, name } } });
    expect(title).toBe(`${name}: ok`);
    expect(document.querySelectorAll("script, b")).toHaveLength(0);
    expect(document.querySelector("text")?.textContent).toBe(name);
    expect(document.querySelectorAll("text")).toHaveLength(2);
  });

  it("is requested each time, and costs a 304 while nothing changes", async () => {
    const app = await badgeIn();
    const got = await app.request(`${BADGE_PATH}?v=2`);
    expect(got.headers.get("cache-control")).toBe("no-cache");
    expect(got.headers.get("content-type")).toBe("image/svg+xml");
    const etag = got.headers.get("etag") ?? "";
    const again = await app.request(BADGE_PATH, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("cache-control")).toBe("no-cache");
    const other = await (await badgeIn({ secondsSinceSeen: 61 })).request(BADGE_PATH);
    expect(other.headers.get("etag")).not.toBe(etag);
  });

  it("answers HEAD without the body, and takes only reads", async () => {
    const app = await badgeIn();
    const got = await app.request(BADGE_PATH);
    const head = await app.request(BADGE_PATH, { method: "HEAD" });
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(got.headers));
    expect(await head.text()).toBe("");
    expect((await app.request(BADGE_PATH, { method: "DELETE" })).status).toBe(405);
  });
});
