/**
 * The command line of the demo.
 * @module
 */
import { parseArgs } from "node:util";
import { defaultOperatorPort } from "../config/environment.ts";

export type DemoOptions = {
  /** Of the API. */
  readonly port: number;
  /** Of the chain. */
  readonly rpcPort: number;
  /** Of the stand-in for the app. */
  readonly appPort: number;
  readonly seed: number;
  /** No more blocks after the market has been played. */
  readonly still: boolean;
  readonly help: boolean;
};

/** An unusable option; the message says why. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

const DEFAULT_OPTIONS = { port: 42069, rpcPort: 8545, appPort: 42071, seed: 1 } as const;

const LARGEST_SEED = 2 ** 32 - 1;

export const USAGE = `The demo of Raisebook: a local chain, two years of a market on it, and the real service.

Usage: npm run demo [-- options]

  --port <number>      port of the API; the next one is the operator's (default ${DEFAULT_OPTIONS.port})
  --rpc-port <number>  port of the chain (default ${DEFAULT_OPTIONS.rpcPort})
  --app-port <number>  port of the stand-in for the app where people sign (default ${DEFAULT_OPTIONS.appPort})
  --seed <number>      another market: 0 to ${LARGEST_SEED} (default ${DEFAULT_OPTIONS.seed})
  --still              stand still after playing the market: no new blocks
  --help               show this text

Everything listens on 127.0.0.1 and is gone after Ctrl-C.

Exit codes: 0 after Ctrl-C, 1 when the demo cannot start or fails, 2 for an unusable option.
`;

/** @throws {OptionError} */
export function readOptions(args: readonly string[]): DemoOptions {
  const values = parse(args);
  const port = integer("--port", values.port, 1, 65_535) ?? DEFAULT_OPTIONS.port;
  const rpcPort = integer("--rpc-port", values["rpc-port"], 1, 65_535) ?? DEFAULT_OPTIONS.rpcPort;
  const appPort = integer("--app-port", values["app-port"], 1, 65_535) ?? DEFAULT_OPTIONS.appPort;
  const operatorPort = defaultOperatorPort(port);
  if (new Set([port, operatorPort, rpcPort, appPort]).size < 4) {
    throw new OptionError(
      `--port, the operator's port beside it, --rpc-port and --app-port must differ; they are ${port}, ${operatorPort}, ${rpcPort}, ${appPort}`,
    );
  }
  return {
    port,
    rpcPort,
    appPort,
    seed: integer("--seed", values.seed, 0, LARGEST_SEED) ?? DEFAULT_OPTIONS.seed,
    still: values.still ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  const options = {
    port: { type: "string" },
    "rpc-port": { type: "string" },
    "app-port": { type: "string" },
    seed: { type: "string" },
    still: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's first sentence is the explanation; the rest is about positionals.
    const [sentence = "unknown option"] = (error instanceof Error ? error.message : String(error)).split(
      /\. |\n/,
    );
    throw new OptionError(sentence);
  }
}

function integer(
  name: string,
  text: string | undefined,
  lowest: number,
  highest: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  throw new OptionError(`${name} must be an integer from ${lowest} to ${highest}, not "${text}"`);
}
