// Ponder with a fast-forward before it: started by daemon/indexer.ts with the arguments of Ponder's own command line.
//
// Plain JavaScript: Node strips types itself, and only a version that does not needs tsx, which slows Ponder's start by a
// second.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
const { startPonder } = await import("./start.ts");
await startPonder(process.argv.slice(2));
