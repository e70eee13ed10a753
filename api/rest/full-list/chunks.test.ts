import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import type { ArchivedRows } from "../../market/archive/archived-rows.ts";
import type { Market } from "../../market/market.ts";
import { type Chunk, type Chunks, createChunks } from "./chunks.ts";
import { createPartStore, type PartStore } from "./part-file.ts";

const RAISES = 200;
let raises: ReturnType<typeof longMarket>;
let store: PartStore;
let chunks: Chunks;
const warned = vi.fn();

beforeEach(() => {
  raises = longMarket(RAISES);
  raises.open(ids(1, RAISES));
  store = createPartStore(tmpdir());
  chunks = createChunks(store, warned, 8);
});
afterEach(() => store.close());

const archivedOf = ({ listings: { archived } }: Market): ArchivedRows => {
  if (archived === null) throw new Error("nothing is archived");
  return archived;
};
/** The JSON of all chunks, each with its leading comma. */
const textOf = async (some: readonly Chunk[]) => {
  const made = [];
  for (const chunk of some) made.push((await chunks.load(chunk)).bytes.toString());
  return made.join("");
};
const expectedOf = (market: Market) => {
  const archived = archivedOf(market);
  return Array.from(
    archived.walk("newest"),
    ({ row }) => `,${JSON.stringify(archived.view.listingOf(row))}`,
  ).join("");
};

describe("the chunks of an archive", () => {
  it("have all its listings, newest first, in parts of about the size", async () => {
    const market = raises.end(ids(1, 160));
    const all = await chunks.of(archivedOf(market));
    expect(all.length).toBeGreaterThan(10);
    expect(all.length).toBeLessThan(40);
    expect(await textOf(all)).toBe(expectedOf(market));
    expect(chunks.measured(all)?.length).toBe(Buffer.byteLength(expectedOf(market)));
    expect(await textOf(all)).toBe(expectedOf(market));
  });

  it("stay the same objects where nothing has changed", async () => {
    const before = await chunks.of(archivedOf(raises.end(ids(1, 160))));
    await textOf(before);
    const market = raises.end(ids(161, 168));
    const after = await chunks.of(archivedOf(market));
    const same = after.filter((chunk) => before.includes(chunk));
    expect(same.length).toBeGreaterThanOrEqual(before.length - 2 * 8);
    expect(same.length).toBeLessThan(after.length);
    expect(same.every(({ stored }) => stored !== null)).toBe(true);
    expect(await textOf(after)).toBe(expectedOf(market));
  });

  it("are other ones where a grade is another, and only there", async () => {
    raises.end(ids(1, 160));
    const before = await chunks.of(archivedOf(raises.pass()));
    await textOf(before);
    const market = raises.lose([168, 172]);
    const after = await chunks.of(archivedOf(market));
    const { archive } = archivedOf(market).view;
    const isOfSun = ({ rows }: Chunk) => rows.some((row) => archive.originatorOf(row) === "org_sun");
    expect(after.filter((chunk) => before.includes(chunk))).toEqual(after.filter((chunk) => !isOfSun(chunk)));
    expect(await textOf(after)).toBe(expectedOf(market));
  });

  it("are made from the parts before while they come and go faster than they are asked for", async () => {
    await textOf(await chunks.of(archivedOf(raises.end(ids(1, 120)))));
    let market = raises.pass();
    for (const start of [121, 129, 137]) {
      await chunks.of(archivedOf(raises.end(ids(start, start + 7))));
      market = raises.pass();
    }
    const { view } = archivedOf(market);
    const opened = vi.spyOn(view, "listingToRead");
    const all = await chunks.of(archivedOf(market));
    for (const chunk of all) chunk.view = view;
    await textOf(all);
    expect(opened.mock.calls.map(([row]) => archivedOf(market).view.archive.publicIdOf(row)).sort()).toEqual(
      ids(121, 144)
        .map((id) => `lst_${id}`)
        .sort(),
    );
    expect(await textOf(all)).toBe(expectedOf(market));
  });

  it("give up the room of parts that no list has any more", async () => {
    const few = createPartStore(tmpdir(), 1);
    const small = createChunks(few, warned, 8);
    const load = async (market: Market) => {
      for (const chunk of await small.of(archivedOf(market))) await small.load(chunk);
    };
    await load(raises.end(ids(1, 160)));
    const before = few.size();
    for (let times = 0; times < 12; times++) {
      await load(raises.touch(ids(1, 8)));
      await load(raises.pass());
    }
    await vi.waitFor(() => expect(few.size()).toBeLessThan(2.5 * before));
    await few.close();
  });

  it("are answered from memory, with a warning, where the disk takes nothing", async () => {
    const broken = { ...store, write: () => Promise.reject(new Error("no space")) };
    const others = createChunks(broken, warned, 8);
    const market = raises.end(ids(1, 160));
    const all = await others.of(archivedOf(market));
    const made = [];
    for (const chunk of all) made.push((await others.load(chunk)).bytes.toString());
    expect(made.join("")).toBe(expectedOf(market));
    expect(warned).toHaveBeenCalledWith(new Error("no space"));
    expect(others.measured(all)).toBeNull();
  });

  it("are made again where a part cannot be read", async () => {
    const market = raises.end(ids(1, 160));
    const all = await chunks.of(archivedOf(market));
    await textOf(all);
    await store.close();
    expect(await textOf(all)).toBe(expectedOf(market));
  });
});
