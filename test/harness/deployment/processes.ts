/** @module The processes of the service that each way of deploying starts, with the environment that each of them gets. */
import type { Deployment } from "kubernetes-types/apps/v1";
import { readersMetricsPort, readSettings } from "../../../config/environment.ts";
import { documentsOf, unitOf, variablesOf, yamlOf } from "./files.ts";

export type Process = {
  name: string;
  /** of a release: `a` or `b`; `webhooks`: of the separate process */
  place: string;
  command: string;
  env: Record<string, string>;
};

/** Ports as the service itself makes them of the variables. */
export function portsOf({ command, env }: Process) {
  const settings = readSettings(env);
  if (command === "deliver")
    return { port: null, operatorPort: null, metricsPort: settings.webhooksMetricsPort };
  const isIndexer = command === "start";
  return {
    port: settings.port,
    operatorPort: isIndexer ? settings.operatorPort : null,
    metricsPort: isIndexer ? readersMetricsPort(settings) : settings.metricsPort,
  };
}

type ComposeService = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: string[];
  profiles?: string[];
  network_mode?: string;
  networks?: string[];
  ports?: string[];
  sysctls?: Record<string, string>;
  volumes?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
};

type Compose = {
  name: string;
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};

/** The variables that compose.yaml takes from `.env`, here with passwords. */
export const COMPOSE_VARIABLES: Record<string, string> = {
  ...variablesOf("deploy/compose.env.example"),
  POSTGRES_PASSWORD: "secret",
  GRAFANA_PASSWORD: "secret",
};

/** The file that an operator writes. */
const SETTINGS = variablesOf("deploy/raisebook.env.example");

/** compose.yaml with its variables replaced. @throws where one is required and empty */
export function readCompose(variables = COMPOSE_VARIABLES): Compose {
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") {
      return value.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, text: string) => {
        if (kind === "?" && !variables[name]) throw new Error(`${name} ${text}`);
        return variables[name] || text;
      });
    }
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]));
  };
  return replaced(yamlOf("deploy/compose.yaml")) as Compose;
}

/** Those of the services that are the image of the repository. */
export function composeProcesses(): Process[] {
  return Object.entries(readCompose().services)
    .filter(([, { image }]) => image.startsWith("raisebook:"))
    .map(([name, { profiles = [], command = ["start"], environment = {} }]) => ({
      name,
      place: profiles.join(),
      command: command.join(" "),
      env: { ...SETTINGS, ...environment },
    }));
}

/** Units, and instances of them as installing.md names them. */
const INSTANCES = {
  a: ["raisebook@42069", "raisebook-reader@01", "raisebook-reader@02"],
  b: ["raisebook@42079", "raisebook-reader@11", "raisebook-reader@12"],
  webhooks: ["raisebook-deliver"],
};

export function systemdProcesses(): Process[] {
  return Object.entries(INSTANCES).flatMap(([place, names]) =>
    names.map((name) => {
      const [unit, instance] = name.split(/(?<=@)/);
      const valuesOf = unitOf(`deploy/systemd/${unit}.service`, instance);
      const set = valuesOf("Environment").map((one) => one.split(/=(.*)/s).slice(0, 2));
      return {
        name,
        place,
        command: valuesOf("ExecStart").join().replace("node operate/cli/raisebook.mjs ", ""),
        // A file's variables win over the unit's own.
        env: { ...Object.fromEntries(set), ...SETTINGS },
      };
    }),
  );
}

export const KUBERNETES_FILES = [
  ...["namespace.yaml", "indexer.yaml", "readers.yaml", "traffic.yaml"],
  "webhooks/deliver.yaml",
];

export const ofKubernetes = <Resource extends { kind?: string }>(kind: string): Resource[] =>
  KUBERNETES_FILES.flatMap((file) => documentsOf<Resource>(`deploy/kubernetes/${file}`)).filter(
    (one) => one.kind === kind,
  );

export const deploymentsOfKubernetes = () => ofKubernetes<Deployment>("Deployment");

export function kubernetesProcesses(): Process[] {
  const shared = {
    ...variablesOf("deploy/kubernetes/settings.env"),
    ...variablesOf("deploy/kubernetes/secrets.env.example"),
  };
  return deploymentsOfKubernetes().map(({ metadata, spec }) => {
    const container = spec?.template.spec?.containers.find(({ image }) => image === "raisebook");
    const own = container?.env?.map(({ name, value = "" }) => [name, value]) ?? [];
    const command = container?.args?.join(" ") ?? "";
    return {
      name: `${metadata?.name}`,
      place: command === "deliver" ? "webhooks" : "a",
      command,
      env: { ...shared, ...Object.fromEntries(own) },
    };
  });
}
