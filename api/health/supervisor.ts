/** @module Between daemon and processes: restarts of the indexer go down, the state of the index and of its audit comes up. */
import { z } from "zod";
import { type AuditorState, auditorSchema } from "./audit.ts";

export type Restarts = { readonly count: number; readonly reason: string | null };

export const NO_RESTARTS: Restarts = { count: 0, reason: null };

/** The environment variable with both. */
export const RESTARTS_VARIABLE = "RAISEBOOK_RESTARTS";

const restartsSchema = z.object({ count: z.int().min(0), reason: z.string().nullable() });

export function readRestarts(env: NodeJS.ProcessEnv): Restarts {
  const text = env[RESTARTS_VARIABLE];
  return text === undefined ? NO_RESTARTS : restartsSchema.parse(JSON.parse(text));
}

const auditMessage = z.object({ kind: z.literal("audit"), state: auditorSchema });

/**
 * Messages to the daemon. `live`: the backfill is over. `stalled`: the chain advances and the indexer does not, with `isLong` for
 * minutes. `audit`: an audit began or ended.
 */
export const indexerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("live") }),
  z.object({ kind: z.literal("stalled"), isLong: z.boolean(), indexed: z.string(), head: z.string() }),
  auditMessage,
]);

export type IndexerMessage = z.infer<typeof indexerMessage>;
export type IndexProgress = Exclude<IndexerMessage, { kind: "audit" }>;

export function notifyDaemon(message: IndexerMessage): void {
  // An error means that the daemon is gone, and this process will end too.
  process.send?.(message, undefined, {}, () => {});
}

/** Messages to the readers: a restart of the indexer, or news of its audit. */
export const readerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("restarts"), restarts: restartsSchema }),
  auditMessage,
]);

export type ReaderMessage = z.infer<typeof readerMessage>;

export type Told = { restarts(): Restarts; audit: { state(): AuditorState } };

export function listenToDaemon(): Told {
  let restarts = readRestarts(process.env);
  let state: AuditorState = { running: null, last: null };
  process.on("message", (message) => {
    const { data } = readerMessage.safeParse(message);
    if (data?.kind === "restarts") restarts = data.restarts;
    if (data?.kind === "audit") state = data.state;
  });
  return { restarts: () => restarts, audit: { state: () => state } };
}
