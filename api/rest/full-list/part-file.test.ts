import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, open as openFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { createPartStore, type PartStore, type Place } from "./part-file.ts";

const FEW = 1_000;

let folder: string;
let store: PartStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = createPartStore(folder, FEW);
});
afterEach(async () => {
  await store.close();
});

/** A part that does not get smaller. */
const part = () => randomBytes(400);
type Kept = { bytes: Buffer; place: Place };
const keep = async (count: number): Promise<Kept[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = part();
      return { bytes, place: await store.write(bytes) };
    }),
  );
const expectAll = async (kept: readonly Kept[]) => {
  for (const { bytes, place } of kept) expect(await store.read(place)).toEqual(bytes);
};

describe("the file of parts", () => {
  it("gives each part as it was written, and has no name", async () => {
    const kept = await keep(20);
    await expectAll(kept);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is begun again when more than half is dead, and keeps what is alive", async () => {
    const kept = await keep(20);
    const before = store.size();
    for (const { place } of kept.slice(0, 15)) store.drop(place);
    await vi.waitFor(() => expect(store.size()).toBeLessThan(before / 3));
    await expectAll(kept.slice(15));
    await expectAll(await keep(3));
  });

  it("stays while a few bytes are dead", async () => {
    const [first] = await keep(1);
    store.drop((first as Kept).place);
    expect(store.size()).toBe(400);
  });

  it("leaves what is dropped to those who began to read before", async () => {
    const kept = await keep(20);
    const before = store.size();
    const [endFirst, endSecond] = [store.beginReading(), store.beginReading()];
    for (const { place } of kept.slice(0, 15)) store.drop(place);
    await vi.waitFor(() => expect(store.size()).toBeGreaterThan(before));
    await expectAll(kept);
    endFirst();
    await expectAll(kept);
    endSecond();
    await vi.waitFor(() => expect(store.size()).toBeLessThan(before / 3));
    await expectAll(kept.slice(15));
    await expect(store.read((kept[0] as Kept).place)).rejects.toThrow();
  });

  it("takes and drops parts while it is begun again", async () => {
    const kept = await keep(40);
    for (const { place } of kept.slice(0, 30)) store.drop(place);
    for (const { place } of kept.slice(30, 33)) store.drop(place);
    const more = await keep(10);
    await expectAll([...kept.slice(33), ...more]);
    await vi.waitFor(() => expect(store.size()).toBeLessThan(25 * 450));
    await expectAll([...kept.slice(33), ...more]);
  });

  it("drops a part once", async () => {
    const kept = await keep(2);
    for (let times = 0; times < 20; times++) store.drop((kept[0] as Kept).place);
    await expectAll(kept);
  });

  it("keeps the old file while the disk has no room for a new one", async () => {
    const kept = await keep(40);
    const files = () => readdirSync("/proc/self/fd").length;
    const [before, open] = [store.size(), files()];
    const handle = await openFile(join(folder, "any"), "w");
    const full = vi.spyOn(Object.getPrototypeOf(handle), "write").mockRejectedValue(new Error("ENOSPC"));
    await handle.close();
    for (const { place } of kept.slice(0, 30)) {
      store.drop(place);
      await vi.waitFor(() => expect(files()).toBe(open));
    }
    await expectAll(kept.slice(30));
    full.mockRestore();
    for (const { place } of kept.slice(30, 35)) store.drop(place);
    await vi.waitFor(() => expect(store.size()).toBeLessThan(before / 3));
    expect(files()).toBe(open);
    await expectAll([...kept.slice(35), ...(await keep(3))]);
  });

  it("fails where no file can be, and works once one can", async () => {
    const missing = join(folder, "missing");
    const other = createPartStore(missing);
    await expect(other.write(part())).rejects.toThrow("ENOENT");
    await mkdir(missing);
    const bytes = part();
    expect(await other.read(await other.write(bytes))).toEqual(bytes);
    await other.close();
  });
});
