import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { A, listingEntry, ORIGINATOR } from "../../test/harness/registry-document.ts";
import { NO_POLL, openStore, titlesIn } from "../../test/harness/registry-store.ts";
import { DEPLOYMENT, documentHash, OPERATOR, signed } from "../../test/harness/signed-registry.ts";
import { lastGoodFile } from "./copy.ts";
import { checkDocument, whereIs } from "./document.ts";
import { loadRegistry } from "./load.ts";
import type { RegistryStoreOptions } from "./store.ts";

const listing = (id: number, title = "T") => listingEntry(id, { title });

/** A folder with these files, whose values are written as the name says. */
async function folderOf(files: Record<string, unknown>): Promise<{ path: string; write: typeof write }> {
  const path = join(temporaryFolder(), "registry/");
  const write = async (name: string, value: unknown) => {
    const text = name.endsWith("json") ? JSON.stringify(value) : stringify(value);
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), typeof value === "string" ? value : text);
  };
  for (const [name, value] of Object.entries(files)) await write(name, value);
  return { path, write };
}
declare function write(name: string, value: unknown): Promise<void>;

const open = (path: string, options: Partial<RegistryStoreOptions> = {}) =>
  openStore({ source: { kind: "folder", path }, ...options });

const eventually = (expected: () => void) => vi.waitFor(expected, { ...PATIENCE, interval: 10 });

