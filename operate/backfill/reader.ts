/**
 * A thread of its own: fetches the finalised history, folds it and hands the rows on as text, while Ponder loads its
 * modules in the other thread.
 * @module
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type MessagePort, parentPort } from "node:worker_threads";
import { createChainClient, EndpointsSilentError } from "../../chain/client.ts";
import { MEMORY, readSettings, type Settings } from "../../config/environment.ts";
import { createLogger } from "../../config/log.ts";
import { clientOf, tableExists } from "../../config/postgres-client.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { ROWS_AT_ONCE, readHistory, type Send } from "./history.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { loadCopy, type Tables } from "./ponder.ts";

/** Bytes that may be under way to the thread that writes, which is not there before Ponder has loaded. */
const BYTES_AHEAD = 32_000_000;
/** Rows whose text is made at once: before it is bytes, it is a tree of all its pieces in the heap. */
const ENCODED_AT_ONCE = 250;

async function read(port: MessagePort, begun: Promise<unknown>): Promise<FromWorker> {
  const settings = readSettings(process.env);
  if (!(await isSurelyFresh(settings))) await begun;
  const log = createLogger({ format: settings.logFormat, level: settings.logLevel });
  const client = createChainClient({
    ...{ urls: settings.rpcUrls, concurrency: settings.rpcConcurrency },
    onPruned: (endpoint) =>
      port.postMessage({ kind: "unfit", endpoint, reason: "pruned" } satisfies FromWorker),
  });
  const history = await readHistory({ settings, log, client, prepare: () => createSend(port) });
  return history === null ? { kind: "nothing" } : { kind: "done", ...history };
}

/** Whether it is known without Ponder that the tables are empty, so that fetching can begin at once. */
async function isSurelyFresh(settings: Settings): Promise<boolean> {
  const { database } = settings;
  if (database.kind !== "postgres") return database.directory === MEMORY || !existsSync(database.directory);
  const client = clientOf(database.connectionString, 0);
  try {
    await client.connect();
    const table = `${client.escapeIdentifier(schemaNameOf(settings))}._ponder_checkpoint`;
    return !(await tableExists(client, table));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createSend(port: MessagePort): Promise<Send> {
  const [{ getCopyText }, schema] = await Promise.all([loadCopy(), import("../../ponder.schema.ts")]);
  const tables: Tables = schema;
  let under = 0;
  port.on("message", (message: ToWorker) => {
    if (message.kind === "taken") under -= message.bytes;
  });
  return async (table, rows) => {
    const parts: Buffer[] = [];
    let [slice, count]: [object[], number] = [[], 0];
    const encode = () => {
      if (slice.length === 0) return;
      count += slice.length;
      parts.push(Buffer.from(`${getCopyText(tables[table], slice)}\n`));
      slice = [];
    };
    const post = async () => {
      encode();
      if (count === 0) return;
      while (under > BYTES_AHEAD) await once(port, "message");
      // In memory of its own, which the other thread takes over.
      const text = new Uint8Array(Buffer.concat(parts.splice(0)));
      count = 0;
      under += text.length;
      port.postMessage({ kind: "rows", table, text } satisfies FromWorker, [text.buffer]);
    };
    for (const row of rows) {
      slice.push(row);
      if (slice.length === ENCODED_AT_ONCE) encode();
      if (count === ROWS_AT_ONCE) await post();
    }
    await post();
  };
}

if (parentPort !== null) {
  const port = parentPort;
  const begun = new Promise<void>((resolve) => {
    port.on("message", (message: ToWorker) => message.kind === "begin" && resolve());
  });
  try {
    port.postMessage(await read(port, begun));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isPassing = error instanceof EndpointsSilentError;
    port.postMessage({ kind: "failed", message, isPassing } satisfies FromWorker);
  }
  port.close();
}
