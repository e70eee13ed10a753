/**
 * Two `npm start` over one database, each as on its own machine: with its own way to PostgreSQL, and as processes that are
 * killed or frozen together. A raise gets an event in every block, so that a gap or a double write shows in its sums.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChain } from "../../demo/chain.ts";
import { createDaemons, type DaemonRun, descendants } from "./daemon.ts";
import { emit, events } from "./emit.ts";
import { freePort } from "./free-port.ts";
import { startPostgres, startPostgresServer } from "./postgres.ts";
import { deployRogueEscrow } from "./rogue.ts";
import { registryOf } from "./rogue-market.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";

export type Way = "killed" | "frozen" | "partitioned";

export type Machine = {
  readonly name: string;
  readonly port: number;
  readonly env: Record<string, string>;
  readonly folder: string;
  /** its connections to PostgreSQL */
  readonly way: TcpProxy;
  daemon: DaemonRun;
};

type Rows = Record<string, unknown>[];

export type TwoMachines = {
  readonly first: Machine;
  readonly second: Machine;
  /** of the server itself */
  readonly postgresPort: number;
  readonly query: (text: string) => Promise<Rows>;
  /** the one whose instance has the lease; the other one stands by */
  indexing(): Promise<Machine>;
  /** An event in its own block; resolves to what is raised then. */
  raise(): Promise<bigint>;
  raised(): bigint;
  json(machine: Machine, path: string): Promise<Record<string, unknown>>;
  /** Waits until its answers have this much raised. */
  untilRaised(machine: Machine, amount: bigint): Promise<void>;
  /** Stops it in one of the ways, and makes it whole again. */
  hurt(machine: Machine, way: Way): Promise<void>;
  heal(machine: Machine, way: Way): Promise<void>;
  /** Differences between the tables and what was raised; empty: neither a gap nor a double write. */
  wrongRows(): Promise<string[]>;
  stop(): Promise<void>;
};

