/**
 * Delivers to one target: follows the stream after the place where the target stands, one message after the other. A message is
 * written down before its first attempt and sent until it is taken, so that a kill at any moment repeats one and leaves out none.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { BEFORE_ALL } from "../../api/ledger/row-id.ts";
import { type FollowOptions, follow } from "../../client/follow.ts";
import { type LedgerEvent, RaisebookProblem } from "../../client/index.ts";
import type { Log } from "../../config/log.ts";
import { pauseAfter } from "./backoff.ts";
import { type DeadLetter, KEYS } from "./keys.ts";
import { beginAfter, type Standing, standing, take } from "./message.ts";
import type { TargetMetrics } from "./metrics.ts";
import type { Outcome, Send } from "./send.ts";
import { ReaderError, type Source } from "./source.ts";
import type { Store } from "./store.ts";
import type { Target } from "./targets.ts";

export type DeliverParameters = {
  target: Target;
  store: Store;
  source: Source;
  send: Send;
  log: Log;
  metrics: TargetMetrics;
  /** Ends it, once an attempt that is under way is over. */
  signal: AbortSignal;
};

/** Milliseconds. */
const AFTER_A_FAULT = 5_000;
const AFTER_A_REFUSAL = 60_000;
/** How much of the stream may have to be read again. */
const SAVE_EVERY = 10_000;

/** Until the signal. */
export async function deliverTo(parameters: DeliverParameters): Promise<void> {
  const { target, log, signal } = parameters;
  const { name } = target;
  const delivery = createDelivery(parameters);
  while (!signal.aborted) {
    try {
      await delivery.goOn();
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof RaisebookProblem && error.status < 500;
      if (isRefused) {
        const hint = `raisebook deliver --forget ${name} has it begin anew`;
        log.error({ msg: "A webhook target cannot go on from where it stands", target: name, error, hint });
      } else if (!(error instanceof ReaderError))
        log.warn({ msg: "A webhook target is interrupted", target: name, error });
      await rest(isRefused ? AFTER_A_REFUSAL : AFTER_A_FAULT, signal);
    }
  }
}

