import type { Hono } from "hono";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { EmbedOrigins } from "../../../config/url-values.ts";
import { appIn, type Situation } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { business } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, entryDraft, HEAD, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { linkHeader, linksOfPage } from "../../http/links.ts";

const CARD = "/embed/listings/lst_1";

/** The made-up raise seeks 100,000, and 80,000 are committed. */
async function market(title = "A second oven", head = HEAD) {
  const row = listingRow({ raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY });
  return snapshotOf(
    tablesOf({ listings: [row], head }),
    registryOf([entryDraft({ title })], [business({ legalName: "Käserei & Sons" })]),
  );
}

const embedded = (embedOrigins: EmbedOrigins) => ({ publicSettings: { ...SITE, embedOrigins } });

async function read(path: string, situation: Situation = {}) {
  const snapshot = situation.snapshot === undefined ? await market() : situation.snapshot;
  const answer = await asking(await appIn({ ...situation, snapshot }))(path);
  const { document } = parseHTML(answer.text);
  const words = document.querySelector("main")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  return { ...answer, document, words };
}

describe("the card of a raise", () => {
  it("has the state, title, business, terms, progress and time of the chain", async () => {
    const { status, headers, words, document } = await read(CARD);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const part of [
      "Open",
      "Not rated",
      "A second oven",
      "Käserei & Sons",
      "14.50% · 180 days · closes in 10 days",
      "80,000 of 100,000 USD-test committed",
      "80% funded",
      "As of 1 Mar 2026, 12:00 UTC",
      "Test network: no value here is real.",
    ])
      expect(words).toContain(part);
    expect(document.querySelector("time")?.getAttribute("datetime")).toBe("2026-03-01T12:00:00Z");
    expect(document.querySelector("data")?.getAttribute("value")).toBe(`${80_000n * DOLLAR}`);
  });

  it("leads to the page of the raise, in a new tab that does not know it", async () => {
    const { document } = await read(CARD);
    const links = [...document.querySelectorAll("a")];
    expect(links).toHaveLength(2);
    for (const link of links) {
      expect(link.getAttribute("href")).toBe(`${SITE.publicUrl}/listings/lst_1`);
      expect(link.getAttribute("target")).toBe("_blank");
      expect(link.getAttribute("rel")).toContain("noopener");
    }
    const canonical = document.querySelector("link[rel=canonical]")?.getAttribute("href");
    expect(canonical).toBe(`${SITE.publicUrl}/listings/lst_1`);
  });

  it("has no script, form or cookie, and a policy of its own that allows none", async () => {
    const { headers, document, text } = await read(CARD);
    expect(document.querySelectorAll("script, form, iframe, object, [style]")).toHaveLength(0);
    expect(text).not.toMatch(/\son\w+=/i);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    );
  });

  it("may be framed by the operator's choice of sites", async () => {
    const ancestors = async (origins: EmbedOrigins) => {
      const { headers } = await read(CARD, { overrides: embedded(origins) });
      return headers.get("content-security-policy")?.split("; ").at(-1);
    };
    expect(await ancestors(["https://blog.example", "http://localhost:8080"])).toBe(
      "frame-ancestors 'self' https://blog.example http://localhost:8080",
    );
    expect(await ancestors([])).toBe("frame-ancestors 'none'");
  });

  it("shows texts of third parties as text", async () => {
    const title = `</title><script>alert(1)</script><img src=x onerror="x">\u202E`;
    const { document, text } = await read(CARD, { snapshot: await market(title) });
    expect(document.querySelectorAll("script, img[onerror]")).toHaveLength(0);
    expect(document.querySelector("h1")?.textContent).toContain("<script>alert(1)</script>");
    expect(text).not.toContain("\u202E");
  });

  it("says that figures lag, and gives the gravest warning", async () => {
    const lagging = await read(CARD, { secondsSinceSeen: 61 });
    expect(lagging.words).toContain("The blockchain node has not responded for more than a minute");
    const stranger = listingRow({ originator: `0x${"9a".repeat(20)}` });
    const { words } = await read(CARD, { snapshot: await snapshotOf(tablesOf({ listings: [stranger] })) });
    expect(words).toContain("Creator not confirmed · Open");
  });

  it("has the colours that are asked for", async () => {
    const app = asking(await appIn());
    const sheetOf = async (query: string) => {
      const { document } = parseHTML((await app(`/embed/listings/lst_2${query}`)).text);
      const sheet = await app(document.querySelector("link[rel=stylesheet]")?.getAttribute("href") ?? "");
      expect(sheet.headers.get("cache-control")).toContain("immutable");
      return sheet.text;
    };
    const dark = "@media screen and (prefers-color-scheme: dark)";
    expect(await sheetOf("")).toContain(dark);
    expect(await sheetOf("?theme=auto")).toBe(await sheetOf(""));
    const [light, night] = [await sheetOf("?theme=light"), await sheetOf("?theme=dark")];
    expect(light).not.toContain(dark);
    expect(light).toContain("color-scheme: light;");
    expect(night).toContain("color-scheme: dark;");
    expect(night).not.toBe(light);
  });
});