export async function startTwoMachines(): Promise<TwoMachines> {
  const { run, place, killAll } = createDaemons();
  const data = await mkdtemp(join(tmpdir(), "raisebook-two-"));
  const [chain, server] = await Promise.all([startChain(), startPostgresServer(data)]);
  const postgres = await startPostgres(server.url);
  const { address, blockNumber } = await deployRogueEscrow(chain);
  await emit(chain, address, events.created(1n, { targetAmount: 10n ** 9n }));
  await chain.testClient.mine({ blocks: 40, interval: 1 });

  const startMachine = async (name: string): Promise<Machine> => {
    const { folder, port, env: common } = await place(chain.rpcUrl);
    await writeFile(join(folder, "registry.json"), JSON.stringify(registryOf({ a: address })));
    const way = await startTcpProxy(server.port);
    const url = new URL(postgres.connectionString);
    url.port = String(way.port);
    const own = {
      ...{ ESCROWS: `${address}@${blockNumber}`, REGISTRY: "registry.json", DATABASE_URL: url.href },
      ...{ PUBLIC_URL: "https://raisebook.example", OPERATOR_PORT: String(await freePort()) },
      ...{ LOG_FORMAT: "json", RAISEBOOK_MACHINE: name },
    };
    const at = { folder, env: { ...common, ...own } };
    return { ...at, name, port, way, daemon: run(at.folder, at.env) };
  };

  let raised = 0n;
  const raise = async () => {
    raised += 1n;
    const amount = raised;
    await emit(chain, address, events.subscribed(1n, 1n, amount));
    return amount;
  };
  const machines: Machine[] = [];
  const report = () =>
    machines.map(({ name, daemon }) => `${name}:\n${daemon.output().slice(-6_000)}`).join("\n");
  const json: TwoMachines["json"] = async ({ port }, path) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) })).json() as never;
  const untilRaised = (machine: Machine, amount: bigint) => {
    const isSo = async () => {
      const listing = (await json(machine, "/v1/listings/lst_a_1")) as { raisedAmount?: string };
      return BigInt(listing.raisedAmount ?? -1) >= amount;
    };
    return until(`${amount} raised on ${machine.name}`, isSo, { report });
  };
  const holder = async () =>
    (await postgres.query("SELECT machine ->> 'space' AS name FROM raisebook_indexing.lease"))[0]?.name;
  const untilStandby = (machine: Machine) => {
    const isSo = async () => {
      const said = [...machine.daemon.output().matchAll(STATES)].at(-1)?.[0];
      return said === STANDS_BY && (await holder()) !== machine.name;
    };
    return until(`${machine.name} stands by`, isSo, { report });
  };
  const signal = ({ daemon: { child } }: Machine, name: NodeJS.Signals) => {
    // The daemon first when frozen or killed: it would start again what ends.
    for (const pid of [child.pid, ...descendants(child.pid)]) {
      try {
        if (pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(pid, name);
      } catch (error) {
        // It has ended since.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  };

  machines.push(await startMachine("first"));
  const [first] = machines as [Machine];
  await untilRaised(first, 0n);
  machines.push(await startMachine("second"));
  const [, second] = machines as [Machine, Machine];
  await untilStandby(second);
  await untilRaised(second, await raise());

  const indexing = async () => ((await holder()) === first.name ? first : second);
  return {
    ...{ first, second, json, raise, untilRaised },
    postgresPort: server.port,
    query: postgres.query,
    raised: () => raised,
    indexing,
    async hurt(machine, way) {
      if (way === "partitioned") await machine.way.become("silent");
      else signal(machine, way === "killed" ? "SIGKILL" : "SIGSTOP");
      if (way === "killed") await machine.daemon.ended;
    },
    async heal(machine, way) {
      if (way === "partitioned") await machine.way.become("open");
      else if (way === "frozen") signal(machine, "SIGCONT");
      else machine.daemon = run(machine.folder, machine.env);
      await untilStandby(machine);
    },
    async wrongRows() {
      const [{ name } = {}] = await postgres.query("SELECT tables AS name FROM raisebook_indexing.lease");
      const [ledger, listing, health] = await Promise.all([
        postgres.query(`SELECT count(*) AS all, count(DISTINCT block_number) AS blocks, sum((args ->> 'amount')::numeric) AS sum
          FROM "${name}".ledger WHERE kind = 'subscribed'`),
        postgres.query(`SELECT raised_amount FROM "${name}".listing`),
        json(await indexing(), "/v1/health") as Promise<{ anomalies?: { total: number } }>,
      ]);
      const told = { ...ledger[0], ...listing[0], anomalies: health.anomalies?.total };
      const expected = { all: raised, blocks: raised, sum: raised, raised_amount: raised, anomalies: 0 };
      return Object.entries(expected).flatMap(([key, value]) => {
        const found = String(told[key as keyof typeof told]);
        return found === `${value}` ? [] : [`${key}: ${found}, not ${value}`];
      });
    },
    async stop() {
      for (const machine of machines) signal(machine, "SIGKILL");
      killAll();
      await Promise.all(machines.map(({ way }) => way.stop()));
      await server.stop();
      await chain.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

const STANDS_BY = "waits for its turn";
/** The last one in the log tells the state of a daemon. */
const STATES = /waits for its turn|This start now indexes|has stopped its indexer/g;

/** Asks a machine for all of the paths, again and again; `stop` tells what was not a good answer. */
export function keepAsking({ port, name }: Machine, paths: readonly string[]) {
  const bad: string[] = [];
  let asked = 0;
  let isOver = false;
  const askFor = async (path: string) => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        signal: AbortSignal.timeout(10_000),
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok ? null : response.status;
        },
        (error: Error) => error.message,
      );
      asked += 1;
      if (answer !== null) bad.push(`${name}${path}: ${answer}`);
      await sleep(50);
    }
  };
  const all = Promise.all(paths.map(askFor));
  return {
    async stop() {
      isOver = true;
      await all;
      return { asked, bad };
    },
  };
}

/** Paths that a reader answers from memory, and paths for which it asks the database. */
export const IN_MEMORY = ["/v1/listings", "/v1/listings/lst_a_1"];
export const FROM_DATABASE = [...IN_MEMORY, "/v1/events?limit=1", "/v1/health", "/listings"];
