/**
 * A full disk under the embedded database, which aborts when it cannot write. Whatever Ponder wants to write waits for room
 * instead, and the API in the same process goes on with what it has.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fullDisk } from "../../config/disk-space.ts";
import { MEMORY, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import type { PonderApp } from "./ponder.ts";

/** Milliseconds between two looks at a full disk. */
const LOOK_EVERY = 1_000;

/** Resolves when there is room to write, and at once when the process is about to end. */
export type UntilRoom = () => Promise<void>;

/** Has all of Ponder's statements wait for room from now on. */
export function writeWithRoom(app: PonderApp, settings: Settings, log: Logger): UntilRoom {
  const { common, database } = app;
  if (settings.database.kind !== "pglite" || settings.database.directory === MEMORY) return async () => {};
  const { dataDirectory } = settings.database;
  let isFull = false;
  const untilRoom = async () => {
    for (;;) {
      const problem = fullDisk(dataDirectory);
      if (problem === null || common.shutdown.isKilled) break;
      if (!isFull)
        log.warn({
          msg: `RAISEBOOK_DATA_DIR ${problem}: indexing waits, answers go on; make room on that disk`,
        });
      isFull = true;
      await sleep(LOOK_EVERY);
    }
    if (isFull && !common.shutdown.isKilled)
      log.info({ msg: "There is room on the disk again: indexing continues" });
    isFull = false;
  };
  const withRoom =
    (run: (...args: never[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      await untilRoom();
      return run(...(args as never[]));
    };
  for (const builder of [database.userQB, database.adminQB, database.syncQB]) {
    builder.transaction = withRoom(builder.transaction.bind(builder));
    builder.wrap = withRoom(builder.wrap.bind(builder));
  }
  return untilRoom;
}
