/**
 * Fetches a ledger file, verifies it, and stores it for the first start: `raisebook db import`, and a start with `LEDGER`.
 * @module
 */
import { createWriteStream } from "node:fs";
import { access, constants, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ChainClient } from "../../chain/client.ts";
import type { Settings } from "../../config/environment.ts";
import { errorCode, RedirectError, safeFetch } from "../../config/safe-fetch.ts";
import { removeAbandoned } from "../../config/unfinished.ts";
import type { DeployedContract, LedgerSource } from "../../config/values.ts";
import { ledgerKey } from "./earlier.ts";
import { keepImport } from "./imported.ts";
import { type LedgerFile, type LedgerFileHeader, openLedgerFileAt } from "./ledger-file.ts";
import { LedgerFileError } from "./ledger-line.ts";
import { type Verification, verifyFile } from "./verify-file.ts";

export type ImportParameters = {
  readonly source: LedgerSource;
  readonly settings: Settings;
  readonly client: ChainClient;
  /** @param total bytes; null if the server does not say */
  onFetched?(bytes: number, total: number | null): void;
  onCompared?(done: number, total: number): void;
  readonly signal?: AbortSignal;
};

export type ImportedLedger = Verification & Pick<LedgerFileHeader, "events" | "last">;

/** Milliseconds without a byte after which a server is given up. */
const SILENCE = 30_000;
/** Milliseconds after which a fetched file is that of a command that was killed. */
const ABANDONED_AFTER = 24 * 3_600_000;

/** @throws {LedgerFileError} if it cannot be had, or contradicts itself, the settings or the chain: nothing is stored then */
export async function importLedger(parameters: ImportParameters): Promise<ImportedLedger> {
  const { source, settings, client, onCompared, signal } = parameters;
  await removeAbandoned(tmpdir(), (name) => /^raisebook-ledger-\w{6}$/.test(name), ABANDONED_AFTER);
  const folder = await mkdtemp(join(tmpdir(), "raisebook-ledger-"));
  try {
    const path = source.kind === "file" ? source.path : join(folder, "book.ledger.gz");
    if (source.kind === "url") await fetchTo(path, source.url, parameters);
    await access(path, constants.R_OK).catch((error) => {
      throw new LedgerFileError(`it cannot be read (${errorCode(error)})`);
    });
    if (!(await stat(path)).isFile()) throw new LedgerFileError("it is no regular file");
    const file = await opened(path, settings, signal);
    const verification = await verifyFile({ file, settings, client, signal, onProgress: onCompared });
    await keepImport(settings, path);
    const { events, last } = file.header;
    return { events, last, ...verification };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchTo(path: string, url: string, { onFetched, signal }: ImportParameters): Promise<void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENCE);
  const either = signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]);
  try {
    // As it is stored, compressed once.
    const headers = { accept: "application/gzip, application/octet-stream", "accept-encoding": "identity" };
    const { response } = await safeFetch({ configured: url, headers, signal: either });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      throw new LedgerFileError(`its server answered ${response.status}`);
    }
    const total = Number(response.headers.get("content-length")) || null;
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        timer.refresh();
        bytes += chunk.byteLength;
        onFetched?.(bytes, total);
        yield chunk;
      }
    };
    await pipeline(response.body, counted, createWriteStream(path), { signal: either });
  } catch (error) {
    if (error instanceof LedgerFileError) throw error;
    if (silent.signal.aborted) throw new LedgerFileError(`its server was silent for ${SILENCE / 1000} s`);
    if (error instanceof RedirectError) throw new LedgerFileError(`its server ${error.message}`);
    throw new LedgerFileError(`it could not be fetched (${errorCode(error) ?? "the connection broke"})`);
  } finally {
    clearTimeout(timer);
  }
}

/** The file, if its contracts match. */
async function opened(path: string, settings: Settings, signal?: AbortSignal): Promise<LedgerFile> {
  const file = await openLedgerFileAt(path, signal);
  const { header } = file;
  if (header.ledgerKey === ledgerKey(settings)) return file;
  const differences = [
    difference("CHAIN_ID", header.chainId, settings.chainId),
    difference("ESCROWS", header.escrows.map(textOf).join(","), settings.escrows.map(textOf).join(",")),
    difference("ESCROW_FACTORY", textOf(header.escrowFactory), textOf(settings.escrowFactory)),
    difference("DESK", textOf(header.desk), textOf(settings.desk)),
  ].filter((one) => one !== null);
  throw new LedgerFileError(
    differences.length > 0
      ? `it is of other contracts than the settings:\n${differences.join("\n")}`
      : "its events were recorded by another release or another CONTRACTS module: export it again with this release and module",
  );
}

function difference(name: string, filed: string | number, set: string | number): string | null {
  return filed === set ? null : `  ${name}: ${filed || "none"} in the file, ${set || "none"} in the settings`;
}

function textOf(contract: DeployedContract | null): string {
  return contract === null ? "" : `${contract.address}@${contract.startBlock}`;
}
