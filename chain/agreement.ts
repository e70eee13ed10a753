/** @module Whether endpoints say the same of a range of blocks. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { blockRequest, RpcError } from "./call.ts";
import type { ChainClient } from "./client.ts";
import type { FollowedContracts } from "./contracts.ts";
import type { Ranges } from "./limits.ts";
import { contentOf } from "./logs.ts";
import { isBlock, type RawBlock, readPages } from "./pages.ts";

/** Milliseconds of rest for each log that was read: comparing a history must not take a core. */
const REST = 0.05;

/** An endpoint's answer about a range: its blocks with events in the order of the chain, and its last block. */
export type Statement = { readonly events: readonly StatedBlock[]; readonly last: Pick<RawBlock, "hash"> };
/** `text` is the block's number, and a digest of all of its logs with their index and the block's hash. */
type StatedBlock = { readonly block: number; readonly text: string };

export type StatementQuery = {
  followed: FollowedContracts;
  ranges: Ranges;
  /** the first block whose events are stated; after `to` where there can be none yet */
  from: number;
  to: number;
};

/**
 * An endpoint's answer about a range now.
 * @param client of one endpoint
 * @throws {RpcError} when it does not answer, or does not have the last block
 * @throws {InconsistentChainError} when it contradicts itself
 */
export async function statementOf(
  client: ChainClient,
  query: StatementQuery,
): Promise<Statement & { last: RawBlock }> {
  const { to } = query;
  const last = await client.request(blockRequest(to));
  if (!isBlock(last)) throw new RpcError("failure", `has no block ${to}`);
  const events: StatedBlock[] = [];
  // Each log has the hash of its block: the blocks themselves would say no more, and are most of the calls.
  for await (const { logs } of readPages({ client, ...query, ahead: 2, withBlocks: false })) {
    for (const [block, own] of Map.groupBy(logs, ({ block }) => block)) {
      const digest = createHash("sha256");
      for (const log of own) digest.update(`${log.logIndex} ${contentOf(log)}\n`);
      events.push({ block, text: `${block} ${digest.digest("base64")}` });
    }
    await sleep(logs.length * REST);
  }
  return { events, last };
}

/**
 * The first block of which the statements differ, `to` at the latest, and which of them say the same up to there, by their places;
 * null where all say the same.
 */
export function firstDispute(
  statements: readonly Statement[],
  to: number,
): { block: number; sides: number[][] } | null {
  const texts = statements.map(({ events, last }) => [...events.map(({ text }) => text), last.hash]);
  const most = Math.max(0, ...texts.map(({ length }) => length));
  for (let index = 0; index < most; index++) {
    const said = texts.map((text) => text[index]);
    if (said.every((text) => text === said[0])) continue;
    const blocks = statements.flatMap(({ events }) => events[index]?.block ?? []);
    const sides = Map.groupBy(statements.keys(), (place) => said[place]);
    return { block: Math.min(to, ...blocks), sides: [...sides.values()] };
  }
  return null;
}
