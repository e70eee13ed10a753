import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { lastGoodFile, loadFirstCopy } from "../../api/registry/copy.ts";
import { keepRegistry } from "../../api/registry/registry-keeper.ts";
import { writeRegistry } from "../../api/registry/saved.ts";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { checkRegistry, checkStart } from "./check-files.ts";

const folder = temporaryFolder();

describe("a saved registry", () => {
  const document = (title: string) => ({
    originators: [
      { publicId: "org_a", legalName: "A", jurisdiction: "SG", kybStatus: "approved", addresses: [] },
    ],
    listings: Array.from({ length: 5_000 }, (_, index) => ({
      ...{ publicId: `lst_${index}`, originator: "org_a", escrowAddress: `0x${"e5".repeat(20)}` },
      ...{ onchainId: `${index + 1}`, title, description: "" },
    })),
  });
  const settingsOf = (path: string) =>
    readSettings({ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0`, REGISTRY: path });

  /** A saved registry, whose reads of the entries are counted. */
  async function save(name: string) {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(document("A title")));
    const { log } = recordedLog();
    const file = { path: join(folder, `${name}.registry`), origin: "one", signer: null };
    const { copy, validators } = await loadFirstCopy({ source: { kind: "file", path }, signer: null });
    await writeRegistry(file, copy, validators);
    const saved = keepRegistry({ ...file, writes: false, log });
    return { path, settings: settingsOf(path), saved, read: vi.spyOn(saved, "read") };
  }

  it("is not read for several processes if unchanged, and is the registry of a single one", async () => {
    const { path, settings, saved, read } = await save("one");
    expect(await checkStart(settings, { saved, isLoaded: false })).toEqual({
      problems: [],
      registry: undefined,
    });
    expect(read).not.toHaveBeenCalled();
    const { registry, problems } = await checkStart(settings, { saved, isLoaded: true });
    expect([problems, registry?.copy.registry.listings.length]).toEqual([[], 5_000]);
    expect(registry?.savedSum).toMatch(/^[0-9a-f]{64}$/);
    expect((await checkRegistry(settings, { saved })).document?.hash).toBe(registry?.copy.registry.hash);
    await writeFile(path, JSON.stringify(document("Another title")));
    const changed = await checkStart(settings, { saved, isLoaded: true });
    expect(changed.registry?.copy.registry.listings.at(7)?.title).toBe("Another title");
    expect(changed.registry?.savedSum).toBeNull();
  });

  it("hides no problem of a document that has changed", async () => {
    const { path, settings, saved } = await save("two");
    const bad = document("A title");
    bad.listings.push({ ...bad.listings[0], title: "" } as (typeof bad.listings)[0]);
    await writeFile(path, JSON.stringify(bad));
    const { problems: expected } = await checkRegistry(settings);
    expect(expected.map(({ problem }) => problem.replace(path, ""))).toEqual([
      expect.stringMatching(/^cannot be used \(\):\n {4}- listings\[5000\]\.title: not a text/),
    ]);
    for (const isLoaded of [true, false])
      expect(await checkStart(settings, { saved, isLoaded })).toEqual({
        problems: expected,
        registry: undefined,
      });
    expect((await checkRegistry(settings, { saved })).problems).toEqual(expected);
    const lastGood = lastGoodFile(join(folder, "two.last-good.json"));
    await lastGood.write([Buffer.from(JSON.stringify(document("A title")))]);
    const several = await checkStart(settings, { saved, lastGood, isLoaded: false });
    expect(several).toEqual({ problems: [], registry: undefined });
    const one = await checkStart(settings, { saved, lastGood, isLoaded: true });
    expect(one.problems).toEqual([]);
    expect(one.registry?.problem).toMatch(/^listings\[5000\]\.title: not a text/);
  });
});
