/**
 * An indexer that loads while the daemon still checks the settings: the thread that fetches the history is ready once they are found
 * good. Until its turn it asks neither a node nor the database, and reports nothing.
 * @module
 */
import type { IndexerMessage } from "../../api/health/supervisor.ts";
import type { Settings } from "../../config/environment.ts";
import { type Indexer, startIndexer } from "./indexer.ts";

export type EarlyIndexer = {
  /** The indexer, from now on with this listener; null, and it ends, if the checks have changed the settings. */
  take(settings: Settings, onMessage: (message: IndexerMessage) => void): Indexer | null;
  /** Ends it, taken or not. */
  end(): void;
};

/** Null where there is no such thread, and with the embedded database, which the checks open themselves. */
export function startEarly(settings: Settings): EarlyIndexer | null {
  if (settings.database.kind !== "postgres" || !settings.fastForward) return null;
  let listener: ((message: IndexerMessage) => void) | null = null;
  const onMessage = (message: IndexerMessage) => listener?.(message);
  const indexer = startIndexer({ settings, waits: "reader", isServing: false, onMessage });
  // It has nothing to finish.
  const end = () => void indexer.process.kill("SIGKILL");
  return {
    take(checked, onMessage) {
      if (checked !== settings) {
        end();
        return null;
      }
      listener = onMessage;
      return indexer;
    },
    end,
  };
}
