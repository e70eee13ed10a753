/** @module Writes a contracts module to start from: `raisebook contracts init`. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Abi } from "viem";
import { print } from "../../../config/command.ts";
import { contractsInitCommand } from "../options.ts";
import { starterModule } from "./starter.ts";

/** The ABI in a file: a list, or a compiler's output that has one. @throws {Error} */
function readAbi(path: string): Abi {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  const abi = Array.isArray(value) ? value : (value as { abi?: unknown } | null)?.abi;
  if (!Array.isArray(abi)) throw new Error("it is no list of ABI items, and has no member abi that is one");
  return abi as Abi;
}

function main(): number {
  const command = contractsInitCommand().parse();
  const [path] = command.processedArgs;
  const { output } = command.opts();
  let text: string;
  try {
    text = starterModule(readAbi(path));
  } catch (error) {
    process.stderr.write(`${path} cannot be used: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  if (output === "-") {
    print(text);
    return 0;
  }
  try {
    writeFileSync(output, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isThere = `${output} is there already: name another file with --output, or take it away.`;
    process.stderr.write(`${code === "EEXIST" ? isThere : `${output} cannot be written: ${message}`}\n`);
    return 1;
  }
  print(`Wrote ${output}. Correct it, set CONTRACTS=${output}, then run: raisebook contracts check\n`);
  return 0;
}

process.exitCode = main();
