import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { watchHeartbeats } from "./keep-running.ts";

const CHILD = `import { sendHeartbeats } from ${JSON.stringify(import.meta.resolve("./keep-running.ts"))};
  sendHeartbeats(); setInterval(() => {}, 1000);`;

function start() {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", CHILD];
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

it("kills a process that stands still, and none that gives signs of life", { timeout: 60_000 }, async () => {
  const [frozen, well] = [start(), start()];
  const { log, lines } = recordedLog();
  for (const child of [frozen, well]) watchHeartbeats(child, log, 4_000);
  await Promise.all([frozen, well].map((child) => once(child, "message")));
  frozen.kill("SIGSTOP");
  const [, signal] = await once(frozen, "exit");
  expect(signal).toBe("SIGKILL");
  await sleep(1_000);
  expect(well.exitCode ?? well.signalCode).toBeNull();
  well.kill("SIGKILL");
  expect(lines.map(({ msg, pid }) => [msg, pid])).toEqual([
    ["A reader does not respond and is killed", frozen.pid],
  ]);
});
