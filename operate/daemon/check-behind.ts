/**
 * Checks that the nodes have reached the index's final block. Nodes that are catching up after an outage have not, and
 * Ponder refuses to start with them.
 * @module
 */
import { blockRequest, callRpc, RpcError } from "../../chain/call.ts";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";
import { type ChainEndpoint, FINALITY } from "./check-chain.ts";
import { clientOf, openEmbedded } from "./check-database.ts";

/** A problem if no node has reached it. Only while no indexer runs: the embedded database is opened. */
export async function checkBehind(
  settings: Settings,
  nodes: readonly ChainEndpoint[],
  timeout: number,
): Promise<readonly Problem[]> {
  const final = await finalBlockOf(settings, timeout);
  if (final === null || nodes.length === 0) return [];
  const times = await Promise.all(nodes.map(finalTime));
  if (times.some((time) => time === null || time >= final.timestamp)) return [];
  const problem =
    `are behind the index, whose final block is ${final.number}, and are waited for. If they are at the head, the chain was ` +
    "reorganised beyond what is taken for final: docs/decisions/0024-deep-reorgs.md has the way back";
  return [problemWith("RPC_URLS", problem)];
}

/** The timestamp of the node's final block, in seconds; null if the node does not say. */
async function finalTime({ url, head, timeout }: ChainEndpoint): Promise<number | null> {
  const request = blockRequest(Math.max(0, head - FINALITY));
  try {
    const block = (await callRpc({ url, timeout, ...request })) as { timestamp?: unknown } | null;
    return typeof block?.timestamp === "string" ? Number(block.timestamp) : null;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

/** From Ponder's checkpoint; null before the first, and if the database does not say. */
async function finalBlockOf(settings: Settings, timeout: number): Promise<Block | null> {
  const { database } = settings;
  const checkpoint =
    database.kind === "postgres"
      ? await checkpointIn(database.connectionString, schemaNameOf(settings), timeout)
      : await openEmbedded(settings).catch(() => null);
  return checkpoint === null ? null : blockOf(checkpoint);
}

async function checkpointIn(
  connectionString: string,
  schema: string,
  timeout: number,
): Promise<string | null> {
  const client = clientOf(connectionString, timeout);
  try {
    await client.connect();
    const table = `${client.escapeIdentifier(schema)}._ponder_checkpoint`;
    const { rows } = await client.query<{ finalized_checkpoint: string }>(
      `SELECT finalized_checkpoint FROM ${table}`,
    );
    return rows[0]?.finalized_checkpoint ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
