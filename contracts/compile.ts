/** @module Compiles contracts/ with solc-js into what the rest of the project imports: the ABIs and the bytecode. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi } from "viem";
import manifest from "../package.json" with { type: "json" };

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);

/** ABIs that are the project's interface, and the part of each contract that they contain. */
const published = [
  { contract: "ListingEscrow", file: "ListingEscrow", eventsOnly: false },
  { contract: "ListingToken", file: "ListingToken", eventsOnly: false },
  { contract: "EscrowFactory", file: "EscrowFactory", eventsOnly: false },
  { contract: "SecondaryDesk", file: "SecondaryDesk", eventsOnly: false },
  { contract: "TestDollar", file: "TestDollar", eventsOnly: false },
  // From the interfaces: an implementation's other events (ownership, proxies) do not concern the indexer.
  { contract: "IListingEscrow", file: "ListingEscrowEvents", eventsOnly: true },
  { contract: "ISecondaryDesk", file: "SecondaryDeskEvents", eventsOnly: true },
  { contract: "IEscrowFactory", file: "EscrowFactoryEvents", eventsOnly: true },
] as const;

type CompiledContract = {
  abi: Abi;
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
};

type SolcOutput = {
  errors?: { severity: "error" | "warning" | "info"; formattedMessage: string }[];
  contracts?: Record<string, Record<string, CompiledContract>>;
};

type Import = { contents: string } | { error: string };

type SolcCompiler = { compile(input: string, callbacks: { import: (path: string) => Import }): string };

/** A generated file: its path below the project's root, and its text. */
type GeneratedFile = readonly [path: string, text: string];

function soliditySources(): string[] {
  return readdirSync(join(root, "contracts"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sol"))
    .map((name) => `contracts/${name}`)
    .sort();
}

function readImport(path: string): Import {
  try {
    const file = path.startsWith("@") ? require.resolve(path) : join(root, path);
    return { contents: readFileSync(file, "utf8") };
  } catch {
    return { error: `cannot find ${path}` };
  }
}

const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Compiles every source. Prints solc's diagnostics; throws if one of them is an error. */
function compileAll(): Map<string, { source: string; compiled: CompiledContract }> {
  const sources = soliditySources();
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(sources.map((path) => [path, { content: textOf(path) }])),
    settings: {
      evmVersion: "shanghai",
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      // Without the metadata hash the bytecode is the same on every machine.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solcOutput(JSON.stringify(input))) as SolcOutput;
  const diagnostics = output.errors ?? [];
  for (const { formattedMessage } of diagnostics) console.error(formattedMessage.trimEnd());
  const failures = diagnostics.filter(({ severity }) => severity === "error").length;
  if (failures > 0) throw new Error(`solc reports ${failures} error${failures === 1 ? "" : "s"}`);

  const byName = new Map<string, { source: string; compiled: CompiledContract }>();
  for (const source of sources) {
    for (const [name, compiled] of Object.entries(output.contracts?.[source] ?? {})) {
      if (byName.has(name)) throw new Error(`two contracts are named ${name}; artifacts are filed by name`);
      byName.set(name, { source, compiled });
    }
  }
  return byName;
}

/** The output of solc for an input, which takes 15 s: kept for the same input, compiler and libraries. */
function solcOutput(input: string): string {
  const { solc: compiler, "@openzeppelin/contracts": libraries } = manifest.devDependencies;
  const key = createHash("sha256")
    .update(JSON.stringify([input, compiler, libraries]))
    .digest("hex");
  const kept = join(root, "node_modules/.cache/raisebook/solc", `${key}.json`);
  if (existsSync(kept)) return readFileSync(kept, "utf8");
  const solc = require("solc") as SolcCompiler;
  const output = solc.compile(input, { import: readImport });
  rmSync(dirname(kept), { recursive: true, force: true });
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(`${kept}.new`, output);
  renameSync(`${kept}.new`, kept);
  return output;
}

function constantName(contract: string, suffix: string): string {
  return `${contract.charAt(0).toLowerCase()}${contract.slice(1)}${suffix}`;
}

function header(source: string): string {
  return `/** Generated from ${source} by npm run generate; do not edit. */\n`;
}

/** A line for each item. */
function abiConstant(contract: string, abi: Abi): string {
  const items = abi.map((item) => `  ${JSON.stringify(item)},\n`);
  return `export const ${constantName(contract, "Abi")} = [\n${items.join("")}] as const;\n`;
}

/** Contracts that are not the project's interface: those of tests and of the worked examples. */
const APART = /^contracts\/(?:test|examples)\//;

/** Deployable contracts get their bytecode; those apart also their ABIs, which only tests and the demo read. */
function artifactFile(name: string, source: string, { abi, evm }: CompiledContract): GeneratedFile {
  const parts = [header(source)];
  if (APART.test(source)) parts.push(abiConstant(name, abi));
  parts.push(`export const ${constantName(name, "Bytecode")} = "0x${evm.bytecode.object}" as const;\n`);
  return [`contracts/artifacts/${name}.ts`, parts.join("\n")];
}

/** EIP-170: a larger contract compiles but cannot be deployed. */
const deployedByteLimit = 24_576;

/** The text of each generated file. @throws if solc reports an error, or a contract is too large to deploy */
export function compileContracts(): Map<string, string> {
  const contracts = compileAll();
  const files: GeneratedFile[] = [];
  for (const { contract, file, eventsOnly } of published) {
    const found = contracts.get(contract);
    if (!found) throw new Error(`contracts/ has no ${contract}`);
    const abi = eventsOnly ? found.compiled.abi.filter(({ type }) => type === "event") : found.compiled.abi;
    files.push([`abis/${file}.ts`, `${header(found.source)}${abiConstant(file, abi)}`]);
  }
  const deployable = new Set<string>(
    published.filter(({ eventsOnly }) => !eventsOnly).map(({ contract }) => contract),
  );
  for (const [name, { source, compiled }] of contracts) {
    const isApart = APART.test(source) && compiled.evm.bytecode.object !== "";
    if (!isApart && !deployable.has(name)) continue;
    const size = compiled.evm.deployedBytecode.object.length / 2;
    if (size > deployedByteLimit)
      throw new Error(`${name} has ${size} bytes; the limit is ${deployedByteLimit}`);
    files.push(artifactFile(name, source, compiled));
  }
  return new Map(files);
}
