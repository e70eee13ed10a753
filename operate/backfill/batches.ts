/**
 * The number of requests in a batch to one endpoint, found by trying: endpoints refuse batches that are too large in many ways, and some
 * of those look like a failure.
 * @module
 */

import { REQUESTS_PER_BATCH } from "../../config/sources.ts";

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
