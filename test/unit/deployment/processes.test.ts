/** Each way of deploying, against the service itself: its variables, commands, ports and addresses. */
import { describe, expect, it } from "vitest";
import { CLOSE_TIMEOUT, DEFAULT_PORT } from "../../../config/defaults.ts";
import { readSettings } from "../../../config/environment.ts";
import { VARIABLE_NAMES } from "../../../config/variables.ts";
import modules from "../../../operate/cli/modules.json" with { type: "json" };
import { strayVariables } from "../../../operate/daemon/check-environment.ts";
import { readerOf } from "../../../operate/webhooks/source.ts";
import { appIn } from "../../harness/app.ts";
import { foundIn, unitOf, yamlOf } from "../../harness/deployment/files.ts";
import {
  composeProcesses,
  deploymentsOfKubernetes,
  kubernetesProcesses,
  type Process,
  portsOf,
  readCompose,
  systemdProcesses,
} from "../../harness/deployment/processes.ts";

const NODES_OWN = ["NODE_COMPILE_CACHE", "TMPDIR"];
const ways: [string, Process[]][] = [
  ["compose", composeProcesses()],
  ["systemd", systemdProcesses()],
  ["kubernetes", kubernetesProcesses()],
];

const portsAt = (processes: Process[], place: string, ...kinds: (keyof ReturnType<typeof portsOf>)[]) =>
  processes
    .filter((one) => one.place === place)
    .flatMap((one) => kinds.map((kind) => portsOf(one)[kind]))
    .filter((port) => port !== null)
    .toSorted((one, other) => one - other);

describe.each(ways)("%s", (_, processes) => {
  it("starts commands that there are, an indexer in each place and readers beside it, and sends webhooks once", () => {
    for (const { command, name } of processes) expect(Object.keys(modules), name).toContain(command);
    const commandsAt = (place: string) =>
      processes.filter((one) => one.place === place).map(({ command }) => command);
    expect(commandsAt("webhooks")).toEqual(["deliver"]);
    const places = new Set(processes.map(({ place }) => place));
    places.delete("webhooks");
    for (const here of [...places].map(commandsAt)) {
      expect(here.filter((command) => command === "start")).toHaveLength(1);
      expect(here.filter((command) => command === "serve").length).toBeGreaterThan(0);
    }
  });

  it("sets variables that are read, to values that are accepted", () => {
    for (const { env, name } of processes) {
      expect(strayVariables(env), name).toEqual([]);
      for (const variable of Object.keys(env)) expect([...VARIABLE_NAMES, ...NODES_OWN]).toContain(variable);
      const { database, registry, trustedProxies } = readSettings(env);
      expect(database.kind).toBe("postgres");
      expect(registry).toEqual({ kind: "file", path: "/etc/raisebook/registry.json" });
      expect(trustedProxies).toHaveLength(1);
    }
  });

  it("listens on ports that no outgoing connection is given", () => {
    const reserved = "net.ipv4.ip_local_reserved_ports";
    const [range = ""] = foundIn("deploy/sysctl.conf", new RegExp(`^${reserved} = (\\S+)$`, "gm"));
    const [first = 0, last = 0] = range.split("-").map(Number);
    for (const one of processes)
      for (const port of Object.values(portsOf(one))) {
        if (port === null) continue;
        expect(port, one.name).toBeGreaterThanOrEqual(first);
        expect(port, one.name).toBeLessThanOrEqual(last);
      }
    expect(readCompose().services.pod?.sysctls).toEqual({ [reserved]: range });
    for (const { spec } of deploymentsOfKubernetes())
      expect(spec?.template.spec?.securityContext?.sysctls).toEqual([{ name: reserved, value: range }]);
  });

  it("gives each process ports of its own, and each reader metrics", () => {
    const ofAPlace = (one: Process) => Object.values(portsOf(one));
    for (const one of processes) expect(ofAPlace(one)).not.toContain(undefined);
    for (const one of processes) expect(portsOf(one).metricsPort, one.name).not.toBeNull();
  });
});

