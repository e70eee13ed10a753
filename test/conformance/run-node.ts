/** @module A command line of one of the packages, run to its end by the same Node, in a home of its own. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Milliseconds after which a run is ended and counts as a failure of the test. */
const PATIENCE = 240_000;

export type Ended = { code: number; stdout: string; stderr: string };

/**
 * @param script its `file:` address
 * @param home folder in which the program starts, and which it takes for its user's; nothing else of the user is seen
 */
export function runNode(
  script: string,
  args: readonly string[],
  home: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: "1", ...env },
      timeout: PATIENCE,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(process.execPath, [fileURLToPath(script), ...args], options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
