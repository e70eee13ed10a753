/**
 * A machine for a test, made of Linux namespaces: it has its own ports, `/etc`, `/opt`, `/var` and `/run`, so that the files for
 * operators are used unchanged. Needs root. Nothing outside is changed, and nothing is left.
 * @module
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ROOT } from "../daemon.ts";
import { startRelay } from "./relay.ts";

const RELAY = fileURLToPath(new URL("relay.ts", import.meta.url));

/** Programs here come first in the machine's PATH. */
export const STAND_INS = "/opt/stand-ins";
const PATH = [
  STAND_INS,
  dirname(process.execPath),
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
];
const ENV = { PATH: PATH.join(":") };

/** The repository ($1) stays where it is, readable for every user, also below a folder that the machine replaces. */
const SHOW_REPOSITORY = `[ -e "$1/package.json" ] || { mkdir -p "$1" && mount --bind /mnt/repository "$1"; }`;

const SET_UP = `
  mkdir -p /mnt && mount -t tmpfs tmpfs /mnt
  mkdir /mnt/repository && mount --bind "$1" /mnt/repository
  for folder in etc opt var; do
    mkdir -p "/mnt/$folder/upper" "/mnt/$folder/work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work" "/$folder"
  done
  for folder in root home run; do mount -t tmpfs -o mode=755 tmpfs "/$folder"; done
  ${SHOW_REPOSITORY}
  mkdir -p ${STAND_INS}
  ip link set lo up
`;

/** Folders ($2…) of a unit are its user's ($1), as systemd makes them for DynamicUser= before it starts the unit. */
const MAKE_PRIVATE = `
  user=$1; shift
  for folder in "$@"; do
    mkdir -p -m 700 "$(dirname "$folder")/private"
    private="$(dirname "$folder")/private/$(basename "$folder")"
    mkdir -p "$private" && chown "$user:$user" "$private"
    ln -sfn "private/$(basename "$folder")" "$folder"
  done
`;

/**
 * A command ($5…) of a user ($2) in a folder ($3) to whom everything is read-only but these folders ($4), with the repository ($1). Folders below a
 * \`private\` are reached by the unit alone.
 */
