import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import example from "../../registry.example.json" with { type: "json" };

const RAISEBOOK = fileURLToPath(new URL("../raisebook.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "raisebook-registry-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(document: unknown, ...options: string[]) {
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  writeFileSync(join(folder, "registry.json"), text);
  const env = { PATH: process.env.PATH, HOME: folder, REGISTRY: "registry.json" };
  const args = ["registry", "check", ...options];
  const { status, stdout, stderr } = spawnSync(RAISEBOOK, args, { cwd: folder, env, encoding: "utf8" });
  return { status, output: stdout, errors: stderr };
}

const [first, second] = example.listings;

it("a good document: its counts, and exit code 0", () => {
  expect(check(example)).toEqual({
    status: 0,
    output: "registry.json can be used: 1 originators, 2 listings.\n",
    errors: "",
  });
});

it("a bad one: each problem with its place, and exit code 1", () => {
  const bad = { ...example, listings: [first, { ...second, onchainId: "01", originator: "org_nobody" }] };
  const { status, output } = check(bad);
  const lines = JSON.stringify(bad, null, 2).split("\n");
  const line = lines.findIndex((one) => one.includes('"01"'));
  expect(status).toBe(1);
  expect(output).toBe(
    `registry.json:${line + 1}:${(lines[line] ?? "").indexOf('"01"') + 1}: error: listings[1].onchainId: not an on-chain id: "01" (expected a decimal string from "1" to 2^256 - 1, without leading zeros)\n`,
  );
});

it("a picture that is not there is a warning", () => {
  const { status, output } = check({ ...example, listings: [{ ...first, cover: "a.png" }] }, "--json");
  expect([status, JSON.parse(output)]).toEqual([
    0,
    {
      ...{ document: "registry.json", originators: 1, listings: 1, problems: [] },
      warnings: [{ line: 21, column: 16, text: "listings[0].cover: does not exist" }],
    },
  ]);
});

it.each([
  ["none.json", 1, "none.json: error: the registry file does not exist"],
  ["http://registry.example/", 2, "must use https"],
])("%s: exit code %i", (name, status, message) => {
  const result = check(example, name);
  expect(result.status).toBe(status);
  expect(result.output + result.errors).toContain(message);
});
