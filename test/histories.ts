/**
 * Plays a random history of one's choice against the model: `npm run test:histories -- --seed 7 --actions 5000`.
 * @module
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const USAGE = `Usage: npm run test:histories -- [--seed N] [--actions N]

  --seed N      a whole number; a random one when not given
  --actions N   how many actions the history has; 1200 when not given
`;

const WHOLE = /^\d{1,9}$/;

function main(): void {
  const options = {
    seed: { type: "string" },
    actions: { type: "string" },
    help: { type: "boolean" },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { seed = String(Math.floor(Math.random() * 1e9)), actions = "1200" } = values;
  if (!WHOLE.test(seed) || !WHOLE.test(actions)) throw new Error("--seed and --actions are whole numbers");
  const arguments_ = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "integration",
    "histories.test.ts",
  ];
  const env = { ...process.env, SEED: seed, ACTIONS: actions };
  const child = spawn(process.execPath, arguments_, { stdio: "inherit", env });
  child.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
