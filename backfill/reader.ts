/**
 * A thread of its own: fetches the finalised history, folds it and hands the rows on as text, while Ponder loads its
 * modules in the other thread.
 * @module
 */
import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import pg from "pg";
import { readSettings, type Settings } from "../config/environment.ts";
import { createLog } from "../config/log.ts";
import { schemaNameOf } from "../config/schema-name.ts";
import { createFollowed } from "./followed.ts";
import type { FromReader, ToReader } from "./messages.ts";
import { fetchPages, isBlock, type RawBlock } from "./pages.ts";
import { loadCopy, loadFinality, type TableName, type Tables } from "./ponder.ts";
import { startProgress } from "./progress.ts";
import { createRanges } from "./ranges.ts";
import { createUpstream, type Upstream, UpstreamSilentError } from "./upstream.ts";

/** Rows that make it worth to hand them on. */
const ROWS_AT_ONCE = 5_000;
/** Bytes that may be under way to the thread that writes. */
const BYTES_AHEAD = 16_000_000;

type Send = (table: TableName, rows: Iterable<object>) => Promise<void>;

async function read(port: MessagePort, begun: Promise<unknown>): Promise<void> {
  const settings = readSettings(process.env);
  if (!(await isSurelyFresh(settings))) await begun;
  const log = createLog({ format: settings.logFormat, level: settings.logLevel });
  const upstream = createUpstream({ urls: settings.rpcUrls, concurrency: settings.rpcConcurrency });
  const { getFinalityBlockCount } = await loadFinality();
  const finality = getFinalityBlockCount({ chain: { id: settings.chainId } });

  const first = firstBlockOf(settings);
  let finalized = await finalizedBlock(upstream, finality);
  if (Number(finalized.number) < first) {
    port.postMessage({ kind: "nothing" } satisfies FromReader);
    return;
  }
  const followed = createFollowed(settings);
  const ranges = createRanges(settings.logsRange);
  // The heavy modules load while the first pages are under way.
  const modules = Promise.all([import("./events.ts"), import("./book.ts"), createSend(port)]);
  const progress = startProgress({ log, first, requests: upstream.count });
  try {
    let from = first;
    let book: Awaited<typeof modules>[1] extends { createBook(): infer Made } ? Made | null : never = null;
    for (;;) {
      const to = Number(finalized.number);
      const pages = fetchPages({ upstream, followed, ranges, from, to, ahead: settings.rpcConcurrency });
      for await (const page of pages) {
        const [{ eventsOf }, { createBook }, send] = await modules;
        book ??= createBook();
        for (const event of eventsOf(page, settings.chainId)) book.add(event);
        progress.reached(page.to, to, book.count());
        if (book.waiting() >= ROWS_AT_ONCE) await sendAll(send, book.take());
      }
      // A long fetch ends where the chain has gone meanwhile.
      const next = await finalizedBlock(upstream, finality);
      if (Number(next.number) - to <= finality) break;
      from = to + 1;
      finalized = next;
    }
    const [, , send] = await modules;
    if (book !== null) {
      await sendAll(send, book.take());
      await sendAll(send, book.rest());
    }
    progress.end();
    const { escrowChildren, tokenChildren } = followed;
    port.postMessage({
      kind: "done",
      finalized,
      escrowChildren: new Map(escrowChildren),
      tokenChildren: new Map(tokenChildren),
    } satisfies FromReader);
  } finally {
    progress.stop();
  }
}

function firstBlockOf({ escrows, escrowFactory, desk }: Settings): number {
  const contracts = [...escrows, escrowFactory, desk].filter((contract) => contract !== null);
  return Math.min(...contracts.map(({ startBlock }) => startBlock));
}

async function finalizedBlock(upstream: Upstream, finality: number): Promise<RawBlock> {
  const blockAt = async (place: string) => {
    const [block] = await upstream.requestAll([{ method: "eth_getBlockByNumber", params: [place, false] }]);
    if (!isBlock(block)) throw new UpstreamSilentError(`the endpoints have no block ${place}`);
    return block;
  };
  const latest = await blockAt("latest");
  return blockAt(`0x${Math.max(0, Number(latest.number) - finality).toString(16)}`);
}

/** Whether it is known without Ponder that the tables are empty, so that fetching can begin at once. */
async function isSurelyFresh(settings: Settings): Promise<boolean> {
  const { database } = settings;
  if (database.kind !== "postgres") return database.directory.startsWith("memory://");
  const client = new pg.Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    const table = `${client.escapeIdentifier(schemaNameOf(settings))}._ponder_checkpoint`;
    const { rows } = await client.query("SELECT to_regclass($1) IS NULL AS absent", [table]);
    return rows[0]?.absent === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createSend(port: MessagePort): Promise<Send> {
  const [{ getCopyText }, schema] = await Promise.all([loadCopy(), import("../ponder.schema.ts")]);
  const tables: Tables = schema;
  let under = 0;
  port.on("message", (message: ToReader) => {
    if (message.kind === "taken") under -= message.bytes;
  });
  return async (table, rows) => {
    let slice: object[] = [];
    const post = async () => {
      while (under > BYTES_AHEAD) await once(port, "message");
      const text = new TextEncoder().encode(getCopyText(tables[table], slice));
      slice = [];
      under += text.length;
      port.postMessage({ kind: "rows", table, text } satisfies FromReader, [text.buffer]);
    };
    for (const row of rows) {
      slice.push(row);
      if (slice.length === ROWS_AT_ONCE) await post();
    }
    if (slice.length > 0) await post();
  };
}

async function sendAll(send: Send, rows: Partial<Record<TableName, Iterable<object>>>): Promise<void> {
  for (const [table, some] of Object.entries(rows)) await send(table as TableName, some);
}

if (parentPort !== null) {
  const port = parentPort;
  const begun = new Promise<void>((resolve) => {
    port.on("message", (message: ToReader) => message.kind === "begin" && resolve());
  });
  try {
    await read(port, begun);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isPassing = error instanceof UpstreamSilentError;
    port.postMessage({ kind: "failed", message, isPassing } satisfies FromReader);
  }
  port.close();
}
