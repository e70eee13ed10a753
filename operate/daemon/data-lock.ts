/**
 * One service per data directory. The embedded database has no lock, and two processes destroy it. Each process puts a
 * claim next to the database before opening it, and withdraws it on finding another live one. Claims are never
 * overwritten and only dead ones are removed, so a takeover needs no further lock.
 * @module
 */
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { identityOf, isRunning, processSpace } from "../../config/process-identity.ts";

export type DataLock = {
  /** Adds the process that opens the database: it may outlive the daemon, and then holds the directory until it ends. */
  include(pid: number): void;
  /** Aborts with a `DataDirectoryError` when another process has taken the directory: this one was paused. */
  readonly lost: AbortSignal;
  /** Looks whether it is still this process's; `lost` has the outcome. */
  confirm(): Promise<void>;
  release(): void;
};

/** The directory is unusable. The message completes "RAISEBOOK_DATA_DIR …". */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
}

const claimSchema = z.object({
  space: z.string(),
  holders: z.array(z.object({ pid: z.int(), startedAt: z.string().nullable() })),
});

type Claim = z.output<typeof claimSchema>;

/** Milliseconds between heartbeats. */
const HEARTBEAT = 5_000;
const SILENCE = 3 * HEARTBEAT;

const LOST =
  "is no longer this process's: its claim was removed, as by another process that has started while this one was paused. " +
  "Only one may run";

/**
 * Locks the directory until released, and creates it if needed.
 *
 * @param silence milliseconds after which a claim from another container, whose pids mean nothing here, counts as dead
 * @throws {DataDirectoryError} if another process holds it, it is not writable, or it is another user's and this is root
 */
export async function lockDataDirectory(directory: string, silence = SILENCE): Promise<DataLock> {
  const folder = claimsIn(directory);
  refuseForeign([folder, directory]);
  const file = join(folder, `${randomUUID()}.json`);
  const daemon = identityOf(process.pid);
  try {
    mkdirSync(folder, { recursive: true });
    writeClaim(file, { space: processSpace(), holders: [daemon] });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const remedy = code === "ENOSPC" ? "make room on that disk" : "choose another directory";
    throw new DataDirectoryError(`cannot be written (${message}): ${remedy}`);
  }
  const lost = new AbortController();
  const beat = () => {
    if (lost.signal.aborted || touch(file)) return;
    clearInterval(heartbeat);
    lost.abort(new DataDirectoryError(LOST));
  };
  const heartbeat = setInterval(beat, HEARTBEAT).unref();
  const lock: DataLock = {
    lost: lost.signal,
    confirm: async () => beat(),
    include(pid) {
      beat();
      // A claim that was removed is not to come back.
      if (!lost.signal.aborted)
        writeClaim(file, { space: processSpace(), holders: [daemon, identityOf(pid)] });
    },
    release() {
      clearInterval(heartbeat);
      rmSync(file, { force: true });
    },
  };
  const others = filesIn(folder).filter((other) => other !== file);
  const held = await Promise.all(others.map((other) => holderOf(other, silence)));
  const holder = held.find((other) => other !== null);
  if (holder !== undefined) {
    lock.release();
    throw new DataDirectoryError(inUse(directory, holder));
  }
  for (const other of others) rmSync(other, { force: true });
  return lock;
}

/**
 * Refuses root where it is not the service's user: that user could not open what root writes, PostgreSQL's files least of all.
 *
 * @param folders the first one that exists says whose it is. Another user than root cannot write into them, or is meant to.
 * @throws {DataDirectoryError}
 */
export function refuseForeign(folders: readonly [string, ...string[]]): void {
  if (process.getuid?.() !== 0) return;
  const found = folders.map((folder) => statSync(folder, { throwIfNoEntry: false })).find((one) => one);
  if (found === undefined || found.uid === 0) return;
  const { uid, gid } = found;
  throw new DataDirectoryError(
    `belongs to the user ${uid}, who could not open what root writes there: start this as that user (sudo setpriv --reuid=${uid} ` +
      `--regid=${gid} --clear-groups …, or under systemd as docs/operations/installing.md says)`,
  );
}

/** The process of this machine that holds the directory, such as `process 12`; null without one. Changes nothing. */
export function findHolder(directory: string): string | null {
  const space = processSpace();
  const holders = filesIn(claimsIn(directory))
    .map(readClaim)
    .flatMap((claim) => (claim?.space === space ? claim.holders : []));
  const holder = holders.find(isRunning);
  return holder === undefined ? null : `process ${holder.pid}`;
}

/** Completes "RAISEBOOK_DATA_DIR …". */
export function inUse(directory: string, holder: string): string {
  return (
    `is in use by ${holder} (${directory}), and a second process would destroy it: ` +
    "stop that one and wait for its end, or choose another directory"
  );
}

/** Describes the live process behind a claim; null if the claim is dead. */
async function holderOf(file: string, silence: number): Promise<string | null> {
  const claim = readClaim(file);
  // Claims are written atomically: an unreadable one results from a power failure.
  if (claim === null) return null;
  if (claim.space === processSpace()) {
    const holder = claim.holders.find(isRunning);
    return holder === undefined ? null : `process ${holder.pid}`;
  }
  const before = lastSign(file);
  await sleep(silence);
  const after = lastSign(file);
  return after === null || after === before ? null : "a process of another container or machine";
}

function claimsIn(directory: string): string {
  return join(directory, "lock");
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function writeClaim(file: string, claim: Claim): void {
  writeFileSync(`${file}.new`, JSON.stringify(claim));
  renameSync(`${file}.new`, file);
}

function readClaim(file: string): Claim | null {
  try {
    return claimSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** @returns whether the claim is still there */
function touch(file: string): boolean {
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return true;
  } catch (error) {
    // The database reports a failing disk.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Milliseconds since the epoch; null if the claim was withdrawn. */
function lastSign(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
