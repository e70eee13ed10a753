/**
 * What is sent, and where a target stands: pure. Each row of the stream becomes a message, and for who asked for rows that are not
 * final also what is withdrawn and what has become final.
 * @module
 */
import { z } from "zod";
import { BEFORE_ALL, comparePositions, decodeRowId } from "../../api/ledger/row-id.ts";
import type { StreamMessage } from "../../client/follow.ts";
import type { LedgerEvent } from "../../client/index.ts";
import type { Target } from "./targets.ts";

/** A message of which the receiver has not said yet that it has it. All of it is kept, so that it stays the same. */
const sending = z.object({
  /** `webhook-id`, the same in each attempt and after each restart */
  id: z.string(),
  /** JSON */
  body: z.string(),
  /** its row, and the public id of the listing; null for what is no row */
  row: z.object({ id: z.string(), listing: z.string() }).nullable(),
  /** milliseconds by the machine's clock, to be shown: of the first attempt, and until the next */
  since: z.number(),
  notBefore: z.number(),
  /** milliseconds, whatever the clock says: between the last attempt and the next, and of all pauses so far */
  pause: z.number().default(0),
  waited: z.number().default(0),
  failures: z.int(),
  /** what was wrong with the last attempt */
  reason: z.string().nullable(),
});
export type Sending = z.output<typeof sending>;

export const standing = z.object({
  /** the row after which the target begins: of final rows nothing up to it is sent */
  origin: z.string(),
  /** where the stream goes on, once nothing is being sent */
  cursor: z.string(),
  /** Tells messages apart that are sent anew after a withdrawal. It only grows, over `--forget` too. */
  era: z.int(),
  /** the newest block of which a row was sent, and the last one that the receiver was told is final */
  newest: z.string().nullable(),
  settled: z.string().nullable(),
  /** the chain's: of the newest block that was heard of, ISO 8601; null before the first row */
  time: z.string().nullable(),
  /** public ids of the listings that were visible */
  listings: z.array(z.string()),
  sending: sending.nullable(),
});
/** Where a target stands. */
export type Standing = z.output<typeof standing>;

/** A target that begins after a row. @param now milliseconds */
export function beginAfter(origin: string, listings: readonly string[], now: number): Standing {
  return {
    ...{ origin, cursor: origin, era: Math.floor(now / 1_000), listings: [...listings] },
    ...{ newest: null, settled: null, time: null, sending: null },
  };
}

export type Context = {
  finality: Target["finality"];
  isWanted(event: LedgerEvent): boolean;
  /** the last row that was sent of a listing */
  lastRowOf(publicId: string): string | undefined;
  /** milliseconds */
  now: number;
};

/** Takes what the stream says. There must be nothing that is being sent. */
export function take(before: Standing, message: StreamMessage, context: Context): Standing {
  switch (message.type) {
    case "head":
      return { ...before, cursor: message.id, time: message.blockTime };
    case "ledger":
      return takeRow({ ...before, cursor: message.id, time: message.event.blockTime }, message, context);
    case "reorg":
      return takeReorg({ ...before, cursor: message.id }, message.from, context);
    case "final":
      return takeFinal(before, message.through, context);
  }
}

function takeRow(
  after: Standing,
  { id, event }: Extract<StreamMessage, { type: "ledger" }>,
  { finality, isWanted, lastRowOf, now }: Context,
): Standing {
  if (!isWanted(event)) return after;
  const data = { type: `ledger.${event.kind}`, timestamp: event.blockTime, data: event };
  const row = { id, listing: event.publicId };
  if (finality === "pending") {
    const sent = messageOf(`${id}-${after.era}`, data, row, now);
    return { ...after, sending: sent, newest: event.blockNumber };
  }
  // Rows are sent again when a raise comes to be visible: of the others the receiver has them.
  const last = lastRowOf(event.publicId) ?? after.origin;
  if (!isLater(id, last)) return after;
  return { ...after, sending: messageOf(id, data, row, now), newest: event.blockNumber };
}

/** Nothing final is ever withdrawn: who gets final rows alone is not told, nor is who has none of the rows. */
function takeReorg(after: Standing, from: bigint, { finality, now }: Context): Standing {
  if (finality === "final" || after.newest === null || BigInt(after.newest) < from) return after;
  const era = after.era + 1;
  const data = { type: "chain.reorg", timestamp: after.time, data: { from: `${from}` } };
  const newest = from === 0n ? null : `${from - 1n}`;
  return { ...after, era, newest, sending: messageOf(`reorg-${from}-${era}`, data, null, now) };
}

function takeFinal(before: Standing, through: bigint, { finality, now }: Context): Standing {
  const { newest, era } = before;
  const settled = before.settled === null ? -1n : BigInt(before.settled);
  const isNews = newest !== null && BigInt(newest) > settled && through > settled;
  if (finality === "final" || !isNews) return before;
  const data = { type: "chain.final", timestamp: before.time, data: { through: `${through}` } };
  const sent = messageOf(`final-${through}-${era}`, data, null, now);
  return { ...before, settled: `${through}`, sending: sent };
}

function messageOf(id: string, data: object, row: Sending["row"], now: number): Sending {
  const schedule = { since: now, notBefore: now, pause: 0, waited: 0, failures: 0, reason: null };
  return { id, body: JSON.stringify(data), row, ...schedule };
}

/** Whether a row's id is of a later place on the chain than another's. */
export function isLater(id: string, than: string): boolean {
  const [one, other] = [decodeRowId(id), decodeRowId(than)];
  if (one === null || one === BEFORE_ALL) return false;
  return other === null || other === BEFORE_ALL || comparePositions(one, other) > 0;
}
