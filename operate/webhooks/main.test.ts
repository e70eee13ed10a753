import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { RAISEBOOK } from "../../test/harness/run-program.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const folder = temporaryFolder();
const file = join(folder, "webhooks.json");
writeFileSync(
  file,
  JSON.stringify({ targets: [{ name: "a", url: "https://hooks.example/hunter2", secret: SECRET }] }),
  { mode: 0o600 },
);

const ENV = {
  ...{ PATH: process.env.PATH, RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0` },
  ...{ REGISTRY: "registry.json", WEBHOOKS: file, RAISEBOOK_DATA_DIR: "data", PORT: "1" },
};

function deliver(change: Record<string, string>, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(RAISEBOOK, ["deliver", ...options], {
    env: { ...ENV, ...change },
    cwd: folder,
    encoding: "utf8",
  });
  expect(stdout + stderr).not.toContain("hunter2");
  expect(stdout + stderr).not.toContain(SECRET);
  return { status, output: stdout + stderr };
}

it("--check says who would get what", () => {
  const output = `a: hooks.example, final rows, from now on\n${file} can be used. Messages are made from http://127.0.0.1:1.\n`;
  expect(deliver({}, "--check")).toEqual({ status: 0, output });
  expect(deliver({}, "--status")).toEqual({ status: 0, output: "a: has not begun\n" });
  expect(deliver({}, "--retry")).toEqual({ status: 0, output: "a: 0 dead letters were taken, 0 are left\n" });
});

it.runIf(existsSync("/dev/full"))("--check says that a full disk has lost its output", () => {
  const full = openSync("/dev/full", "w");
  const stdio = ["ignore" as const, full, "pipe" as const];
  const { status, stderr } = spawnSync(RAISEBOOK, ["deliver", "--check"], { env: ENV, cwd: folder, stdio });
  closeSync(full);
  expect([status, `${stderr}`]).toEqual([
    2,
    expect.stringMatching(/^The output cannot be written: ENOSPC[^\n]*\n$/),
  ]);
});

it("--check warns of a file that every user can read", () => {
  chmodSync(file, 0o644);
  expect(deliver({}, "--check")).toMatchObject({
    ...{ status: 0, output: expect.stringContaining(`${file} can be read by every user of this machine`) },
  });
  chmodSync(file, 0o600);
});

it.each([
  [{ WEBHOOKS: "" }, "WEBHOOKS is required: it names the targets of messages"],
  [{ WEBHOOKS: "/nowhere.json" }, "/nowhere.json: cannot be read (ENOENT)"],
  [{ RAISEBOOK_DATA_DIR: "memory://" }, "RAISEBOOK_DATA_DIR is memory://, where nothing is kept"],
  [
    { DATABASE_URL: "postgres://raisebook:hunter2@127.0.0.1:1/x" },
    "Webhooks cannot be delivered: connect ECONNREFUSED",
  ],
])("refuses %j: %s", (change, problem) => {
  expect(deliver(change, "--check")).toEqual({ status: 1, output: expect.stringContaining(problem) });
});

it.each([
  [["--retry", "b"], 1, 'has no target "b" (it has a)'],
  [["--forget", "b"], 1, 'Nothing is known of a target "b"'],
  [["--json"], 2, "--json goes with --status"],
  [["--check", "--status"], 2, "cannot be used with option"],
])("refuses %j", (options, status, problem) => {
  expect(deliver({}, ...options)).toEqual({ status, output: expect.stringContaining(problem) });
});

it.each([
  [{ POLLING_INTERVAL: "1" }, "POLLING_INTERVAL"],
  [{ WEBHOOKS: "/nowhere.json" }, "WEBHOOKS"],
])("logs in JSON which setting cannot be used: %j", (change, variable) => {
  const { status, output } = deliver({ ...change, LOG_FORMAT: "json" });
  const { level, msg, ...more } = JSON.parse(output);
  expect({ status, level, msg, variable: more.variable }).toEqual({
    ...{ status: 1, level: "error", msg: "The configuration cannot be used" },
    variable,
  });
});
