/**
 * Debian's nginx in front of readers, with the configuration that operators are given (`deploy/nginx*.conf`): only its ports, its
 * files and its certificate are other ones, and it also listens without TLS.
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./daemon.ts";
import { type Certificate, certificateFor } from "./deployment/certificate.ts";
import { startServerProcess } from "./deployment/server-process.ts";
import { freePort } from "./free-port.ts";

export const hasNginx = (): boolean => spawnSync("nginx", ["-v"]).status === 0;

export type Nginx = {
  /** without TLS */
  port: number;
  tlsPort: number;
  /** leads to TLS */
  redirectPort: number;
  certificate: Certificate;
  /** what it complained of */
  errors(): string;
  stop(): Promise<void>;
};

/**
 * @param ports of the readers, one for each in the configuration, in its order
 * @param change of the configuration
 */
export async function startNginx(
  ports: readonly number[],
  change: (site: string) => string = (site) => site,
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-nginx-"));
  const [port, tlsPort, redirectPort] = [await freePort(), await freePort(), await freePort()];
  const certificate = certificateFor("raises.example", folder);
  const left = [...ports];
  const files = ["deploy/nginx-http.conf", "deploy/nginx.conf"];
  const examples = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const site = examples
    .join("\n")
    .replaceAll(/^\s*listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${redirectPort};`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${tlsPort} ssl http2; listen 127.0.0.1:${port};`)
    .replaceAll(/\/etc\/letsencrypt\/live\/raises\.example\//g, `${folder}/`)
    .replace(/(?<=^proxy_cache_path )\S+/m, `${folder}/cache`)
    .replaceAll(/(?<=server 127\.0\.0\.1:)\d+/g, (one) => `${left.shift() ?? one}`);
  await writeFile(join(folder, "site.conf"), change(site));
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `
    daemon off;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    worker_processes 1;
    pid ${folder}/pid;
    error_log stderr warn;
    events { worker_connections 512; }
    http {
      access_log off;
      ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n")}
      include ${folder}/site.conf;
    }`;
  await writeFile(join(folder, "nginx.conf"), main);
  const server = await startServerProcess({
    command: "nginx",
    args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"],
    port,
  });
  return {
    ...{ port, tlsPort, redirectPort, certificate },
    errors: server.output,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
