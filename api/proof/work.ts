/** @module Long work in slices, between which other work runs. */

export type Work = {
  /** Whether it is time for a pause. */
  isLong(): boolean;
  pause(): Promise<void>;
};

/** Milliseconds of work between two pauses. */
const LONGEST = 3;

/** @param pause resolves when others have had their turn */
export function createWork(pause: () => Promise<void>): Work {
  let since = performance.now();
  return {
    isLong: () => performance.now() - since >= LONGEST,
    async pause() {
      await pause();
      since = performance.now();
    },
  };
}
