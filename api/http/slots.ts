/** @module A bounded queue for expensive questions; cheap ones do not wait in it. */
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { ProblemError } from "./problem.ts";

export const SLOTS = {
  /** questions answered at once; the database has ten connections for requests, some of which stay free for cheap ones */
  atOnce: 6,
  waiting: 60,
  /** milliseconds until a waiting question is refused */
  patience: 10_000,
} as const;

export type Slots = {
  /** Runs the work once it has a slot. @param isUrgent whether it goes before all others @throws {NoSlotError} when the queue is full or the wait too long */
  take<Result>(work: () => Promise<Result>, isUrgent?: boolean): Promise<Result>;
};

export class NoSlotError extends ProblemError {
  constructor() {
    super({
      code: "too_many_requests",
      detail: "Too many expensive questions of all clients are waiting; try again in a few seconds.",
      headers: { "Retry-After": "2" },
    });
  }
}

export function createSlots({
  atOnce,
  waiting: most,
  patience,
}: Readonly<Record<keyof typeof SLOTS, number>> = SLOTS): Slots {
  const urgent = new Set<() => void>();
  const ordinary = new Set<() => void>();
  let running = 0;

  const waitForSlot = (waiting: typeof urgent) => {
    if (running < atOnce && urgent.size + ordinary.size === 0) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= most) throw new NoSlotError();
    return new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new NoSlotError());
      }, patience);
      timer.unref();
      waiting.add(begin);
    });
  };

  /** Gives the slot to the question that has waited longest. */
  const pass = () => {
    const waiting = urgent.size > 0 ? urgent : ordinary;
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async take(work, isUrgent = false) {
      await waitForSlot(isUrgent ? urgent : ordinary);
      try {
        return await work();
      } finally {
        // Events that arrived meanwhile go first: most work blocks the event loop.
        setImmediate(pass);
      }
    },
  };
}

/** Whether raises are read for series or cohorts with these parameters. */
type ReadsRaises = (of: "series" | "cohorts", query: Readonly<Record<string, string>>) => boolean;

/** Queues expensive reads. Handlers that read a body queue after reading it, so slow uploads hold no slot. */
export function takeSlots(slots: Slots, readsRaises: ReadsRaises): MiddlewareHandler {
  return async (c, next) => {
    if (!isExpensive(c, readsRaises)) return next();
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    await slots.take(async () => {
      // No answer is needed for a client that left while it waited.
      if (!outgoing?.destroyed) await next();
    });
    return outgoing?.destroyed ? c.body(null, 400) : undefined;
  };
}

/** The past, files, searches, proofs, branches of the book, and series and cohorts for which raises are read. Answers from the fast lane never get here. */
function isExpensive({ req }: Context, readsRaises: ReadsRaises): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  // Decoded, as routes match it: any letter can be sent as %63.
  const { path } = req;
  const { searchParams } = new URL(req.url);
  if (path.endsWith(".csv") || /text\/csv/i.test(req.header("Accept") ?? "")) return true;
  if (/^\/v1\/[^/]+\/[^/]+\/proof$/.test(path)) return true;
  const overTime = (["series", "cohorts"] as const).find((name) => path === `/v1/stats/${name}`);
  if (overTime !== undefined && readsRaises(overTime, Object.fromEntries(searchParams))) return true;
  if (path === "/v1/root/nodes" || (path === "/v1/root" && searchParams.has("at"))) return true;
  if (Number(searchParams.get("confirmations")) > 0) return true;
  return searchParams.has("q") || (searchParams.get("asOf") ?? "head") !== "head";
}
