/**
 * Runs the Dockerfile without a container engine: each step of each stage in a clean folder, then the image's command as an engine
 * starts it (its user, a root that cannot be written, the first process of its own), over a local chain. As root, on Linux x64.
 *
 *     npm run deploy:check
 * @module
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ESCROWS, startDaemonChain } from "../harness/daemon.ts";
import { environmentOf, execOf, lastOf, type Stage, stagesOf } from "../harness/deployment/dockerfile.ts";
import { freePort } from "../harness/free-port.ts";
import { build } from "./build.ts";
import { makeContext } from "./context.ts";
import { obstacle, startIn } from "./sandbox.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const USER = 1000;
/** Milliseconds until the service must answer, and until it must have ended. */
const PATIENCE = 120_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Starts the image as `docker run --read-only` does, and returns once it has ended. @throws where it does not do as it should */
async function run(image: Stage | undefined, root: string, folder: string): Promise<void> {
  const chain = await startDaemonChain();
  const port = await freePort();
  const volumes = { "/data": join(folder, "data"), "/etc/raisebook": join(folder, "etc") };
  for (const one of Object.values(volumes)) mkdirSync(one);
  chownSync(volumes["/data"], USER, USER);
  copyFileSync(join(ROOT, "registry.example.json"), join(volumes["/etc/raisebook"], "registry.json"));
  const env = {
    ...environmentOf(image),
    RPC_URLS: chain.rpcUrl,
    ESCROWS: `${ESCROWS[0]}@0`,
    REGISTRY: "/etc/raisebook/registry.json",
    PUBLIC_URL: "https://raises.example",
    PORT: String(port),
    LOG_FORMAT: "json",
  };
  const startedAt = performance.now();
  const command = [...execOf(lastOf(image, "ENTRYPOINT")), ...execOf(lastOf(image, "CMD"))];
  const cwd = lastOf(image, "WORKDIR").text;
  const { child, pid } = await startIn({ root, cwd, command, env, volumes, user: USER, isReadOnly: true });
  const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  const ended = once(child, "exit");
  try {
    const [, ...health] = execOf(lastOf(image, "HEALTHCHECK"));
    const isHealthy = () => spawnSync(process.execPath, health, { env: { PORT: String(port) } }).status === 0;
    while (!isHealthy()) {
      if (child.exitCode !== null || performance.now() - startedAt > PATIENCE)
        throw new Error("It is not healthy.");
      await sleep(100);
    }
    say(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  until it was healthy`);
    for (const path of ["/v1/health", "/listings", "/share.png", "/openapi.json"]) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
      say(`          ${path}: ${status}`);
      if (status !== 200) throw new Error("It does not answer that.");
    }
    process.kill(pid, lastOf(image, "STOPSIGNAL").text as NodeJS.Signals);
    const code = await Promise.race([
      ended.then(([code]) => code),
      sleep(PATIENCE, "no end", { ref: false }),
    ]);
    say(`          ended by ${lastOf(image, "STOPSIGNAL").text} with ${code}`);
    if (code !== 0) throw new Error("It did not end in order.");
    if (readdirSync(volumes["/data"]).length === 0) throw new Error("Its database is not in /data.");
  } catch (error) {
    child.kill("SIGKILL");
    say((await output).join(""));
    throw error;
  } finally {
    await chain.stop();
  }
}

const problem = obstacle();
if (problem !== null) {
  process.stderr.write(`npm run deploy:check ${problem}.\n`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "raisebook-image-"));
try {
  const stages = stagesOf();
  const context = join(folder, "context");
  makeContext(ROOT, context);
  const root = build(stages, { context, folder, report: say });
  const { stdout } = spawnSync("du", ["-sm", join(root, "opt")], { encoding: "utf8" });
  say(`${stdout.split("\t")[0]?.padStart(6)} MB over the base image`);
  await run(stages.at(-1), root, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
