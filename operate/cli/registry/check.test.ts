import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashTypedData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import example from "../../../registry.example.json" with { type: "json" };
import { temporaryFolder } from "../../../test/harness/ending.ts";
import { RAISEBOOK } from "../../../test/harness/run-program.ts";
import {
  DEPLOYMENT,
  digestOf,
  documentHash,
  domainOf,
  OPERATOR,
  OPERATOR_KEY,
  STRANGER_KEY,
  signed,
} from "../../../test/harness/signed-registry.ts";

const folder = temporaryFolder();

const check = (document: unknown, ...options: string[]) => run("check", document, options);

function run(command: string, document: unknown, options: string[] = [], settings: object = {}) {
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  writeFileSync(join(folder, "registry.json"), text);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    REGISTRY: "registry.json",
    PUBLIC_URL: DEPLOYMENT,
    ...settings,
  };
  const args = ["registry", command, ...options];
  const { status, stdout, stderr } = spawnSync(RAISEBOOK, args, { cwd: folder, env, encoding: "utf8" });
  return { status, output: stdout, errors: stderr };
}

const [first, second] = example.listings;

it("a good document: its counts, and exit code 0", () => {
  expect(check(example)).toEqual({
    status: 0,
    output: "registry.json can be used: 1 originator, 2 listings.\n",
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
    `registry.json:${line + 1}:${(lines[line] ?? "").indexOf('"01"') + 1}: error: listings[1].onchainId: not an on-chain id: "01" (expected a decimal string from "0" to 2^256 - 1, without leading zeros)\n`,
  );
});

it("a picture that is not there is a warning", () => {
  const { status, output } = check({ ...example, listings: [{ ...first, cover: "a.png" }] }, "--json");
  expect([status, JSON.parse(output)]).toEqual([
    0,
    {
      ...{ document: "registry.json", originators: 1, listings: 1, problems: [] },
      ...{ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), revision: null, signer: null },
      warnings: [{ line: 22, column: 16, text: "listings[0].cover: does not exist" }],
    },
  ]);
});

it("a document that must be signed is reported with its signer, or the place where the signature is missing", async () => {
  const settings = { REGISTRY_SIGNER: OPERATOR.toUpperCase().replace("0X", "0x") };
  const document = await signed(example, 8);
  expect(run("check", document, [], settings)).toEqual({
    status: 0,
    output: `registry.json can be used: 1 originator, 2 listings, revision 8, signed by ${OPERATOR}.\n`,
    errors: "",
  });
  expect(JSON.parse(run("check", document, ["--json"], settings).output)).toMatchObject({
    ...{ hash: documentHash(document), revision: 8, signer: OPERATOR, problems: [], warnings: [] },
  });
  expect(run("check", example, [], settings)).toMatchObject({
    status: 1,
    output: `registry.json:1:1: error: signature: is missing (REGISTRY_SIGNER is ${OPERATOR})\n`,
  });
  const byStranger = run("check", await signed(example, 8, STRANGER_KEY), ["--json"], settings);
  const lines = JSON.stringify(document, null, 2).split("\n").length;
  expect([byStranger.status, JSON.parse(byStranger.output).problems]).toMatchObject([
    1,
    [{ line: lines - 1, column: 16, text: expect.stringContaining("signature: is not by REGISTRY_SIGNER") }],
  ]);
});

it("a signature that is not checked causes a warning", async () => {
  expect(check(await signed(example, 8))).toMatchObject({
    status: 0,
    output: expect.stringContaining(
      `warning: signature: is by ${OPERATOR} if it is for ${DEPLOYMENT} on chain 97; without REGISTRY_SIGNER the service does not check it`,
    ),
  });
});

