/**
 * The package as an operator gets it: packed, installed by npm in an empty folder, and run against the recorded chain of a release
 * (`npm run check:package -- --help`).
 * @module
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { CLIENT_PATH } from "../api/site/developers/client-package.ts";
import { VERSION } from "../api/version.ts";
import { commandOf } from "../config/command.ts";
import { PROJECT_ROOT } from "../config/schema-name.ts";
import { startChain } from "../demo/chain.ts";
import { INSTALL_FOLDER, npm, sbom } from "../operate/release/production.ts";
import { sizesBelow, sizesText } from "../operate/release/size.ts";
import { readVersions, releaseProblems } from "../operate/release/versions.ts";
import { freePort } from "./harness/free-port.ts";
import { loadRecordedChain, readRecording, recordedReleases } from "./harness/recorded-release.ts";
import { until } from "./harness/until.ts";

/** Milliseconds in which the service must be ready. */
const PATIENCE = 120_000;
/** One of each kind of file that is read when it is asked for, and not when the service starts. */
const FILES = [
  "/",
  "/knowledge",
  "/developers/graphql",
  "/developers/reference",
  "/openapi.json",
  "/llms.txt",
  CLIENT_PATH,
];

type Tell = (line: string) => void;

/** @throws with what is wrong */
async function checkPackage(tell: Tell): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-package-"));
  try {
    tell("Packing");
    npm(PROJECT_ROOT, ["pack", "--silent", "--pack-destination", folder]);
    const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    const home = join(folder, "empty");
    mkdirSync(home);
    tell(`Installing ${archive} in an empty folder`);
    const files = `package/${INSTALL_FOLDER}`;
    renameSync(join(folder, archive), join(home, archive));
    execFileSync("tar", ["xzf", archive, "--strip-components", "2", files], { cwd: home });
    npm(home, ["ci", "--no-audit", "--no-fund"]);
    const sizes = sizesBelow(home);
    tell(sizesText(sizes));
    expectKnown(sizes);
    tell("Running its commands");
    expectCommands(home);
    tell("Starting the service on a recorded chain");
    await expectAnswers(home);
    tell(`The package of ${VERSION} is good.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages that npm has installed are those of the bill of materials. */
function expectKnown(installed: readonly { name: string; version: string }[]): void {
  const bill = sbom();
  if (!isDeepStrictEqual(sbom(), bill)) throw new Error("The SBOM is another one each time.");
  const { components } = bill;
  const known = new Set(components.map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", ""))));
  const unknown = installed
    .map(({ name, version }) => `${name}@${version}`)
    .filter((one) => one !== `raisebook@${VERSION}` && !known.has(one));
  if (unknown.length > 0) throw new Error(`Installed, and not in the SBOM: ${unknown.join(", ")}`);
}

function expectCommands(home: string): void {
  const expectOutput = (words: string[], code: number, part: string) => {
    const { status, stdout, stderr } = spawnSync("npx", ["raisebook", ...words], {
      cwd: home,
      encoding: "utf8",
    });
    if (status !== code || !`${stdout}${stderr}`.includes(part))
      throw new Error(`raisebook ${words.join(" ")} ended with ${status} and said:\n${stdout}${stderr}`);
  };
  expectOutput(["--version"], 0, VERSION);
  expectOutput(["--help"], 0, "Usage: raisebook [options] [command]");
  expectOutput(["start", "--help"], 0, "RPC_URLS");
  expectOutput(["start", "--check"], 1, "RPC_URLS is required");
  expectOutput(["registry", "check", "node_modules/raisebook/registry.example.json"], 0, "");
  for (const absent of ["demo", "bench", "simulate"])
    expectOutput([absent], 1, `raisebook ${absent} is not part of the package`);
}

async function expectAnswers(home: string): Promise<void> {
  const release = recordedReleases().at(-1) ?? "";
  const { followed, registry, answers } = readRecording(release);
  const chain = await startChain();
  const port = await freePort();
  const operatorPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ PATH: process.env.PATH, HOME: home },
    ...{ ...followed, RPC_URLS: chain.rpcUrl, REGISTRY: "registry.json" },
    ...{ PORT: `${port}`, OPERATOR_PORT: `${operatorPort}` },
    ...{ PUBLIC_URL: "http://raises.localhost", APP_URL: "http://app.localhost" },
  };
  try {
    await loadRecordedChain(release, chain);
    writeFileSync(join(home, "registry.json"), JSON.stringify(registry));
    const raisebook = join(home, "node_modules/.bin/raisebook");
    execFileSync(raisebook, ["start", "--check"], { cwd: home, env, stdio: "pipe" });
    const child = spawn(raisebook, ["start"], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "exit");
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    try {
      const waiting = { timeout: PATIENCE, isOver: () => child.exitCode !== null };
      await until("ready", () => isOk(`${url}/v1/ready`), waiting);
      for (const [path, answer] of Object.entries(answers)) {
        const found: unknown = await (await fetch(url + path)).json();
        if (!isDeepStrictEqual(found, answer)) throw new Error(`${path} has another answer than recorded.`);
      }
      for (const path of FILES) if (!(await isOk(url + path))) throw new Error(`${path} is not served.`);
      execFileSync(raisebook, ["audit"], { cwd: home, env, stdio: "pipe" });
    } catch (error) {
      child.kill("SIGKILL");
      throw new Error(`${error instanceof Error ? error.message : error}\n${(await output).join("\n")}`);
    }
    child.kill("SIGINT");
    const [code] = await ended;
    if (code !== 0) throw new Error(`It ended with ${code}:\n${(await output).join("\n")}`);
  } finally {
    await chain.stop();
  }
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

await commandOf(
  "npm run check:package --",
  "Packs, installs the package in an empty folder by npm, and runs it against a chain.",
  {
    more: "It takes about two minutes and a registry. The version is not compared with CHANGELOG.md.",
    exitCodes: { 0: "the package is good", 1: "it is not" },
  },
)
  .option("--version-too", "also that CHANGELOG.md has this version as its newest release")
  .action(async ({ versionToo }) => {
    const problems = versionToo ? releaseProblems(readVersions()) : [];
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await checkPackage((line) => process.stdout.write(`${line}\n`));
  })
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  });
