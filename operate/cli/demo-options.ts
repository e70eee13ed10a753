/** @module The command line of the demo. */
import { Option } from "@commander-js/extra-typings";
import { commandOf, wholeNumber } from "../../config/command.ts";
import { defaultOperatorPort } from "../../config/environment.ts";

/** The worked examples, in `demo/contracts/`. */
const EXAMPLE_NAMES = ["pooled-loans", "raise-escrows"] as const;

export type ExampleName = (typeof EXAMPLE_NAMES)[number];

export type DemoOptions = {
  /** The API's port. */
  readonly port: number;
  /** The chain's port. */
  readonly rpcPort: number;
  /** The port of the stand-in for the app. */
  readonly appPort: number;
  readonly seed: number;
  /** The contracts of an example; undefined: the project's own. */
  readonly contracts?: ExampleName | undefined;
  /** Whether blocks stop once the market has been played. */
  readonly still: boolean;
};

const port = wholeNumber(1, 65_535);
const LARGEST_SEED = 2 ** 32 - 1;

export const demoCommand = () =>
  commandOf(
    "raisebook demo",
    "A local chain, two years of a market on it, and the real service; in a clone of the repository (npm run demo).",
    {
      more: "Everything listens on 127.0.0.1 and is gone after Ctrl-C.",
      exitCodes: { 0: "after Ctrl-C", 1: "the demo cannot start, or fails" },
    },
  )
    .option("--port <number>", "port of the API; the next one is the operator's", port, 42069)
    .option("--rpc-port <number>", "port of the chain", port, 8545)
    .option("--app-port <number>", "port of the stand-in for the app where people sign", port, 42071)
    .option("--seed <number>", `another market: 0 to ${LARGEST_SEED}`, wholeNumber(0, LARGEST_SEED), 1)
    .addOption(
      new Option(
        "--contracts <name>",
        "contracts of a worked example, followed through a module, instead of the project's own",
      ).choices(EXAMPLE_NAMES),
    )
    .option("--still", "stand still after playing the market: no new blocks");

/** Parses `args`; ends the process if they are invalid, and for `--help`. */
export function readOptions(
  args: readonly string[] = process.argv.slice(2),
  command = demoCommand(),
): DemoOptions {
  const options = command.parse(args, { from: "user" }).opts();
  const ports = [options.port, defaultOperatorPort(options.port), options.rpcPort, options.appPort];
  if (new Set(ports).size < ports.length) {
    command.error(
      `error: --port, the operator's port next to it, --rpc-port and --app-port must differ; they are ${ports.join(", ")}`,
    );
  }
  return { ...options, still: options.still ?? false };
}
