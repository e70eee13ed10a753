/**
 * Turns for expensive questions: one bounded queue for all of them, beside which cheap ones go on.
 * @module
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { ProblemError } from "./problem.ts";

export const TURNS = {
  /** questions that are worked on; the database has ten connections for requests, and some are for cheap ones */
  atOnce: 6,
  waiting: 60,
  /** milliseconds until a question that waits is refused */
  patience: 10_000,
} as const;

export type Turns = {
  /** Works on a question when it is its turn. @throws {NoTurnError} when too many wait, or it has waited for too long */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** A question does not get its turn. */
export class NoTurnError extends ProblemError {
  constructor() {
    super({
      code: "too_many_requests",
      detail: "Too many expensive questions of all clients are waiting; try again in some seconds.",
      headers: { "Retry-After": "2" },
    });
  }
}

/** First come, first served. */
export function createTurns({
  atOnce,
  waiting: most,
  patience,
}: Readonly<Record<keyof typeof TURNS, number>> = TURNS): Turns {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = () => {
    if (running < atOnce && waiting.size === 0) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= most) throw new NoTurnError();
    return new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new NoTurnError());
      }, patience);
      timer.unref();
      waiting.add(begin);
    });
  };

  /** Gives the turn to the question that has waited longest. */
  const pass = () => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async take(work) {
      await turn();
      try {
        return await work();
      } finally {
        // Whatever has come in meanwhile goes first: most of the work is done in one piece.
        setImmediate(pass);
      }
    },
  };
}

/**
 * Has the expensive questions among requests that only read take turns. Who takes a body takes the turn after it: a slow client
 * must not hold one while it sends.
 */
export function takeTurns(turns: Turns): MiddlewareHandler {
  return async (c, next) => {
    if (!isExpensive(c)) return next();
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    await turns.take(async () => {
      // Nobody reads the answer of a client that has gone while it waited.
      if (!outgoing?.destroyed) await next();
    });
    return outgoing?.destroyed ? c.body(null, 400) : undefined;
  };
}

/** The past, files, searches and proofs. What the fast lane gives again does not get here. */
function isExpensive({ req }: Context): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  const { pathname, searchParams } = new URL(req.url);
  if (pathname.endsWith(".csv") || /text\/csv/i.test(req.header("Accept") ?? "")) return true;
  if (/^\/v1\/[^/]+\/[^/]+\/proof$/.test(pathname)) return true;
  if (Number(searchParams.get("confirmations")) > 0) return true;
  return searchParams.has("q") || (searchParams.get("asOf") ?? "head") !== "head";
}
