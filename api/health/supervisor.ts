/**
 * What the daemon and the indexer below it tell each other: why it was started again by the environment, how it is
 * doing by messages. Without a daemon there is neither.
 * @module
 */
import { z } from "zod";

/** How often the daemon has started the indexer again, and why it did so last. */
export type Restarts = { readonly count: number; readonly reason: string | null };

export const NO_RESTARTS: Restarts = { count: 0, reason: null };

/** The variable by which the daemon hands them on. */
export const RESTARTS_VARIABLE = "RAISEBOOK_RESTARTS";

const restartsSchema = z.object({ count: z.int().min(0), reason: z.string().nullable() });

export function readRestarts(env: NodeJS.ProcessEnv): Restarts {
  const text = env[RESTARTS_VARIABLE];
  return text === undefined ? NO_RESTARTS : restartsSchema.parse(JSON.parse(text));
}

/** `live`: the backfill is over. `stalled`: the chain goes on and the index does not, `isLong` for minutes. */
export const indexerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("live") }),
  z.object({ kind: z.literal("stalled"), isLong: z.boolean(), indexed: z.string(), head: z.string() }),
]);

export type IndexerMessage = z.infer<typeof indexerMessage>;

export function tellDaemon(message: IndexerMessage): void {
  // A daemon that has just gone hears nothing; this process is about to follow it.
  process.send?.(message, undefined, {}, () => {});
}
