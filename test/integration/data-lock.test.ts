import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identityOf, processSpace } from "../../config/process-identity.ts";
import { DataDirectoryError, findHolder, lockDataDirectory } from "../../operate/daemon/data-lock.ts";
import { temporaryFolder } from "../harness/ending.ts";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const LOCK = new URL("../../operate/daemon/data-lock.ts", import.meta.url).href;

let directory: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  directory = temporaryFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that takes the directory, says what came of it, and stays. */
async function contender(): Promise<{ child: ChildProcess; said: string }> {
  const script = `
    const { lockDataDirectory } = await import(${JSON.stringify(LOCK)});
    await lockDataDirectory(${JSON.stringify(directory)}).then(
      () => console.log("taken"),
      ({ message }) => console.log(message),
    );
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", TSX, "--input-type=module", "--eval", script]);
  children.push(child);
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said).trim() };
}

async function kill({ child }: { child: ChildProcess }): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "close");
}

function claim(content: unknown): string {
  const file = join(directory, "lock", "other.json");
  mkdirSync(join(directory, "lock"), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("lockDataDirectory", () => {
  it("refuses a directory that another process has, and names it; a killed one holds nothing", async () => {
    const first = await contender();
    expect(first.said).toBe("taken");
    const name = `process ${first.child.pid}`;
    expect(findHolder(directory)).toBe(name);
    await expect(lockDataDirectory(directory)).rejects.toThrow(name);
    expect((await contender()).said).toContain(name);
    await kill(first);
    expect(findHolder(directory)).toBe(null);
    const lock = await lockDataDirectory(directory);
    expect(readdirSync(join(directory, "lock"))).toHaveLength(1);
    expect(findHolder(directory)).toBe(`process ${process.pid}`);
    lock.release();
    expect(findHolder(directory)).toBe(null);
    expect(readdirSync(join(directory, "lock"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "refuses root where another user has the data, and changes nothing",
    async () => {
      chownSync(directory, 12_345, 12_346);
      await expect(lockDataDirectory(directory)).rejects.toThrow(
        "belongs to the user 12345, who could not open what root writes there: start this as that user " +
          "(sudo setpriv --reuid=12345 --regid=12346 --clear-groups …",
      );
      expect(readdirSync(directory)).toEqual([]);
      // A container whose root has always been the service's user, on a volume of another user.
      mkdirSync(join(directory, "lock"));
      (await lockDataDirectory(directory)).release();
      chownSync(join(directory, "lock"), 12_345, 12_346);
      await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryError);
    },
  );

  it("lets one at most of many have what a killed process left", async () => {
    await kill(await contender());
    const said = (await Promise.all(Array.from({ length: 4 }, contender))).map((other) => other.said);
    expect(said.filter((word) => word === "taken").length).toBeLessThanOrEqual(1);
    expect(said.filter((word) => word !== "taken" && !word.includes("is in use by process"))).toEqual([]);
  });

  it("is held by the process that has the database open, also when the daemon is gone", async () => {
    const gone = spawn(process.execPath, ["--version"]);
    await once(gone, "close");
    const indexer = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
    children.push(indexer);
    const holders = [gone.pid ?? 0, indexer.pid ?? 0].map(identityOf);
    claim({ space: processSpace(), holders });
    await expect(lockDataDirectory(directory)).rejects.toThrow(`process ${indexer.pid}`);
  });

  it("does not take a stranger with the pid of a dead process for the holder", async () => {
    const { pid, startedAt } = identityOf(process.pid);
    claim({ space: processSpace(), holders: [{ pid, startedAt: `${startedAt}0` }] });
    expect(findHolder(directory)).toBe(null);
    (await lockDataDirectory(directory)).release();
  });

  it("believes a claim of another container while it gives a sign of life", async () => {
    const file = claim({ space: "another", holders: [identityOf(process.pid)] });
    const beats = setInterval(() => utimesSync(file, new Date(), new Date()), 20);
    await expect(lockDataDirectory(directory, 200)).rejects.toThrow("another container");
    clearInterval(beats);
    (await lockDataDirectory(directory, 200)).release();
    expect(existsSync(file)).toBe(false);
  });

  it("is lost where another one has removed its claim, as after a pause, and does not come back", async () => {
    const lock = await lockDataDirectory(directory);
    await lock.confirm();
    expect(lock.lost.aborted).toBe(false);
    for (const file of readdirSync(join(directory, "lock"))) rmSync(join(directory, "lock", file));
    lock.include(process.pid);
    expect(lock.lost.reason).toMatchObject({ name: "DataDirectoryError" });
    expect(readdirSync(join(directory, "lock"))).toEqual([]);
  });

  it("takes no notice of what a power cut left of a claim", async () => {
    claim("");
    (await lockDataDirectory(directory)).release();
  });

  it("says what is wrong with a directory that cannot be written", async () => {
    writeFileSync(join(directory, "file"), "");
    await expect(lockDataDirectory(join(directory, "file"))).rejects.toThrow(/^cannot be written \(E/);
  });
});
