/** @module No unit test starts a process, as those alone take longer than all others. */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

function refuse(): never {
  throw new Error("a unit test starts no process: name its file under NO_UNIT_TESTS in vitest.config.ts");
}
const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;
Object.assign(childProcess, Object.fromEntries(STARTERS.map((name) => [name, refuse])));
syncBuiltinESMExports();
