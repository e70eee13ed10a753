import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { helpOf } from "../../test/harness/command.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { lockDataDirectory } from "../daemon/data-lock.ts";
import modules from "./modules.json" with { type: "json" };
import { program } from "./program.ts";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** By full name; of a group those in it. */
function commandsOf(command: CommandUnknownOpts, path = ""): string[] {
  return command.commands.flatMap((one) =>
    one.commands.length > 0 ? commandsOf(one, `${one.name()} `) : [`${path}${one.name()}`],
  );
}

const raisebookIn = (env: Record<string, string>, ...args: string[]) =>
  execFileSync(at("operate/cli/raisebook.mjs"), args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
const raisebook = (...args: string[]) => raisebookIn({}, ...args);

it("describes exactly the commands that are run, and what it does itself", () => {
  const itself = ["completion", "complete"];
  expect(commandsOf(program()).toSorted()).toEqual([...Object.keys(modules), ...itself].toSorted());
  for (const module of Object.values(modules)) expect(existsSync(at(module)), module).toBe(true);
});

it("shows every command in its help", () => {
  const help = helpOf(program());
  for (const name of Object.keys(modules)) expect(help).toContain(`\n  ${name.split(" ")[0]} `);
});

it.each(["start", "db prune", "db import", "bench"])("%s shows its own help", (name) => {
  expect(raisebook(...name.split(" "), "--help")).toContain(`Usage: raisebook ${name} [options]`);
});

describe("a command whose output is lost", () => {
  const check = at("registry.example.json");
  /** With standard output closed by its reader, or on this file. */
  const checkInto = async (output: "pipe" | number) => {
    const stdio = ["ignore", output, "pipe"] as const;
    const child = spawn(at("operate/cli/raisebook.mjs"), ["registry", "check", check], { stdio: [...stdio] });
    child.stdout?.destroy();
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, errors };
  };

  it("ends with its own exit code when nobody reads it, as in `| head -1`", async () => {
    expect(await checkInto("pipe")).toEqual({ code: 0, errors: "" });
  });

  it.runIf(existsSync("/dev/full"))("says so on a full disk, with an exit code of no result", async () => {
    const full = openSync("/dev/full", "w");
    expect(await checkInto(full)).toEqual({
      code: 2,
      errors: "The result cannot be written: ENOSPC: no space left on device, write\n",
    });
    closeSync(full);
  });
});

it("completes commands and options", () => {
  expect(raisebook("complete", "--", "se")).toMatch(/^serve\t/m);
  expect(raisebook("complete", "--", "start", "--")).toMatch(/^--check\t.*^--processes\t/ms);
  expect(raisebook("completion", "zsh")).toContain("#compdef raisebook");
});

it("db status says of an embedded database where it is, and who uses it", async () => {
  const folder = temporaryFolder();
  const directory = join(folder, "data");
  const env = {
    RPC_URLS: "http://127.0.0.1:1",
    ESCROWS: `0x${"c0".repeat(20)}@0`,
    REGISTRY: "registry.json",
    RAISEBOOK_DATA_DIR: directory,
  };
  const status = (...options: string[]) => raisebookIn(env, "db", "status", ...options);
  expect(status()).toBe(`The embedded database is not there yet: ${directory}\n`);
  const lock = await lockDataDirectory(directory);
  expect(status()).toBe(`The embedded database is in ${directory}, used by process ${process.pid}.\n`);
  lock.release();
  expect(JSON.parse(status("--json"))).toEqual({ kind: "embedded", directory, exists: true, usedBy: null });
});

it.each([
  [{ HOLDERS: "true" }, "the transfers of tokens are in no ledger"],
  [{ FAST_FORWARD: "false" }, "a ledger file is not used"],
  [{}, "nothing of it is kept"],
])("db import refuses settings that cannot use a ledger file: %j", (change, problem) => {
  const env = {
    ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0`, REGISTRY: "registry.json" },
    ...{ RAISEBOOK_DATA_DIR: "memory://", PATH: process.env.PATH, ...change },
  };
  const { status, stderr } = spawnSync(
    at("operate/cli/raisebook.mjs"),
    ["db", "import", at("package.json")],
    {
      env,
    },
  );
  expect(`${stderr}`).toContain(problem);
  expect(status).toBe(1);
});

it.each([
  [["nonsens"], 2],
  [["db"], 2],
  [[], 2],
  [["start", "--chekc"], 2],
  [["db", "export"], 2],
  [["db", "export", "book.gz", "--parquet", "data"], 2],
  [["--version"], 0],
])("%j: exit code %i", (args, code) => {
  let status = 0;
  try {
    raisebook(...args);
  } catch (error) {
    status = (error as { status: number }).status;
  }
  expect(status).toBe(code);
});

it("every command that reads settings takes them from --env-file, and says when it cannot", () => {
  const folder = temporaryFolder();
  const file = join(folder, "raisebook.env");
  const directory = join(folder, "data");
  const lines = ["RPC_URLS=http://127.0.0.1:1", `ESCROWS=0x${"c0".repeat(20)}@0`, "REGISTRY=registry.json"];
  writeFileSync(file, `${lines.join("\n")}\nRAISEBOOK_DATA_DIR=${directory}\n`);
  expect(raisebook("db", "status", "--env-file", file)).toContain(directory);
  const other = join(folder, "other");
  expect(raisebookIn({ RAISEBOOK_DATA_DIR: other }, "db", "status", "--env-file", file)).toContain(other);
  // Node sees the option as well, and may be the one that refuses.
  const missing = spawnSync(at("operate/cli/raisebook.mjs"), ["doctor", `--env-file=${file}.gone`], {
    encoding: "utf8",
  });
  expect([missing.status, missing.stderr]).toEqual([
    expect.toBeOneOf([2, 9]),
    expect.stringContaining("raisebook.env.gone"),
  ]);
  // It holds keys, and may have been made without a thought of its mode.
  chmodSync(file, 0o644);
  for (const command of [["start", "--check"], ["doctor"]]) {
    const args = [...command, "--env-file", file];
    const { stdout, stderr } = spawnSync(at("operate/cli/raisebook.mjs"), args, { encoding: "utf8" });
    expect(`${stdout}${stderr}`, command.join(" ")).toMatch(/raisebook\.env can be read by every\s+user/);
  }

  const withoutSettings = new Set(["contracts init", "demo", "verify", "bench", "simulate", "compare"]);
  const find = (from: CommandUnknownOpts | undefined, word: string) =>
    from?.commands.find((one) => one.name() === word);
  for (const name of Object.keys(modules)) {
    const command = name.split(" ").reduce<CommandUnknownOpts | undefined>(find, program());
    const takesFile = command?.options.some(({ long }) => long === "--env-file");
    expect(takesFile, name).toBe(!withoutSettings.has(name));
  }
});
