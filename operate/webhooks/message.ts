/**
 * Turns the stream into messages and the state of a target. Pure. Each row becomes a message; a target with pending rows is also
 * told about reorgs and finality.
 * @module
 */
import { z } from "zod";
import { BEFORE_ALL, decodeRowId } from "../../api/ledger/row-id.ts";
import type { StreamMessage } from "../../client/follow.ts";
import type { LedgerEvent } from "../../client/index.ts";
import { comparePositions } from "../../src/fold/event-id.ts";
import type { Target } from "./targets.ts";

/** Names contain no slash. */
export const KEYS = {
  /** a `TargetState` */
  state: (name: string) => `target/${name}`,
  /** public ids of the listings visible so far, for targets with final rows; apart from the state, which is stored for each message */
  listings: (name: string) => `listings/${name}`,
  /** the id of the last row sent of a listing, for targets with final rows */
  lastRow: (name: string, listing: string) => `row/${name}/${listing}`,
  /** a `DeadLetter` */
  deadLetter: (name: string, id: string) => `dead/${name}/${id}`,
  deadLetters: "dead/",
  states: "target/",
} as const;

export const deadLetter = z.object({
  id: z.string(),
  body: z.string(),
  /** milliseconds by the machine's clock: of the first attempt and of the last */
  since: z.number(),
  givenUpAt: z.number(),
  failures: z.int(),
  reason: z.string().nullable(),
});
/** A message that was given up. */
export type DeadLetter = z.output<typeof deadLetter>;

/** A message not yet acknowledged by the receiver. It is stored whole, so that retries are identical. */
const sending = z.object({
  /** `webhook-id`, the same in each attempt and after each restart */
  id: z.string(),
  /** JSON */
  body: z.string(),
  /** its row, and the public id of the listing; null for a message without a row */
  row: z.object({ id: z.string(), listing: z.string() }).nullable(),
  /** milliseconds by the machine's clock, for display: of the first attempt, and of the next */
  since: z.number(),
  notBefore: z.number(),
  /** milliseconds, independent of the clock: between the last attempt and the next, and the sum of all pauses so far */
  pause: z.number().default(0),
  waited: z.number().default(0),
  failures: z.int(),
  /** the fault of the last attempt */
  reason: z.string().nullable(),
});
export type Sending = z.output<typeof sending>;

/** The stored value of `KEYS.listings`. */
export const publicIds = z.array(z.string());

const storedState = z.object({
  /** the row after which the target begins: no final row up to it is sent */
  origin: z.string(),
  /** the row filter since `origin`, as JSON; null in states stored before this field existed */
  filter: z.string().nullable().default(null),
  /** where the stream resumes once the pending message is sent */
  cursor: z.string(),
  /** the latest row read, where `cursor` goes back to read rows again; missing in states stored before this field existed */
  furthest: z.string().optional(),
  /** Distinguishes messages that are sent again after a reorg. It only grows, even across `--forget`. */
  era: z.int(),
  /** the newest block of a sent row, and the last block that the receiver was told is final */
  newest: z.string().nullable(),
  settled: z.string().nullable(),
  /** chain time of the newest known block, ISO 8601; null before the first row */
  time: z.string().nullable(),
  /** now under its own key, which is preferred: the release before still requires them here */
  listings: publicIds.optional(),
  /** the target's when it was stored: only a final one has listings; missing in states of the release before */
  finality: z.enum(["pending", "final"]).optional(),
  sending: sending.nullable(),
});
export const targetState = storedState.transform((at) => ({ ...at, furthest: at.furthest ?? at.cursor }));
/** The stored state of a target. */
export type TargetState = Omit<z.output<typeof targetState>, "listings" | "finality">;

/** The state of a target that begins after a row. @param now milliseconds */
export function beginAfter(origin: string, now: number): TargetState {
  return {
    ...{ origin, cursor: origin, furthest: origin, era: Math.floor(now / 1_000) },
    ...{ newest: null, settled: null, time: null, filter: null, sending: null },
  };
}

