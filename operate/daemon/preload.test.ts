import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";

const PRELOAD = new URL("./preload.mjs", import.meta.url).href;

/** A process with the preload, whose daemon has this id, that ends after some milliseconds unless it is ended before. */
function start(daemon: number, milliseconds: number) {
  const child = spawn(
    process.execPath,
    ["--import", PRELOAD, "--eval", `setTimeout(() => {}, ${milliseconds})`],
    {
      env: { ...process.env, RAISEBOOK_DAEMON: String(daemon) },
      stdio: "ignore",
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return once(child, "exit");
}

it("ends a process whose daemon was gone before it had begun", async () => {
  const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(gone, "exit");
  expect(await start(gone.pid ?? 0, 60_000)).toEqual([null, "SIGINT"]);
});

it("leaves one alone whose daemon is there", async () => {
  // It looks every half a second.
  expect(await start(process.pid, 1_000)).toEqual([0, null]);
});
