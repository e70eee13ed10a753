/**
 * Starts a reader: the service that answers from a filled database.
 * @module
 */
import { DESK, listingRow } from "../../test/harness/rows.ts";
import { chainStub } from "./chain-stub.ts";
import type { Size, Stage } from "./stage.ts";
import { SCHEMA } from "./tables.ts";
import { startWorker } from "./worker.ts";

export type Reader = {
  port: number;
  pid: number;
  [Symbol.asyncDispose](): Promise<void>;
};

export type ReaderParameters = Size & {
  /** whether the secondary desk is followed: every list then ends with all drawn listings once more */
  desk?: boolean;
};

/** Resolves when it is ready. */
export async function startReader(stage: Stage, { desk, ...size }: ReaderParameters): Promise<Reader> {
  const { connectionString, registry } = await stage.market(size);
  const worker = startWorker(new URL("reader.ts", import.meta.url));
  const port = await worker.ask<number>({
    DATABASE_URL: connectionString,
    DATABASE_SCHEMA: SCHEMA,
    REGISTRY: registry,
    RPC_URLS: await chainStub(),
    ESCROWS: `${listingRow().escrowAddress}@1`,
    PUBLIC_URL: "https://raises.example",
    ...(desk ? { DESK: `${DESK}@1` } : {}),
  });
  return { port, pid: worker.pid, [Symbol.asyncDispose]: worker[Symbol.asyncDispose] };
}
