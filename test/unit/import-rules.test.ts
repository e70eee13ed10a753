/** Each rule of .dependency-cruiser.mjs fails on a tree of files that breaks it. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../harness/documents/document.ts";
import { temporaryFolder } from "../harness/ending.ts";

const { default: configuration }: { default: IConfiguration } = await import(
  join(ROOT, ".dependency-cruiser.mjs")
);

/** A rule, a file, and what it must not import. */
const BREACHES: readonly (readonly [rule: string, file: string, target: string])[] = [
  ["nothing-imports-upwards", "abis/Escrow.ts", "config/values.ts"],
  ["nothing-imports-upwards", "config/values.ts", "src/fold/up.ts"],
  ["nothing-imports-upwards", "src/fold/state.ts", "src/contracts/up.ts"],
  ["nothing-imports-upwards", "src/contracts/module.ts", "client/up.ts"],
  ["nothing-imports-upwards", "client/follow.ts", "chain/up.ts"],
  ["nothing-imports-upwards", "chain/client.ts", "contracts/up.ts"],
  ["nothing-imports-upwards", "contracts/artifacts.ts", "api/registry/up.ts"],
  ["nothing-imports-upwards", "api/registry/store.ts", "api/market/up.ts"],
  ["nothing-imports-upwards", "api/market/market.ts", "api/ledger/up.ts"],
  ["nothing-imports-upwards", "api/app.ts", "src/up.ts"],
  ["nothing-imports-upwards", "src/desk.ts", "operate/audit/up.ts"],
  ["nothing-imports-upwards", "operate/audit/audit.ts", "operate/backfill/up.ts"],
  ["nothing-imports-upwards", "operate/backfill/start.ts", "operate/daemon/up.ts"],
  ["nothing-imports-upwards", "operate/daemon/main.ts", "operate/webhooks/up.ts"],
  ["nothing-imports-upwards", "operate/webhooks/send.ts", "operate/doctor/up.ts"],
  ["nothing-imports-upwards", "operate/doctor/doctor.ts", "operate/cli/up.ts"],
  ["nothing-imports-upwards", "operate/cli/main.ts", "operate/release/up.ts"],
  ["nothing-imports-upwards", "operate/release/main.ts", "demo/up.ts"],
  ["nothing-imports-upwards", "demo/main.ts", "test/up.ts"],
  ["nothing-imports-upwards", "api/graphql/schema.ts", "bench/up.ts"],
  ["faces-are-siblings", "api/rest/routes.ts", "api/site/page.ts"],
  ["book-below-faces", "api/ledger/read.ts", "api/mcp/tools.ts"],
  ["book-below-faces", "api/health/health.ts", "node:http"],
  ["wire-knows-no-market", "api/http/respond.ts", "api/market/query.ts"],
  ["description-above-faces", "api/rest/described.ts", "api/openapi/document.ts"],
  ["chain-for-operators", "api/health/upstream.ts", "chain/logs.ts"],
  ["chain-stands-alone", "chain/pages.ts", "src/fold/folded.ts"],
  ["backfill-fills-tables", "operate/backfill/tables.ts", "api/updater/market-updater.ts"],
  ["backfill-stands-alone", "operate/daemon/indexer.ts", "operate/backfill/reader.ts"],
  ["webhooks-on-the-stream", "operate/webhooks/deliver.ts", "api/ledger/events.ts"],
  ["audit-on-the-book", "operate/audit/checks.ts", "api/rest/answers.ts"],
  ["fold-is-pure", "src/fold/step.ts", "config/secret.ts"],
  ["config-stands-alone", "config/environment.ts", "abis/Desk.ts"],
  ["client-stands-alone", "client/verify.ts", "src/fold/rules.ts"],
  ["one-home-in-ponder", "src/record.ts", "ponder:api"],
  ["nothing-behind-ponders-door", "operate/daemon/service.ts", "src/api/index.ts"],
  ["no-test-code-in-production", "api/updater/tables.ts", "api/updater/market-updater.test.ts"],
  ["no-dev-tools-in-production", "api/updater/rows.ts", "vitest"],
  ["no-file-cycle", "demo/one.ts", "demo/other.ts"],
  ["no-folder-cycle", "demo/market/a.ts", "demo/living/b.ts"],
  ["no-folder-cycle", "demo/living/a.ts", "demo/market/b.ts"],
];

const folder = temporaryFolder();
let result: ICruiseResult;
beforeAll(async () => {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", JSON.stringify({ type: "module", devDependencies: { vitest: "1" } }));
  const files = new Map([["demo/other.ts", 'import "./one.ts";\n']]);
  for (const [, file, target] of BREACHES) {
    const isFile = target.includes("/");
    if (isFile && !files.has(target)) files.set(target, "");
    const specifier = isFile ? join(file.replace(/[^/]+/g, ".."), target).replace("../", "") : target;
    const relative = specifier.startsWith(".") || !isFile ? specifier : `./${specifier}`;
    files.set(file, `${files.get(file) ?? ""}import "${relative}";\n`);
  }
  for (const [file, text] of files) write(file, `${text}export {};\n`);
  const { forbidden, options } = configuration;
  const { output } = await cruise(
    [...files.keys()],
    { ...options, baseDir: folder, ruleSet: { forbidden }, validate: true, metrics: false },
    { extensions: [".ts", ".js"] },
  );
  result = output as ICruiseResult;
});

it.each(BREACHES)("%s: %s imports %s", (rule, file, target) => {
  const found = result.summary.violations.filter(({ rule: { name } }) => name === rule);
  const from = rule === "no-folder-cycle" ? dirname(file) : file;
  const to = rule === "no-folder-cycle" ? dirname(target) : target;
  expect(found.map((violation) => [violation.from, violation.to])).toContainEqual([
    from,
    expect.stringContaining(to.replace(/^node:/, "")),
  ]);
});

it("covers every rule, and every floor", () => {
  const { forbidden = [] } = configuration;
  expect(new Set(BREACHES.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  const upwards = forbidden.filter(({ name }) => name === "nothing-imports-upwards");
  for (const { from } of upwards)
    expect(
      BREACHES.filter(([, file]) => new RegExp(String(from.path)).test(file)),
      String(from.path),
    ).not.toEqual([]);
});
