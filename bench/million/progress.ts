/** @module A bar on stderr for work that takes minutes; a line each tenth where stderr is no terminal. */
const WIDTH = 30;
/** Milliseconds between two drawings. */
const INTERVAL = 250;

/** @returns to be called with the share that is done, 0 to 1 */
export function createProgress(what: string): (share: number) => void {
  let drawnAt = 0;
  let tenth = 0;
  return (share) => {
    if (!process.stderr.isTTY) {
      if (Math.floor(share * 10) <= tenth) return;
      tenth = Math.floor(share * 10);
      process.stderr.write(`${what}: ${tenth}0 %\n`);
      return;
    }
    if (share < 1 && performance.now() - drawnAt < INTERVAL) return;
    drawnAt = performance.now();
    const done = Math.round(share * WIDTH);
    const bar = "█".repeat(done) + "░".repeat(WIDTH - done);
    process.stderr.write(`\r${what} ${bar} ${Math.floor(share * 100)} %${share >= 1 ? "\n" : ""}`);
  };
}
