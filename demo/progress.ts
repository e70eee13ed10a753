/**
 * How far the preparation is: a bar that moves on a terminal, lines of text elsewhere.
 * @module
 */
import cliProgress from "cli-progress";

export type Progress = {
  /** Begins a stage of the preparation; the one before it is done. */
  stage(name: string): void;
  update(done: number, total: number): void;
  /** Leaves the terminal as it was. May be called again. */
  end(): void;
};

const NAME_WIDTH = 26;

/** Shows progress on `stream`. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function bars(stream: NodeJS.WriteStream): Progress {
  let bar: cliProgress.SingleBar | null = null;
  const end = () => {
    if (bar === null) return;
    bar.stop();
    bar = null;
  };
  return {
    end,
    stage(name) {
      if (bar !== null) bar.update(bar.getTotal());
      end();
      bar = new cliProgress.SingleBar(
        {
          stream,
          format: `  ${name.padEnd(NAME_WIDTH)} {bar} {percentage} %`,
          barsize: 30,
          hideCursor: true,
          // Ctrl-C is handled by the demo, which ends the bar too.
          gracefulExit: false,
        },
        cliProgress.Presets.shades_classic,
      );
      bar.start(1, 0);
    },
    update(done, total) {
      bar?.setTotal(total);
      bar?.update(done);
    },
  };
}

function lines(stream: NodeJS.WritableStream): Progress {
  let current = "";
  let shown = 0;
  return {
    end() {},
    stage(name) {
      current = name;
      shown = 0;
      stream.write(`  ${name}\n`);
    },
    update(done, total) {
      const quarter = Math.floor((4 * done) / Math.max(1, total));
      if (quarter <= shown || quarter >= 4) return;
      shown = quarter;
      stream.write(`  ${current}: ${quarter * 25} %\n`);
    },
  };
}
