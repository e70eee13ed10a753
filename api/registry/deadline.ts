/** @module How long a page of a registry may take: some time, and more for each byte of it that has come. */

/** Milliseconds more for each byte that has come: a page with a million entries takes half a minute to read. */
const PER_BYTE = 1 / 1_000;

/** @param timeout milliseconds for a page, to which those for its bytes are added */
export function createDeadline(timeout: number) {
  const controller = new AbortController();
  let due = performance.now() + timeout;
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(
      () => (performance.now() < due ? wait() : controller.abort()),
      Math.max(1, due - performance.now()),
    ).unref();
  };
  wait();
  return {
    signal: controller.signal,
    extend(bytes: number) {
      due += bytes * PER_BYTE;
    },
    clear: () => clearTimeout(timer),
  };
}
