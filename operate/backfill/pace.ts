/**
 * The pace of requests to one endpoint: it starts low, rises while the answers stay as quick as they were, and falls when
 * the endpoint refuses or fails.
 * @module
 */

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

const START = 4;
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
  let limit = Math.min(START, most);
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
