/** @module Walks through the pages of a running service's ledger, as a client does. */
import type { Service } from "./service.ts";
import type { AssertAnswer } from "./validate.ts";

export type ShownEvent = {
  kind: string;
  publicId: string;
  blockNumber: string;
  blockTime: string;
  logIndex: number;
  txHash: string;
  finality: "pending" | "final";
};

export type WalkParameters = {
  service: Service;
  /** with its filters, without limit and cursor */
  path: string;
  limit: number;
  assertAnswer?: AssertAnswer;
  /** done after each page that has another behind it; gets how many pages there were */
  between?: (pages: number) => Promise<void>;
};

/** Every event from the first page to the last, as they came. */
export async function walk({
  service,
  path,
  limit,
  assertAnswer,
  between,
}: WalkParameters): Promise<ShownEvent[]> {
  const events: ShownEvent[] = [];
  const glue = path.includes("?") ? "&" : "?";
  let cursor: string | null = null;
  // No ledger of a test has more pages; a cursor that goes in a circle must not hang the run.
  for (let pages = 1; pages < 5_000; pages++) {
    const asked: string = `${path}${glue}limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`;
    const answer = await service.get(asked);
    if (answer.status !== 200) throw new Error(`${asked}: ${answer.status} ${answer.text}`);
    assertAnswer?.(asked, answer);
    const body = JSON.parse(answer.text) as { events: ShownEvent[]; page: { nextCursor: string | null } };
    if (body.events.length > limit) throw new Error(`${asked}: a page of ${body.events.length}`);
    if (body.page.nextCursor !== null && body.events.length < limit)
      throw new Error(`${asked}: a short page`);
    events.push(...body.events);
    cursor = body.page.nextCursor;
    if (cursor === null) return events;
    await between?.(pages);
  }
  throw new Error(`${path}: the walk does not end`);
}

/** Distinguishes an event from every other, including one that replaces it after a reorg. */
export function keyOf({
  blockNumber,
  logIndex,
  txHash,
}: {
  blockNumber: string | bigint;
  logIndex: number;
  txHash: string;
}): string {
  return `${blockNumber}/${logIndex}/${txHash}`;
}