describe.each(ways.slice(0, 2))("%s, on one machine,", (_, processes) => {
  it("listens where the proxies look, the indexer of the first place on the default port", () => {
    const [a, b] = [portsAt(processes, "a", "port"), portsAt(processes, "b", "port")];
    expect(a[0]).toBe(DEFAULT_PORT);
    expect(foundIn("deploy/nginx.conf", /^\s+server 127\.0\.0\.1:(\d+)/gm).map(Number)).toEqual([...a, ...b]);
    const lines = foundIn("deploy/Caddyfile", /^\s+to (.*)$/gm)
      .join(" ")
      .split(" ");
    expect(lines).toEqual([...a, ...b].map((port) => `127.0.0.1:${port}`));
  });

  it("listens on 127.0.0.1 alone, which is the proxy", () => {
    for (const { env } of processes) {
      expect(readSettings(env)).toMatchObject({ host: "127.0.0.1", trustedProxies: ["127.0.0.1"] });
    }
  });

  it("has its metrics where Prometheus looks", () => {
    for (const place of ["a", "b"]) {
      expect(targetsOf("raisebook", place)).toEqual(portsAt(processes, place, "operatorPort", "metricsPort"));
      expect(targetsOf("raisebook-indexer", place)).toEqual(portsAt(processes, place, "operatorPort"));
    }
    expect(targetsOf("raisebook-webhooks")).toEqual(portsAt(processes, "webhooks", "metricsPort"));
  });

  it("has the second place like the first, which is started by a test, with ports that are ten higher", () => {
    const at = (place: string, added: number) =>
      processes
        .filter((one) => one.place === place)
        .map(({ command, env }) => {
          const ports = Object.entries(env).filter(([name]) => /^(OPERATOR_|METRICS_)?PORT$/.test(name));
          const higher = ports.map(([name, port]) => [name, `${Number(port) + added}`]);
          return { command, env: { ...env, ...Object.fromEntries(higher) } };
        });
    expect(at("a", 10)).toEqual(at("b", 0));
  });

  it("has connections to PostgreSQL for both places, as many as the documents say", () => {
    const document = "docs/operations/deploying.md";
    const [ofIndexer = 0] = foundIn(document, /An indexer uses up to (\d+) connections/g).map(Number);
    const [ofReader = 0] = foundIn(document, /a reader up to (\d+)\./g).map(Number);
    const indexers = processes.filter(({ command }) => command === "start").length;
    // Each start has a reader of its own.
    const readers = indexers + processes.filter(({ command }) => command === "serve").length;
    const sum = indexers * ofIndexer + readers * ofReader;
    expect(foundIn(document, /two indexers and six\s+readers in [^:]*: (\d+)\./g)).toEqual([`${sum}`]);
    const files = ["deploy/compose.yaml", "deploy/patroni/patroni.yml", "docs/operations/installing.md"];
    // More for deliveries, commands and administrators.
    for (const file of files) {
      const found = foundIn(file, /max_connections(?:: ?| ?= ?)(\d+)/g).map(Number);
      expect(found, file).not.toEqual([]);
      expect(Math.min(...found), file).toBeGreaterThan(sum + 20);
    }
    expect(readCompose().services.postgres?.command?.join(" ")).toBe("postgres -c max_connections=300");
  });

  it("uses no port twice", () => {
    const all = ["a", "b", "webhooks"].flatMap((place) =>
      portsAt(processes, place, "port", "operatorPort", "metricsPort"),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it("makes webhooks from a reader, or from the proxy before them", () => {
    const [deliver] = processes.filter(({ command }) => command === "deliver");
    const proxy = foundIn("deploy/Caddyfile", /^(http:\/\/127\.0\.0\.1:\d+) \{$/gm);
    const readers = portsAt(processes, "a", "port").map((port) => `http://127.0.0.1:${port}`);
    expect([...proxy, ...readers]).toContain(readerOf(readSettings(deliver?.env ?? {})));
  });
});

type Scraping = {
  scrape_configs: {
    job_name: string;
    static_configs: { labels?: { place: string }; targets: string[] }[];
  }[];
};

function targetsOf(job: string, place?: string): number[] {
  const { scrape_configs } = yamlOf<Scraping>("deploy/prometheus/prometheus.yml");
  const configs = scrape_configs.find(({ job_name }) => job_name === job)?.static_configs ?? [];
  const targets = configs.filter(({ labels }) => labels?.place === place).flatMap((one) => one.targets);
  expect(targets.every((target) => target.startsWith("127.0.0.1:"))).toBe(true);
  return targets.map((target) => Number(target.split(":")[1])).toSorted((one, other) => one - other);
}

it("names jobs in the rules that Prometheus has", () => {
  const { scrape_configs } = yamlOf<Scraping>("deploy/prometheus/prometheus.yml");
  const jobs = scrape_configs.map(({ job_name }) => job_name);
  const named = foundIn("deploy/prometheus/alerts.yaml", /job="([^"]+)"/g);
  expect(named.length).toBeGreaterThan(0);
  expect(jobs).toEqual(expect.arrayContaining(named));
});

describe("the pods of Kubernetes", () => {
  it("are probed at paths that answer, and named by their ports", async () => {
    const app = await appIn();
    for (const { spec } of deploymentsOfKubernetes().slice(0, 2)) {
      const container = spec?.template.spec?.containers.find(({ image }) => image === "raisebook");
      const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
      for (const probe of probes) {
        expect(container?.ports).toContainEqual({ name: probe?.httpGet?.port, containerPort: DEFAULT_PORT });
        expect((await app.request(`${probe?.httpGet?.path}`)).status).toBe(200);
      }
    }
  });

  it("hand on the metrics of the ports that the service has them on", () => {
    const [indexer, , deliver] = kubernetesProcesses();
    const upstreams = foundIn("deploy/kubernetes/metrics.Caddyfile", /127\.0\.0\.1:(\d+)/g).map(Number);
    const { operatorPort, metricsPort } = portsOf(indexer as Process);
    expect(upstreams).toEqual([operatorPort, metricsPort]);
    expect(portsOf(deliver as Process).metricsPort).toBe(metricsPort);
  });
});

describe("the units of systemd", () => {
  it("bring the signal by which the service ends, and more time than it takes", () => {
    for (const unit of ["raisebook@", "raisebook-reader@", "raisebook-deliver"]) {
      const valuesOf = unitOf(`deploy/systemd/${unit}.service`);
      expect([valuesOf("KillSignal"), valuesOf("KillMode")]).toEqual([["SIGINT"], ["mixed"]]);
      expect(Number(valuesOf("TimeoutStopSec"))).toBeGreaterThan(CLOSE_TIMEOUT / 1_000 + 5);
      // A reader that was replaced comes back with the settings of now.
      expect(valuesOf("Restart")).toEqual([unit === "raisebook-reader@" ? "always" : "on-failure"]);
    }
  });
});