it("the check covers exactly the text that a wallet signs", async () => {
  const unsigned = { ...example, revision: 8, signature: `0x${"00".repeat(65)}` };
  const { status, output, errors } = run("typed-data", unsigned);
  expect([status, errors]).toEqual([0, expect.stringContaining("eth_signTypedData_v4")]);
  const data = JSON.parse(output);
  expect(data).toMatchObject({ primaryType: "Registry", domain: domainOf(DEPLOYMENT) });
  expect(data.message).toEqual({ hash: documentHash(unsigned), revision: 8 });
  expect(hashTypedData(data)).toBe(digestOf(documentHash(unsigned), 8));
  // As a wallet has it from here on: nothing but what was printed.
  const signature = await privateKeyToAccount(OPERATOR_KEY).signTypedData(data);
  const settings = { REGISTRY_SIGNER: OPERATOR };
  expect(run("check", { ...unsigned, signature }, [], settings).status).toBe(0);
  const elsewhere = { ...settings, PUBLIC_URL: "", PORT: "42169" };
  expect(run("check", { ...unsigned, signature }, [], elsewhere)).toMatchObject({
    ...{ status: 1, output: expect.stringContaining("another PUBLIC_URL than http://127.0.0.1:42169") },
  });
});

it("nothing is signed without a revision, nor what is no registry", () => {
  expect(run("typed-data", example)).toMatchObject({
    ...{ status: 1, output: "" },
    errors: expect.stringContaining("registry.json: error: revision: is missing"),
  });
  expect(run("typed-data", "{")).toMatchObject({
    ...{
      status: 1,
      output: "",
      errors: expect.stringContaining("registry.json: error: the document is not JSON"),
    },
  });
});

it("a private key as REGISTRY_SIGNER is refused, and shown to nobody", () => {
  const { status, output, errors } = run("check", example, [], { REGISTRY_SIGNER: OPERATOR_KEY });
  expect([status, output]).toEqual([2, ""]);
  expect(errors).toContain("has the length of a private key");
  expect(errors).not.toContain(OPERATOR_KEY.slice(2));
});

it.each([
  ["none.json", 1, "none.json: error: the registry file does not exist"],
  ["http://registry.example/", 2, "must use https"],
])("%s: exit code %i", (name, status, message) => {
  const result = check(example, name);
  expect(result.status).toBe(status);
  expect(result.output + result.errors).toContain(message);
});

it("a folder: its counts, or the file of each problem, and what its owner has to sign", () => {
  const registry = join(folder, "registry");
  mkdirSync(join(registry, "listings"), { recursive: true });
  writeFileSync(join(registry, "originators.json"), JSON.stringify(example.originators));
  writeFileSync(join(registry, "registry.yaml"), "revision: 3");
  writeFileSync(join(registry, "listings", "a.json"), JSON.stringify(first));
  writeFileSync(join(registry, "listings", "b.yaml"), stringify({ ...second, title: "" }));
  const settings = { REGISTRY: "registry/" };
  const bad = run("check", example, [], settings);
  expect([bad.status, bad.output]).toEqual([
    1,
    expect.stringMatching(
      /^registry\/listings\/b\.yaml:\d+:\d+: error: listings\[1\]\.title: not a text: ""/,
    ),
  ]);
  writeFileSync(join(registry, "listings", "b.yaml"), stringify(second));
  expect(run("check", example, [], settings).output).toBe(
    "registry/ can be used: 1 originator, 2 listings.\n",
  );
  const { message } = JSON.parse(run("typed-data", example, [], settings).output);
  const { originators, listings } = example;
  expect(message).toEqual({ hash: documentHash({ originators, listings, revision: 3 }), revision: 3 });
});

it("a table cannot be signed, and its password is not repeated", () => {
  const REGISTRY = "postgres://reader:hunter2@127.0.0.1:1/market?table=raise&originators=business";
  for (const command of ["check", "typed-data"]) {
    const { status, output, errors } = run(command, example, [], { REGISTRY, REGISTRY_SIGNER: OPERATOR });
    expect(status).not.toBe(0);
    expect(errors).toContain("REGISTRY_SIGNER cannot be used with a table: rows carry no signature");
    expect(output + errors).not.toContain("hunter2");
  }
  const { status, output, errors } = run("check", example, [], { REGISTRY });
  expect(status).toBe(1);
  expect(output).toBe(
    "table raise at 127.0.0.1:1: error: the registry's database could not be read (ECONNREFUSED)\n",
  );
  expect(errors).not.toContain("hunter2");
});
