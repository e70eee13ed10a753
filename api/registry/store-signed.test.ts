import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { ofBusinesses } from "../../test/harness/registry-document.ts";
import { NO_POLL, openStore } from "../../test/harness/registry-store.ts";
import { serve } from "../../test/harness/serve.ts";
import {
  DEPLOYMENT,
  documentHash,
  OPERATOR,
  STRANGER_KEY,
  signed,
} from "../../test/harness/signed-registry.ts";
import { lastGoodFile } from "./copy.ts";
import type { RegistryStore, RegistryStoreOptions } from "./store.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "registry.json");
});

function open(options: Partial<RegistryStoreOptions> = {}) {
  return openStore({
    source: { kind: "file", path },
    signer: { address: OPERATOR, publicUrl: DEPLOYMENT, chainId: 97 },
    pollInterval: NO_POLL,
    ...options,
  });
}

/** Replaces the document at once, so that no half of it is read. */
async function publish(next: object): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(next));
  await rename(`${path}.new`, path);
}

/** Publishes a document, and returns the store's state once it is read. */
async function after(store: RegistryStore, next: object) {
  await publish(next);
  await store.refresh();
  const { status, originators, problem } = store.state();
  return { status, originators, problem };
}

it("a signed document is used, and its signer, revision and hash are there to see", async () => {
  await publish(await signed(ofBusinesses(1), 7));
  const { store, lines } = await open();
  expect(store.state()).toMatchObject({ status: "ok", signer: OPERATOR, revision: 7, originators: 1 });
  expect(store.state().hash).toBe(documentHash({ ...ofBusinesses(1), revision: 7 }));
  await publish(await signed(ofBusinesses(2), 8));
  await store.refresh();
  expect(store.state()).toMatchObject({ status: "ok", revision: 8, originators: 2 });
  expect(lines).toMatchObject([{ msg: "Loaded a new registry", revision: 8, signer: OPERATOR }]);
});

it("a document that is not signed, or by another signer, is not used at the start", async () => {
  await publish(ofBusinesses(1));
  await expect(open()).rejects.toThrow(`signature: is missing (REGISTRY_SIGNER is ${OPERATOR})`);
  await publish(await signed(ofBusinesses(1), 1, STRANGER_KEY));
  await expect(open()).rejects.toThrow(`signature: is not by REGISTRY_SIGNER, ${OPERATOR}`);
});

it("an update without the operator's signature is refused by name, and the copy in use stays until one has it", async () => {
  const before = await signed(ofBusinesses(1), 7);
  await publish(before);
  const { store, lines } = await open();
  const stays = { status: "refused", originators: 1 };
  const missing = { ...stays, problem: `signature: is missing (REGISTRY_SIGNER is ${OPERATOR})` };
  const wrong = { ...stays, problem: expect.stringContaining("signature: is not by REGISTRY_SIGNER") };
  expect(await after(store, ofBusinesses(2))).toEqual(missing);
  expect(await after(store, await signed(ofBusinesses(2), 8, STRANGER_KEY))).toEqual(wrong);
  expect(await after(store, { ...before, ...ofBusinesses(2) })).toEqual(wrong);
  expect(await after(store, { ...before, revision: 8 })).toEqual(wrong);
  await store.refresh();
  expect(store.state()).toMatchObject({ revision: 7, hash: documentHash(before) });
  expect(await after(store, await signed(ofBusinesses(2), 8))).toEqual({
    ...{ status: "ok", originators: 2, problem: null },
  });
  expect(lines.map(({ msg }) => msg)).toEqual([
    ...["Refused a registry update; the last good copy stays in use"],
    ...["Refused a registry update; the last good copy stays in use"],
    "The registry is valid again",
  ]);
});

