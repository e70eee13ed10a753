/**
 * The channel between the daemon and its indexer: the reason for a restart goes down in the environment, the indexer's state
 * comes up in messages. Without a daemon there is neither.
 * @module
 */
import { z } from "zod";

/** Number of restarts of the indexer, and the reason for the last. */
export type Restarts = { readonly count: number; readonly reason: string | null };

export const NO_RESTARTS: Restarts = { count: 0, reason: null };

/** The variable that carries them. */
export const RESTARTS_VARIABLE = "RAISEBOOK_RESTARTS";

const restartsSchema = z.object({ count: z.int().min(0), reason: z.string().nullable() });

export function readRestarts(env: NodeJS.ProcessEnv): Restarts {
  const text = env[RESTARTS_VARIABLE];
  return text === undefined ? NO_RESTARTS : restartsSchema.parse(JSON.parse(text));
}

/** `live`: the backfill is over. `stalled`: the chain advances and the indexer does not, with `isLong` for minutes. */
export const indexerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("live") }),
  z.object({ kind: z.literal("stalled"), isLong: z.boolean(), indexed: z.string(), head: z.string() }),
]);

export type IndexerMessage = z.infer<typeof indexerMessage>;

export function notifyDaemon(message: IndexerMessage): void {
  // An error means that the daemon is gone, and this process will end too.
  process.send?.(message, undefined, {}, () => {});
}
