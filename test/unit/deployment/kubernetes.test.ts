/** The example for Kubernetes, by its types and by what it promises. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { documentsOf, isThere, jsonOf, yamlOf } from "../../harness/deployment/files.ts";
import { deploymentsOfKubernetes, KUBERNETES_FILES } from "../../harness/deployment/processes.ts";

type Resource = { apiVersion: string; kind: string; metadata: { name: string } };
type Kustomization = {
  resources: string[];
  images: { name: string; newTag: string }[];
  configMapGenerator: { name: string; envs?: string[]; files?: string[] }[];
  secretGenerator: { name: string; envs?: string[]; files?: string[] }[];
};

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const kustomization = yamlOf<Kustomization>("deploy/kubernetes/kustomization.yaml");
const resources = KUBERNETES_FILES.flatMap((file) => documentsOf<Resource>(`deploy/kubernetes/${file}`));
const deployments = deploymentsOfKubernetes();

it("is what the types of Kubernetes allow, without a name that they do not know", () => {
  const lines = resources.map((one, index) => {
    const group = one.apiVersion === "v1" ? "core/v1" : one.apiVersion.replace(".k8s.io", "");
    const type = `import("kubernetes-types/${group}").${one.kind}`;
    return `export const resource${index}: ${type} = ${JSON.stringify(one)};`;
  });
  // Where the packages are found.
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

it("has in its kustomization all that it is made of", () => {
  expect(kustomization.resources).toEqual(KUBERNETES_FILES);
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

  it("mounts volumes that it has, of maps that are generated", () => {
    const generated = kustomization.configMapGenerator.map(({ name }) => name);
    for (const { configMap } of pod?.volumes ?? []) {
      if (configMap) expect(generated).toContain(configMap.name);
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

  it("keeps answering where only the RPC is gone, and has time to end", () => {
    const [service] = pod?.containers ?? [];
    expect(service?.startupProbe?.httpGet?.path).toBe("/v1/ready");
    expect(service?.readinessProbe?.httpGet?.path).toBe("/v1/health");
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(30 + 10 + 5);
  });
});

it("has one indexer at a time, and readers that follow one another", () => {
  const [indexer, readers] = deployments;
  expect(indexer?.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  expect(readers?.spec?.replicas).toBeGreaterThan(1);
  expect(readers?.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
});
