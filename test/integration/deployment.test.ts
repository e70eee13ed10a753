/**
 * `deploy/` as it is shipped: the processes of Compose, of the units of systemd and of the pods of Kubernetes with their own commands,
 * variables, ports, users and folders, behind their proxies and watched by Prometheus, on machines of namespaces over a real PostgreSQL
 * and a chain. Only what an operator has to write is replaced. The second place of a release differs from the first in its ports alone,
 * which test/unit/deployment/processes.test.ts checks.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { ROOT, startDaemonChain } from "../harness/daemon.ts";
import { hasCaddy } from "../harness/deployment/caddy.ts";
import { environmentOf, execOf, lastOf, stagesOf } from "../harness/deployment/dockerfile.ts";
import { foundIn, unitOf, variablesOf } from "../harness/deployment/files.ts";
import { canHaveMachines, type Machine, type Started, startMachine } from "../harness/deployment/machine.ts";
import {
  composeProcesses,
  deploymentsOfKubernetes,
  kubernetesProcesses,
  type Process,
  portsOf,
  readCompose,
  systemdProcesses,
} from "../harness/deployment/processes.ts";
import { enabledUnits, installStandIns, runbookOf } from "../harness/deployment/stand-ins.ts";
import { hasNginx } from "../harness/nginx.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

const PATIENCE = { timeout: 400_000, interval: 200 };
/** Several starts, one after the other. */
const LONGEST = 900_000;
const IMAGE = stagesOf().at(-1);
const IMAGE_USER = 1000;
/** One that systemd may choose for DynamicUser=. */
const UNIT_USER = 61_184;
const HOSTS = ["postgres", "postgres.example", "raisebook", "raises.example"];
const TARGETS = JSON.stringify({
  targets: [
    {
      name: "us",
      url: "http://127.0.0.1:9/",
      secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
      privateNetworks: ["127.0.0.0/8"],
    },
  ],
});

const isAtFirst = ({ place }: Process) => place !== "b";

let chain: LocalChain;
let escrow = "";
let database: Postgres;
const machines: Machine[] = [];

beforeAll(async () => {
  chain = await startDaemonChain();
  const { address: dollar } = await deployDollar(chain);
  const { address, blockNumber } = await deployEscrow(chain, { dollar });
  escrow = `${address}@${blockNumber}`;
});
beforeEach(async () => {
  database = await startPostgres();
});
afterEach(async () => {
  await Promise.all(machines.splice(0).map((machine) => machine[Symbol.asyncDispose]()));
  await database.stop();
});

/** A machine that reaches PostgreSQL and the chain. */
async function machineAt(reaches: Record<number, string> = {}): Promise<Machine> {
  const ofServer = (url: string) => Number(new URL(url).port);
  const outside = { 5432: ofServer(database.connectionString), 8545: ofServer(chain.rpcUrl) };
  const machine = await startMachine({ ...outside, ...reaches });
  machines.push(machine);
  await machine.run(
    `echo "127.0.0.1 $1" >> /etc/hosts; rm -rf /etc/raisebook
    echo "raisebook:x:${UNIT_USER}:${UNIT_USER}::/:/usr/sbin/nologin" >> /etc/passwd
    echo "node:x:${IMAGE_USER}:${IMAGE_USER}::/home/node:/bin/sh" >> /etc/passwd`,
    HOSTS.join(" "),
  );
  return machine;
}

const setKernel = (machine: Machine, name: string, value: string) =>
  machine.run(`sysctl --write "$1=$2"`, name, value);

/** The operator's values in place of the examples: the endpoint, the contracts and the databases. */
function written(env: Record<string, string>): Record<string, string> {
  const { username, password, pathname } = new URL(database.connectionString);
  const url = Object.assign(new URL(env.DATABASE_URL ?? ""), { username, password, pathname });
  return { ...env, RPC_URLS: "http://127.0.0.1:8545", ESCROWS: escrow, DATABASE_URL: url.href };
}

/** Waits until a process answers on each of its ports. */
async function expectServing(machine: Machine, one: Process, { child, output }: Started): Promise<void> {
  const { port, operatorPort, metricsPort } = portsOf(one);
  const paths = [
    ...(port === null ? [] : [`${port}/v1/ready`]),
    ...(operatorPort === null ? [] : [`${operatorPort}/metrics`, `${operatorPort}/metrics/raisebook`]),
    `${metricsPort}/metrics/raisebook`,
  ];
  const expectAnswer = async (path: string) => {
    if (child.exitCode !== null) return;
    const { status, body } = await machine.ask(`http://127.0.0.1:${path}`);
    expect(status, `${one.name}: ${path}\n${output()}`).toBe(200);
    // It has come to the head with the reader that it asks.
    if (one.command === "deliver")
      expect(body, output()).toMatch(/^raisebook_webhooks_delivered_block\{.*\} [1-9]/m);
  };
  for (const path of paths) await vi.waitFor(() => expectAnswer(path), PATIENCE);
  expect(child.exitCode, `${one.name} ended:\n${output()}`).toBeNull();
  // Nor does it warn of what its unit or image sets.
  expect(output(), one.name).not.toContain("is ignored");
}

