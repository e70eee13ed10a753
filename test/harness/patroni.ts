/**
 * PostgreSQL on two machines, with what deploy/patroni/ has: Patroni, three members of etcd, and HAProxy. The machines are addresses of
 * loopback, so that the files' ports stay, and a machine that dies is its processes killed at once.
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { descendants, ROOT } from "./daemon.ts";
import { ownerOf, systemPostgres } from "./system-postgres.ts";

const TOOLS = ["patroni", "etcd", "haproxy"];
export const hasPatroni = (): boolean =>
  systemPostgres !== null && TOOLS.every((tool) => spawnSync("which", [tool]).status === 0);

/** The third has no PostgreSQL. */
const MACHINES = ["db1", "db2", "witness"] as const;
/** The variable that is the same on each. */
const OF_ALL = "ETCD_INITIAL_CLUSTER";
type Machine = (typeof MACHINES)[number];

/** As Patroni's REST API says it. */
export type Member = { name: Machine; role: string; state: string; timeline?: number; lag?: number };

export type PatroniCluster = {
  /** through HAProxy: the primary, and a replica */
  url: { primary: string; replica: string };
  /** of the superuser, at the server itself */
  urlOf(machine: Machine): string;
  /** empty while no machine answers */
  members(): Promise<Member[]>;
  /** Runs `patronictl` as the user of PostgreSQL does, with these answers to its questions. @throws with its output if it fails */
  patronictl(words: readonly string[], answers?: string): string;
  /** everything that Patroni of this machine has written */
  log(machine: Machine): string;
  /** Ends every process of it without a warning. */
  kill(machine: Machine): Promise<void>;
  /** Ends PostgreSQL alone, without a warning. */
  crash(machine: Machine): void;
  start(machine: Machine): void;
  stop(): Promise<void>;
};

export function startPatroniCluster(): PatroniCluster {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-patroni-"));
  const net = `127.${20 + (process.pid % 200)}.0.`;
  const shipped = (name: string) =>
    readFileSync(join(ROOT, "deploy/patroni", name), "utf8").replaceAll("10.0.0.", net);
  const addressOf = (machine: Machine) => `${net}${1 + MACHINES.indexOf(machine)}`;
  /** The file of the first machine, with the addresses of this one. */
  const envOf = (name: string, machine: Machine): NodeJS.Dict<string> =>
    Object.fromEntries(
      Object.entries(parseEnv(shipped(name))).map(([key, value = ""]) => [
        key,
        key === OF_ALL ? value : value.replaceAll(`${net}1`, addressOf(machine)),
      ]),
    );
  const running = new Map<string, ChildProcess>();
  const logs = new Map<string, string>();
  const superuser = parseEnv(shipped("patroni.env.example")).PATRONI_SUPERUSER_PASSWORD ?? "";

  const at = (machine: Machine, name = "") => join(folder, machine, name);
  const owners = MACHINES.map((machine) => {
    const folders = [at(machine), at(machine, "etcd"), at(machine, "socket")];
    for (const path of folders) mkdirSync(path, { recursive: true });
    return ownerOf(folders);
  });
  chmodSync(folder, 0o755);
  const run = (name: string, machine: Machine, env: NodeJS.Dict<string>, command: string, args: string[]) => {
    const child = spawn(command, args, {
      ...{ cwd: at(machine), env: { PATH: process.env.PATH, HOME: at(machine), LC_ALL: "C", ...env } },
      ...owners[0],
    });
    running.set(name, child);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => void logs.set(name, `${logs.get(name) ?? ""}${chunk}`));
  };

  const startMachine = (machine: Machine) => {
    const etcd = { ...envOf("etcd.env", machine), ETCD_NAME: machine, ETCD_DATA_DIR: at(machine, "etcd") };
    run(`etcd ${machine}`, machine, etcd, "etcd", []);
    if (machine === "witness") return;
    const config = at(machine, "patroni.yml");
    const socket = at(machine, "socket");
    writeFileSync(config, shipped("patroni.yml").replace("/var/run/postgresql", socket));
    const env = {
      ...envOf("patroni.env.example", machine),
      PATRONI_NAME: machine,
      PATRONI_POSTGRESQL_DATA_DIR: at(machine, "data"),
      PATRONI_POSTGRESQL_BIN_DIR: systemPostgres ?? "",
    };
    run(`patroni ${machine}`, machine, env, "patroni", [config]);
  };
  const end = async (name: string) => {
    const child = running.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await Promise.race([ended, sleep(5_000)]);
  };
  const killAll = (pids: readonly number[]) => {
    for (const pid of pids)
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended with its parent.
      }
  };
  const crash = (machine: Machine) => {
    const pidFile = at(machine, "data/postmaster.pid");
    const server = existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8").split("\n")[0]) : null;
    if (server !== null) killAll([server, ...descendants(server)]);
  };
  const kill = async (machine: Machine) => {
    killAll(descendants(running.get(`patroni ${machine}`)?.pid));
    crash(machine);
    await end(`patroni ${machine}`);
    await end(`etcd ${machine}`);
  };

  for (const machine of MACHINES) startMachine(machine);
  const proxy = join(folder, "haproxy.cfg");
  writeFileSync(proxy, shipped("haproxy.cfg").replaceAll("127.0.0.1", `${net}9`));
  run("haproxy", "witness", {}, "haproxy", ["-f", proxy]);

  return {
    url: {
      primary: `postgresql://raisebook:raisebook@${net}9:5000/raisebook`,
      replica: `postgresql://raisebook:raisebook@${net}9:5001/raisebook`,
    },
    urlOf: (machine) => `postgresql://postgres:${superuser}@${addressOf(machine)}:5432/postgres`,
    async members() {
      for (const machine of ["db1", "db2"] as const) {
        const answer = await fetch(`http://${addressOf(machine)}:8008/cluster`).catch(() => null);
        if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
      }
      return [];
    },
    patronictl(words, answers = "") {
      const env = { PATH: process.env.PATH, HOME: at("db1"), LC_ALL: "C.UTF-8" };
      const options = { cwd: at("db1"), env, encoding: "utf8", input: answers, ...owners[0] } as const;
      const { status, stdout, stderr } = spawnSync(
        "patronictl",
        ["-c", at("db1", "patroni.yml"), ...words],
        options,
      );
      if (status !== 0) throw new Error(`patronictl ${words.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
    log: (machine) => logs.get(`patroni ${machine}`) ?? "",
    kill,
    crash,
    start: startMachine,
    async stop() {
      await end("haproxy");
      for (const machine of MACHINES) await kill(machine);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
