/** @module A command's progress bar, shown on a terminal only. */
import cliProgress from "cli-progress";

export type ProgressBar = { update(done: number, total: number): void; end(): void };

/** On stderr: a command's output goes to stdout. */
export function progressBar(label: string): ProgressBar {
  const stream = process.stderr;
  if (!stream.isTTY) return { update() {}, end() {} };
  const format = `  ${label} {bar} {percentage} %`;
  const bar = new cliProgress.SingleBar(
    // Ctrl-C leaves the terminal as it is then: it must wrap lines as before.
    { stream, format, barsize: 30, clearOnComplete: true, linewrap: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0);
  return {
    update(done, total) {
      bar.setTotal(Math.max(1, total));
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}
