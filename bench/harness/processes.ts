/** @module The processor time of processes, as Linux counts it. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Clock ticks a second, of which `/proc` speaks; the same on every Linux. */
const TICKS = 100;

/** Percent of a core that the processes use together over this many seconds. */
export async function cpuPercent(pids: readonly number[], seconds: number): Promise<number> {
  const before = secondsOf(pids);
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  return (100 * (secondsOf(pids) - before)) / ((performance.now() - startedAt) / 1000);
}

/** Seconds of user and system time. Processes that have ended count as nothing. */
export function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid) / TICKS, 0);
}

function ticksOf(pid: number): number {
  try {
    // The name in parentheses may have spaces in it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** The memory of a process at this moment. */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, "VmRSS");
}

/** The most resident memory of a process so far. */
export function peakMegabytes(pid: number): number {
  return megabytesOf(pid, "VmHWM");
}

function megabytesOf(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
}

/** The command line with which the process was started. */
export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

/** A process and all that it has started, directly or not. */
export function treeOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    // Node starts processes from its main thread.
    return [pid, ...(children === "" ? [] : children.split(" ")).flatMap((child) => treeOf(Number(child)))];
  } catch {
    return [];
  }
}

/** Proportional set size: resident memory, of which a page shared by several processes counts in part for each. 0 after the end. */
export function proportionalMegabytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
