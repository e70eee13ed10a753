/**
 * Runs between Ponder's preparations and its indexing: fills an empty schema, or continues a filled one.
 * @module
 */
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { gapIn } from "./gaps.ts";
import { forgetImport } from "./imported.ts";
import type { ToWorker } from "./messages.ts";
import type { PonderApp } from "./ponder.ts";
import type { BackfillWorker } from "./reader-thread.ts";
import { readMark, resumedAfter } from "./resume.ts";
import type { UntilRoom } from "./room.ts";
import { PassingFailure, type RowStream, writeTables } from "./tables.ts";
import type { NoteUnfit } from "./unfit.ts";

export type FillParameters = {
  settings: Settings;
  log: Logger;
  untilRoom: UntilRoom;
  noteUnfit: NoteUnfit;
};

/**
 * Ponder's app as it goes on: after the history, or unchanged. `given` is null where ordinary indexing is wanted.
 * @param startReader for tables that lack an event, which are written again whatever is wanted
 */
export async function filled(
  app: PonderApp,
  { given, startReader }: { given: BackfillWorker | null; startReader(): BackfillWorker },
  { settings, log, untilRoom, noteUnfit }: FillParameters,
): Promise<PonderApp> {
  const isNew = app.crashRecoveryCheckpoint === undefined;
  const hasGap = !isNew && (await gapIn(app)) !== null;
  const reader = hasGap ? (given ?? startReader()) : given;
  try {
    if (!isNew && !hasGap) {
      const last = await readMark(app);
      return last === null ? app : resumedAfter(app, last);
    }
    if (reader === null) return app;
    const startedAt = performance.now();
    const resumed = await writeTables(app, sourceOf(reader, untilRoom, noteUnfit));
    if (resumed !== app) {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      log.info({ msg: "Wrote the history", waited: `${seconds}s` });
      await forgetImport(settings).catch((error: Error) =>
        log.warn({ msg: "The imported ledger file could not be removed", error }),
      );
    }
    return resumed;
  } catch (error) {
    if (error instanceof PassingFailure || !isNew) throw error;
    log.warn({ msg: "The history is indexed event by event, as it cannot be written in bulk", error });
    return app;
  } finally {
    await reader?.worker.terminate();
  }
}

async function* sourceOf(
  { worker, messages }: BackfillWorker,
  untilRoom: UntilRoom,
  noteUnfit: NoteUnfit,
): RowStream {
  const say = (message: ToWorker) => worker.postMessage(message);
  say({ kind: "begin" });
  for await (const [message] of messages) {
    if (message.kind === "nothing") return null;
    if (message.kind === "done") return message;
    if (message.kind === "failed")
      throw message.isPassing ? new PassingFailure(message.message) : new Error(message.message);
    if (message.kind === "unfit") {
      noteUnfit(message.endpoint, message.reason);
      continue;
    }
    const bytes = message.text.length;
    await untilRoom();
    yield message;
    say({ kind: "taken", bytes });
  }
  throw new Error("the reader has ended");
}