/** Applies a changed filter from the latest row read on: rows read again may be ones that the old filter excluded. */
export function underFilter(at: TargetState, filter: string): TargetState {
  const isOther = at.filter !== null && at.filter !== filter;
  return { ...at, filter, ...(isOther && { origin: at.furthest, cursor: at.furthest }) };
}

export type Context = {
  finality: Target["finality"];
  isWanted(event: LedgerEvent): boolean;
  /** the last row sent of a listing */
  lastRowOf(publicId: string): string | undefined;
  /** milliseconds */
  now: number;
};

/** Applies a message of the stream. No message may be pending. */
export function applyMessage(before: TargetState, message: StreamMessage, context: Context): TargetState {
  switch (message.type) {
    case "head":
      return { ...movedTo(message.id, before), time: message.blockTime };
    case "ledger":
      return applyRow({ ...movedTo(message.id, before), time: message.event.blockTime }, message, context);
    case "reorg":
      return applyReorg({ ...before, cursor: message.id }, message.from, context);
    case "final":
      return applyFinal(before, message.through, context);
  }
}

function movedTo(cursor: string, before: TargetState): TargetState {
  return { ...before, cursor, furthest: isLater(cursor, before.furthest) ? cursor : before.furthest };
}

function applyRow(
  after: TargetState,
  { id, event }: Extract<StreamMessage, { type: "ledger" }>,
  { finality, isWanted, lastRowOf, now }: Context,
): TargetState {
  if (!isWanted(event)) return after;
  const data = { type: `ledger.${event.kind}`, timestamp: event.blockTime, data: event };
  const row = { id, listing: event.publicId };
  if (finality === "pending") {
    const sent = messageOf(`${id}-${after.era}`, data, row, now);
    return { ...after, sending: sent, newest: event.blockNumber };
  }
  // Rows are repeated when a raise becomes visible: the receiver already has those of other raises.
  const last = lastRowOf(event.publicId) ?? after.origin;
  if (!isLater(id, last) || !isLater(id, after.origin)) return after;
  return { ...after, sending: messageOf(id, data, row, now), newest: event.blockNumber };
}

/** Final rows are never withdrawn, so targets with final rows get no reorgs; neither do targets that got none of the rows. */
function applyReorg(after: TargetState, from: bigint, { finality, now }: Context): TargetState {
  if (finality === "final") return after;
  const isIn = (block: string | null) => block !== null && BigInt(block) >= from;
  const last = from === 0n ? null : `${from - 1n}`;
  const { cursor, newest, settled } = after;
  const isSettled = isIn(settled);
  const era = isIn(newest) || isSettled ? after.era + 1 : after.era;
  // The row of the furthest id may be withdrawn, and what replaces these rows is to be called final, too.
  const back = { ...after, era, furthest: cursor, settled: isSettled ? last : settled };
  if (!isIn(newest)) return back;
  const data = { type: "chain.reorg", timestamp: after.time, data: { from: `${from}` } };
  return { ...back, newest: last, sending: messageOf(`reorg-${from}-${era}`, data, null, now) };
}

function applyFinal(before: TargetState, through: bigint, { finality, now }: Context): TargetState {
  const { newest, era } = before;
  const settled = before.settled === null ? -1n : BigInt(before.settled);
  const isNew = newest !== null && BigInt(newest) > settled && through > settled;
  if (finality === "final" || !isNew) return before;
  const data = { type: "chain.final", timestamp: before.time, data: { through: `${through}` } };
  const sent = messageOf(`final-${through}-${era}`, data, null, now);
  return { ...before, settled: `${through}`, sending: sent };
}

function messageOf(id: string, data: object, row: Sending["row"], now: number): Sending {
  const schedule = { since: now, notBefore: now, pause: 0, waited: 0, failures: 0, reason: null };
  return { id, body: JSON.stringify(data), row, ...schedule };
}

/** Whether a row is later on the chain than another, by their ids. */
export function isLater(id: string, than: string): boolean {
  const [one, other] = [decodeRowId(id), decodeRowId(than)];
  if (one === null || one === BEFORE_ALL) return false;
  return other === null || other === BEFORE_ALL || comparePositions(one, other) > 0;
}