/** Starts processes as the image does, and waits for them and for what says that they are healthy. */
async function startImages(machine: Machine, processes: readonly Process[]): Promise<void> {
  await machine.run(
    `install -d /opt/raisebook /etc/raisebook /etc/webhooks
    install -m 644 "$1/registry.example.json" /etc/raisebook/registry.json
    ln -s "$1" /opt/raisebook/current
    install -o ${IMAGE_USER} -m 600 /dev/null /etc/webhooks/webhooks.json && echo "$2" > /etc/webhooks/webhooks.json`,
    ...[ROOT, TARGETS],
  );
  const services = readCompose().services;
  await Promise.all(
    processes.map(async (one) => {
      const volumes = (services[one.name]?.volumes ?? []).map((volume) => volume.split(":"));
      const writable = volumes.flatMap(([name, at = ""]) => (name === "cache" ? [at] : []));
      // As the Dockerfile makes it.
      for (const folder of writable)
        await machine.run(`install -d -o ${IMAGE_USER} -g ${IMAGE_USER} -m 700 "$1"`, folder);
      const start = (...command: string[]) =>
        machine.start({
          command,
          env: { HOME: "/home/node", ...environmentOf(IMAGE), ...written(one.env) },
          ...{ user: IMAGE_USER, cwd: "/opt/raisebook/current", writable },
        });
      const started = start(...execOf(lastOf(IMAGE, "ENTRYPOINT")), ...one.command.split(" "));
      await expectServing(machine, one, started);
      const [, ...check] = services[one.name]?.healthcheck?.test ?? [
        "",
        ...execOf(lastOf(IMAGE, "HEALTHCHECK")),
      ];
      if (one.command === "deliver" && services[one.name] === undefined) return;
      const checked = start(...check);
      expect(await checked.ended, `${one.name} is healthy`).toBe(0);
    }),
  );
}

/** Starts a unit as systemd does, with its folders and its credential. */
async function startUnit(machine: Machine, one: Process): Promise<Started> {
  const [unit = "", instance] = one.name.split(/(?<=@)/);
  const valuesOf = unitOf(`deploy/systemd/${unit}.service`, instance);
  await machine.run(`test -f "/etc/systemd/system/$1.service"`, unit);
  const writable = [
    ...valuesOf("StateDirectory").map((name) => `/var/lib/${name}`),
    ...valuesOf("CacheDirectory").map((name) => `/var/cache/${name}`),
  ];
  expect(valuesOf("DynamicUser")).toEqual(["yes"]);
  await machine.makePrivate(UNIT_USER, writable);
  for (const credential of valuesOf("LoadCredential")) {
    const [name = "", file = ""] = credential.split(":");
    const script = `mkdir -p "$1" && install -o ${UNIT_USER} -m 400 "$2" "$1/$3"`;
    await machine.run(script, `/run/credentials/${unit}.service`, file, name);
  }
  return machine.start({
    command: valuesOf("ExecStart").join().split(" "),
    env: { HOME: "/", USER: "raisebook", LOGNAME: "raisebook", ...written(one.env) },
    ...{ user: UNIT_USER, cwd: valuesOf("WorkingDirectory").join(), writable },
  });
}

