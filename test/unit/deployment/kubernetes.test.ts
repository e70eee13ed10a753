/** The example for Kubernetes, by its types and by what it promises. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Service } from "kubernetes-types/core/v1";
import type { LabelSelector } from "kubernetes-types/meta/v1";
import type { NetworkPolicy } from "kubernetes-types/networking/v1";
import { describe, expect, it } from "vitest";
import { CLOSE_TIMEOUT, DEFAULT_PORT } from "../../../config/defaults.ts";
import { readSettings } from "../../../config/environment.ts";
import { readerOf } from "../../../operate/webhooks/source.ts";
import { documentsOf, isThere, jsonOf, yamlOf } from "../../harness/deployment/files.ts";
import {
  deploymentsOfKubernetes,
  KUBERNETES_FILES,
  kubernetesProcesses,
  ofKubernetes,
} from "../../harness/deployment/processes.ts";

type Resource = { apiVersion: string; kind: string; metadata: { name: string } };
type Kustomization = {
  resources: string[];
  images: { name: string; newTag: string }[];
  configMapGenerator: { name: string; envs?: string[]; files?: string[] }[];
  secretGenerator: { name: string; envs?: string[]; files?: string[] }[];
};

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const kustomization = yamlOf<Kustomization>("deploy/kubernetes/kustomization.yaml");
const component = yamlOf<Pick<Kustomization, "resources" | "secretGenerator">>(
  "deploy/kubernetes/webhooks/kustomization.yaml",
);
const resources = KUBERNETES_FILES.flatMap((file) => documentsOf<Resource>(`deploy/kubernetes/${file}`));
const deployments = deploymentsOfKubernetes();

it("is what the types of Kubernetes allow, without a name that they do not know", () => {
  const lines = resources.map((one, index) => {
    const group = one.apiVersion === "v1" ? "core/v1" : one.apiVersion.replace(".k8s.io", "");
    const type = `import("kubernetes-types/${group}").${one.kind}`;
    return `export const resource${index}: ${type} = ${JSON.stringify(one)};`;
  });
  // Packages are found from here.
  const folder = join(ROOT, "node_modules/.cache/kubernetes-test");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "resources.ts");
  writeFileSync(file, lines.join("\n"));
  const args = ["--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler"];
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, [...args, "--module", "esnext", "--types", "", "--ignoreConfig", file], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toBe("");
});

it("lists all its files in the kustomization or the component", () => {
  const ofComponent = component.resources.map((file) => `webhooks/${file}`);
  expect([...kustomization.resources, ...ofComponent]).toEqual(KUBERNETES_FILES);
  const { configMapGenerator, secretGenerator, images } = kustomization;
  const files = [...configMapGenerator, ...secretGenerator].flatMap(({ files = [], envs = [] }) => [
    ...envs,
    ...files.map((file) => file.split("=").at(-1)),
  ]);
  // The operator's own two are not in the repository.
  const missing = files.filter((file) => !isThere(`deploy/kubernetes/${file}`));
  expect(missing.filter((file) => file !== "registry.json" && file !== "secrets.env")).toEqual([]);
  expect(images).toMatchObject([
    { name: "raisebook", newTag: jsonOf<{ version: string }>("package.json").version },
  ]);
});

describe.each(deployments.map((one) => [`${one.metadata?.name}`, one] as const))("%s", (_, { spec }) => {
  const pod = spec?.template.spec;

  it("runs without rights, and writes nowhere but to /tmp", () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      // Else a service named raisebook sets RAISEBOOK_PORT.
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const { securityContext, volumeMounts = [] } of pod?.containers ?? []) {
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      const writable = volumeMounts.filter(({ readOnly }) => readOnly !== true).map((one) => one.mountPath);
      expect(["/tmp", undefined]).toContain(writable[0]);
      expect(writable.length).toBeLessThan(2);
    }
  });

  it("has a disk for the parts of long lists, if it answers", () => {
    const tmp = pod?.volumes?.find(({ name }) => name === "tmp")?.emptyDir;
    expect(tmp).toEqual({ sizeLimit: pod?.containers[0]?.args?.join() === "deliver" ? "64Mi" : "4Gi" });
  });

  it("mounts volumes that it has, of maps that are generated", () => {
    const generators = [...kustomization.configMapGenerator, ...component.secretGenerator];
    const generated = generators.map(({ name }) => name);
    for (const { configMap, secret, emptyDir } of pod?.volumes ?? []) {
      if (!emptyDir) expect(generated).toContain(configMap?.name ?? secret?.secretName);
    }
    const names = pod?.volumes?.map(({ name }) => name);
    const mounts = pod?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts) ?? [];
    for (const mount of mounts) {
      expect(names).toContain(mount.name);
      // Updates of a single file are not seen.
      expect(mount).not.toHaveProperty("subPath");
    }
    const sources = pod?.containers.flatMap(({ envFrom = [] }) => envFrom) ?? [];
    expect(sources).toEqual([
      { configMapRef: { name: "raisebook-settings" } },
      { secretRef: { name: "raisebook-secrets" } },
    ]);
  });

  it("keeps answering where only the RPC is gone, if it answers, and has time to end", () => {
    const [service] = pod?.containers ?? [];
    if (service?.args?.join() !== "deliver") {
      expect(service?.startupProbe?.httpGet?.path).toBe("/v1/ready");
      expect(service?.readinessProbe?.httpGet?.path).toBe("/v1/health");
      // Else a rollout counts as failed while its pod still folds.
      const { failureThreshold = 0, periodSeconds = 0 } = service?.startupProbe ?? {};
      expect(spec?.progressDeadlineSeconds).toBeGreaterThanOrEqual(failureThreshold * periodSeconds);
    }
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(CLOSE_TIMEOUT / 1_000 + 5 + 5);
  });
});

it("has one indexer at a time, one that delivers, and readers that follow one another", () => {
  const [indexer, readers, deliver] = deployments;
  for (const one of [indexer, deliver])
    expect(one?.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  expect(readers?.spec?.replicas).toBeGreaterThan(1);
  expect(readers?.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
});

describe("deliveries", () => {
  const [indexer = {}, readers = {}, deliver = {}] = deployments.map(
    ({ spec }) => spec?.template.metadata?.labels ?? {},
  );
  const settings = readSettings(
    kubernetesProcesses().find(({ command }) => command === "deliver")?.env ?? {},
  );
  const selects = (selector: LabelSelector | undefined, labels: Record<string, string>) =>
    selector !== undefined &&
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);

  it("have the file of the secret that the component generates", () => {
    const [secret] = component.secretGenerator;
    const pod = deployments[2]?.spec?.template.spec;
    const volume = pod?.volumes?.find((one) => one.secret?.secretName === secret?.name);
    const mount = pod?.containers[0]?.volumeMounts?.find(({ name }) => name === volume?.name);
    expect(settings.webhooks).toBe(`${mount?.mountPath}/${secret?.files}`);
  });

  it("are made from the service that leads to readers, and to nothing else", () => {
    const [service] = ofKubernetes<Service>("Service");
    expect(readerOf(settings)).toBe(`http://${service?.metadata?.name}`);
    expect(service?.spec?.ports).toMatchObject([{ port: 80 }]);
    const leadsTo = (labels: Record<string, string>) =>
      selects({ matchLabels: service?.spec?.selector }, labels);
    expect([indexer, readers, deliver].map(leadsTo)).toEqual([true, true, false]);
  });

  it("get to readers, PostgreSQL and receivers through the policies", () => {
    const rulesOf = (labels: Record<string, string>) =>
      ofKubernetes<NetworkPolicy>("NetworkPolicy")
        .map(({ spec }) => spec)
        .filter((spec) => selects(spec?.podSelector, labels));
    const out = rulesOf(deliver).flatMap((spec) => spec?.egress ?? []);
    for (const labels of [indexer, readers]) {
      const inwards = rulesOf(labels).flatMap((spec) => spec?.ingress ?? []);
      const to = out.filter((rule) => rule.to?.some(({ podSelector }) => selects(podSelector, labels)));
      const from = inwards.filter((rule) =>
        rule.from?.some(({ podSelector }) => selects(podSelector, deliver)),
      );
      for (const rules of [to, from]) expect(rules).toMatchObject([{ ports: [{ port: DEFAULT_PORT }] }]);
    }
    expect(out.filter(({ to }) => to === undefined)).toEqual([{ ports: [{ port: 5432 }, { port: 443 }] }]);
  });
});
