import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { type EntryDraft, entryDraft, type OriginatorDraft } from "../../test/harness/rows.ts";
import { DEPLOYMENT, OPERATOR, signed } from "../../test/harness/signed-registry.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { lastGoodFile } from "./copy.ts";
import { loadRegistry } from "./load.ts";
import { createPacker } from "./packed.ts";
import { keepRegistry } from "./registry-keeper.ts";
import { type RegistryFile, readRegistry, readValidators, writeRegistry } from "./saved.ts";
import { registryDocument } from "./schema.ts";
import { createRegistryStore, type RegistryStore, type RegistryStoreOptions } from "./store.ts";

/** The fewest that are saved. */
const ENTRIES = 5_001;
/** Milliseconds in which a store with a long registry would have begun to save it. */
const WAIT = 50;
const SIGNER = { address: OPERATOR, publicUrl: DEPLOYMENT, chainId: 97 };

let folder: string;
let path: string;
let savedPath: string;
const stores: RegistryStore[] = [];
const validated = {
  listings: vi.spyOn(registryDocument.shape.listings.element, "safeParse"),
  originators: vi.spyOn(registryDocument.shape.originators.element, "safeParse"),
};

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "registry.json");
  savedPath = join(folder, "cache", "one.registry");
});

afterEach(() => {
  for (const store of stores.splice(0)) store.stop();
});

const originator: OriginatorDraft = {
  ...{ publicId: "org_a", legalName: "Ä & Söhne 🏦", jurisdiction: "SG", kybStatus: "approved" },
  ...{ addresses: [], description: '"publicId":"org_b"' },
};
/** With a field more than the plainest, so that the schema is asked. */
const listing = (id: number): EntryDraft =>
  entryDraft({
    ...{
      publicId: `lst_${id}`,
      onchainId: `${id}`,
      originator: "org_a",
      title: `No. ${id} 🏦`,
      refnum: "RB00042",
    },
  });
/** With one originator. */
const document = (length = ENTRIES - 1, first = listing(1)) => ({
  originators: [originator],
  listings: [first, ...Array.from({ length: length - 1 }, (_, index) => listing(index + 2))],
});

const write = (value: object) => writeFile(path, JSON.stringify(value));
const fileOf = (signer: RegistryFile["signer"] = null): RegistryFile => ({
  ...{ path: savedPath, origin: "one", signer },
});

/** Starts a store as a process does, and counts the entries that it validates. */
async function start(options: Partial<RegistryStoreOptions> & { origin?: string; writes?: boolean } = {}) {
  const { signer = null, origin = "one", writes = true, ...others } = options;
  const { log, lines } = recordedLog();
  for (const { mock } of Object.values(validated)) mock.calls.length = 0;
  const store = await createRegistryStore({
    ...{ source: { kind: "file", path }, signer, log, pollInterval: 3_600_000, ...others },
    saved: keepRegistry({ path: savedPath, origin, signer, writes, log, writeAfter: 0 }),
  });
  stores.push(store);
  const count = () => validated.listings.mock.calls.length + validated.originators.mock.calls.length;
  const said = () => lines.map(({ msg }) => msg);
  return { store, validated: count(), count, said };
}

/** Then the store ends, before it can see later changes too. */
async function untilSaved({ said, store }: { said: () => unknown[]; store: RegistryStore }) {
  await vi.waitFor(() => expect(said()).toContain("Saved the registry"), PATIENCE);
  store.stop();
}

/** All that readers get. */
function contentOf(store: RegistryStore) {
  const { originators, listings, ...registry } = store.current();
  const pairs = [...listings].map(({ escrowAddress, onchainId }) => `${escrowAddress}:${onchainId}`);
  return {
    ...{ originators: [...originators], listings: [...listings], hash: registry.hash },
    byId: registry.listingByPublicId.get("lst_77"),
    byPair: pairs.map((pair) => registry.listingByPair.get(pair)?.publicId),
    stranger: registry.listingByPublicId.get("lst_0"),
    state: store.state(),
  };
}

it("a start after another validates no entry of a source that has not changed", async () => {
  await write(document());
  const before = await start();
  expect(before.validated).toBe(ENTRIES);
  expect(before.said()).not.toContain("Loaded the saved registry");
  await untilSaved(before);
  const after = await start();
  expect(after.validated).toBe(0);
  expect(after.said()).toContain("Loaded the saved registry");
  expect(contentOf(after.store)).toEqual(contentOf(before.store));
  expect(after.store.current().listingByPublicId.get("lst_77")?.title).toBe("No. 77 🏦");
  await utimes(path, 1, 1);
  expect((await start()).validated).toBe(0);
});

