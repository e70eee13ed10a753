/** @module Compares a receiver's rows with the service's answers. */
import { createRaisebookClient, type LedgerEvent } from "../../client/index.ts";
import type { Attempt } from "./webhook-receiver.ts";

/** All rows that a reader has, oldest first. */
export async function eventsAt(reader: string): Promise<LedgerEvent[]> {
  const book = createRaisebookClient({ baseUrl: `${reader}/v1` });
  const events: LedgerEvent[] = [];
  for await (const page of book.pages("/events", { query: { limit: 200 } })) events.push(...page.events);
  return events.reverse();
}

/** The rows among messages. */
export function rowsIn(kept: readonly Attempt[]): LedgerEvent[] {
  return kept
    .map(({ body }) => JSON.parse(body))
    .flatMap(({ type, data }) => (type.startsWith("ledger.") ? [data] : []));
}

export const ids = (events: readonly LedgerEvent[]) =>
  events.map((event) => `${event.blockNumber}-${event.logIndex}`);

export const place = ({ blockNumber, logIndex }: LedgerEvent) =>
  BigInt(blockNumber) * 1_000_000n + BigInt(logIndex);

export const inOrder = (events: readonly LedgerEvent[]) =>
  events.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));

/** Rows that came after later ones, though a row of their listing had come in time: a raise that opens later brings its earlier rows. */
export function outOfOrder(events: readonly LedgerEvent[]): string[] {
  const last = new Map<string, bigint>();
  const late = new Set<string>();
  let newest = -1n;
  return events.flatMap((event) => {
    const { publicId } = event;
    const at = place(event);
    if (!last.has(publicId) && at < newest) late.add(publicId);
    const isWrong = at <= (last.get(publicId) ?? -1n) || (at < newest && !late.has(publicId));
    last.set(publicId, at);
    if (at > newest) newest = at;
    return isWrong ? [`${publicId} ${event.blockNumber}-${event.logIndex}`] : [];
  });
}

/** The rows of a receiver that applies message by message. */
export function bookIn(kept: readonly Attempt[]): {
  rows: LedgerEvent[];
  through: bigint;
  withdrawals: number;
} {
  let rows: LedgerEvent[] = [];
  let through = -1n;
  let withdrawals = 0;
  for (const { body } of kept) {
    const { type, data } = JSON.parse(body);
    if (type === "chain.final") through = BigInt(data.through);
    else if (type === "chain.reorg") {
      withdrawals++;
      rows = rows.filter(({ blockNumber }) => BigInt(blockNumber) < BigInt(data.from));
    } else rows.push(data);
  }
  return { rows, through, withdrawals };
}
