/**
 * Finds files with secrets that other users of the machine can read or change.
 * @module
 */
import { statSync } from "node:fs";
import type { Warning } from "../../config/problems.ts";

/** The environment of the units in `deploy/systemd`. */
export const SYSTEMD_ENV_FILE = "/etc/raisebook/raisebook.env";

/** Checks each of these files that exists. */
export function warnOfModes(files: readonly string[]): Warning[] {
  return files.flatMap((file) => {
    const mode = modeOf(file);
    const open = [...((mode & 0o004) !== 0 ? ["read"] : []), ...((mode & 0o002) !== 0 ? ["changed"] : [])];
    if (open.length === 0) return [];
    const warning = `can be ${open.join(" and ")} by every user of this machine (mode ${mode.toString(8)}): it holds keys and passwords`;
    return [{ variable: file, warning, remedy: `chmod 600 ${file}` }];
  });
}

/** 0 if there is no file, or none that this user can inspect. Windows has permissions that a mode does not show. */
function modeOf(file: string): number {
  if (process.platform === "win32") return 0;
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return 0;
  }
}
