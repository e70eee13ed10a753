import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { ofBusinesses } from "../../test/harness/registry-document.ts";
import { openStore } from "../../test/harness/registry-store.ts";
import { type LastGood, lastGoodFile } from "./copy.ts";
import { RegistryError } from "./error.ts";

let path: string;
let lastGood: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  path = join(folder, "registry.json");
  lastGood = join(folder, "kept.json");
});

const open = async (kept: LastGood = lastGoodFile(lastGood)) =>
  (await openStore({ source: { kind: "file", path }, lastGood: kept })).store;

it("a restart with a bad document takes the copy that the run before had in use, and says so", async () => {
  await writeFile(path, JSON.stringify(ofBusinesses(1)));
  const before = await open();
  await writeFile(path, JSON.stringify(ofBusinesses(2)));
  await vi.waitFor(() => expect(before.state().originators).toBe(2), PATIENCE);
  before.stop();

  await writeFile(path, "{ half a docum");
  const after = await open();
  expect(after.state()).toMatchObject({ status: "refused", originators: 2, version: before.state().version });
  expect(after.state().problem).toContain("the document is not JSON");

  await writeFile(path, JSON.stringify(ofBusinesses(3)));
  await vi.waitFor(() => expect(after.state()).toMatchObject({ status: "ok", originators: 3 }), PATIENCE);
});

it("a copy is saved before it is in use: the process may end at once", async () => {
  const { write, ...others } = lastGoodFile(lastGood);
  const slow: LastGood = { ...others, write: (bytes) => sleep(100).then(() => write(bytes)) };
  const saved = async () => JSON.parse(await readFile(lastGood, "utf8"));
  await writeFile(path, JSON.stringify(ofBusinesses(1)));
  const store = await open(slow);
  expect(await saved()).toEqual(ofBusinesses(1));
  await writeFile(path, JSON.stringify(ofBusinesses(2)));
  await vi.waitFor(() => expect(store.state().originators).toBe(2), { ...PATIENCE, interval: 5 });
  expect(await saved()).toEqual(ofBusinesses(2));
});

it("a first start with a bad document has nothing to fall back on", async () => {
  await writeFile(path, "{ half a docum");
  await expect(open()).rejects.toThrow(RegistryError);
});
