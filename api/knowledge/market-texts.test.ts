import { setImmediate as turn } from "node:timers/promises";
import type { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { marketOf } from "../../test/harness/market.ts";
import { calling } from "../../test/harness/mcp.ts";
import { entryDraft, everyState, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { createMarketTexts, MOST_RAISES, searchMarket } from "./market-texts.ts";
import { parseQuery } from "./query.ts";
import { createSearch } from "./search.ts";
import { termsOf } from "./terms.ts";
import { createTextIndex } from "./text-index.ts";

describe("a market with more raises than are searched by their words", () => {
  const SIZE = MOST_RAISES + 10;
  const cancelled = everyState().rows.find(({ terminalKind }) => terminalKind === "cancelled");
  const ids = Array.from({ length: SIZE }, (_, at) => at + 1);
  // The first has ended and is the oldest; the second is as old, and open.
  const market = marketOf(
    ids.map((id) =>
      listingRow({
        ...(id === 2 ? {} : { ...cancelled }),
        ...{ onchainId: BigInt(id), refnum: `RB${`${id}`.padStart(5, "0")}` },
        goLiveAt: NOW - 10_000n + BigInt(id),
      }),
    ),
    ids.map((id) =>
      entryDraft({
        onchainId: `${id}`,
        title: `Zeppelin ${id === 1 ? "hangar" : id === 2 ? "mast" : "tour"}`,
      }),
    ),
  );
  const found = async (query: string) => {
    const textsOf = createMarketTexts(SITE);
    for (let turns = 0; turns < 20; turns++) {
      textsOf(market);
      await turn();
    }
    const familiarity = { isKnown: () => false, isAlike: () => false };
    const { named, mentioned } = searchMarket(textsOf(market), parseQuery(query), familiarity);
    return [...named, ...mentioned].map(({ text }) => text.url.split("/").at(-1));
  };

  it("has the words of open ones, and of the newest that ended", async () => {
    expect(await found("mast")).toEqual(["lst_2"]);
    expect(await found("tour")).toHaveLength(50);
    expect(await found("hangar")).toEqual([]);
  });

  it("has every raise by its public id and its reference number", async () => {
    expect((await found("lst_1"))[0]).toBe("lst_1");
    expect((await found("what about RB00001"))[0]).toBe("lst_1");
    expect((await found("rb00001"))[0]).toBe("lst_1");
  });
});

it("an answer from a part of a large market's texts is given once, and is not repeated", async () => {
  const ids = Array.from({ length: 1_200 }, (_, at) => at + 1);
  const titles = new Map([1, 600, 1_200].map((id) => [id, `Zebrafish ${id}`]));
  const snapshot = await snapshotOf(
    tablesOf({ listings: ids.map((id) => listingRow({ onchainId: BigInt(id) })) }),
    registryOf(ids.map((id) => entryDraft({ onchainId: `${id}`, title: titles.get(id) ?? `Raise ${id}` }))),
  );
  const foundIn = async (ask: (app: Hono) => Promise<string>) => {
    const knowledge = { pages: [], glossary: [], pageBySlug: new Map() };
    const app = await appIn({ snapshot, overrides: { search: createSearch(knowledge, SITE) } });
    const found = async () => new Set((await ask(app)).match(/Zebrafish \d+/g)).size;
    const first = await found();
    for (let turns = 0; turns < 20; turns++) await turn();
    return [first < titles.size, await found()];
  };
  const query = "zebrafish";
  const byTool = async (app: Hono) => (await calling(app).call("search_knowledge", { query })).text;
  const onPage = async (app: Hono) =>
    (await app.request(`http://raises.example/knowledge.md?q=${query}`)).text();
  // For a tool, the endpoint keeps the message, and the server behind it the arguments.
  expect(await foundIn(byTool)).toEqual([true, 3]);
  expect(await foundIn(onPage)).toEqual([true, 3]);
});

it("texts added and removed during a clean-up break nothing", async () => {
  const index = createTextIndex(["text"]);
  const text = (place: number, version: number) => ({ text: `word${place} version${version} shared` });
  for (let version = 0; version < 20; version++) {
    for (let place = 0; place < 300; place++) index.put(place, text(place, version));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (let place = 0; place < 299; place++) index.remove(place);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(index.find(termsOf("shared")).map(({ place }) => place)).toEqual([299]);
  expect(index.find(termsOf("version18"))).toEqual([]);
});