it("validates only entries that are new since, and saves them with the rest", async () => {
  await write(document());
  await untilSaved(await start());
  await write(document(ENTRIES, { ...listing(1), title: "Changed" }));
  const changed = await start();
  expect(changed.validated).toBe(2);
  expect(changed.store.state()).toMatchObject({ status: "ok", listings: ENTRIES });
  expect(changed.store.current().listingByPublicId.get("lst_1")?.title).toBe("Changed");
  await untilSaved(changed);
  const again = await start();
  expect(again.validated).toBe(0);
  expect(contentOf(again.store)).toEqual(contentOf(changed.store));
  await write({ ...document(), listings: [{ ...listing(1), title: 5 }] });
  await expect(start()).rejects.toThrow("listings[0].title: not a text: 5");
});

it("follows changes of the source after a start from the file", async () => {
  await write(document());
  await untilSaved(await start());
  const { store, count } = await start();
  await write(document(ENTRIES));
  await store.refresh();
  expect(store.state()).toMatchObject({ status: "ok", listings: ENTRIES });
  expect(count()).toBe(1);
});

it("validates all entries without the file, with a damaged one, and with one of another origin", async () => {
  await write(document());
  await untilSaved(await start());
  expect((await start({ origin: "two", writes: false })).validated).toBe(ENTRIES);
  const whole = await readFile(savedPath);
  const damaged = Buffer.from(whole);
  damaged.writeUInt8((damaged.readUInt8(whole.length - 9) + 1) % 256, whole.length - 9);
  for (const bytes of [damaged, whole.subarray(0, whole.length / 2), Buffer.alloc(0)]) {
    await writeFile(savedPath, bytes);
    expect((await start({ writes: false })).validated).toBe(ENTRIES);
  }
  await rm(savedPath);
  await mkdir(savedPath);
  const unreadable = await start({ writes: false });
  expect(unreadable.validated).toBe(ENTRIES);
  expect(unreadable.said()).toContain("The saved registry cannot be read; all entries are validated");
});

it("saves neither a short registry, nor where another process does, and says so if it cannot", async () => {
  await write(document(ENTRIES - 2));
  const short = await start();
  await sleep(WAIT);
  short.store.stop();
  await write(document());
  const other = await start({ writes: false });
  await sleep(WAIT);
  other.store.stop();
  await writeFile(join(folder, "cache"), "no folder");
  const unable = await start();
  await vi.waitFor(() => expect(unable.said().join()).toContain("The registry cannot be saved"), PATIENCE);
  expect([...short.said(), ...other.said()]).not.toContain("Saved the registry");
  expect(await readdir(folder)).toEqual(["cache", "registry.json"]);
});

it("keeps the places of a folder's entries, and reads only files that are new", async () => {
  const source = { kind: "folder", path: join(folder, "entries") } as const;
  await mkdir(join(source.path, "listings"), { recursive: true });
  await writeFile(join(source.path, "originators.json"), JSON.stringify([originator]));
  for (let id = 1; id < ENTRIES; id++)
    await writeFile(join(source.path, "listings", `${id}.json`), JSON.stringify(listing(id)));
  await untilSaved(await start({ source }));
  const saved = await readRegistry(fileOf());
  expect(saved?.copy.located("listings[1]: is odd")).toBe("listings[1]: is odd (listings/10.json)");
  expect(saved?.copy.located("originators[0]: is odd")).toBe(
    "originators[0]: is odd (originators.json, [0])",
  );
  expect((await start({ source })).validated).toBe(0);
  await writeFile(
    join(source.path, "listings", "7.json"),
    JSON.stringify({ ...listing(7), title: "Changed" }),
  );
  const changed = await start({ source });
  expect(changed.validated).toBe(1);
  expect(changed.store.current().listingByPublicId.get("lst_7")?.title).toBe("Changed");
});

const loadedOf = async (value: object) => {
  await write(value);
  const loaded = await loadRegistry({ kind: "file", path });
  if (loaded.kind === "unchanged") throw new Error("it has not been loaded before");
  return { copy: await loaded.draft.finish(), validators: loaded.validators };
};

