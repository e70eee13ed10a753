import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { watchHeartbeats } from "./keep-running.ts";
import { keepReaders } from "./readers.ts";

const CHILD = `import { sendHeartbeats } from ${JSON.stringify(import.meta.resolve("../../config/heartbeat.ts"))};
  sendHeartbeats(); setInterval(() => {}, 1000);`;

function start() {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", CHILD];
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

it("kills a process that stands still, and none that gives signs of life", async () => {
  const [frozen, well] = [start(), start()];
  const { log, lines } = recordedLog();
  for (const child of [frozen, well]) watchHeartbeats(child, log, { silence: 4_000 });
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

it("kills one that stands still before its first sign of life, where one is expected", async () => {
  const frozen = start();
  frozen.kill("SIGSTOP");
  const { log, lines } = recordedLog();
  const msg = "It does not respond";
  watchHeartbeats(frozen, log, { msg, silence: 2_000, since: performance.now() });
  const [, signal] = await once(frozen, "exit");
  expect([signal, lines.map((line) => line.msg)]).toEqual(["SIGKILL", [msg]]);
});

it("tries again to start readers that could not be started", async () => {
  const node = process.execPath;
  process.execPath = "/nonexistent/node";
  const stopping = new AbortController();
  onTestFinished(() => {
    process.execPath = node;
    stopping.abort();
  });
  const settings = readSettings({
    RPC_URLS: "http://127.0.0.1:9",
    ESCROWS: `0x${"1".repeat(40)}@1`,
    REGISTRY: "registry.example.json",
    DATABASE_URL: "postgres://u:p@127.0.0.1:9/x",
  });
  const { log, lines } = recordedLog();
  const unused = { onMessage() {}, onReplaced() {}, restarts: () => true };
  const readers = keepReaders({ settings, processes: 1, log, ...unused, signal: stopping.signal });
  readers.tell({ kind: "restarts", restarts: { count: 0, reason: null } });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(1), PATIENCE);
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(
    new Set(["The readers ended and will be started again"]),
  );
});
