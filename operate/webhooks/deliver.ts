/**
 * Delivers to one target: follows the stream from the target's position, one message at a time. A message is saved before its
 * first attempt and sent until it is accepted, so that a kill at any moment can repeat a message but never skip one.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { BEFORE_ALL } from "../../api/ledger/row-id.ts";
import { type FollowOptions, follow } from "../../client/follow.ts";
import { type LedgerEvent, RaisebookProblem } from "../../client/index.ts";
import type { Logger } from "../../config/log.ts";
import {
  applyMessage,
  beginAfter,
  type DeadLetter,
  KEYS,
  publicIds,
  type TargetState,
  targetState,
  underFilter,
} from "./message.ts";
import type { TargetMetrics } from "./metrics.ts";
import { type Outcome, pauseAfter, type Send } from "./send.ts";
import { type ReaderClient, ReaderError } from "./source.ts";
import type { Store } from "./store.ts";
import { filterOf, type Target } from "./targets.ts";

export type DeliverParameters = {
  target: Target;
  store: Store;
  source: ReaderClient;
  send: Send;
  log: Logger;
  metrics: TargetMetrics;
  /** Ends the delivery after a running attempt. */
  signal: AbortSignal;
};

/** `goesOn`: called after each message of the stream. */
type RunParameters = DeliverParameters & { goesOn(): void };

/** Milliseconds. */
const FAULT_PAUSE = 5_000;
const REFUSAL_PAUSE = 60_000;
/** Milliseconds of the stream that may have to be read again. */
const SAVE_EVERY = 10_000;

/** Delivers until the signal. @param faultPause milliseconds after a fault of the store */
export async function deliverTo(parameters: DeliverParameters, faultPause = FAULT_PAUSE): Promise<void> {
  const { target, log, metrics, signal } = parameters;
  const { name } = target;
  /** the fault that was logged last; null once the target has gone on */
  let fault: string | null = null;
  const goesOn = () => {
    if (fault !== null) log.info({ msg: "A webhook target continues", target: name });
    fault = null;
  };
  const delivery = createDelivery({ ...parameters, goesOn });
  while (!signal.aborted) {
    try {
      await delivery.run();
    } catch (error) {
      if (signal.aborted) break;
      const isRefused = error instanceof RaisebookProblem && error.status < 500;
      const isSame = fault === String(error);
      if (!(error instanceof ReaderError)) fault = String(error);
      if (isRefused && !isSame) {
        const hint = `wait while the readers are behind; else raisebook deliver --forget ${name} makes it start over, without the events in between`;
        log.error({ msg: "A webhook target cannot resume from its position", target: name, error, hint });
      } else if (!isSame && !(error instanceof ReaderError))
        log.warn({ msg: "A webhook target is interrupted", target: name, error });
      await wait(isRefused ? REFUSAL_PAUSE : faultPause, signal);
    }
  }
  metrics.ended();
}

