/** @module Pieces of work that run one after another. */

/** Runs each piece of work after all before it, whether they failed or not. @param pause what comes between two */
export function createTurns(pause: () => unknown = () => {}) {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {}).then(pause);
    return result;
  };
}
