// Three mistakes in Ponder 0.17.7 that lose events or count them twice, corrected in its modules as they load:
// docs/decisions/0029-corrections-of-ponder.md. Plain JavaScript: on Node 22 before 22.15 it runs on a thread of its own, without types.
import * as module from "node:module";

/** In a file of Ponder's, a text that must be there once, and what it should be. */
const CORRECTIONS = [
  {
    // A part of the backfill that ends one block before the last is committed as if it were the last.
    file: "runtime/historical.js",
    wrong: "if (cursor >= toBlock) {",
    right: "if (cursor > toBlock) {",
  },
  {
    // Blocks that are taken back while the fork is traced stay away when an endpoint does not have the next block of the fork.
    file: "sync-realtime/index.js",
    wrong: "remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context);",
    right: `remoteBlock = await eth_getBlockByHash(args.rpc, [remoteBlock.parentHash, false], context).catch((error) => {
                  unfinalizedBlocks = [...unfinalizedBlocks, ...reorgedBlocks];
                  throw error;
                });`,
  },
  {
    // An endpoint that is behind says that blocks which it does not have yet have no logs.
    file: "rpc/index.js",
    wrong: "const response = await bucket.request(body);",
    right: `const response = await bucket.request(body);
                const lastBlock = body.method === "eth_getLogs" ? body.params[0].toBlock : undefined;
                if (lastBlock !== undefined) {
                    const block = await bucket.request({ method: "eth_getBlockByNumber", params: [lastBlock, false] });
                    if (block === null) throw new BlockNotFoundError({ blockNumber: lastBlock });
                }`,
  },
];

/** For the modules of Ponder that are loaded from now on. */
export function correctPonder() {
  if (module.registerHooks === undefined) module.register(import.meta.url);
  else module.registerHooks({ load: (url, context, next) => corrected(url, next(url, context)) });
}

/** Node's hook, on its own thread. @public */
export async function load(url, context, next) {
  return corrected(url, await next(url, context));
}

/** @throws where a text is not there once: it is not the Ponder that is known here */
function corrected(url, loaded) {
  const correction = CORRECTIONS.find(({ file }) => url.endsWith(`/ponder/dist/esm/${file}`));
  if (correction === undefined) return loaded;
  const parts = Buffer.from(loaded.source).toString().split(correction.wrong);
  if (parts.length !== 2) throw new Error(`${correction.file} is not that of the Ponder that is known here`);
  return { ...loaded, source: parts.join(correction.right) };
}