it("texts of a long registry leave memory for a file without a name, whoever saves it, but not those of a change", async () => {
  const { log, lines } = recordedLog();
  const description = "An oven. ".repeat(250);
  const { originators, listings: short } = document();
  const long = { originators, listings: short.map((entry) => ({ ...entry, description })) };
  const { copy, validators } = await loadedOf(long);
  const { listings } = copy.checked.packed;
  const texts = () => Array.from(listings, (_, index) => listings.canonicalOf(index).toString());
  const inMemory = () => listings.save().blocks.filter((block) => block.isInMemory).length;
  const before = texts();
  expect(inMemory()).toBeGreaterThan(8);
  keepRegistry({ ...fileOf(), writes: false, log }).offer(copy, validators);
  await vi.waitFor(() => expect(inMemory()).toBe(0), PATIENCE);
  expect(texts()).toEqual(before);
  expect(await readdir(join(folder, "cache"))).toEqual([]);
  expect(lines).toEqual([]);
  await writeRegistry(fileOf(), copy, validators);
  expect((await readRegistry(fileOf()))?.copy.content()).toEqual(copy.content());
  const packer = createPacker({ keepsSums: false, before: listings });
  before.forEach((_, index) => {
    packer.take({ from: listings, index });
  });
  const canonical = JSON.stringify("x".repeat(700_000));
  const added = { publicId: "lst_new", pair: "new", owner: "org_a", canonical, hasPicture: false };
  packer.add(added, new Uint8Array(32), null);
  const newFile = vi.fn();
  expect([...packer.finish().moveTo(newFile)]).toEqual([]);
  expect(newFile).not.toHaveBeenCalled();
});

it("a signature is checked again, over the content that is in the file", async () => {
  const other = await loadedOf({ ...document(), listings: [{ ...listing(1), title: "Forged" }] });
  const { copy, validators } = await loadedOf(await signed(document(), 7));
  await writeRegistry(fileOf(), copy, validators);
  expect((await readRegistry(fileOf(SIGNER)))?.copy.registry.revision).toBe(7);
  expect(await readValidators(fileOf(SIGNER))).toEqual(validators);
  expect(await readRegistry(fileOf({ ...SIGNER, publicUrl: "http://other.localhost" }))).toBeNull();
  // Everything of the signed one but its entries.
  const { top, document: rest } = copy.checked;
  await writeRegistry(
    fileOf(),
    { ...copy, checked: { ...other.copy.checked, top, document: rest } },
    validators,
  );
  expect(await readRegistry(fileOf(SIGNER))).toBeNull();
  // The signed entries under other keys.
  const { originators, listings } = copy.checked.packed;
  const texts = Array.from({ length: listings.length }, (_, index) => ({
    ...{ publicId: listings.publicIdOf(index), pair: listings.pairOf(index), owner: listings.ownerOf(index) },
    ...{ canonical: listings.canonicalOf(index).toString(), hasPicture: false },
  }));
  for (const forged of [{}, { publicId: "lst_0" }, { pair: `0x${"e5".repeat(20)}:9` }, { owner: "org_b" }]) {
    const packer = createPacker({ keepsSums: false, before: null });
    for (const [index, text] of texts.entries())
      packer.add(index === 5 ? { ...text, ...forged } : text, listings.keyOf(index), null);
    const packed = { originators, listings: packer.finish() };
    await writeRegistry(fileOf(), { ...copy, checked: { ...copy.checked, packed } }, validators);
    const isForged = Object.keys(forged).length > 0;
    expect((await readRegistry(fileOf(SIGNER))) === null).toBe(isForged);
  }
});

it("a saved document does not come before a later one that was in use", async () => {
  const lastGood = lastGoodFile(join(folder, "last-good.json"));
  await write(await signed(document(), 7));
  const first = await start({ signer: SIGNER, lastGood });
  await untilSaved(first);
  await lastGood.write([Buffer.from(JSON.stringify(await signed(document(ENTRIES), 8)))]);
  const after = await start({ signer: SIGNER, lastGood, writes: false });
  expect(after.store.state()).toMatchObject({ status: "refused", revision: 8, listings: ENTRIES });
  expect(after.store.state().problem).toContain("revision: is 7, and that of the document in use 8");
  await lastGood.write([Buffer.from(JSON.stringify(await signed(document(), 7)))]);
  const usual = await start({ signer: SIGNER, lastGood, writes: false });
  expect(usual.store.state()).toMatchObject({ status: "ok", revision: 7 });
});

it("takes the saved copy for the last good one if the source is bad and both have the same content", async () => {
  const lastGood = lastGoodFile(join(folder, "last-good.json"));
  await write(document());
  const first = await start({ lastGood });
  await untilSaved(first);
  await lastGood.write((await readRegistry(fileOf()))?.copy.content() ?? []);
  await writeFile(path, "{ half a docum");
  const after = await start({ lastGood });
  expect(after.validated).toBe(0);
  expect(after.store.state()).toMatchObject({ status: "refused", listings: ENTRIES - 1 });
});
