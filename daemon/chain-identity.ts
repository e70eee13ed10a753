/**
 * An embedded database keeps a cache of one chain's blocks and logs, known by chain id alone. A local chain that was
 * started afresh has the same id and other blocks, and the two would be mixed without a word. So the data directory
 * notes which chain it belongs to.
 * @module
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MEMORY, type Problem, problemWith, type Settings } from "../config/environment.ts";
import type { ChainNode } from "./check-chain.ts";
import { callRpc, RpcError } from "./json-rpc.ts";

const chainNote = z.object({ chainId: z.int(), blockNumber: z.int().min(0), blockHash: z.string() });

type ChainNote = z.output<typeof chainNote>;

/** Far enough behind the head that no reorg reaches it. */
const FINAL_BLOCKS = 1_000;

/** Refuses a data directory that was filled from another chain. */
export async function checkChainIdentity(settings: Settings, node: ChainNode): Promise<readonly Problem[]> {
  const file = noteFile(settings);
  const note = file === null ? null : readNote(file);
  if (note === null) return [];
  const found = await blockHash(node, note.blockNumber);
  // A node that has dropped its old blocks cannot tell; a chain that has not come that far is another one.
  if (found === null && node.head >= note.blockNumber) return [];
  if (found === note.blockHash && note.chainId === settings.chainId) return [];
  return [
    problemWith(
      "RAISEBOOK_DATA_DIR",
      `holds data of another chain (block ${note.blockNumber} was ${note.blockHash}, and is ${found ?? "not there"}): ` +
        "choose another directory, or remove this one",
    ),
  ];
}

/** Notes the chain in the data directory, the first time. */
export async function rememberChain(settings: Settings, node: ChainNode): Promise<void> {
  const file = noteFile(settings);
  if (file === null || readNote(file) !== null) return;
  const contracts = [...settings.escrows, settings.escrowFactory, settings.desk].filter(
    (contract) => contract !== null,
  );
  const lowest = Math.min(...contracts.map(({ startBlock }) => startBlock));
  const blockNumber = Math.max(0, Math.min(lowest, node.head - FINAL_BLOCKS));
  const hash = await blockHash(node, blockNumber);
  if (hash === null) return;
  const note: ChainNote = { chainId: settings.chainId, blockNumber, blockHash: hash };
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(note)}\n`);
}

function noteFile({ database }: Settings): string | null {
  if (database.kind !== "pglite" || database.dataDirectory === MEMORY) return null;
  return join(database.dataDirectory, "chain.json");
}

/** Null when there is none, or none that can be read: it is then written anew. */
function readNote(file: string): ChainNote | null {
  if (!existsSync(file)) return null;
  try {
    return chainNote.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

async function blockHash({ url, timeout }: ChainNode, number: number): Promise<string | null> {
  const params = [`0x${number.toString(16)}`, false];
  try {
    const block = await callRpc({ url, method: "eth_getBlockByNumber", params, timeout });
    if (typeof block !== "object" || block === null || !("hash" in block)) return null;
    return typeof block.hash === "string" ? block.hash : null;
  } catch (error) {
    // Nodes without old blocks answer null or an error; neither says which chain it is.
    if (error instanceof RpcError) return null;
    throw error;
  }
}
