/** @module The limits of one endpoint, found by trying: requests at the same time, requests in a batch, blocks of a range. */
import { REQUESTS_PER_BATCH } from "../config/sources.ts";

/** It starts low, rises while the answers stay as quick as they were, and falls when the endpoint refuses or fails. */
export type Pace = {
  /** whether one more request may begin, at a time of the same clock as all others here (milliseconds) */
  isFree(now: number): boolean;
  /** the first moment at which requests may begin again */
  pausedUntil(): number;
  /** expected milliseconds of a request that begins now: where it is lowest, the next one goes */
  expected(): number;
  begin(): void;
  /** `kind` names requests that take about the same time */
  succeed(kind: string, duration: number): void;
  /** The endpoint asks for fewer requests, after `retryAfter` milliseconds if it says so. */
  slowDown(now: number, retryAfter?: number): void;
  /** The endpoint did not answer, or not in its protocol. */
  fail(now: number): void;
};

/** Requests at the same time at first. */
const FIRST_LIMIT = 4;
/** An answer that takes this many times as long as the quickest, and that many milliseconds more, is a slow one. */
const SLOW_FACTOR = 2;
const SLOW_MARGIN = 20;
/** The quickest answer is forgotten by this much with each later one: an endpoint may become slower for good. */
const FORGETTING = 1.01;
/** Share of the newest answer in the average. */
const NEWEST = 0.2;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;

/** A pace of at most `most` requests at the same time. */
export function createPace(most: number): Pace {
  let limit = Math.min(FIRST_LIMIT, most);
  let inFlight = 0;
  let average = 0;
  let paused = Number.NEGATIVE_INFINITY;
  let pauses = 0;
  /** until the first sign that more is too much, the limit doubles with each round */
  let doubling = true;
  const quickest = new Map<string, number>();

  const pause = (now: number, duration = 0) => {
    inFlight -= 1;
    const until = now + Math.max(duration, Math.min(FIRST_PAUSE * 2 ** pauses, LONGEST_PAUSE));
    // Requests that were under way together are refused together: that counts once.
    if (now >= paused) {
      limit = Math.max(1, limit / 2);
      pauses += 1;
      doubling = false;
      paused = until;
    } else if (duration > 0) paused = Math.max(paused, now + duration);
  };

  return {
    isFree: (now) => now >= paused && inFlight < Math.floor(limit),
    pausedUntil: () => paused,
    expected: () => average * (inFlight + 1),
    begin() {
      inFlight += 1;
    },
    succeed(kind, duration) {
      const isAtLimit = inFlight >= Math.floor(limit);
      inFlight -= 1;
      pauses = 0;
      average = average === 0 ? duration : average + NEWEST * (duration - average);
      const best = Math.min((quickest.get(kind) ?? duration) * FORGETTING, duration);
      quickest.set(kind, best);
      const isSlow = duration > SLOW_FACTOR * best + SLOW_MARGIN;
      if (isSlow) doubling = false;
      else if (isAtLimit) limit = Math.min(most, limit + (doubling ? 1 : 1 / limit));
    },
    slowDown: pause,
    fail: (now) => pause(now),
  };
}

/** Endpoints refuse batches that are too large in many ways, and some of those look like a failure. */
export type Batches = {
  /** most requests of the next batch; 1: none */
  size(): number;
  /** A batch of so many requests was answered. */
  took(count: number): void;
  /**
   * It was not. `isLimit` where the endpoint says that it was too large, so that none of that size is tried again.
   * @returns whether batches are smaller from now on
   */
  refused(count: number, isLimit: boolean): boolean;
};

/** Batches answered before a larger one is tried. */
const ANSWERED = 50;
/** Failures after which batches become smaller without having been called too large: the first may be a passing one. */
const FAILURES = 2;

export function createBatches(): Batches {
  let size = REQUESTS_PER_BATCH;
  let most = REQUESTS_PER_BATCH;
  let answered = 0;
  let failures = 0;
  return {
    size: () => size,
    took(count) {
      if (count < size) return;
      failures = 0;
      answered += 1;
      if (answered < ANSWERED) return;
      answered = 0;
      size = Math.min(most, 2 * size);
    },
    refused(count, isLimit) {
      answered = 0;
      if (isLimit) most = Math.max(1, Math.min(most, count - 1));
      // Sent before batches became smaller.
      else if (count > size) return true;
      failures += 1;
      if (!isLimit && failures < FAILURES) return false;
      failures = 0;
      size = Math.max(1, Math.min(size, Math.floor(count / 2)));
      return true;
    },
  };
}

/** The number of blocks to ask for at once: as many as the endpoints allow, and as hold a page of logs. */
export type Ranges = {
  /** the blocks of the next request */
  span(): number;
  /** A request for so many blocks was answered with so many logs. */
  took(blocks: number, logs: number): void;
  /** A request for so many blocks was refused. */
  refused(blocks: number): void;
};

const FIRST_SPAN = 50;
const LARGEST_SPAN = 100_000;
const LOGS_PER_PAGE = 2_000;
/** A limit is tested again a little later: it may be one of logs, and the next blocks may hold fewer. */
const LIMIT_GROWTH = 1.05;

/** `fixed` is the operator's own choice; null: found by trying. */
export function createRanges(fixed: number | null): Ranges {
  let wanted = FIRST_SPAN;
  let limit = LARGEST_SPAN;
  return {
    span: () => fixed ?? Math.max(1, Math.floor(Math.min(wanted, limit))),
    took(blocks, logs) {
      if (blocks >= Math.floor(limit)) limit = Math.min(LARGEST_SPAN, limit * LIMIT_GROWTH + 1);
      // The remainder of a split range says nothing about a whole one.
      if (blocks < wanted / 2 && logs < LOGS_PER_PAGE / 2) return;
      const fitting = (blocks * LOGS_PER_PAGE) / Math.max(logs, 1);
      wanted = Math.min(2 * wanted, LARGEST_SPAN, Math.max(1, wanted / 2, fitting));
    },
    refused(blocks) {
      limit = Math.max(1, Math.min(limit, Math.floor(blocks / 2)));
    },
  };
}
