import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { RAISEBOOK } from "../../../test/harness/run-program.ts";

const folder = temporaryFolder();
const SETTINGS = {
  RPC_URLS: "http://127.0.0.1:1/v2/SECRETKEY",
  ESCROWS: `0x${"c0".repeat(20)}@0`,
  REGISTRY: "registry.json",
};

it.each<[what: string, settings: object, document: string | null, message: string]>([
  ["settings that cannot be used", { ESCROWS: "0x12@1" }, null, "ESCROWS "],
  ["a registry that cannot be used", {}, '{"originators":[]}', "registry.json: error: listings: is missing"],
  ["a chain that does not answer", {}, null, "RPC_URLS at http://127.0.0.1:1 cannot be reached"],
])("%s: named, with exit code 1 and nothing to paste", (_, settings, document, message) => {
  if (document !== null) writeFileSync(join(folder, "registry.json"), document);
  const env = { PATH: process.env.PATH, HOME: folder, ...SETTINGS, ...settings };
  const args = ["registry", "template"];
  const { status, stdout, stderr } = spawnSync(RAISEBOOK, args, { cwd: folder, env, encoding: "utf8" });
  rmSync(join(folder, "registry.json"), { force: true });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("SECRETKEY");
});

it("names a part that the contracts' module lacks", () => {
  writeFileSync(
    join(folder, "module.mjs"),
    'export default { name: "M", escrow: { abi: ["event Closed(uint256 id)"], events: { Closed: () => null } } };',
  );
  const settings = { CONTRACTS: "module.mjs", ESCROW_FACTORY: `0x${"f0".repeat(20)}@0` };
  const env = { PATH: process.env.PATH, HOME: folder, ...SETTINGS, ...settings };
  const { status, stderr } = spawnSync(RAISEBOOK, ["registry", "template"], {
    ...{ cwd: folder, env, encoding: "utf8" },
  });
  expect(status).toBe(1);
  expect(stderr).toContain("ESCROW_FACTORY needs a part of the contracts' module that is not there: factory");
});