function createDelivery({ target, store, source, send, log, metrics, signal, goesOn }: RunParameters) {
  const { name, finality } = target;
  const { baseUrl, userAgent } = source;
  const common: FollowOptions = {
    ...{ baseUrl, userAgent },
    ...(finality === "final" && { finality }),
    ...(target.kinds !== null && { kind: [...target.kinds] }),
  };
  /** The last row sent of each listing; null until read from the store. */
  let lastRows: Map<string, string> | null = null;
  let originatorOf: ReadonlyMap<string, string> = new Map();
  /** The public ids of the listings visible so far; null while unknown. */
  let visible: ReadonlySet<string> | null = null;
  let savedAt = 0;
  let isFailing = false;

  const save = async (at: TargetState): Promise<TargetState> => {
    // Only for one release: the one before cannot read a state without them, and finds the rows of all of them again.
    await store.put(KEYS.state(name), { ...at, finality, listings: [] });
    savedAt = Date.now();
    metrics.pending(at);
    return at;
  };

  const keepVisible = async (listings: Iterable<string>) => {
    visible = new Set(listings);
    await store.put(KEYS.listings(name), [...visible]);
  };

  const begin = async (): Promise<TargetState> => {
    if (finality === "final") await keepVisible((await source.listings(performance.now())).keys());
    if (target.start === "beginning") return save(beginAfter(BEFORE_ALL, Date.now()));
    for await (const message of follow({ ...common, signal, fetch: source.fetch }))
      if (message.type === "head") return save(beginAfter(message.id, Date.now()));
    throw new Error("asked to stop");
  };

  const stored = async (): Promise<TargetState | null> => {
    const value = await store.get(KEYS.state(name));
    if (value === null) return null;
    const { listings, finality: before, ...at } = targetState.parse(value);
    const own = await store.get(KEYS.listings(name));
    if (own !== null) visible = new Set(publicIds.parse(own));
    else if (listings !== undefined && finality === "final" && before !== "pending")
      await keepVisible(listings);
    return at;
  };

  /**
   * A raise published while no stream was open has rows before the target's position, which the stream does not repeat. The stream
   * is then read again from the target's origin, and only rows that were not sent yet are sent. A hidden raise may be published again.
   */
  const findsNewListings = async (): Promise<boolean> => {
    originatorOf = await source.listings(performance.now());
    if (finality !== "final") return false;
    const left = [...originatorOf.keys()].filter((listing) => visible?.has(listing) !== false);
    if (left.length !== visible?.size) await keepVisible(left);
    return left.length < originatorOf.size;
  };

  const isKnown = (listing: string) =>
    (finality === "pending" || visible?.has(listing) === true) &&
    (target.originators === null || originatorOf.has(listing));

  const isWanted = ({ publicId, refnum }: LedgerEvent) =>
    (target.listings === null || target.listings.has(publicId) || target.listings.has(refnum)) &&
    (target.originators === null || target.originators.has(originatorOf.get(publicId) ?? ""));

  const moveToDeadLetters = async (letter: DeadLetter) => {
    await store.put(KEYS.deadLetter(name, letter.id), letter);
    const { id, failures, reason } = letter;
    const msg = "A webhook message was given up: it is a dead letter";
    log.error({ msg, target: name, id, failures, reason });
  };

  const answered = (outcome: Outcome, id: string) => {
    metrics.attempted(outcome.kind);
    if (outcome.kind === "taken" && isFailing)
      log.info({ msg: "A webhook target takes messages again", target: name });
    if (outcome.kind === "refused" && !isFailing)
      log.warn({ msg: "A webhook target does not take a message", target: name, id, reason: outcome.reason });
    isFailing = outcome.kind !== "taken";
  };

  /** Sends the pending message until it is accepted or given up. Null if the signal came first. */
  const deliver = async (at: TargetState): Promise<TargetState | null> => {
    let { sending } = at;
    while (sending !== null) {
      // After a restart, part of the pause is over; a clock that was set back must not extend it.
      await wait(Math.min(sending.notBefore - Date.now(), sending.pause), signal);
      if (signal.aborted) return null;
      const outcome = await send(sending);
      answered(outcome, sending.id);
      if (outcome.kind === "taken") break;
      if (outcome.kind === "gone") {
        await save({ ...at, sending: { ...sending, reason: "410" } });
        const msg = "A webhook target wants no more messages (410), and gets none until the next start";
        log.error({ msg, target: name });
        if (!signal.aborted) await once(signal, "abort");
        return null;
      }
      const now = Date.now();
      const failures: number = sending.failures + 1;
      const { reason } = outcome;
      if (sending.waited >= target.giveUpAfter) {
        await moveToDeadLetters({ ...sending, failures, reason, givenUpAt: now });
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
    /** Runs until the signal, or until the stream must be followed from another position. @throws if store or reader fail */
    async run(): Promise<void> {
      const sent = await store.entries(KEYS.lastRow(name, ""));
      const rows = new Map(sent.map(([id, row]) => [id, String(row)]));
      lastRows = rows;
      const start = underFilter((await stored()) ?? (await begin()), filterOf(target));
      metrics.pending(start);
      const first = await deliver(start);
      if (first === null) return;
      let at = first;
      const restart = new AbortController();
      let looking = Promise.resolve(false);
      const messages = follow({
        ...common,
        after: at.cursor,
        signal: AbortSignal.any([signal, restart.signal]),
        async fetch(request) {
          const response = await source.fetch(request);
          if (!response.ok || (finality === "pending" && target.originators === null)) return response;
          // Raises published from now on come on this stream, which does not wait for a long list.
          looking = findsNewListings();
          looking.then(
            (hasNew) => hasNew && restart.abort(),
            () => restart.abort(),
          );
          return response;
        },
      });
      for await (const message of messages) {
        if (message.type === "ledger" && !isKnown(message.event.publicId)) {
          // Its earlier rows come first.
          if (await looking) break;
          if (target.originators !== null && !originatorOf.has(message.event.publicId))
            originatorOf = await source.listings(performance.now());
        }
        if (message.type === "reorg" && finality === "final") {
          // A raise was published, renamed or hidden. One that is hidden may be published while no stream is open: the next stream
          // looks for unsent rows of all.
          if (await looking) break;
          await keepVisible([]);
        }
        const lastRowOf = (id: string) => rows.get(id);
        const next = applyMessage(at, message, { finality, isWanted, lastRowOf, now: Date.now() });
        const isPast = message.type === "reorg" || Date.now() - savedAt > SAVE_EVERY;
        if (message.type === "head") metrics.reached(message.blockNumber);
        if (next.sending === null) at = isPast && next !== at ? await save(next) : next;
        else {
          const delivered = await deliver(await save(next));
          if (delivered === null) return;
          at = delivered;
        }
        goesOn();
      }
      if (signal.aborted || !(await looking)) return;
      await save({ ...at, cursor: at.origin });
      await keepVisible(originatorOf.keys());
    },
  };
}

/** Waits until the time is over or the signal aborts. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
}
