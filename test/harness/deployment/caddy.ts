/**
 * Debian's Caddy with a configuration that operators are given: only its ports differ, and the certificates are from its own authority.
 * @module
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { vi } from "vitest";
import { freePort } from "../free-port.ts";
import { PATIENCE } from "../patience.ts";
import type { Certificate } from "./certificate.ts";
import { textOf } from "./files.ts";
import { startServerProcess } from "./server-process.ts";

export const hasCaddy = (): boolean => spawnSync("caddy", ["version"]).status === 0;

export type Caddy = {
  port: number;
  /** leads to TLS */
  redirectPort: number;
  /** for webhooks: on 127.0.0.1, without TLS */
  insidePort: number;
  certificate: Certificate;
  stop(): Promise<void>;
};

/**
 * `deploy/Caddyfile`.
 * @param ports of the readers, in its order
 * @param change of the configuration
 */
export async function startCaddy(
  ports: readonly number[],
  change: (text: string) => string = (text) => text,
): Promise<Caddy> {
  const [port, redirectPort, insidePort] = [await freePort(), await freePort(), await freePort()];
  const left = [...ports];
  const text = textOf("deploy/Caddyfile")
    // No program of this machine must trust it.
    .replace("{\n", `{\n\tskip_install_trust\n\thttp_port ${redirectPort}\n`)
    .replace(/(?<=^http:.*:)\d+/m, `${insidePort}`)
    .replaceAll(/(?<= 127\.0\.0\.1:)\d+/g, (one) => `${left.shift() ?? one}`);
  const host = "raises.localhost";
  const env = { PUBLIC_URL: `https://${host}:${port}`, CADDY_ADMIN: "off" };
  const { folder, stop } = await runCaddy(change(text), port, env);
  const authority = join(folder, "data/caddy/pki/authorities/local/root.crt");
  const certificate = await vi.waitFor(async () => {
    const ours = { host, pem: await readFile(authority, "utf8") };
    await shakeHands(port, ours);
    return ours;
  }, PATIENCE);
  return { port, redirectPort, insidePort, certificate, stop };
}

/** Caddy listens before it has made its certificate. @throws until it has */
async function shakeHands(port: number, { host, pem }: Certificate): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port, servername: host, ca: pem });
  try {
    await once(socket, "secureConnect");
  } finally {
    socket.destroy();
  }
}

/** Runs a configuration until `port` listens. */
export async function runCaddy(
  text: string,
  port: number,
  variables: Record<string, string> = {},
): Promise<{ folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-caddy-"));
  const file = join(folder, "Caddyfile");
  await writeFile(file, text);
  const own = { HOME: folder, XDG_DATA_HOME: join(folder, "data"), XDG_CONFIG_HOME: join(folder, "config") };
  const server = await startServerProcess({
    command: "caddy",
    args: ["run", "--config", file, "--adapter", "caddyfile"],
    port,
    env: { PATH: process.env.PATH, ...own, ...variables },
  });
  return {
    folder,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