function createDelivery({ target, store, source, send, log, metrics, signal }: DeliverParameters) {
  const { name, finality } = target;
  const { baseUrl, userAgent } = source;
  const common: FollowOptions = {
    ...{ baseUrl, userAgent },
    ...(finality === "final" && { finality }),
    ...(target.kinds !== null && { kind: [...target.kinds] }),
  };
  /** The last row that was sent of each listing; null until it is read. */
  let lastRows: Map<string, string> | null = null;
  let originatorOf: ReadonlyMap<string, string> = new Map();
  let savedAt = 0;
  let isFailing = false;

  const save = async (at: Standing): Promise<Standing> => {
    await store.put(KEYS.standing(name), at);
    savedAt = Date.now();
    metrics.stands(at);
    return at;
  };

  const begin = async (): Promise<Standing> => {
    const visible = [...(await source.listings()).keys()];
    if (target.start === "beginning") return save(beginAfter(BEFORE_ALL, visible, Date.now()));
    for await (const message of follow({ ...common, signal, fetch: source.fetch }))
      if (message.type === "head") return save(beginAfter(message.id, visible, Date.now()));
    throw new Error("asked to stop");
  };

  /**
   * A raise that was published while nobody followed has rows from before the place of the target, of which the stream says
   * nothing: all is looked through again, and sent of it what was not.
   */
  const noticeListings = async (at: Standing): Promise<Standing> => {
    originatorOf = await source.listings();
    if (!hasOthers(at)) return at;
    return save({ ...at, listings: [...originatorOf.keys()], cursor: at.origin });
  };
  const hasOthers = ({ listings }: Standing) => {
    const known = new Set(listings);
    return finality === "final" && [...originatorOf.keys()].some((listing) => !known.has(listing));
  };

  const isWanted = ({ publicId, refnum }: LedgerEvent) =>
    (target.listings === null || target.listings.has(publicId) || target.listings.has(refnum)) &&
    (target.originators === null || target.originators.has(originatorOf.get(publicId) ?? ""));

  const bury = async (at: Standing, letter: DeadLetter) => {
    await store.put(KEYS.deadLetter(name, letter.id), letter);
    const { id, failures, reason } = letter;
    log.error({
      msg: "A webhook message was given up: it is a dead letter",
      target: name,
      id,
      failures,
      reason,
    });
    return at;
  };

  const answered = (outcome: Outcome, id: string) => {
    metrics.attempted(outcome.kind);
    if (outcome.kind === "taken" && isFailing)
      log.info({ msg: "A webhook target takes messages again", target: name });
    if (outcome.kind === "refused" && !isFailing)
      log.warn({ msg: "A webhook target does not take a message", target: name, id, reason: outcome.reason });
    isFailing = outcome.kind !== "taken";
  };

  /** Sends until it is taken or given up. Null where the signal came first. */
  const deliver = async (at: Standing): Promise<Standing | null> => {
    let { sending } = at;
    while (sending !== null) {
      // After a restart a part of the pause is over; a clock that was set back must not make it longer.
      await rest(Math.min(sending.notBefore - Date.now(), sending.pause), signal);
      if (signal.aborted) return null;
      const outcome = await send(sending);
      answered(outcome, sending.id);
      if (outcome.kind === "taken") break;
      if (outcome.kind === "gone") {
        await save({ ...at, sending: { ...sending, reason: "410" } });
        log.error({
          msg: "A webhook target wants no more messages (410), and gets none until the next start",
          target: name,
        });
        if (!signal.aborted) await once(signal, "abort");
        return null;
      }
      const now = Date.now();
      const failures: number = sending.failures + 1;
      const { reason } = outcome;
      if (sending.waited >= target.giveUpAfter) {
        await bury(at, { ...sending, failures, reason, givenUpAt: now });
        break;
      }
      const pause = pauseAfter(failures, outcome.retryAfter);
      const waited: number = sending.waited + pause;
      sending = { ...sending, failures, reason, notBefore: now + pause, pause, waited };
      await save({ ...at, sending });
    }
    const row = at.sending?.row ?? null;
    if (row !== null && finality === "final") {
      await store.put(KEYS.lastRow(name, row.listing), row.id);
      lastRows?.set(row.listing, row.id);
    }
    return save({ ...at, sending: null });
  };

  return {
    /** Until the signal, or until the stream has to be followed from elsewhere. @throws when store or reader fail */
    async goOn(): Promise<void> {
      const rows = new Map(
        (await store.entries(KEYS.lastRow(name, ""))).map(([id, row]) => [id, String(row)]),
      );
      lastRows = rows;
      const known = await store.get(KEYS.standing(name));
      const start = known === null ? await begin() : standing.parse(known);
      metrics.stands(start);
      const first = await deliver(start);
      if (first === null) return;
      let at = await noticeListings(first);
      const elsewhere = new AbortController();
      const messages = follow({
        ...common,
        after: at.cursor,
        signal: AbortSignal.any([signal, elsewhere.signal]),
        async fetch(request) {
          originatorOf = await source.listings();
          if (hasOthers(at)) elsewhere.abort();
          return source.fetch(request);
        },
      });
      for await (const message of messages) {
        if (
          message.type === "ledger" &&
          !originatorOf.has(message.event.publicId) &&
          target.originators !== null
        )
          originatorOf = await source.listings();
        const next = take(at, message, {
          finality,
          isWanted,
          lastRowOf: (id) => rows.get(id),
          now: Date.now(),
        });
        const isPast = message.type === "reorg" || Date.now() - savedAt > SAVE_EVERY;
        if (message.type === "head") metrics.reached(message.blockNumber);
        if (next.sending === null) at = isPast && next !== at ? await save(next) : next;
        else {
          const delivered = await deliver(await save(next));
          if (delivered === null) return;
          at = delivered;
        }
      }
    },
  };
}

/** Waits, but not beyond the abort. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
}
