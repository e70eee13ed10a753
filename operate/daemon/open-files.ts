/** @module Whether the process may have as many connections open as its settings say. */
import { readFileSync } from "node:fs";
import { SERVER_LIMITS } from "../../api/http/server.ts";
import type { Logger } from "../../config/log.ts";

/** Files that a process needs besides its clients' connections: modules, the database, requests to nodes. */
const OTHERS = 500;

/** Warns when the limit of open files is too low for this many streams. Only Linux tells it. */
export function warnOfFewFiles(
  maxStreams: number,
  log: Pick<Logger, "warn">,
  limits: () => string = () => readFileSync("/proc/self/limits", "utf8"),
): void {
  const needed = maxStreams + SERVER_LIMITS.connections + OTHERS;
  const most = mostFiles(limits);
  if (most === null || most >= needed) return;
  log.warn({
    msg: "The limit of open files is too low for MAX_STREAMS: raise it (ulimit -n) or set fewer streams",
    limit: most,
    needed,
  });
}

/** Null if it is unlimited or unknown. The soft limit: Node has raised it to the hard one. */
function mostFiles(limits: () => string): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(limits())?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
