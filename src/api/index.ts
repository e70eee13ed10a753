/**
 * The service inside Ponder: the only file that imports `ponder:api`, so that everything else runs without Ponder. Ponder
 * loads it through Vite, which takes seconds for all imports; so these are loaded as one file (docs/decisions/0020-one-file.md).
 */
import { fileURLToPath } from "node:url";
import { db } from "ponder:api";
import * as tables from "ponder:schema";
import { Hono } from "hono";
import { importAsOneFile } from "../../config/one-file.mjs";

const home = fileURLToPath(new URL("../../operate/daemon/ponder.ts", import.meta.url));
type Home = typeof import("../../operate/daemon/ponder.ts");
const { serveInPonder } =
  (await importAsOneFile<Home>(home)) ?? (await import("../../operate/daemon/ponder.ts"));

// Ponder requires an app of its own copy of Hono.
export default new Hono().route("/", await serveInPonder({ db, tables }));
