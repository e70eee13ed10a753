// Ponder with a fast-forward before it: started by operate/daemon/indexer.ts with the arguments of Ponder's own command line.
import "./types.mjs";

const { startPonder } = await import("./start.ts");
await startPonder(process.argv.slice(2));
