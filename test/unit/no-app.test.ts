/** A service with an app to sign in, and one without: what every face says of where a person signs. */
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { type Ask, asking } from "../harness/asking.ts";
import { calling } from "../harness/mcp.ts";
import { everyState } from "../harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";

type Faces = { ask: Ask; facts: ReturnType<typeof calling>["facts"]; instructions: string };

async function facesOf(appUrl: string | null): Promise<Faces> {
  const publicSettings = { ...SITE, appUrl };
  const { rows, registry } = everyState();
  const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry, publicSettings);
  const app = await appIn({ snapshot, overrides: { publicSettings } });
  const ask = asking(app);
  const initialize = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const { text } = await ask("/mcp", { method: "POST", headers, body: JSON.stringify(initialize) });
  return { ask, facts: calling(app).facts, instructions: JSON.parse(text).result.instructions };
}

let withApp: Faces;
let without: Faces;
beforeAll(async () => {
  withApp = await facesOf("https://app.example/sign");
  without = await facesOf(null);
});

/** The `appUrl` of one raise as each face that has one gives it. */
async function appUrls({ ask, facts }: Faces): Promise<Record<string, unknown>> {
  const json = async (path: string, init?: RequestInit) => JSON.parse((await ask(path, init)).text);
  const query = encodeURIComponent('{ listing(id: "lst_2") { appUrl } }');
  const graphql = await json(`/graphql?query=${query}`, { headers: { Accept: "application/json" } });
  const { deals } = (await facts("list_deals", { status: ["funding"] })) as { deals: { appUrl: unknown }[] };
  const { deal } = (await facts("get_deal", { id: "lst_2" })) as { deal: { appUrl: unknown } };
  const [header = "", row = ""] = (await ask("/v1/listings.csv?status=funding")).text.split("\r\n");
  // Nothing behind the description's quotes has a comma in it.
  const fromEnd = header.split(",").length - header.split(",").indexOf("appUrl");
  return {
    rest: (await json("/v1/listings/lst_2")).appUrl,
    graphql: graphql.data.listing.appUrl,
    listDeals: deals[0]?.appUrl,
    getDeal: deal.appUrl,
    csv: row
      .replace(/[\s\S]*"/, "")
      .split(",")
      .at(-fromEnd),
  };
}

describe("appUrl", () => {
  it("is below the app, on every face", async () => {
    const signing = "https://app.example/sign/listings/lst_2";
    const faces = { rest: signing, graphql: signing, listDeals: signing, getDeal: signing, csv: signing };
    expect(await appUrls(withApp)).toEqual(faces);
  });

  it("is null without an app, on every face", async () => {
    const faces = { rest: null, graphql: null, listDeals: null, getDeal: null, csv: "" };
    expect(await appUrls(without)).toEqual(faces);
  });
});

describe("the texts for agents", () => {
  const SKILLS = ["raisebook-compare-raises", "raisebook-hand-over-to-sign"];
  const textsOf = async ({ ask, instructions }: Faces) => {
    const paths = [
      ...["/llms.txt", "/auth.md", "/md/index"],
      ...SKILLS.map((name) => `/.well-known/agent-skills/${name}/SKILL.md`),
    ];
    const texts = await Promise.all(paths.map(async (path) => [path, (await ask(path)).text] as const));
    return [...texts, ["instructions", instructions] as const].map(
      ([path, text]) => [path, text.replace(/\s+/g, " ")] as const,
    );
  };

  it("hand over the appUrl where there is one", async () => {
    for (const [path, text] of await textsOf(withApp)) {
      expect(text, path).toContain("hand over the appUrl of the raise: there the person checks it and signs");
      expect(text, path).not.toMatch(/no app to sign in/i);
    }
  });

  it("say that no app is configured where there is none, and hand over the page", async () => {
    for (const [path, text] of await textsOf(without)) {
      expect(text, path).toContain(
        "hand over the url of the raise: no app to sign in is configured here, so appUrl is null",
      );
      expect(text, path).not.toContain("hand over the appUrl");
    }
  });
});

describe("the page of a raise", () => {
  const ACCEPTS = { html: "text/html", markdown: "text/markdown" };
  // One that takes money, and one whose money can be claimed back.
  const PAGES = ["/listings/lst_2", "/listings/lst_6"];

  it.each(Object.entries(ACCEPTS))("links to the app, or says that there is none (%s)", async (_, Accept) => {
    for (const path of PAGES) {
      const linked = (await withApp.ask(path, { headers: { Accept } })).text;
      expect(linked).toContain(`https://app.example/sign${path}`);
      expect(linked).not.toMatch(/no app to (sign|do so) in is configured/i);
      const plain = (await without.ask(path, { headers: { Accept } })).text;
      expect(plain).toMatch(/no app to (sign|do so) in is configured/i);
      expect(plain).not.toMatch(/in the app\b/);
      expect(plain).not.toContain("app.example");
    }
  });
});

it("get_deal says how the refunds of a failed raise stand, with and without an app", async () => {
  const refundsIn = async ({ facts }: Faces, id: string) =>
    ((await facts("get_deal", { id })).display as Record<string, string>).refunds;
  expect(await refundsIn(withApp, "lst_6")).toMatch(
    /80,000 of 80,000 USD-test is still to be claimed: .* in the app\.$/,
  );
  expect(await refundsIn(without, "lst_6")).toMatch(/no app to do so in is configured here\.$/);
  expect(await refundsIn(withApp, "lst_7")).toBe("Nobody had subscribed, so there is nothing to claim.");
  expect(await refundsIn(withApp, "lst_2")).toBeUndefined();
});
