/**
 * Everything in `deploy/` with its own commands, variables, ports, users and folders, on machines made of namespaces over a real
 * PostgreSQL and a chain: each process of Compose, of the units of systemd and of the pods of Kubernetes, the proxies before them,
 * and Prometheus beside them. What is replaced is what an operator has to write.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { ESCROWS, ROOT, startDaemonChain } from "../harness/daemon.ts";
import { environmentOf, execOf, lastOf, stagesOf } from "../harness/deployment/dockerfile.ts";
import { unitOf, yamlOf } from "../harness/deployment/files.ts";
import { canHaveMachines, type Machine, type Started, startMachine } from "../harness/deployment/machine.ts";
import {
  composeProcesses,
  kubernetesProcesses,
  type Process,
  portsOf,
  readCompose,
  systemdProcesses,
} from "../harness/deployment/processes.ts";
import { hasNginx } from "../harness/nginx.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

const PATIENCE = { timeout: 150_000, interval: 200 };
const IMAGE = stagesOf().at(-1);
const IMAGE_USER = 1000;
/** One that systemd may choose for DynamicUser=. */
const UNIT_USER = 61_184;
const HOSTS = ["postgres", "postgres.example", "raisebook", "raises.example"];
const TARGETS = {
  targets: [
    {
      name: "us",
      url: "http://127.0.0.1:9/",
      secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
      privateNetworks: ["127.0.0.0/8"],
    },
  ],
};

let chain: LocalChain;
const databases: Postgres[] = [];
const machines: Machine[] = [];

beforeAll(async () => {
  chain = await startDaemonChain();
});
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine[Symbol.asyncDispose]()));
  await Promise.all(databases.map((database) => database.stop()));
  await chain?.stop();
});

/** A machine that reaches PostgreSQL and the chain, with the files that an operator has written. */
async function machineAt(reaches: Record<number, string> = {}): Promise<Machine> {
  const { port } = new URL(process.env.RAISEBOOK_TEST_POSTGRES ?? "");
  const machine = await startMachine({
    5432: Number(port),
    8545: Number(new URL(chain.rpcUrl).port),
    ...reaches,
  });
  machines.push(machine);
  await machine.run(
    `echo "127.0.0.1 $2" >> /etc/hosts
    rm -rf /etc/raisebook && mkdir -p /etc/raisebook /etc/webhooks /opt/raisebook
    cp "$1/registry.example.json" /etc/raisebook/registry.json
    ln -s "$1" /opt/raisebook/current
    echo "$3" > /etc/webhooks/webhooks.json && chown ${IMAGE_USER} /etc/webhooks/webhooks.json && chmod 600 /etc/webhooks/webhooks.json`,
    ...[ROOT, HOSTS.join(" "), JSON.stringify(TARGETS)],
  );
  return machine;
}

/** What the operator writes in place of the examples: the endpoint, the contracts, and who reads which database. */
function written(env: Record<string, string>, database: Postgres): Record<string, string> {
  const { username, password, pathname } = new URL(database.connectionString);
  const url = new URL(env.DATABASE_URL ?? "");
  Object.assign(url, { username, password, pathname });
  return { ...env, RPC_URLS: "http://127.0.0.1:8545", ESCROWS: `${ESCROWS[0]}@0`, DATABASE_URL: url.href };
}

/** Each place of a release has a database, as each of them is this release. */
async function databaseOf(places: Map<string, Postgres>, place: string): Promise<Postgres> {
  const found = places.get(place === "webhooks" ? "a" : place) ?? (await startPostgres());
  if (!databases.includes(found)) databases.push(found);
  places.set(place, found);
  return found;
}

/** Everything that a process answers, on each of its ports, is there. */
async function expectServing(machine: Machine, one: Process, started: Started): Promise<void> {
  const { port, operatorPort, metricsPort } = portsOf(one);
  const paths = [
    ...(port === null ? [] : [`${port}/v1/ready`]),
    ...(operatorPort === null ? [] : [`${operatorPort}/metrics`, `${operatorPort}/metrics/raisebook`]),
    `${metricsPort}/metrics/raisebook`,
  ];
  for (const path of paths) {
    await vi.waitFor(async () => {
      if (started.child.exitCode !== null) throw new Error(`${one.name} ended:\n${started.output()}`);
      const { status, body } = await machine.ask(`http://127.0.0.1:${path}`);
      expect(status, `${one.name}: ${path}\n${started.output()}`).toBe(200);
      // It has a reader, and has come to the head with it.
      if (one.command === "deliver")
        expect(body, started.output()).toMatch(/^raisebook_webhooks_delivered_block\{.*\} [1-9]/m);
    }, PATIENCE);
  }
}

/** Starts processes of the image, and waits for all of them. */
async function startImages(machine: Machine, processes: readonly Process[], places: Map<string, Postgres>) {
  const command = execOf(lastOf(IMAGE, "ENTRYPOINT"));
  const all = await Promise.all(
    processes.map(async (one) => {
      const env = { ...environmentOf(IMAGE), ...written(one.env, await databaseOf(places, one.place)) };
      const confined = { user: IMAGE_USER, cwd: "/opt/raisebook/current" };
      return {
        one,
        env,
        started: machine.start({ command: [...command, ...one.command.split(" ")], env, ...confined }),
      };
    }),
  );
  await Promise.all(all.map(({ one, started }) => expectServing(machine, one, started)));
  return all;
}

describe.skipIf(!canHaveMachines())("started as shipped", () => {
  it("compose.yaml: every service of both places, webhooks through the proxy, and Prometheus", async () => {
    const machine = await machineAt();
    await startImages(machine, composeProcesses(), new Map());
  });
});
