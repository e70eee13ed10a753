/**
 * Which lines of Ponder's log say only that all goes on: one for each block, 192,000 a day at 0.45 s a block.
 * @module
 */
import { stripVTControlCharacters } from "node:util";
import type { LogFormat } from "../config/log.ts";

/** Whether a line of level `info` belongs to `debug`: a block without events was indexed, or blocks became final. */
export function isRoutine(line: string, format: LogFormat): boolean {
  return format === "json" ? isRoutineJson(line) : isRoutineText(stripVTControlCharacters(line));
}

function isRoutineText(line: string): boolean {
  return /^[\d:.]+ INFO {2}(Indexed block .*\bevent_count=0\b|Finalized block )/.test(line);
}

function isRoutineJson(line: string): boolean {
  // Few lines are parsed: nearly all are of other messages, or not JSON at all.
  if (!/"msg":"(Indexed|Finalized) block"/.test(line)) return false;
  try {
    const { level, msg, event_count } = JSON.parse(line) as Record<string, unknown>;
    return level === 30 && (msg === "Finalized block" || event_count === 0);
  } catch {
    return false;
  }
}
