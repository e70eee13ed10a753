/**
 * A separate thread: fetches the finalised history, folds it and hands the rows on as text, while Ponder loads its
 * modules in the other thread.
 * @module
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type MessagePort, parentPort } from "node:worker_threads";
import { createChainClient, EndpointsSilentError } from "../../chain/client.ts";
import { MEMORY, readSettings, type Settings } from "../../config/environment.ts";
import { createLogger } from "../../config/log.ts";
import { postgresClientOf, tableExists, withClient } from "../../config/postgres-client.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { WAITS_VARIABLE } from "../../config/turn.ts";
import { createCopyText } from "./copy-text.ts";
import { readHistory, type Sender } from "./history.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import type { TableName } from "./ponder.ts";

/** Bytes that may be under way to the thread that writes, which is not there before Ponder has loaded. */
const BYTES_AHEAD = 32_000_000;
/** Bytes of a table after which a message is sent: some 1,500 rows of the ledger. */
const BYTES_AT_ONCE = 1_000_000;

type Permissions = { turn: Promise<unknown>; begun: Promise<unknown> };

async function read(port: MessagePort, { turn, begun }: Permissions): Promise<FromWorker> {
  const settings = readSettings(process.env);
  if (process.env[WAITS_VARIABLE] !== undefined) await Promise.all([turn, loadModules()]);
  if (!(await isSurelyFresh(settings))) await begun;
  const log = createLogger({ format: settings.logFormat, level: settings.logLevel });
  const client = createChainClient({
    ...{ urls: settings.rpcUrls, concurrency: settings.rpcConcurrency },
    onPruned: (endpoint) =>
      port.postMessage({ kind: "unfit", endpoint, reason: "pruned" } satisfies FromWorker),
  });
  const history = await readHistory({ settings, log, client, prepare: () => createSender(port) });
  return history === null ? { kind: "nothing" } : { kind: "done", ...history };
}

/** Modules that `readHistory` would otherwise load later. */
const loadModules = () => Promise.all([import("./events.ts"), import("./book.ts"), loadSchema()]);
const loadSchema = () => import("../../ponder.schema.ts");

/** Whether it is known without Ponder that the tables are empty, so that fetching can begin at once. */
async function isSurelyFresh(settings: Settings): Promise<boolean> {
  const { database } = settings;
  if (database.kind !== "postgres") return database.directory === MEMORY || !existsSync(database.directory);
  const client = postgresClientOf(database.connectionString, 0);
  const table = `${client.escapeIdentifier(schemaNameOf(settings))}._ponder_checkpoint`;
  return withClient(client, async () => !(await tableExists(client, table))).catch(() => false);
}

async function createSender(port: MessagePort): Promise<Sender> {
  const tables = await loadSchema();
  const texts = new Map<TableName, ReturnType<typeof createCopyText>>();
  let under = 0;
  port.on("message", (message: ToWorker) => {
    if (message.kind === "taken") under -= message.bytes;
  });
  const textOf = (table: TableName) => {
    const text = createCopyText(tables);
    texts.set(table, text);
    return text;
  };
  const post = async (table: TableName, copyText: ReturnType<typeof createCopyText>) => {
    while (under > BYTES_AHEAD) await once(port, "message");
    const text = copyText.take();
    under += text.length;
    // The other thread takes over the memory.
    if (text.length > 0) port.postMessage({ kind: "rows", table, text } satisfies FromWorker, [text.buffer]);
  };
  return {
    async send(table, rows) {
      const copyText = texts.get(table) ?? textOf(table);
      for (const row of rows) if (copyText.add(table, row) >= BYTES_AT_ONCE) await post(table, copyText);
    },
    async end() {
      for (const [table, copyText] of texts) await post(table, copyText);
    },
  };
}

if (parentPort !== null) {
  const port = parentPort;
  const told = (kind: ToWorker["kind"]) =>
    new Promise<void>((resolve) => {
      port.on("message", (message: ToWorker) => message.kind === kind && resolve());
    });
  const permissions = { turn: told("turn"), begun: told("begin") };
  try {
    port.postMessage(await read(port, permissions));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isPassing = error instanceof EndpointsSilentError;
    port.postMessage({ kind: "failed", message, isPassing } satisfies FromWorker);
  }
  port.close();
}
