import { chownSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createLogger } from "../../config/log.ts";
import { SettingsError } from "../../config/problems.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { DataDirectoryError } from "../daemon/data-lock.ts";
import { openStore } from "./store.ts";

const folder = temporaryFolder();

const settingsIn = (dataDirectory: string) =>
  ({
    database: { kind: "pglite", dataDirectory, directory: join(dataDirectory, "pglite") },
    ...{ chainId: 97, publicUrl: "https://raises.example" },
  }) satisfies Parameters<typeof openStore>[0];
const open = () => openStore(settingsIn(join(folder, "data")));
const log = createLogger({ format: "json", level: "error", write: () => {} });

it("a stored value is found when the folder is opened again, under each prefix of its key", async () => {
  const one = open();
  await one.put("dead/a/5-1-aaaaaaaa", { id: "x" });
  await one.put("dead/ab/6-1-aaaaaaaa", { id: "y" });
  await one.put("row/a/lst_a", "5-1-aaaaaaaa");
  await one.put("row/a/lst_a", "6-1-aaaaaaaa");
  await one.close();
  const other = open();
  expect(await other.get("row/a/lst_a")).toBe("6-1-aaaaaaaa");
  expect(await other.get("row/a/lst_b")).toBeNull();
  expect(await other.entries("dead/a/")).toEqual([["5-1-aaaaaaaa", { id: "x" }]]);
  await other.remove("dead/a/5-1-aaaaaaaa");
  expect(await other.entries("dead/")).toEqual([["ab/6-1-aaaaaaaa", { id: "y" }]]);
  // Nothing lies about that was half written.
  expect(readdirSync(join(folder, "data/webhooks")).filter((name) => name.endsWith(".new"))).toEqual([]);
});

it("admits one delivering process", async () => {
  const [one, other] = [open(), open()];
  expect(await one.turn(new AbortController().signal, log)).toMatchObject({ aborted: false });
  expect(await other.isFree()).toBe(false);
  await expect(other.turn(new AbortController().signal, log)).rejects.toThrow("is in use by process");
  await one.close();
  expect(await other.isFree()).toBe(true);
  await other.close();
});

it.skipIf(process.getuid?.() !== 0)("refuses root where another user has the data", async () => {
  const data = join(folder, "theirs");
  mkdirSync(data);
  chownSync(data, 12_345, 12_345);
  const store = openStore(settingsIn(data));
  await expect(store.turn(new AbortController().signal, log)).rejects.toThrow("belongs to the user 12345");
  await expect(store.isFree()).rejects.toThrow(DataDirectoryError);
  expect(readdirSync(data)).toEqual([]);
});

it("takes the folder again once its claim is lost", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [one, other] = [open(), open()];
  const lost = await one.turn(new AbortController().signal, log);
  rmSync(join(folder, "data/webhooks/lock"), { recursive: true });
  vi.advanceTimersByTime(10_000);
  expect(lost?.reason).toBeInstanceOf(DataDirectoryError);
  expect(await one.isFree()).toBe(true);
  expect(await other.isFree()).toBe(false);
  await one.close();
  await other.close();
});

it("is not opened where nothing would be kept", () => {
  expect(() => openStore(settingsIn("memory://"))).toThrow(SettingsError);
});
