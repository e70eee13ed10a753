import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { FIRST, memorySource } from "../../test/harness/data-source.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { recordedLog, withoutPast } from "../../test/harness/snapshot.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { openFolder } from "./folder.ts";
import { keepData } from "./keep.ts";

const path = temporaryFolder();

it("follows the final block, warns once of a full disk and of too large a market, and goes on when there is room", async () => {
  const { source, snapshot } = memorySource();
  const { log, lines } = recordedLog();
  const folder = openFolder(path);
  let current: Snapshot | null = null;
  let full: string | null = "is on a full disk";
  const stopping = new AbortController();
  const ended = keepData({
    ...{ folder, source, log, pause: async () => {}, lookEvery: 5, retryEvery: 5 },
    updater: { current: () => current },
    fullDiskOf: () => full,
    signal: stopping.signal,
  });
  const at = (final: bigint): Snapshot => ({ ...snapshot, finalized: { number: final, timestamp: 0n } });
  const until = (block: string) =>
    expect.poll(async () => (await folder.manifest())?.toBlock, { interval: 5 }).toBe(block);
  const untilSaid = (count: number) => expect.poll(() => lines.length, { interval: 5 }).toBe(count);
  current = { ...at(FIRST + 25n), backfilled: false };
  await sleep(30);
  expect(lines).toEqual([]);
  current = at(FIRST + 25n);
  await untilSaid(1);
  await sleep(50);
  expect(lines).toMatchObject([
    {
      level: "warn",
      msg: "The open data cannot be written; indexing and answers go on",
      problem: "DATA_FILES is on a full disk",
    },
  ]);
  expect(await folder.manifest()).toBeNull();
  current = withoutPast(current);
  full = null;
  await untilSaid(2);
  await sleep(50);
  expect(lines.slice(1)).toMatchObject([
    { level: "warn", problem: expect.stringContaining("more than 200,000 raises") },
  ]);
  expect(await readdir(path)).toEqual([]);
  current = at(FIRST + 25n);
  await until("48000019");
  current = at(FIRST + 31n);
  await until("48000029");
  // Raises that are not visible count for the root, too.
  source.rootAt = async () => ({ reason: "out_of_range", detail: "Too many raises have changed." });
  current = at(FIRST + 41n);
  await untilSaid(5);
  await sleep(50);
  stopping.abort();
  await ended;
  expect(lines.slice(2)).toMatchObject([
    { level: "info", msg: "The open data are written", block: "48000019", events: 60 },
    { level: "info", msg: "The open data are written", block: "48000029", events: 90 },
    { level: "warn", problem: "Too many raises have changed." },
  ]);
});

it("looks again at what is final by depth after a revert", async () => {
  const { source, snapshot } = memorySource();
  const { log, lines } = recordedLog();
  const folder = openFolder(join(path, "reverted"));
  const at = (final: bigint, reverts: number): Snapshot => ({
    ...snapshot,
    ...{ finalized: { number: final, timestamp: 0n }, reverts },
  });
  let current = at(FIRST + 25n, 0);
  const stopping = new AbortController();
  const ended = keepData({
    ...{ folder, source, log, pause: async () => {}, lookEvery: 5, retryEvery: 5 },
    updater: { current: () => current },
    signal: stopping.signal,
  });
  await expect.poll(async () => (await folder.manifest())?.toBlock, { interval: 5 }).toBe("48000019");
  const root = `0x${"77".repeat(32)}` as const;
  source.rootAt = async () => root;
  current = at(FIRST + 26n, 1);
  await expect.poll(async () => (await folder.manifest())?.root, { interval: 5 }).toBe(root);
  stopping.abort();
  await ended;
  expect(lines.map(({ level, msg }) => [level, msg])).toContainEqual([
    "warn",
    "The open data are written again: final blocks in them were replaced",
  ]);
});
