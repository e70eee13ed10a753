/**
 * Which process a pid stands for. Pids are used again, so that a pid alone would take a stranger for the one that was
 * noted; with the time of its start it is unmistakable.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export type ProcessIdentity = {
  readonly pid: number;
  /** In the system's own form, only to be compared; null where the system does not tell. */
  readonly startedAt: string | null;
};

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

/** Whether that very process still runs. Only of use within the same `processSpace`. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another account's process exists as well.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const found = startOf(pid);
  // Where the system does not tell, it is believed to be the one.
  return found === null || startedAt === null || found === startedAt;
}

/** Where pids mean the same processes: one boot of one machine, on Linux one container of it. */
export function processSpace(): string {
  if (process.platform !== "linux") return hostname();
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
}

function startOf(pid: number): string | null {
  if (process.platform === "linux") return startInProc(pid);
  if (process.platform === "win32") return null;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/** Field 22 of `stat`, in clock ticks since the boot; of a process that runs no more, nobody's. */
function startInProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, and may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? "ended" : (fields[18] ?? null);
  } catch {
    return null;
  }
}
