// Ponder with a fast-forward before it: started by operate/daemon/indexer.ts with the arguments of Ponder's own command line.
import "./loading.mjs";
import * as module from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { importAsOneFile, urlOfOneFile } from "../../config/one-file.mjs";
import { AS_ONE_FILE, PONDER, PROGRAM, READER } from "./bundle.mjs";
import { correctPonder } from "./corrections.mjs";

const { sendHeartbeats } = await import("../../config/heartbeat.ts");
sendHeartbeats();
const bundles = module.registerHooks === undefined ? null : await makeBundles();
if (bundles === null) correctPonder();
// Files that Vite loads import the same copy of Ponder.
else {
  module.registerHooks({
    resolve: (path, context, next) =>
      path === PONDER ? { url: bundles.program, shortCircuit: true } : next(path, context),
  });
}
const readerUrl = new URL(bundles?.reader ?? pathToFileURL(READER).href);
// As sources, which some versions of Node do not load before `loading.mjs` has run.
const { startReader } = await import("./reader-thread.ts");
const { TENURE_VARIABLE, untilTurn, WAITS_VARIABLE } = await import("../../config/turn.ts");
const waits = process.env[WAITS_VARIABLE];
const start = () => startReader(readerUrl);
// It fetches while Ponder's modules load.
const isWanted = process.env.FAST_FORWARD === "true" && waits !== "everything";
const turn = waits === "reader" ? untilTurn() : null;
const reader = { first: isWanted ? start() : null, start };
const { startPonder } = await import(bundles?.program ?? pathToFileURL(PROGRAM).href);
if (turn !== null) {
  process.channel.ref();
  process.env[TENURE_VARIABLE] = await turn;
  process.channel.unref();
  delete process.env[WAITS_VARIABLE];
  reader.first?.worker.postMessage({ kind: "turn" });
}
// The module that `src/api/index.ts` imports, the same way.
const loadApi = () => importAsOneFile(fileURLToPath(new URL("../daemon/ponder.ts", import.meta.url)));
await startPonder(process.argv.slice(2), reader, loadApi);

/** Null if they cannot be written anywhere. */
async function makeBundles() {
  // One after another: esbuild, which makes them, ends with the first.
  const program = await urlOfOneFile(PROGRAM, AS_ONE_FILE);
  const reader = await urlOfOneFile(READER, AS_ONE_FILE);
  return program && reader && { program, reader };
}
