/** The embedded database on a disk that fills up: a file system in memory, which only root may mount. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { createDaemons, type DaemonPlace, startDaemonChain } from "../harness/daemon.ts";
import { PATIENCE } from "../harness/patience.ts";

const { run, place } = createDaemons();
let chain: LocalChain;
let at: DaemonPlace;
let disk: string;

/** Leaves no byte free. */
function fillDisk(): void {
  const file = openSync(join(disk, "ballast"), "w");
  for (const size of [2 ** 20, 2 ** 12]) {
    const bytes = Buffer.alloc(size, 1);
    try {
      for (;;) writeSync(file, bytes);
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
  closeSync(file);
}
const freeDisk = () => rmSync(join(disk, "ballast"));

const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${at.port}/v1/${path}`)).status;
const indexedBlock = async () =>
  ((await (await fetch(`http://127.0.0.1:${at.port}/v1/health`)).json()) as { indexedBlock: string })
    .indexedBlock;
/** Mines a block, and returns its number. */
async function mined(): Promise<string> {
  await chain.testClient.mine({ blocks: 1 });
  return `${await chain.publicClient.getBlockNumber()}`;
}

describe.skipIf(process.getuid?.() !== 0)("a full disk under the embedded database", () => {
  beforeAll(async () => {
    chain = await startDaemonChain();
    at = await place(chain.rpcUrl);
    disk = join(at.folder, "disk");
    mkdirSync(disk);
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", disk]).status).toBe(0);
    at.env.RAISEBOOK_DATA_DIR = join(disk, "data");
  });
  afterAll(async () => {
    spawnSync("umount", ["-l", disk]);
  });

  it("keeps the service answering, and a start waiting, until there is room", async () => {
    const daemon = run(at.folder, at.env);
    await vi.waitFor(async () => expect(await statusOf("ready")).toBe(200), PATIENCE);
    fillDisk();
    const missed = await mined();
    await vi.waitFor(() => expect(daemon.output()).toContain("is on a full disk"), PATIENCE);
    expect(await statusOf("listings")).toBe(200);
    expect(Number(await indexedBlock())).toBeLessThan(Number(missed));
    freeDisk();
    await vi.waitFor(async () => expect(await indexedBlock()).toBe(missed), PATIENCE);
    expect(daemon.output()).toContain("There is room on the disk again");

    // Ended and started again on a full disk.
    fillDisk();
    await mined();
    await vi.waitFor(() => expect(daemon.output().split("is on a full disk")).toHaveLength(3), PATIENCE);
    daemon.child.kill("SIGTERM");
    await daemon.ended;
    expect(daemon.output()).not.toContain("ended and will be restarted");

    const check = run(at.folder, at.env, "--check");
    expect([await check.ended, check.output()]).toEqual([
      1,
      expect.stringMatching(/RAISEBOOK_DATA_DIR is on a full disk .*\n +Make room on that disk/),
    ]);
    const again = run(at.folder, at.env);
    await vi.waitFor(() => expect(again.output()).toContain("is on a full disk"), PATIENCE);
    freeDisk();
    const head = await mined();
    await vi.waitFor(async () => expect(await indexedBlock()).toBe(head), PATIENCE);
    for (const { output } of [daemon, check, again])
      expect(output()).not.toMatch(/move the directory|another directory/);
    again.child.kill("SIGTERM");
    expect(await again.ended, again.output()).toBe(0);
  });
});
