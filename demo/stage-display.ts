/** @module The stages of a preparation: a progress bar on a terminal, lines of text elsewhere. */
import cliProgress from "cli-progress";

export type StageDisplay = {
  /** Begins a stage and completes the one before it. */
  begin(stage: string): void;
  update(done: number, total: number): void;
  /** Restores the terminal. May be called again. */
  end(): void;
};

const NAME_WIDTH = 26;

export function createStageDisplay(stream: NodeJS.WriteStream): StageDisplay {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function bars(stream: NodeJS.WriteStream): StageDisplay {
  let bar: cliProgress.SingleBar | null = null;
  const end = () => {
    bar?.stop();
    bar = null;
  };
  return {
    end,
    begin(stage) {
      if (bar !== null) bar.update(bar.getTotal());
      end();
      const format = `  ${stage.padEnd(NAME_WIDTH)} {bar} {percentage} %`;
      // The demo handles Ctrl-C and ends the bar.
      const options = { stream, format, barsize: 30, hideCursor: true, gracefulExit: false };
      bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
      bar.start(1, 0);
    },
    update(done, total) {
      bar?.setTotal(total);
      bar?.update(done);
    },
  };
}

function lines(stream: NodeJS.WritableStream): StageDisplay {
  let current = "";
  let shown = 0;
  return {
    end() {},
    begin(stage) {
      current = stage;
      shown = 0;
      stream.write(`  ${stage}\n`);
    },
    update(done, total) {
      const quarter = Math.floor((4 * done) / Math.max(1, total));
      if (quarter <= shown || quarter >= 4) return;
      shown = quarter;
      stream.write(`  ${current}: ${quarter * 25} %\n`);
    },
  };
}
