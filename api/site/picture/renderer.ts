/**
 * Draws SVG as PNG in a separate thread, one picture after the other.
 * @module
 */
import { Worker } from "node:worker_threads";
import { FONT_FAMILY, FONT_FILES } from "./letters.ts";

/** Too many pictures are waiting to be drawn. */
export class RendererBusyError extends Error {
  override readonly name = "RendererBusyError";
}

export type Renderer = {
  /**
   * The PNG of a drawing.
   * @throws {RendererBusyError} at once when too many are waiting
   */
  draw(svg: string): Promise<Buffer<ArrayBuffer>>;
};

/** Waiting pictures; a picture takes about 40 ms. */
const MOST_WAITING = 64;

type Answer = { id: number } & ({ png: Uint8Array } | { problem: string });
type Waiting = { resolve(png: Buffer<ArrayBuffer>): void; reject(error: Error): void };

/** A renderer whose thread starts with the first picture and does not keep the process alive. */
export function createRenderer({ mostWaiting = MOST_WAITING } = {}): Renderer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  const start = (): Worker => {
    const started = new Worker(new URL("./draw-worker.mjs", import.meta.url), {
      workerData: { fontFiles: FONT_FILES, fontFamily: FONT_FAMILY },
      // Not this process's arguments, which would translate and bundle everything again.
      execArgv: [],
    });
    const fail = (error: Error) => {
      if (worker === started) worker = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("message", (answer: Answer) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("png" in answer) one?.resolve(Buffer.from(answer.png));
      else one?.reject(new Error(`The picture cannot be drawn: ${answer.problem}`));
    });
    started.on("error", fail);
    started.on("exit", (code) => fail(new Error(`The thread that draws ended with ${code}`)));
    started.unref();
    return started;
  };

  return {
    async draw(svg) {
      if (waiting.size >= mostWaiting) throw new RendererBusyError("Too many pictures are waiting.");
      worker ??= start();
      const drawing = worker;
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        drawing.postMessage({ id, svg });
      });
    },
  };
}
