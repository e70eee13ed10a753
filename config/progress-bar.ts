/**
 * The progress of a command that reads the chain.
 * @module
 */
import cliProgress from "cli-progress";

export type ProgressBar = {
  update(done: number, total: number): void;
  end(): void;
};

/** A progress bar on a terminal; nothing elsewhere. */
export function progressBar(stream: NodeJS.WriteStream): ProgressBar {
  if (!stream.isTTY) return { update() {}, end() {} };
  const format = "  Reading the chain {bar} {percentage} %";
  const bar = new cliProgress.SingleBar({ stream, format, barsize: 30 }, cliProgress.Presets.shades_classic);
  bar.start(1, 0);
  return {
    update(done, total) {
      bar.setTotal(Math.max(1, total));
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}
