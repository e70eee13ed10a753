/**
 * Common parts of `raisebook db export` and `raisebook db import`: the settings that identify a ledger file, and the end of the
 * command.
 * @module
 */

import { type ChainClient, createChainClient } from "../../../chain/client.ts";
import { loadEnvFiles, readSettings, type Settings } from "../../../config/environment.ts";
import { SettingsError } from "../../../config/problems.ts";
import { redactorOf } from "../../../config/redact.ts";
import { ledgerKey } from "../../backfill/earlier.ts";
import { DataDirectoryError } from "../../daemon/data-lock.ts";
import { CommandError } from "./tables.ts";

export type Work = (context: { settings: Settings; key: string; client: ChainClient }) => Promise<number>;

/** Milliseconds for an answer, and until a failing endpoint is given up. */
const TIMEOUT = 20_000;

/** Runs the command. @returns its exit code; 1 after a failure, which is reported on stderr */
export async function runWith(work: Work): Promise<number> {
  loadEnvFiles();
  let redact = (text: string) => text;
  try {
    const settings = readSettings(process.env);
    redact = redactorOf(settings);
    const key = ledgerKey(settings);
    if (key === null)
      throw new CommandError(
        "HOLDERS=true: the transfers of tokens are in no ledger, so a service that counts holders reads its history from\n" +
          "the chain. A ledger file is for services with HOLDERS=false.",
      );
    const { rpcUrls: urls, rpcConcurrency: concurrency } = settings;
    const client = createChainClient({ urls, concurrency, timeout: TIMEOUT, patience: TIMEOUT });
    return await work({ settings, key, client });
  } catch (error) {
    process.stderr.write(`${redact(messageOf(error))}\n`);
    return 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof DataDirectoryError) return `RAISEBOOK_DATA_DIR ${error.message}`;
  if (error instanceof SettingsError || error instanceof CommandError) return error.message;
  return `It cannot be done: ${error instanceof Error ? error.message || String(error) : error}`;
}
