/** @module Identifies a process by its pid and start time: pids are reused, so a pid alone may mean another process by now. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export type ProcessIdentity = {
  readonly pid: number;
  /** In the system's own format, for comparison only; null if the system has none. */
  readonly startedAt: string | null;
};

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

/** Whether that very process is still running. Meaningful only within the same `processSpace`. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another account.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const start = startOf(pid);
  // Without start times, assume that it is the same process.
  return start === null || startedAt === null || start === startedAt;
}

/** The scope in which pids are unique: one boot of a machine, on Linux one of its containers. */
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

/** Field 22 of `stat`, in clock ticks since boot. "ended" for a zombie, which equals no start time. */
function startInProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may contain anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? "ended" : (fields[18] ?? null);
  } catch {
    return null;
  }
}
