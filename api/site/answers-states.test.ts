/** The pages of a service with troubles: before the first block, while it catches up, degraded, and broken. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn, type Situation } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { recordedLog, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";

const asHtml = { headers: { Accept: "text/html" } };
const asMarkdown = { headers: { Accept: "text/markdown" } };
const OF_MARKET = ["/", "/listings/lst_2", "/originators", "/originators/org_northwind"];
const OF_SERVICE = ["/knowledge", "/knowledge/grades", "/developers", "/system"];

const askIn = async (situation: Situation) => asking(await appIn(situation));

function bannerOf(html: string) {
  const { document } = parseHTML(html);
  const banner = document.querySelector("#syncState");
  const bar = banner?.querySelector("progress");
  return {
    state: banner?.getAttribute("data-state"),
    role: banner?.getAttribute("role"),
    text: banner?.querySelector("p")?.textContent ?? "",
    progress: bar
      ? [bar.getAttribute("value"), bar.getAttribute("max"), bar.getAttribute("aria-label")]
      : null,
  };
}

describe("before the first indexed block", async () => {
  const ask = await askIn({ snapshot: null });

  it.each(OF_MARKET)("%s says so in both forms, and when to ask again", async (path) => {
    for (const [init, type] of [
      [asHtml, "text/html; charset=utf-8"],
      [asMarkdown, "text/markdown; charset=utf-8"],
    ] as const) {
      const { status, headers, text } = await ask(path, init);
      expect([status, headers.get("content-type")]).toEqual([503, type]);
      expect(headers.get("retry-after")).toBe("2");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(headers.get("link")).toContain('rel="describedby"');
      expect(text).toContain("Getting ready");
      expect(text).toContain("We have not read any blocks yet");
    }
  });

  it("the page waits for the market, has no address of its own, and says how far it is", async () => {
    const { text } = await ask("/", asHtml);
    const { document } = parseHTML(text);
    expect(document.querySelector("main")?.getAttribute("data-live")).toBe("");
    expect(document.querySelector('meta[name="robots"]')?.getAttribute("content")).toBe("noindex");
    expect(document.querySelector('link[rel="canonical"]')).toBeNull();
    expect(bannerOf(text)).toMatchObject({ state: "starting", progress: ["0", "100", "Blocks indexed"] });
  });

  it("is never answered with a 304", async () => {
    const { headers } = await ask("/", asHtml);
    const tag = headers.get("etag") ?? "*";
    for (const known of [tag, "*"]) {
      const again = await ask("/", { headers: { ...asHtml.headers, "If-None-Match": known } });
      expect(again.status).toBe(503);
    }
  });

  it.each(OF_SERVICE)("%s is there all the same", async (path) => {
    for (const init of [asHtml, asMarkdown]) expect((await ask(path, init)).status).toBe(200);
  });
});

describe("while the index catches up", async () => {
  const upstreamHead = { number: HEAD.number + 1_000n, timestamp: HEAD.timestamp };
  const ask = await askIn({ upstreamHead });
  it.each([...OF_MARKET, ...OF_SERVICE])("%s says so in both forms", async (path) => {
    const { status, text } = await ask(path, asHtml);
    expect(status).toBe(200);
    const { text: said, ...banner } = bannerOf(text);
    expect(banner).toEqual({
      state: "syncing",
      role: "status",
      progress: ["50", "100", "Blocks indexed"],
    });
    expect(said).toContain("block 48,211,034 of 48,212,034, 50%");
    expect((await ask(path, asMarkdown)).text).toContain(`\n> **Note:** ${said}\n`);
  });

  it("has no bar where the length of the chain is not known", async () => {
    const unknown = await askIn({ upstreamHead: null });
    const { state, progress, text } = bannerOf((await unknown("/", asHtml)).text);
    expect([state, progress]).toEqual(["syncing", null]);
    expect(text).toContain("not known yet");
  });
});

it.each([
  ["/", "/v1/stream?heads=rows"],
  ["/listings/lst_2", "/v1/stream?listing=lst_2"],
  ["/originators", "/v1/stream?heads=rows"],
  ["/originators/org_northwind", "/v1/stream?originator=org_northwind"],
  // It shows no events.
  ["/system", ""],
  ["/knowledge/grades", undefined],
])("%s follows %s, and nothing before the index is at the head", async (path, stream) => {
  const upstreamHead = { number: HEAD.number + 1_000n, timestamp: HEAD.timestamp };
  for (const [situation, followed] of [
    [{}, stream],
    [{ upstreamHead }, stream && ""],
  ] as const) {
    const ask = await askIn(situation);
    const main = parseHTML((await ask(path, asHtml)).text).document.querySelector("main");
    expect(main?.getAttribute("data-live") ?? undefined).toBe(followed);
    if (followed) expect((await ask(followed, { method: "HEAD" })).status).toBe(200);
  }
});

describe("the banner of a service", () => {
  it("is in the page for the refresh to fill, and empty while the service is well", async () => {
    const ask = await askIn({});
    expect(bannerOf((await ask("/", asHtml)).text)).toEqual({
      state: "ok",
      role: "status",
      text: "",
      progress: null,
    });
    expect((await ask("/", asMarkdown)).text).not.toContain("**Note:**");
  });

  it("says why the service is degraded, and stays the same over the blocks", async () => {
    const texts = await Promise.all(
      [0n, 7n].map(async (ahead) => {
        const upstreamHead = { ...HEAD, number: HEAD.number + ahead };
        const ask = await askIn({ upstreamHead, registry: { status: "refused" } });
        const markdown = await ask("/", asMarkdown);
        const { state, text } = bannerOf((await ask("/", asHtml)).text);
        expect(state).toBe("degraded");
        expect(markdown.text).toContain(`> **Note:** ${text}`);
        return text;
      }),
    );
    expect(texts[0]).toContain("The last update of the registry was invalid");
    expect(texts[1]).toBe(texts[0]);
    const silent = await askIn({ secondsSinceSeen: 61 });
    expect(bannerOf((await silent("/", asHtml)).text).text).toContain("has not responded");
  });
});

describe("a query that cannot be used", async () => {
  const ask = await askIn({});

  it.each([
    ["/?status=nonsense", "(status) cannot be", "Allowed: listed, funding"],
    ["/?interest=soon", "interest cannot be", "a percentage"],
    ["/?cursor=nonsense", "cursor is not one of this board", "first page"],
    ["/listings/lst_2?before=nonsense", "parameter before", "older events"],
    ["/originators?page=0", "There is no page", "only page 1"],
    ["/originators?page=1&page=2", "more than once", "name one"],
  ])("%s is refused by the page, in both forms", async (path, problem, allowed) => {
    for (const init of [asHtml, asMarkdown]) {
      const { status, headers, text } = await ask(path, init);
      expect(status).toBe(400);
      expect(text).toContain(problem);
      expect(text).toContain(allowed);
      const tag = headers.get("etag") ?? "";
      const again = await ask(path, { headers: { ...init.headers, "If-None-Match": tag } });
      expect(again.status).toBe(400);
    }
  });
});

describe("a page that could not be made", () => {
  const SECRET = "connect ECONNREFUSED /srv/raisebook/db.sock";
  const failing = async (): Promise<never> => {
    throw new Error(SECRET);
  };
  const broken: Record<string, Situation["overrides"]> = {
    ledger: { ledger: { ...fixedLedger(), ofListing: failing, seriesOfListing: failing } },
    updater: {
      updater: {
        current: () => {
          throw new Error(SECRET);
        },
      },
    },
  };

  it.each(Object.entries(broken))(
    "for a broken %s says nothing but the request",
    async (_what, overrides) => {
      const { log, lines } = recordedLog();
      const ask = await askIn({ overrides: { ...overrides, log } });
      for (const init of [asHtml, asMarkdown]) {
        const headers = { ...init.headers, "X-Request-Id": "req-4711" };
        for (const method of ["GET", "HEAD"]) {
          const answer = await ask("/listings/lst_2", { method, headers });
          expect(answer.status).toBe(500);
          expect(answer.headers.get("cache-control")).toBe("no-store");
          expect(answer.headers.get("x-request-id")).toBe("req-4711");
          expect(answer.text.includes("req-4711")).toBe(method === "GET");
          expect(answer.text).not.toMatch(/ECONNREFUSED|\/srv|node_modules|answers\.ts/);
        }
      }
      expect(JSON.stringify(lines)).toContain("ECONNREFUSED");
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatchObject({ level: "error", requestId: "req-4711", path: "/listings/lst_2" });
    },
  );

  it("is made again for the next request", async () => {
    const sound = fixedLedger();
    let isBroken = true;
    const ledger = {
      ...sound,
      ofListing: async (...asked: Parameters<typeof sound.ofListing>) =>
        isBroken ? failing() : sound.ofListing(...asked),
    };
    const snapshot = await snapshotOf(tablesOf());
    const ask = await askIn({ snapshot, overrides: { ledger, log: recordedLog().log } });
    expect((await ask("/listings/lst_2")).status).toBe(500);
    isBroken = false;
    expect((await ask("/listings/lst_2")).status).toBe(200);
  });

  it("says that ledger and market differ, and when to retry", async () => {
    const { log, lines } = recordedLog();
    const ask = await askIn({ overrides: { ...(await neverInStep()), log } });
    for (const init of [asHtml, asMarkdown]) {
      const { status, headers, text } = await ask("/listings/lst_2", init);
      expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(text).toContain("replacing its last blocks");
    }
    const feed = await ask("/feed.atom");
    expect(feed.status).toBe(503);
    expect(JSON.parse(feed.text).code).toBe("reorganising");
    expect(lines).toEqual([]);
  });
});
