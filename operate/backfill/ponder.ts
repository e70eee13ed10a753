/**
 * The parts of Ponder's own code that the fast-forward calls, so that what it writes is what Ponder writes. They are not
 * Ponder's public interface: they are those of one version, and `start.ts` uses no other.
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AbiEvent, Hex } from "viem";
import type { RawBlock } from "../../chain/pages.ts";
import { packageFolder } from "../../config/packages.ts";
import type * as schema from "../../ponder.schema.ts";

export type TableName = keyof typeof schema;

/** A table of `ponder.schema.ts`, with or without the name of a database schema. */
type Table = object;
export type Tables = Readonly<Record<TableName, Table>>;

type PonderCheckpoint = {
  blockTimestamp: number | bigint;
  chainId: number | bigint;
  blockNumber: number | bigint;
  transactionIndex: number | bigint;
  eventType: number;
  eventIndex: number | bigint;
};

type CheckpointModule = {
  EVENT_TYPES: { logs: number };
  encodeCheckpoint(checkpoint: PonderCheckpoint): string;
  blockToCheckpoint(block: RawBlock, chainId: number, rounding: "up" | "down"): PonderCheckpoint;
};

type DecodeModule = {
  /** @throws where the log does not fit */
  decodeEventLog(parameters: { abiItem: AbiEvent; topics: readonly Hex[]; data: Hex }): unknown;
};

/** The least that both of Ponder's databases have. */
export type Connection = {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
};

type CacheModule = {
  getCopyHelper(qb: {
    $dialect: "postgres" | "pglite";
    $client: Connection;
  }): (table: Table, text: Uint8Array) => Promise<void>;
};

/** The members of a line of Ponder's log. */
export type LogOptions = {
  readonly msg?: string;
  readonly finalized_block?: number;
  readonly finalized_hash?: string;
};

type RpcBody = { method: string; params: unknown[] };

/** One of the URLs of a chain, named by its place among them; the same URL may be named several times. */
export type PonderBucket = {
  readonly index: number;
  /** false while it is left alone, after it refused for its rate or fell silent */
  readonly isActive: boolean;
  request(body: RpcBody): Promise<unknown>;
};

/** Ponder's own client of all endpoints of a chain, which asks again what fails. The last five are called by `corrections.mjs`. */
export type PonderRpc = {
  request(body: RpcBody, context?: object): Promise<unknown>;
  /** The endpoints of which one is asked. */
  choice?(body: RpcBody, buckets: readonly PonderBucket[]): readonly PonderBucket[];
  /** Asks an endpoint, or another one in its place; with the one that answered. */
  ask?(asked: {
    body: RpcBody;
    bucket: PonderBucket;
    buckets: readonly PonderBucket[];
  }): Promise<{ answer: unknown; bucket: PonderBucket }>;
  /** The answer of an endpoint, or of another one in its place. */
  complete?(asked: {
    body: RpcBody;
    answer: unknown;
    bucket: PonderBucket;
    buckets: readonly PonderBucket[];
  }): Promise<unknown>;
  /** An endpoint has failed or refused a request. */
  refused?(told: { error: unknown; bucket: PonderBucket }): void;
  /** Whether Ponder is told of a header that the WebSocket announces. */
  isAnnounced?(header: unknown): boolean;
};

/** Called with every head that it hears of, also with the same one again. */
type Heads = {
  subscribe(listener: { onBlock(block: RawBlock): Promise<boolean> }): void;
};

/** Ponder's own over the query builder of its library. */
export type QueryBuilder = {
  transaction(...args: unknown[]): Promise<unknown>;
  wrap(work: (db: { execute(query: string): Promise<unknown> }) => Promise<unknown>): Promise<unknown>;
  session: {
    client: Connection;
    transaction(work: (tx: QueryBuilder) => Promise<unknown>): Promise<unknown>;
  };
};

/** A block that Ponder can still take back. */
export type OpenBlock = RawBlock & { readonly hasEvents: boolean };

