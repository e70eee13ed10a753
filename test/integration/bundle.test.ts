import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/ending.ts";
import { runProgram } from "../harness/run-program.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  for (const name of ["config", "node_modules"]) mkdirSync(join(folder, name));
  const config = ["bundle", "one-file", "heap-growth", "kept-shapes"].map((name) => `config/${name}.mjs`);
  for (const file of [...config, "tsconfig.json"]) copyFileSync(join(PROJECT, file), join(folder, file));
  symlinkSync(realpathSync(join(PROJECT, "node_modules/esbuild")), join(folder, "node_modules/esbuild"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  write("main.ts", 'import { word } from "./config/word.ts";\nconsole.log(word, ...process.argv.slice(2));');
  write("config/word.ts", 'export const word: string = "one " + new URL("beside.txt", import.meta.url);');
});

function write(file: string, content: string): void {
  writeFileSync(join(folder, file), content);
}

function run(...args: string[]) {
  return runWith(["--import", pathToFileURL(join(folder, "config/bundle.mjs")).href], "main.ts", ...args);
}

function runWith(options: string[], main: string, ...args: string[]) {
  return execute(...options, join(folder, main), ...args);
}

async function execute(...args: string[]) {
  const { code, output, errors } = await runProgram(process.execPath, args, { cwd: tmpdir(), env: {} });
  return { code, output: output.trim(), errors };
}

function kept(): string[] {
  return readdirSync(join(folder, "node_modules/.cache/raisebook")).filter((name) =>
    /^main-.*\.mjs$/.test(name),
  );
}

it("runs the main module with its arguments, and each module in its own place", async () => {
  const beside = pathToFileURL(join(folder, "config/beside.txt")).href;
  const expected = { code: 0, output: `one ${beside} --help`, errors: "" };
  expect(await run("--help")).toEqual(expected);
  expect(await run("--help")).toEqual(expected);
});

it("is kept, whatever is in its sources", async () => {
  write("config/word.ts", '/*! 2^(𝑊−1) */ export const word = "→ ☃"; // naïve');
  expect((await run()).output).toBe("→ ☃");
  const [file = ""] = kept();
  const path = join(folder, "node_modules/.cache/raisebook", file);
  const { ino } = statSync(path);
  expect((await run()).output).toBe("→ ☃");
  expect(statSync(path).ino).toBe(ino);
});

it("the bundle of each command can be built ahead and is kept", async () => {
  const { code, output, errors } = await execute(join(PROJECT, "operate/make-bundles.mjs"));
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toMatch(/^Made the bundles of \d+ modules\.$/);
});

it("is never older than its sources", async () => {
  await run();
  write("config/word.ts", 'export const word = "two";');
  expect((await run()).output).toBe("two");
  write("config/word.ts", 'export const word = "six";');
  expect((await run()).output).toBe("six");
});

it("is that of another release whose files have the same sizes and the time that npm pack gives all of them", async () => {
  const unpack = (version: string, word: string) => {
    write("package.json", JSON.stringify({ type: "module", version }));
    write("config/word.ts", `export const word = "${word}";`);
    for (const file of ["package.json", "config/word.ts", "main.ts"])
      utimesSync(join(folder, file), new Date("1985-10-26T08:15:00Z"), new Date("1985-10-26T08:15:00Z"));
  };
  unpack("0.1.0", "one");
  expect((await run()).output).toBe("one");
  unpack("0.1.1", "two");
  expect((await run()).output).toBe("two");
});

it.each([
  ["cut off in its code", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["cut off at its end", (bytes: Buffer) => bytes.subarray(0, -10)],
  ["cut off in its first line", (bytes: Buffer) => bytes.subarray(0, 20)],
  ["empty", () => Buffer.alloc(0)],
  ["all zeros, as after a power failure", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ["longer than it was", (bytes: Buffer) => Buffer.concat([bytes, bytes.subarray(0, 100)])],
  ["of another word", (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("one ", "eno "))],
])("is built again when the kept one is %s", async (_, damage) => {
  const { output } = await run();
  const file = join(folder, "node_modules/.cache/raisebook", kept()[0] ?? "");
  const whole = readFileSync(file);
  writeFileSync(file, damage(whole));
  expect(await run()).toEqual({ code: 0, output, errors: "" });
  expect(readFileSync(file)).toEqual(whole);
});

it("names our files where an error ends the process", async () => {
  write(
    "config/word.ts",
    '\n\nexport const word = "a";\nfunction fail(): never {\n  throw new Error("no");\n}\nfail();',
  );
  const place = `${pathToFileURL(join(folder, "config/word.ts")).href}:5:9`;
  for (const made of ["new", "kept"]) {
    const { code, errors } = await run();
    expect([made, code]).toEqual([made, 1]);
    expect(errors).toContain(`fail (${place})`);
  }
});

it("may start several times at once", async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => run("x")));
  expect(new Set(runs.map(({ output }) => output)).size).toBe(1);
  expect(kept()).toHaveLength(1);
});

it("runs where nothing can be written", async () => {
  write("node_modules/.cache", "a file");
  expect(await run()).toMatchObject({ code: 0, errors: "" });
});

describe("a module of an unbundled process", () => {
  const load = `
    import { importAsOneFile } from "./config/one-file.mjs";
    const found = await importAsOneFile(process.argv[2]);
    console.log(found && found.word);`;

  it("is loaded from what is kept, in its own place, and is current", async () => {
    write("load.mjs", load);
    expect(await runWith([], "load.mjs", join(folder, "config/word.ts"))).toMatchObject({
      output: `one ${pathToFileURL(join(folder, "config/beside.txt")).href}`,
    });
    write("config/word.ts", 'export const word = "two";');
    expect(await runWith([], "load.mjs", join(folder, "config/word.ts"))).toMatchObject({ output: "two" });
  });

  it("is loaded where nothing can be written", async () => {
    write("load.mjs", load);
    write("node_modules/.cache", "a file");
    expect(await runWith([], "load.mjs", join(folder, "config/word.ts"))).toMatchObject({
      output: `one ${pathToFileURL(join(folder, "config/beside.txt")).href}`,
      errors: "",
    });
  });
});