describe.skipIf(!canHaveMachines())("as shipped,", { timeout: LONGEST }, () => {
  it.skipIf(!hasNginx())(
    "the runbook's units start, behind an nginx whose workers are www-data's",
    async () => {
      const machine = await machineAt();
      await installStandIns(machine);
      const runbook = runbookOf(machine, ["docs/operations/installing.md", "docs/operations.md"]);
      const release = "/opt/raisebook/current";
      await runbook.follow("systemd", ROOT, "cd /opt/raisebook/current");
      await runbook.follow("Webhooks", release);
      const settings = written(variablesOf("deploy/raisebook.env.example"));
      const lines = Object.entries(settings).map((pair) => pair.join("="));
      await machine.run(
        `echo "$1" > /etc/raisebook/raisebook.env; echo "$2" > /etc/raisebook/webhooks.json; stat -c %a /etc/raisebook/*`,
        ...[lines.join("\n"), TARGETS],
      );
      // As Debian's package leaves it.
      machine.start({ command: ["nginx", "-g", "daemon off;"] });
      await vi.waitFor(
        async () => expect((await machine.ask("http://127.0.0.1/")).status).toBe(200),
        PATIENCE,
      );

      const processes = systemdProcesses().filter(isAtFirst);
      expect((await enabledUnits(machine)).toSorted()).toEqual(processes.map(({ name }) => name).toSorted());
      const started: [Process, Started][] = [];
      for (const one of processes) started.push([one, await startUnit(machine, one)]);
      await runbook.follow("First start on BSC testnet", release);
      await Promise.all(started.map(([one, process]) => expectServing(machine, one, process)));

      const [live] = foundIn("deploy/nginx.conf", /ssl_certificate (\S+);/g);
      // The reload takes a moment.
      await vi.waitFor(() => machine.run(`test -n "$(ss -Hltn sport = :443)"`), PATIENCE);
      for (let count = 0; count < 6; count++) {
        const { status } = await machine.ask(
          "https://raises.example/knowledge/grades",
          "--http2",
          "--cacert",
          `${live}`,
        );
        expect(status, await machine.run("cat /var/log/nginx/error.log")).toBe(200);
      }
      const [cache] = foundIn("deploy/nginx.conf", /^proxy_cache_path (\S+)/gm);
      expect(await machine.run(`find "$1" -type f -user www-data`, `${cache}`)).not.toBe("");
      expect(await machine.run("cat /var/log/nginx/error.log")).not.toMatch(/\[(crit|alert|emerg)\]/);

      const said = await runbook.follow("systemd", release);
      expect(said).toContain("Current schema");
      expect(runbook.left()).toEqual([]);
    },
  );

  it.skipIf(!hasCaddy())(
    "compose.yaml's services start in their pod, with webhooks through the proxy",
    async () => {
      const machine = await machineAt();
      const { pod, proxy, prometheus } = readCompose().services;
      for (const [name, value] of Object.entries(pod?.sysctls ?? {})) await setKernel(machine, name, value);
      await machine.run(
        `install -D -m 644 "$1/deploy/Caddyfile" /etc/caddy/Caddyfile; mkdir /var/data`,
        ROOT,
      );
      const env = { ...proxy?.environment, XDG_DATA_HOME: "/var/data", XDG_CONFIG_HOME: "/var/data" };
      machine.start({ command: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"], env });
      await startImages(machine, composeProcesses().filter(isAtFirst));
      expect((await machine.ask("http://raises.example/v1/ready")).status).toBe(308);
      await machine.run(
        `rm -rf /etc/prometheus; cp -r "$1/deploy/prometheus" /etc; sed -i "s/: 15s/: 1s/" /etc/prometheus/prometheus.yml`,
        ROOT,
      );
      const options =
        prometheus?.command?.map((one) => one.replace(/=\/prometheus$/, "=/var/prometheus")) ?? [];
      const watching = machine.start({ command: ["prometheus", ...options] });
      await vi.waitFor(async () => {
        const { body } = await machine.ask(
          "http://127.0.0.1:9090/api/v1/query?query=up%7Bplace!%3D%22b%22%7D",
        );
        expect(body, watching.output()).toContain('"success"');
        const { result } = JSON.parse(body).data as {
          result: { metric: { instance: string }; value: [number, string] }[];
        };
        const up = new Map(result.map(({ metric, value }) => [metric.instance, value[1]]));
        expect(up).toEqual(
          new Map(
            composeProcesses()
              .filter(isAtFirst)
              .flatMap(metricsOf)
              .map((port) => [`127.0.0.1:${port}`, "1"]),
          ),
        );
      }, PATIENCE);
    },
  );

  it.skipIf(!hasCaddy())("Kubernetes' pods start, and hand on their metrics", async () => {
    const [indexer, reader, deliver] = kubernetesProcesses();
    const pod = async (
      one: Process | undefined,
      ports: readonly number[],
      reaches: Record<number, string> = {},
    ) => {
      if (one === undefined) throw new Error("a Deployment is missing");
      const machine = await machineAt(reaches);
      const deployment = deploymentsOfKubernetes().find(({ metadata }) => metadata?.name === one.name);
      for (const { name, value } of deployment?.spec?.template.spec?.securityContext?.sysctls ?? [])
        await setKernel(machine, name, value);
      await machine.run(
        `install -D -m 644 "$1/deploy/kubernetes/metrics.Caddyfile" /etc/caddy/Caddyfile`,
        ROOT,
      );
      machine.start({ command: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"] });
      await startImages(machine, [one]);
      for (const port of ports)
        expect((await machine.ask(`http://127.0.0.1:${port}/metrics/raisebook`)).status).toBe(200);
      return machine;
    };
    const [, serving] = await Promise.all([pod(indexer, [9070, 9071]), pod(reader, [9071])]);
    await pod(deliver, [9071], { 80: await serving.socketTo(42_069) });
  });
});

const metricsOf = (one: Process): number[] => {
  const { operatorPort, metricsPort } = portsOf(one);
  return [operatorPort, metricsPort].filter((port) => port !== null);
};