it("an old document does not come back even if it is signed, and no other may have the same revision", async () => {
  const old = await signed(ofBusinesses(3), 7);
  await publish(old);
  const { store } = await open();
  expect(await after(store, await signed(ofBusinesses(2), 9))).toMatchObject({
    status: "ok",
    originators: 2,
  });
  const problem = (revision: number) =>
    `revision: is ${revision}, and that of the document in use 9: it must be higher`;
  expect(await after(store, old)).toEqual({ status: "refused", originators: 2, problem: problem(7) });
  expect(await after(store, await signed(ofBusinesses(1), 9))).toMatchObject({ problem: problem(9) });
  // The same content in another layout is the same document.
  await writeFile(path, JSON.stringify(await signed(ofBusinesses(2), 9), null, 2));
  await store.refresh();
  expect(store.state()).toMatchObject({ status: "ok", originators: 2 });
});

it("a restart does not bring an old document back either", async () => {
  const lastGood = join(folder, "kept.json");
  const old = await signed(ofBusinesses(3), 7);
  await publish(await signed(ofBusinesses(1), 8));
  const before = await open({ lastGood: lastGoodFile(lastGood) });
  await vi.waitFor(
    async () => expect(JSON.parse(await readFile(lastGood, "utf8"))).toMatchObject({ revision: 8 }),
    PATIENCE,
  );
  before.store.stop();
  await publish(old);
  const { store } = await open({ lastGood: lastGoodFile(lastGood) });
  expect(store.state()).toMatchObject({ status: "refused", originators: 1, revision: 8 });
  expect(store.state().problem).toContain("revision: is 7");
});

it("a restart that cannot read the copy in use before takes no document, which may be an older one", async () => {
  const lastGood = lastGoodFile(join(folder, "kept.json"));
  await publish(await signed(ofBusinesses(3), 7));
  const read = () => Promise.reject(new Error("the database does not answer"));
  await expect(open({ lastGood: { ...lastGood, read } })).rejects.toThrow(
    "revision: the copy in use before cannot be read",
  );
  const { store } = await open({ lastGood });
  expect(store.state().revision).toBe(7);
  // Neither a file nor missing.
  await expect(open({ lastGood: lastGoodFile(folder) })).rejects.toThrow("revision: ");
});

it("a copy of an earlier run is no way around the signature", async () => {
  const lastGood = join(folder, "kept.json");
  await writeFile(lastGood, JSON.stringify(await signed(ofBusinesses(1), 9, STRANGER_KEY)));
  await writeFile(path, "{ half a docum");
  await expect(open({ lastGood: lastGoodFile(lastGood) })).rejects.toThrow("the document is not JSON");
});

it("never flaps while documents replace one another, looked at as often as can be", async () => {
  await publish(await signed(ofBusinesses(1), 1));
  const { store, lines } = await open({ pollInterval: 1 });
  const seen = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      seen.add(store.state().status);
      await store.refresh();
      await setImmediate();
    }
  })();
  for (let revision = 2; revision <= 30; revision++)
    await publish(await signed(ofBusinesses(revision), revision));
  await vi.waitFor(() => expect(store.state().revision).toBe(30), PATIENCE);
  isOver = true;
  await watching;
  expect([...seen]).toEqual(["ok"]);
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(["Loaded a new registry"]));
});

it("the newest document stays in use if the server's caches lag behind", async () => {
  const documents = [await signed(ofBusinesses(2), 2), await signed(ofBusinesses(1), 1)];
  let asked = 0;
  const { url, stop } = await serve((_, response) => {
    response.end(JSON.stringify(documents[asked++ % documents.length]));
  });
  onTestFinished(stop);
  const { store } = await open({ source: { kind: "url", url } });
  const used = new Set<number>();
  for (let time = 0; time < 6; time++) {
    await store.refresh();
    used.add(store.current().originators.length);
  }
  expect(asked).toBe(7);
  expect([...used]).toEqual([2]);
});

it("any document is used if no signer is configured, whatever its signature", async () => {
  await publish({ ...(await signed(ofBusinesses(1), 7)), ...ofBusinesses(2) });
  const { store } = await open({ signer: null });
  expect(store.state()).toMatchObject({ status: "ok", signer: null, revision: 7 });
  expect(await after(store, await signed(ofBusinesses(3), 1))).toMatchObject({
    status: "ok",
    originators: 3,
  });
});
