import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { warnOfEnvironment } from "./check-environment.ts";

const LEAST = { RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"a1".repeat(20)}@1`, REGISTRY: "r.json" };
const PUBLIC = { PUBLIC_URL: "https://raises.example", APP_URL: "https://app.raises.example" };
const OPEN = { ...PUBLIC, HOST: "0.0.0.0" };
const POSTGRES = { DATABASE_URL: "postgres://127.0.0.1/market" };

const folder = temporaryFolder();
const [used, unused] = [join(folder, "used"), join(folder, "unused")];
for (const directory of [join(used, "pglite"), unused]) mkdirSync(directory, { recursive: true });

function warned(env: Record<string, string>) {
  const all = { ...LEAST, ...env };
  return warnOfEnvironment(all, readSettings(all));
}

it.each<[string, Record<string, string>]>([
  ["on this machine alone", {}],
  ["behind a proxy", { ...PUBLIC, RATE_LIMIT: "600", TRUSTED_PROXIES: "127.0.0.1" }],
  ["behind a proxy of another machine", { ...OPEN, RATE_LIMIT: "600", TRUSTED_PROXIES: "10.0.0.0/8" }],
  [
    "behind a proxy of this machine's network",
    { ...PUBLIC, RATE_LIMIT: "600", TRUSTED_PROXIES: "127.0.0.0/8" },
  ],
  ["open to all, with an address for it", OPEN],
  ["with a rate limit, on this machine alone", { PUBLIC_URL: "http://localhost:42069", RATE_LIMIT: "600" }],
  ["on PostgreSQL", { ...PUBLIC, ...POSTGRES, METRICS_PORT: "42071" }],
  ["on PostgreSQL, with the directory that a unit names", { ...POSTGRES, RAISEBOOK_DATA_DIR: unused }],
  ["in memory, on this machine", { RAISEBOOK_DATA_DIR: "memory://" }],
  ["on another test network", { CHAIN_ID: "11155111" }],
])("says nothing of a service %s", (_, env) => {
  expect(warned(env)).toEqual([]);
});

it.each<[string, Record<string, string>, RegExp]>([
  ["CHAIN_ID", { CHAIN_ID: "56" }, /id of the test network/],
  ["LEDGER", { LEDGER: "https://raises.example/book.ledger.gz", HOLDERS: "true" }, /one of the two/],
  ["LEDGER", { LEDGER: "book.ledger.gz", FAST_FORWARD: "false" }, /one of the two/],
  ["APP_URL", { PUBLIC_URL: PUBLIC.PUBLIC_URL }, /the app where people sign/],
  ["PUBLIC_URL", { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:42069" }, /or HOST to 127\.0\.0\.1/],
  ["RAISEBOOK_DATA_DIR", { ...PUBLIC, RAISEBOOK_DATA_DIR: "memory://" }, /Name a directory/],
  ["RAISEBOOK_DATA_DIR", { ...POSTGRES, RAISEBOOK_DATA_DIR: used }, /Delete it/],
  ["NOTICES_DATABASE_URL", { NOTICES_DATABASE_URL: POSTGRES.DATABASE_URL }, /set DATABASE_URL to a replica/],
  ["METRICS_PORT", { METRICS_PORT: "42071" }, /OPERATOR_PORT/],
  ["RATE_LIMIT", { ...PUBLIC, RATE_LIMIT: "600" }, /TRUSTED_PROXIES to the address of the proxy/],
  ["RATE_LIMIT", { ...OPEN, RATE_LIMIT: "600" }, /TRUSTED_PROXIES to the address of the proxy/],
  [
    "RATE_LIMIT",
    { ...PUBLIC, RATE_LIMIT: "600", TRUSTED_PROXIES: "10.0.0.1" },
    /127\.0\.0\.1 on this machine/,
  ],
  ["RATE_LIMIT", { PUBLIC_URL: "http://127.0.0.1:8080", RATE_LIMIT: "600" }, /127\.0\.0\.1 on this machine/],
  ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "10.0.0.1,::/0" }, /only the addresses of your own proxies/],
  ["TRUSTED_PROXY", { TRUSTED_PROXY: "127.0.0.1" }, /Call it TRUSTED_PROXIES/],
  ["RPC_URL", { RPC_URL: "http://127.0.0.1:1/secretkey" }, /Call it RPC_URLS/],
  ["RAISEBOOK_COLOUR", { RAISEBOOK_COLOUR: "red" }, /Take RAISEBOOK_COLOUR out/],
])("warns of %s %j, and says what to do", (variable, env, remedy) => {
  expect(warned(env)).toEqual([
    { variable, warning: expect.not.stringContaining("secretkey"), remedy: expect.stringMatching(remedy) },
  ]);
});
