/**
 * The number of requests in a batch to one endpoint, found by trying: endpoints refuse batches that are too large in many ways, and some
 * of those look like a failure.
 * @module
 */

export type Batches = {
  /** most requests of the next batch; 1: none */
  size(): number;
  /** A batch of so many requests was answered. */
  took(count: number): void;
  /** It was not. `isLimit` where the endpoint says that it was too large, so that none of that size is tried again. */
  refused(count: number, isLimit: boolean): void;
};

const LARGEST = 50;
/** Batches answered before a larger one is tried. */
const ANSWERED = 20;

export function createBatches(): Batches {
  let size = LARGEST;
  let most = LARGEST;
  let answered = 0;
  return {
    size: () => size,
    took(count) {
      if (count < size) return;
      answered += 1;
      if (answered < ANSWERED) return;
      answered = 0;
      size = Math.min(most, 2 * size);
    },
    refused(count, isLimit) {
      answered = 0;
      if (isLimit) most = Math.max(1, Math.min(most, count - 1));
      size = Math.max(1, Math.min(size, Math.floor(count / 2)));
    },
  };
}