/** Decides what Ponder cannot take back any more (`finality.ts`). */
export type Finality = {
  /** Asks the endpoints that are not being asked and have not refused for their rate; never rejects. */
  ask(): Promise<void>;
  /** whether a row waits to become final */
  isAwaited(): boolean;
  /** Called by Ponder after each head (`corrections.mjs`). The newest of Ponder's blocks that is final; undefined while nothing new is. */
  settled(blocks: readonly OpenBlock[], finalized: RawBlock): OpenBlock | undefined;
  /** the number of the block that Ponder cannot take back any more */
  floor(): number;
};

/** Ponder's state once its database is migrated, just before it begins to index. */
export type PonderApp = {
  common: {
    logger: Record<"info" | "warn", (options: LogOptions, ...rest: unknown[]) => void>;
    /** Killed when the process is about to end. */
    shutdown: { readonly isKilled: boolean };
  };
  namespaceBuild: { schema: string };
  schemaBuild: {
    schema: Tables;
    /** each creates an index unless it exists */
    statements: { indexes: { sql: readonly string[] } };
  };
  indexingBuild: {
    chains: {
      id: number;
      name: string;
      rpc?: string | string[];
      /** how many blocks below the head it can take back, whatever `finality` says */
      finalityBlockCount: number;
      /** ours; asked by what `corrections.mjs` adds to Ponder */
      finality?: Finality;
    }[];
    finalizedBlocks: RawBlock[];
    rpcs: (PonderRpc & Heads)[];
    eventCallbacks: { filter: LogFilter }[][];
  };
  crashRecoveryCheckpoint: { chainId: number; checkpoint: string }[] | undefined;
  database: {
    userQB: QueryBuilder;
    adminQB: QueryBuilder;
    syncQB: QueryBuilder;
    driver:
      | {
          dialect: "postgres";
          user: Connection & { connect(): Promise<Connection & { release(isBroken?: boolean): void }> };
        }
      | {
          dialect: "pglite";
          instance: Connection & { transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> };
        };
  };
};

export type LogFilter = { fromBlock?: number; address?: Factory | Hex | Hex[] };

/** Ponder's key of the child addresses is the whole object, without `id` and `sourceId`. */
export type Factory = {
  id: string;
  sourceId: string;
  chainId: number;
  eventSelector: Hex;
  fromBlock?: number;
};

type StartModule = {
  start(parameters: {
    cliOptions: Record<string, unknown>;
    onBuild(app: PonderApp): Promise<PonderApp>;
  }): Promise<unknown>;
};

export function connectionOf({ database: { driver } }: Pick<PonderApp, "database">): Connection {
  return driver.dialect === "postgres" ? driver.user : driver.instance;
}

/** The table of the indexer's position, escaped. */
export function checkpointTableOf({ namespaceBuild }: Pick<PonderApp, "namespaceBuild">): string {
  return `"${namespaceBuild.schema}"._ponder_checkpoint`;
}

type ErrorsModule = Record<"NonRetryableUserError" | "RetryableError", new (message: string) => Error>;

const load = (file: string) => import(pathToFileURL(join(packageFolder("ponder"), "dist/esm", file)).href);

export const loadCheckpoints = (): Promise<CheckpointModule> => load("utils/checkpoint.js");
/** Ponder's checkpoint of a block, after all events of it. */
export async function endOf(block: RawBlock, chainId: number): Promise<string> {
  const { encodeCheckpoint, blockToCheckpoint } = await loadCheckpoints();
  return encodeCheckpoint(blockToCheckpoint(block, chainId, "up"));
}

export const loadDecoder = (): Promise<DecodeModule> => load("utils/decodeEventLog.js");
export const loadCopy = (): Promise<CacheModule> => load("indexing-store/cache.js");
export const loadErrors = (): Promise<ErrorsModule> => load("internal/errors.js");
export const loadStart = (): Promise<StartModule> => load("bin/commands/start.js");
