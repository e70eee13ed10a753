/** Audits that cannot be made, and their messages. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Audit } from "../../api/health/audit.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { runAudit } from "../harness/audit-command.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

let chain: LocalChain;
let postgres: Postgres;
let rogue: Deployment;
let service: Service;
let head: bigint;
let env: Record<string, string>;

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  rogue = await deployRogueEscrow(chain);
  head = await emit(
    chain,
    rogue.address,
    events.created(1n),
    events.subscribed(1n, 100n, 100n),
    events.refunded(1n, 0, 40n, 40n),
  );
  const escrow = `${rogue.address}@${rogue.blockNumber}`;
  const ofTables = { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "book" };
  env = { ...ofTables, RPC_URLS: chain.rpcUrl, ESCROWS: escrow, REGISTRY: "registry.json" };
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [escrow],
    registry: registryOf({ a: rogue.address }, 1),
    env: ofTables,
  });
  await service.indexed(head);
});

test("an escrow without the views is named, and is not red", async () => {
  const { code, output } = await runAudit({}, "--url", service.operatorUrl, "--json");
  const health = await service.json<{ status: string; audit: unknown }>("/v1/health");
  expect(code).toBe(0);
  const result: Audit = JSON.parse(output);
  expect(result).toMatchObject({ status: "ok", findings: [], block: `${head}` });
  expect(result.notAuditable).toContain(`${rogue.address}: raisedAmount()`);
  expect(result.notAuditable).toContain(`${rogue.address}: requiredBalance()`);
  expect(health.audit).toEqual({
    status: "ok",
    block: result.block,
    at: result.at,
    listings: 1,
    findings: 0,
  });
});

describe.concurrent("exit code 2 and a clear sentence for", () => {
  test.each([
    ["an unknown option", ["--all"], /unknown option '--all'/],
    ["a node that is not there", ["--rpc-url", "http://127.0.0.1:1"], /The audit failed/],
    [
      "a service that is not there",
      ["--url", "http://127.0.0.1:1"],
      /No answer from http:\/\/127\.0\.0\.1:1/,
    ],
  ])("%s", async (_, options, message) => {
    const { code, output, errors } = await runAudit(env, ...options);
    expect(code).toBe(2);
    expect(output).toBe("");
    expect(errors).toMatch(message);
    expect(errors).not.toContain("    at ");
  });

  test("a schema, settings or a usable contracts module that are not there", async () => {
    const contracts = join(temporaryFolder(), "contracts.mjs");
    await writeFile(
      contracts,
      'export default { name: "x", escrow: { events: [{ event: "none", map: 5 }] } };',
    );
    const [nowhere, bare, unusable] = await Promise.all([
      runAudit({ ...env, DATABASE_SCHEMA: "nowhere" }),
      runAudit({ ...env, RPC_URLS: "", DATABASE_URL: "" }),
      runAudit({ ...env, CONTRACTS: contracts }),
    ]);
    expect([unusable.code, unusable.errors]).toEqual([
      2,
      expect.stringMatching(/CONTRACTS cannot be used[\s\S]*With --url/),
    ]);
    expect([nowhere.code, nowhere.errors]).toEqual([2, expect.stringContaining('no schema "nowhere"')]);
    expect([bare.code, bare.errors]).toEqual([2, expect.stringContaining("RPC_URLS is required")]);
  });
});
