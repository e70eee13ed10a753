/**
 * Debian's nginx in front of readers, with the configuration that operators are given (`docs/operations/nginx.conf`): only
 * its ports are other ones.
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./daemon.ts";
import { isListening } from "./demo.ts";
import { freePort } from "./free-port.ts";

export const hasNginx = (): boolean => spawnSync("nginx", ["-v"]).status === 0;

export type Nginx = {
  port: number;
  /** what it complained of */
  errors(): string;
  stop(): Promise<void>;
};

/** @param ports of the readers, one for each in the configuration, in its order */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-nginx-"));
  const port = await freePort();
  const left = [...ports];
  const example = await readFile(join(ROOT, "docs/operations/nginx.conf"), "utf8");
  const site = example
    .replace("listen 8080;", `listen 127.0.0.1:${port};`)
    .replace(/(?<=server 127\.0\.0\.1:)\d+/g, (one) => `${left.shift() ?? one}`);
  await writeFile(join(folder, "site.conf"), site);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `
    daemon off;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    worker_processes 1;
    pid ${folder}/pid;
    error_log stderr error;
    events { worker_connections 512; }
    http {
      access_log off;
      ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n")}
      include ${folder}/site.conf;
    }`;
  await writeFile(join(folder, "nginx.conf"), main);
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, "close");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`);
    await sleep(20);
  }
  return {
    port,
    errors: () => errors,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