describe("a registry in a folder", () => {
  it("has a file per raise, in JSON or YAML, and is loaded again when a file changes, comes or goes", async () => {
    const { path, write } = await folderOf({
      "originators.json": [ORIGINATOR],
      "listings/a.json": listing(1, "One"),
      "listings/b.yaml": listing(2, "Two"),
      "listings/notes.md": "not read",
      "listings/.hidden.json": "{",
      "README.md": "not read",
    });
    const { store } = await open(path);
    expect(titlesIn(store)).toEqual(["One", "Two"]);
    const [first] = store.current().listings;
    await write("listings/b.yaml", listing(2, "Second"));
    await eventually(() => expect(titlesIn(store)).toEqual(["One", "Second"]));
    // The same object: it was not validated again.
    expect(store.current().listings.at(0)).toEqual(first);
    await write("listings/c.yml", listing(3, "Three"));
    await eventually(() => expect(titlesIn(store)).toEqual(["One", "Second", "Three"]));
    await rm(join(path, "listings/a.json"));
    await eventually(() => expect(titlesIn(store)).toEqual(["Second", "Three"]));
  });

  it("is noticed by the watch alone", async () => {
    const { path, write } = await folderOf({
      "originators.json": [ORIGINATOR],
      "listings/a.json": listing(1),
    });
    const { store } = await open(path, { pollInterval: NO_POLL });
    await write("listings/a.json", listing(1, "New"));
    await eventually(() => expect(titlesIn(store)).toEqual(["New"]));
  });

  it("may be a link that is switched to another folder", async () => {
    const one = await folderOf({ "originators.json": [ORIGINATOR], "listings/a.json": listing(1, "One") });
    const two = await folderOf({ "originators/a.yaml": ORIGINATOR, "listings/a.json": listing(1, "Two") });
    const link = join(dirname(one.path), "current");
    await symlink(one.path, link);
    const { store } = await open(`${link}/`, { pollInterval: NO_POLL });
    await symlink(two.path, `${link}.new`);
    await rename(`${link}.new`, link);
    await eventually(() => expect(titlesIn(store)).toEqual(["Two"]));
  });

  it("is read from one folder where the link is switched meanwhile", async () => {
    const folder = (title: string) =>
      folderOf({ "originators.json": [ORIGINATOR], "listings/a.json": listing(1, title) });
    const [one, two] = await Promise.all([folder("One"), folder("Two")]);
    const link = join(dirname(one.path), "current");
    await symlink(one.path, link);
    const switched = async () => {
      await symlink(two.path, `${link}.new`);
      await rename(`${link}.new`, link);
      return undefined;
    };
    // Asked for between the look at the files and their reading.
    const loaded = await loadRegistry({ kind: "folder", path: `${link}/` }, { known: switched });
    if (loaded.kind === "unchanged") throw new Error("it has not been loaded before");
    expect([...(await loaded.draft.finish()).registry.listings]).toMatchObject([{ title: "One" }]);
  });

  it("takes every value in YAML as a text: an address is no number", async () => {
    const yaml = `publicId: lst_1\noriginator: org_a\nescrowAddress: ${A}\nonchainId: 12\ntitle: 2026-01-01\ndescription: |\n  Two\n  lines\n`;
    const { path } = await folderOf({ "originators.yaml": [ORIGINATOR], "listings/a.yaml": yaml });
    const { store } = await open(path);
    expect([...store.current().listings]).toEqual([
      { ...listing(12, "2026-01-01"), publicId: "lst_1", description: "Two\nlines\n" },
    ]);
  });

  it("takes terms in YAML, where numbers and times need no quotes", async () => {
    const { path } = await folderOf({
      "originators.yaml": [ORIGINATOR],
      "listings/a.yaml": `${["publicId: lst_1", "originator: org_a", `escrowAddress: ${A}`, "onchainId: 1"].join("\n")}
title: One
description: One
refnum: FX00001
terms:
  targetAmount: 1000000000000000000000
  minRaise: 500000000000000000000
  couponRateBps: 1450
  tenorDays: 90
  insuranceBps: 0
  pricingMode: auction
  goLiveAt: 2026-03-01T12:00:00Z
`,
    });
    const { store } = await open(path);
    expect(store.current().listings.at(0)?.terms).toEqual({
      ...{ targetAmount: 10n ** 21n, minRaise: 5n * 10n ** 20n, couponRateBps: 1450, tenorDays: 90 },
      ...{ insuranceBps: 0, pricingMode: "auction", goLiveAt: 1_772_366_400n, closeAt: null },
    });
  });

  it("is refused as a whole with the file of each problem, and the health names no file", async () => {
    const { path, write } = await folderOf({
      "originators.json": [ORIGINATOR],
      "listings/a.json": listing(1, "One"),
      "listings/secret-raise.yaml": listing(2, "Two"),
    });
    const { store, lines } = await open(path);
    await write("listings/secret-raise.yaml", "title: [");
    await eventually(() => expect(store.state().status).toBe("refused"));
    expect(titlesIn(store)).toEqual(["One", "Two"]);
    expect(lines[0]?.problem).toMatch(/^listings\[1\]: is not YAML: .*\(listings\/secret-raise\.yaml\)$/);
    expect(store.state().problem).toBe("listings[1] (the log says what is wrong)");
    await write("listings/secret-raise.yaml", { ...listing(1), title: "" });
    await eventually(() =>
      expect(lines.at(-1)?.problem).toMatch(
        /^listings\[1\]\.title: not a text.*\(listings\/secret-raise\.yaml\)$/,
      ),
    );
    await write("listings/secret-raise.yaml", { ...listing(1), publicId: "lst_2" });
    await eventually(() =>
      expect(lines.at(-1)?.problem).toBe(
        "listings[1].onchainId: the pair of escrow and on-chain id is already in listings[0] (listings/secret-raise.yaml)",
      ),
    );
    await write("listings/secret-raise.yaml", listing(2, "Second"));
    await eventually(() => expect(titlesIn(store)).toEqual(["One", "Second"]));
  });

  it("leaves its last good copy for a restart", async () => {
    const { path, write } = await folderOf({
      "originators.json": [ORIGINATOR],
      "listings/a.json": listing(1),
    });
    const lastGood = lastGoodFile(join(dirname(path), "kept.json"));
    const before = await open(path, { lastGood });
    before.store.stop();
    await write("listings/a.json", "{");
    const { store } = await open(path, { lastGood });
    expect(store.state()).toMatchObject({
      status: "refused",
      version: before.store.state().version,
      listings: 1,
    });
    expect(store.current().hash).toBe(before.store.current().hash);
  });

  it("carries revision and signature in registry.yaml or registry.json", async () => {
    const document = { originators: [ORIGINATOR], listings: [listing(1)] };
    const { revision, signature } = (await signed(document, 7)) as { revision: number; signature: string };
    const files = { "originators.json": [ORIGINATOR], "listings/a.yaml": listing(1) };
    const signer = { address: OPERATOR, publicUrl: DEPLOYMENT, chainId: 97 } as const;
    for (const name of ["registry.yaml", "registry.json"]) {
      const { path, write } = await folderOf({ ...files, [name]: { revision, signature } });
      const { store } = await open(path, { signer });
      expect(store.state()).toMatchObject({ revision: 7, hash: documentHash({ ...document, revision }) });
      await write("listings/a.yaml", listing(1, "Changed"));
      await eventually(() => expect(store.state().problem).toContain("signature: is not by REGISTRY_SIGNER"));
    }
  });

  it("has one file with revision and signature at most", async () => {
    const files = { "registry.json": { revision: 5 }, "registry.yaml": { revision: 4 } };
    const { path } = await folderOf({ ...files, "listings/a.json": listing(1) });
    await expect(loadRegistry({ kind: "folder", path })).rejects.toThrow(
      "the registry's folder has registry.json and registry.yaml: keep one",
    );
  });

  it("must have a folder of listings", async () => {
    const { path } = await folderOf({ "originators.json": [ORIGINATOR] });
    await expect(open(path)).rejects.toThrow("has no folder listings");
    await expect(open(`${path}nowhere/`)).rejects.toThrow("does not exist");
    await expect(loadRegistry({ kind: "file", path })).rejects.toThrow("end its path with a slash");
  });

  it("names file, line and column of each problem to the check", async () => {
    const { path } = await folderOf({
      "originators.yaml": [ORIGINATOR, { ...ORIGINATOR, kybStatus: "fine" }],
      "listings/a.yaml": `# a raise\n${stringify(listing(1)).replace('onchainId: "1"', "onchainId: 01")}`,
      "listings/b.json": { ...listing(2), cover: "a.png" },
    });
    const settings = { registrySigner: null, publicUrl: "https://raises.example", chainId: 97 };
    const checked = await checkDocument({ kind: "folder", path }, settings);
    expect(checked.problems.map((finding) => `${whereIs(checked, finding)}: ${finding.text}`)).toEqual([
      `${path}originators.yaml:10:14: originators[1].kybStatus: not a status: "fine" (expected not_started, submitted, in_review, approved, rejected, expired)`,
      expect.stringMatching(/listings\/a\.yaml:5:12: listings\[0\]\.onchainId: not an on-chain id: "01"/),
    ]);
  });
});
