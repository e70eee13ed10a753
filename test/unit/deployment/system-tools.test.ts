/** Tools check the units of systemd, the files of Prometheus and the kustomization. Without a tool its tests are skipped. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { textOf } from "../../harness/deployment/files.ts";
import { temporaryFolder } from "../../harness/ending.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const UNITS = [
  ...["raisebook@.service", "raisebook-reader@.service", "raisebook-deliver.service"],
  "raisebook-compose.service",
];
/** The worst is ten. The rest is the network, and V8's code in writable memory. */
const MOST_EXPOSURE = 1.4;

type Rule = { alert: string; labels: object; annotations: object };

const folder = temporaryFolder();

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: folder });
  return { status, output: `${stdout}${stderr}` };
}
const has = (command: string) => run(command, "--version").status === 0;

describe.skipIf(!has("systemd-analyze"))("systemd-analyze", () => {
  const verify = (file: string) =>
    run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file);

  it.each(UNITS)("%s: has nothing to say", (unit) => {
    const file = join(folder, unit);
    // Whether there is a Docker here says nothing of the unit.
    writeFileSync(file, textOf(`deploy/systemd/${unit}`).replaceAll("=docker ", "=true "));
    expect(verify(file)).toEqual({ status: 0, output: "" });
  });

  it("would say it of a setting that it does not know", () => {
    const file = join(folder, "wrong.service");
    writeFileSync(file, "[Service]\nExecStart=true\nProtectEverything=yes\n");
    expect(verify(file).output).toContain("Unknown key");
  });

  it.each(UNITS.slice(0, 3))("%s: is exposed to little", (unit) => {
    const args = ["security", "--offline=true", "--no-pager", `--threshold=${MOST_EXPOSURE * 10}`];
    const { status, output } = run("systemd-analyze", ...args, join(ROOT, "deploy/systemd", unit));
    expect(status, output).toBe(0);
  });
});

it("protects the indexer, the readers and deliveries alike", () => {
  const [indexer, reader, deliver] = UNITS.map((unit) =>
    textOf(`deploy/systemd/${unit}`)
      .split("\n")
      .filter((line) =>
        /^(Protect|Private|Restrict(?!Prevent)|System|Cap|No|Lock|Device|Dynamic)/.test(line),
      ),
  );
  expect(indexer?.length).toBeGreaterThan(20);
  // The exposure alone does not tell whether one of them is there.
  const most = ["DynamicUser=yes", "ProtectSystem=strict", "ProtectHome=yes", "NoNewPrivileges=yes"];
  expect(indexer).toEqual(expect.arrayContaining([...most, "CapabilityBoundingSet=", "PrivateTmp=yes"]));
  expect(deliver).toEqual(indexer);
  expect(reader).toEqual(indexer?.filter((line) => !line.startsWith("StateDirectory")));
});

it.each(UNITS.slice(0, 2))("%s: keeps what readers start from in a folder that it may write to", (unit) => {
  const lines = textOf(`deploy/systemd/${unit}`).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining(["CacheDirectory=raisebook", "Environment=MARKET_FILES=%C/raisebook/saved"]),
  );
  // Private as /tmp is, and never in memory.
  expect(lines).toContain("Environment=TMPDIR=/var/tmp");
});

describe.skipIf(!has("promtool"))("promtool", () => {
  it("takes the configuration and the rules", () => {
    const file = join(ROOT, "deploy/prometheus/prometheus.yml");
    const { status, output } = run("promtool", "check", "config", file);
    expect(status, output).toBe(0);
    const rules = readFileSync(join(ROOT, "deploy/prometheus/alerts.yaml"), "utf8").match(/- alert:/g);
    expect(output).toContain(`SUCCESS: ${rules?.length} rules found`);
  });

  it("wakes somebody when deliveries have ended, and nobody where there never were any", () => {
    cpSync(join(ROOT, "deploy/prometheus"), folder, { recursive: true });
    const { labels, annotations }: Rule = parse(textOf("deploy/prometheus/alerts.yaml")).groups[0].rules.find(
      ({ alert }: Rule) => alert === "RaisebookDelivererGone",
    );
    const sounding = {
      exp_labels: { job: "raisebook-webhooks", instance: "w", ...labels },
      exp_annotations: annotations,
    };
    const test = (values: string, minute: number, sounds: boolean) => ({
      interval: "1m",
      input_series: [{ series: 'up{job="raisebook-webhooks", instance="w"}', values }],
      alert_rule_test: [
        {
          eval_time: `${minute}m`,
          alertname: "RaisebookDelivererGone",
          exp_alerts: sounds ? [sounding] : [],
        },
      ],
    });
    const tests = [
      test("1x10 0x20", 14, false),
      test("1x10 0x20", 17, true),
      test("1x10 0x10 1x10", 22, false),
      // Taken out of the targets.
      test("1x10 0x10 _x20", 28, false),
      test("0x30", 25, false),
    ];
    writeFileSync(join(folder, "sounds.json"), JSON.stringify({ rule_files: ["alerts.yaml"], tests }));
    const { status, output } = run("promtool", "test", "rules", "sounds.json");
    expect(status, output).toBe(0);
  });

  it("refuses an invalid expression", () => {
    cpSync(join(ROOT, "deploy/prometheus"), folder, { recursive: true });
    const rules = readFileSync(join(folder, "alerts.yaml"), "utf8");
    writeFileSync(
      join(folder, "alerts.yaml"),
      rules.replace("(raisebook_ready)) == 0", "(raisebook_ready)) =="),
    );
    expect(run("promtool", "check", "config", "prometheus.yml").status).not.toBe(0);
  });
});

describe.skipIf(run("kubectl", "version", "--client").status !== 0)("kubectl", () => {
  it("makes one release of the kustomization and the component for webhooks, with names that lead somewhere", () => {
    const at = (file: string) => join(folder, "kubernetes", file);
    cpSync(join(ROOT, "deploy/kubernetes"), at(""), { recursive: true });
    cpSync(at("secrets.env.example"), at("secrets.env"));
    for (const file of ["registry.json", "webhooks/webhooks.json"]) writeFileSync(at(file), "{}");
    const kustomization = readFileSync(at("kustomization.yaml"), "utf8");
    writeFileSync(at("kustomization.yaml"), kustomization.replace("# components:", "components:"));
    const { status, output } = run("kubectl", "kustomize", at(""));
    expect(status, output).toBe(0);
    const made = parseAllDocuments(output).map((one) => one.toJS());
    const names = made.map(({ metadata }) => metadata.name);
    expect(names).toContainEqual(expect.stringMatching(/^raisebook-webhooks-\w{10}$/));
    const deliver = made.find(
      ({ kind, metadata }) => `${kind} ${metadata.name}` === "Deployment raisebook-deliver",
    );
    const text = JSON.stringify(deliver);
    const named = [...text.matchAll(/"(?:configMap|secret|\w+Ref)":\{"(?:secretN|n)ame":"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(named).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(named));
    expect(deliver.metadata.namespace).toBe("raisebook");
    expect(text).toMatch(/"image":"registry\.example\/raisebook:\d/);
  });
});
