/**
 * Puts a worker of unit tests into the service's state: the HTTP adapter has replaced the global Request and Response.
 * Files share a worker; without this they would run before or after the replacement by chance. And no unit test starts a
 * process, as those alone take longer than all others.
 * @module
 */
import childProcess from "node:child_process";
import { enableCompileCache, syncBuiltinESMExports } from "node:module";
import { getRequestListener } from "@hono/node-server";

enableCompileCache(process.env.NODE_COMPILE_CACHE);
getRequestListener(() => new Response());

function refuse(): never {
  throw new Error("a unit test starts no process: name its file under NO_UNIT_TESTS in vitest.config.ts");
}
const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;
Object.assign(childProcess, Object.fromEntries(STARTERS.map((name) => [name, refuse])));
syncBuiltinESMExports();
