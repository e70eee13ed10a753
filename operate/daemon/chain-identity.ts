/**
 * The chain that a data directory belongs to. The embedded database caches blocks and logs by chain id alone. A restarted
 * local chain has the same id but other blocks, and the two would be mixed silently, so the directory stores a note.
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { blockRequest, callRpc, nullIfRefused } from "../../chain/call.ts";
import { firstBlockOf } from "../../chain/contracts.ts";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import type { ChainEndpoint } from "./check-chain.ts";
import { dataDirectoryOf } from "./check-database.ts";

const chainNote = z.object({ chainId: z.int(), blockNumber: z.int().min(0), blockHash: z.string() });

type ChainNote = z.output<typeof chainNote>;

/** A distance from the head that no reorg reaches. */
const FINAL_BLOCKS = 1_000;

/** Refuses a data directory that was filled from another chain. */
export async function checkChainIdentity(
  settings: Settings,
  node: ChainEndpoint,
): Promise<readonly Problem[]> {
  const file = noteFile(settings);
  const note = file === null ? null : readNote(file);
  if (note === null) return [];
  if (note.chainId !== settings.chainId)
    return [dataOfAnother(`its id was ${note.chainId}, and CHAIN_ID is ${settings.chainId}`)];
  const hash = await blockHash(node, note.blockNumber);
  // A node that has pruned old blocks cannot tell; a shorter chain is a different one.
  if (hash === note.blockHash || (hash === null && node.head >= note.blockNumber)) return [];
  return [dataOfAnother(`block ${note.blockNumber} was ${note.blockHash}, and is ${hash ?? "missing"}`)];
}

function dataOfAnother(difference: string): Problem {
  return problemWith(
    "RAISEBOOK_DATA_DIR",
    `holds data of another chain (${difference}): choose another directory, or remove this one`,
    "Choose another directory, or move this one away.",
  );
}

/** Writes the note unless it exists. */
export async function noteChain(settings: Settings, node: ChainEndpoint): Promise<void> {
  const file = noteFile(settings);
  if (file === null || readNote(file) !== null) return;
  const blockNumber = Math.max(0, Math.min(firstBlockOf(settings), node.head - FINAL_BLOCKS));
  const hash = await blockHash(node, blockNumber);
  if (hash === null) return;
  const note: ChainNote = { chainId: settings.chainId, blockNumber, blockHash: hash };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(note)}\n`);
}

function noteFile(settings: Settings): string | null {
  const directory = dataDirectoryOf(settings);
  return directory === null ? null : join(directory, "chain.json");
}

/** Null if it is missing or unreadable; it is then rewritten. */
function readNote(file: string): ChainNote | null {
  try {
    return chainNote.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

async function blockHash({ url, timeout }: ChainEndpoint, number: number): Promise<string | null> {
  // Nodes without old blocks return null or an error; neither identifies the chain.
  const block = await callRpc({ url, timeout, ...blockRequest(number) }).catch(nullIfRefused);
  const { hash } = Object(block) as { hash?: unknown };
  return typeof hash === "string" ? hash : null;
}