describe("its address", () => {
  it("is kept for a minute, is a 304 while nothing changes, and answers HEAD and no POST", async () => {
    const ask = asking(await appIn());
    const got = await ask("/embed/listings/lst_2");
    expect(got.headers.get("cache-control")).toBe("public, max-age=60");
    expect(got.headers.get("x-indexed-block")).toBe(`${HEAD.number}`);
    const known = { "If-None-Match": got.headers.get("etag") ?? "" };
    expect((await ask("/embed/listings/lst_2", { headers: known })).status).toBe(304);
    const head = await ask("/embed/listings/lst_2", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("link")).toBe(linkHeader(linksOfPage(SITE.publicUrl, "/listings/lst_2")));
    const unknown = await ask("/embed/listings/lst_none", { method: "HEAD" });
    expect(unknown.headers.get("link")).toBe(linkHeader(linksOfPage(SITE.publicUrl, null)));
    expect((await ask("/embed/listings/lst_2", { method: "POST" })).status).toBe(405);
  });

  it("keeps its tag over blocks within the same minute", async () => {
    const at = async (seconds: bigint) => {
      const head = { number: HEAD.number + seconds, timestamp: HEAD.timestamp + seconds };
      return (await read(CARD, { snapshot: await market(undefined, head) })).headers.get("etag");
    };
    expect(await at(20n)).toBe(await at(1n));
    expect(await at(60n)).not.toBe(await at(1n));
  });

  it("redirects from a reference number to the public id", async () => {
    const { status, headers } = await read("/embed/listings/RB00001?theme=dark");
    expect([status, headers.get("location")]).toEqual([302, "/embed/listings/lst_1?theme=dark"]);
  });

  it.each([
    ["/embed/listings/lst_none", 404, "This raise is not published"],
    ["/embed/listings/lst_1?theme=pink", 400, "Allowed: auto, light, dark."],
    ["/embed/listings/lst_1?theme=%3Cb%3E", 400, "<b>"],
  ])("%s is a card that says what is wrong", async (path, expected, words) => {
    const answer = await read(path);
    expect(answer.status).toBe(expected);
    expect(answer.words).toContain(words);
    expect(answer.document.querySelectorAll("main b")).toHaveLength(0);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors *");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("before the first block is a card that says so, and when to ask again", async () => {
    const { status, headers, words } = await read(CARD, { snapshot: null });
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    expect(words).toContain("Getting ready");
  });
});

describe("the page of the raise", () => {
  const pageOf = async (origins: EmbedOrigins, accept = "text/html") => {
    const app: Hono = await appIn({ snapshot: await market(`"Oven" <b>`), overrides: embedded(origins) });
    return (await asking(app)("/listings/lst_1", { headers: { Accept: accept } })).text;
  };

  it("has the frame to copy, named after the site: it quotes nobody", async () => {
    const { document } = parseHTML(await pageOf("*"));
    const code = document.querySelector("#embed code")?.textContent ?? "";
    const frame = parseHTML(`<body>${code}</body>`).document;
    expect(frame.querySelectorAll("body *")).toHaveLength(1);
    const [own] = frame.querySelectorAll("iframe");
    expect(own?.getAttribute("src")).toBe(`${SITE.publicUrl}/embed/listings/lst_1`);
    expect(own?.getAttribute("title")).toBe("A raise on raises.example");
    // On a phone the site around it must not become wider than the screen.
    expect(own?.style.maxWidth).toBe("100%");
    expect(document.querySelector("#embed")?.textContent).toContain("Any site may show it.");
    expect(await pageOf("*", "text/markdown")).toContain("## Embed this raise");
  });

  it("names the sites that may, and says nothing where none may", async () => {
    expect(await pageOf(["https://blog.example"])).toContain(
      "These sites may show it: https://blog.example.",
    );
    expect(await pageOf([])).not.toContain("Embed this raise");
  });

  it("has a button to share it, as a business has", async () => {
    const ask = asking(await appIn());
    for (const path of ["/listings/lst_2", "/originators/org_northwind"])
      expect((await ask(path, { headers: { Accept: "text/html" } })).text).toContain('class="share-button"');
    expect((await ask("/", { headers: { Accept: "text/html" } })).text).not.toContain("share-button");
  });
});
