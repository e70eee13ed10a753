import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLogger } from "../../config/log.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { type LastGood, lastGoodFile } from "./copy.ts";
import { RegistryError } from "./error.ts";
import { createRegistryStore, type RegistryStore } from "./store.ts";

let folder: string;
let path: string;
let lastGood: string;
const stores: RegistryStore[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "raisebook-registry-"));
  path = join(folder, "registry.json");
  lastGood = join(folder, "kept.json");
});

afterEach(async () => {
  for (const store of stores.splice(0)) store.stop();
  await rm(folder, { recursive: true, force: true });
});

const document = (originators: number) => ({
  originators: Array.from({ length: originators }, (_, index) => ({
    publicId: `org_${index}`,
    legalName: "A Ltd",
    jurisdiction: "SG",
    kybStatus: "approved",
    addresses: [],
  })),
  listings: [],
});

async function open(kept: LastGood = lastGoodFile(lastGood)): Promise<RegistryStore> {
  const log = createLogger({ format: "json", level: "error", write: () => {} });
  const store = await createRegistryStore({
    source: { kind: "file", path },
    log,
    pollInterval: 20,
    lastGood: kept,
  });
  stores.push(store);
  return store;
}

it("a restart with a bad document takes the copy that the run before had in use, and says so", async () => {
  await writeFile(path, JSON.stringify(document(1)));
  const before = await open();
  await writeFile(path, JSON.stringify(document(2)));
  await vi.waitFor(() => expect(before.state().originators).toBe(2), PATIENCE);
  before.stop();

  await writeFile(path, "{ half a docum");
  const after = await open();
  expect(after.state()).toMatchObject({ status: "refused", originators: 2, version: before.state().version });
  expect(after.state().problem).toContain("the document is not JSON");

  await writeFile(path, JSON.stringify(document(3)));
  await vi.waitFor(() => expect(after.state()).toMatchObject({ status: "ok", originators: 3 }), PATIENCE);
});

it("a copy is saved before it is in use: the process may end at once", async () => {
  const { write, ...others } = lastGoodFile(lastGood);
  const slow: LastGood = { ...others, write: (bytes) => sleep(100).then(() => write(bytes)) };
  const saved = async () => JSON.parse(await readFile(lastGood, "utf8"));
  await writeFile(path, JSON.stringify(document(1)));
  const store = await open(slow);
  expect(await saved()).toEqual(document(1));
  await writeFile(path, JSON.stringify(document(2)));
  await vi.waitFor(() => expect(store.state().originators).toBe(2), { ...PATIENCE, interval: 5 });
  expect(await saved()).toEqual(document(2));
});

it("a first start with a bad document has nothing to fall back on", async () => {
  await writeFile(path, "{ half a docum");
  await expect(open()).rejects.toThrow(RegistryError);
});
