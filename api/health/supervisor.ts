/**
 * Between daemon and processes: restarts of the indexer go down; the state of the index, of its audit and of its endpoints comes up.
 * @module
 */
import { z } from "zod";
import type { Lately } from "../../config/lately.ts";
import type { UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import { type AuditorState, auditorSchema, NO_AUDIT } from "./audit.ts";
import { rememberUnfit, unfitEndpointSchema } from "./unfit.ts";

export type Restarts = { readonly count: number; readonly reason: string | null };

export const NO_RESTARTS: Restarts = { count: 0, reason: null };

/** The environment variable with both. */
export const RESTARTS_VARIABLE = "RAISEBOOK_RESTARTS";

const restartsSchema = z.object({ count: z.int().min(0), reason: z.string().nullable() });

function readRestarts(env: NodeJS.ProcessEnv): Restarts {
  const text = env[RESTARTS_VARIABLE];
  return text === undefined ? NO_RESTARTS : restartsSchema.parse(JSON.parse(text));
}

const auditMessage = z.object({ kind: z.literal("audit"), state: auditorSchema });
const unfitMessage = z.object({ kind: z.literal("unfit"), unfit: unfitEndpointSchema });

/**
 * Messages to the daemon. `live`: the backfill is over. `stalled`: the chain advances and the indexer does not, with `isLong` for
 * minutes. `audit`: an audit began or ended. `unfit`: an endpoint lacks what the indexer asks for; told again while it does.
 */
export const indexerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("live") }),
  z.object({ kind: z.literal("stalled"), isLong: z.boolean(), indexed: z.string(), head: z.string() }),
  auditMessage,
  unfitMessage,
]);

export type IndexerMessage = z.infer<typeof indexerMessage>;
export type IndexProgress = Exclude<IndexerMessage, { kind: "audit" | "unfit" }>;

export function notifyDaemon(message: IndexerMessage): void {
  // An error means that the daemon is gone, and this process will end too.
  process.send?.(message, undefined, {}, () => {});
}

/** Messages to the processes that answer: a restart of the indexer, or news of its audit or its endpoints. */
export const readerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("restarts"), restarts: restartsSchema }),
  auditMessage,
  unfitMessage,
]);

export type ReaderMessage = z.infer<typeof readerMessage>;

export type Told = {
  restarts(): Restarts;
  audit: { state(): AuditorState };
  endpoints: Pick<Lately<UnfitEndpoint>, "current">;
};

export function listenToDaemon(): Told {
  let restarts = readRestarts(process.env);
  let state = NO_AUDIT;
  const endpoints = rememberUnfit();
  process.on("message", (message) => {
    const { data } = readerMessage.safeParse(message);
    if (data?.kind === "restarts") restarts = data.restarts;
    if (data?.kind === "audit") state = data.state;
    if (data?.kind === "unfit") endpoints.note(data.unfit);
  });
  return { restarts: () => restarts, audit: { state: () => state }, endpoints };
}
