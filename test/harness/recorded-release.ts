/**
 * The data that a release left behind, recorded when it was current (`npm run record:release`): its chain, its database and its answers.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { bytesToHex } from "viem";
import type { LocalChain } from "../../demo/chain.ts";
import { ROOT } from "./daemon.ts";

export const RELEASES = join(ROOT, "test/releases");

export type Recording = {
  /** The followed contracts, as variables of the environment. */
  readonly followed: { readonly ESCROWS: string; readonly ESCROW_FACTORY: string; readonly DESK: string };
  readonly registry: unknown;
  /** The schema's name, and the key of the ledger in it. */
  readonly schema: string;
  readonly ledgerKey: string | null;
  readonly head: number;
  /** The bodies by their paths. */
  readonly answers: Readonly<Record<string, unknown>>;
};

/** The oldest first. */
export const recordedReleases = (): string[] =>
  readdirSync(RELEASES).sort(new Intl.Collator("en", { numeric: true }).compare);

export function readRecording(release: string): Recording {
  return JSON.parse(readFileSync(join(RELEASES, release, "recording.json"), "utf8"));
}

/** SQL of the database, for an empty one. */
export function recordedDatabase(release: string): string {
  return gunzipSync(readFileSync(join(RELEASES, release, "database.sql.gz"))).toString();
}

/** Puts the release's blocks, with their states, in place of those of a chain that has just been started. */
export async function loadRecordedChain(release: string, chain: LocalChain): Promise<void> {
  const state = bytesToHex(readFileSync(join(RELEASES, release, "chain.gz")));
  await chain.testClient.loadState({ state });
}