const CONFINE = `
  user=$2; cwd=$3; writable=$4
  for folder in $writable; do
    real=$(realpath "$folder")
    mkdir -p /mnt/kept && mount --bind "$real" /mnt/kept
    case "$real" in */private/*) mount -t tmpfs -o mode=755 tmpfs "$(dirname "$real")" && mkdir "$real" ;; esac
    mount --bind /mnt/kept "$real" && umount /mnt/kept
  done
  for folder in / /etc /opt /var /run; do mount -o remount,bind,ro "$folder"; done
  for folder in /tmp /var/tmp; do mount -t tmpfs -o mode=1777,size=64m tmpfs "$folder"; done
  ${SHOW_REPOSITORY}
  cd "$cwd"
  shift 4
  exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

/** Milliseconds until what does not end is killed. */
const STOP_TIMEOUT = 20_000;

/** Whether the machine that the tests run on allows this. */
export function canHaveMachines(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const script = `${SET_UP} setpriv --reuid=1000 --regid=1000 --clear-groups test -r "$1/package.json"`;
  return spawnSync("unshare", ["--net", "--mount", "sh", "-ec", script, "sh", ROOT]).status === 0;
}

type StartParameters = {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** number of the user and its group; without it root, to whom nothing is read-only */
  readonly user?: number;
  readonly cwd?: string;
  /** the folders that it can write; \`/tmp\` and \`/var/tmp\` are its own */
  readonly writable?: readonly string[];
};

export type Started = {
  readonly child: ChildProcess;
  output(): string;
  /** the exit code; null after a signal */
  readonly ended: Promise<number | null>;
};

export type Machine = {
  /** A Unix socket that leads to a port of the machine, for another machine. */
  socketTo(port: number): Promise<string>;
  /** Runs a script as root. @returns its output @throws with the output when it fails */
  run(script: string, ...args: string[]): Promise<string>;
  makePrivate(user: number, folders: readonly string[]): Promise<void>;
  start(parameters: StartParameters): Started;
  /** The answer that curl gets with these options, and the status. */
  ask(url: string, ...options: string[]): Promise<{ status: number; body: string }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** @param reaches by ports of its 127.0.0.1: ports of the tests' 127.0.0.1, or sockets of other machines */
export async function startMachine(reaches: Readonly<Record<number, number | string>>): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-machine-"));
  const children = new Set<ChildProcess>();
  const keep = (child: ChildProcess) => {
    children.add(child);
    child.once("close", () => children.delete(child));
    return child;
  };
  const holder = keep(
    spawn("unshare", ["--net", "--mount", "sh", "-ec", `${SET_UP} echo ready; exec cat`, "sh", ROOT], {
      stdio: ["pipe", "pipe", "pipe"],
    }),
  );
  await untilReady(holder);
  const inside = ["--target", `${holder.pid}`, "--net", "--mount", "--"];
  const relay = async (...addresses: string[]) => {
    const args = [...inside, process.execPath, RELAY, ...addresses];
    await untilReady(keep(spawn("nsenter", args, { stdio: ["ignore", "pipe", "pipe"] })));
  };
  const servers = await Promise.all(
    Object.entries(reaches).map(async ([port, to]) => {
      if (typeof to === "string") return relay(port, to);
      const socket = join(folder, `to-${port}`);
      const server = await startRelay(socket, to);
      await relay(port, socket);
      return server;
    }),
  );
  // Not spawnSync: the relays are in this process.
  const finish = (command: string, args: readonly string[]) => {
    const options = { env: ENV, cwd: "/", maxBuffer: 1 << 26 };
    return new Promise<{ error: Error | null; stdout: string; stderr: string }>((resolve) =>
      execFile("nsenter", [...inside, command, ...args], options, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      ),
    );
  };
  const run = async (script: string, ...args: string[]) => {
    const { error, stdout, stderr } = await finish("sh", ["-ec", script, "sh", ...args]);
    if (error !== null) throw new Error(`${script}\n${stdout}${stderr}`);
    return `${stdout}${stderr}`;
  };
  return {
    run,
    async socketTo(port) {
      const socket = join(folder, `from-${port}`);
      await relay(socket, `${port}`);
      return socket;
    },
    makePrivate: async (user, folders) => void (await run(MAKE_PRIVATE, `${user}`, ...folders)),
    start({ command, env = {}, user, cwd = "/", writable = [] }) {
      const confined = [
        "unshare",
        "--mount",
        "sh",
        "-ec",
        CONFINE,
        "sh",
        ROOT,
        `${user}`,
        cwd,
        writable.join(" "),
      ];
      const child = keep(
        spawn("nsenter", [...inside, ...(user === undefined ? [] : confined), ...command], {
          env: { ...ENV, ...env },
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (chunk) => {
          output += String(chunk);
        });
      const ended = once(child, "close").then(() => child.exitCode);
      return { child, output: () => output, ended };
    },
    async ask(url, ...options) {
      const args = ["--silent", "--max-time", "30", "--write-out", "\n%{http_code}", ...options, url];
      const { stdout } = await finish("curl", args);
      const end = stdout.lastIndexOf("\n");
      return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
    },
    async [Symbol.asyncDispose]() {
      const ends = [...children].map((child) => once(child, "close"));
      for (const child of children) if (child !== holder) child.kill("SIGTERM");
      holder.kill("SIGKILL");
      await Promise.race([Promise.all(ends), sleep(STOP_TIMEOUT)]);
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ends);
      for (const server of servers) server?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the first line. @throws with what it said when it ends before */
async function untilReady(child: ChildProcess): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const lines = createInterface({ input: child.stdout as Readable });
  const ended = once(child, "close").then(() => Promise.reject(new Error(errors)));
  await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => {});
}
