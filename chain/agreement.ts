/**
 * Whether endpoints say the same of a range of blocks.
 * @module
 */
import { blockRequest, RpcError } from "./call.ts";
import type { ChainClient } from "./client.ts";
import type { FollowedContracts } from "./contracts.ts";
import type { Ranges } from "./limits.ts";
import { contentOf } from "./logs.ts";
import { isBlock, type RawBlock, readPages } from "./pages.ts";

/** What an endpoint says of a range: its events in the order of the chain, and its last block. */
export type Statement = { readonly events: readonly StatedEvent[]; readonly last: Pick<RawBlock, "hash"> };
/** `text` is the whole log with the hash of its block. */
type StatedEvent = { readonly block: number; readonly text: string };

export type StatementQuery = {
  followed: FollowedContracts;
  ranges: Ranges;
  /** the first block whose events are stated; after `to` where there can be none yet */
  from: number;
  to: number;
};

/**
 * What an endpoint says of a range now.
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
  const events: StatedEvent[] = [];
  for await (const { logs } of readPages({ client, ...query, ahead: 2 })) {
    for (const log of logs) {
      const { block, logIndex } = log;
      events.push({ block, text: `${block} ${logIndex} ${contentOf(log)}` });
    }
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
