/**
 * Writes every generated file of the repository. With `--check` nothing is written: each file that is not current, each problem
 * with the installed packages and each version that disagrees with another is named, and the exit code is 1.
 *
 *     npm run generate
 *     npm run check:generated
 * @module
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sdlText } from "./api/graphql/schema.ts";
import { openApiText } from "./api/openapi/describe.ts";
import { registrySchemaText } from "./api/registry/schema.ts";
import { clientBuild, clientEvents, clientTypes } from "./client/generate.ts";
import { compileContracts } from "./contracts/compile.ts";
import { dependencyProblems, type LockPackages, thirdPartyText } from "./operate/release/dependencies.ts";
import { readVersions, versionProblems } from "./operate/release/versions.ts";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

/** Folders that hold nothing but what the contracts compile into. */
const ARTIFACT_FOLDERS = ["abis", "contracts/artifacts"];

const versions = readVersions();
const lock = versions.lock as LockPackages;

const artifacts = compileContracts();
const events = clientEvents();
const files = new Map([
  ...artifacts,
  ["registry.schema.json", registrySchemaText()],
  ["openapi.json", openApiText()],
  ["schema.graphql", sdlText()],
  ["client/events.ts", events],
  ["client/schema.ts", await clientTypes(openApiText())],
  ...(await clientBuild(events)),
  ["THIRD-PARTY.md", thirdPartyText(lock)],
]);
const stale = [...files].filter(([path, text]) => {
  const file = join(ROOT, path);
  return !existsSync(file) || readFileSync(file, "utf8") !== text;
});

if (process.argv.includes("--check")) {
  const orphans = ARTIFACT_FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  ).filter((path) => !artifacts.has(path));
  for (const [path] of stale) console.error(`${path} is not current: run npm run generate`);
  for (const path of orphans) console.error(`${path} comes from no contract: delete it`);
  const npmSettings = readFileSync(join(ROOT, ".npmrc"), "utf8");
  const problems = [...dependencyProblems(lock, npmSettings), ...versionProblems(versions)];
  for (const problem of problems) console.error(problem);
  if (stale.length + orphans.length + problems.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
