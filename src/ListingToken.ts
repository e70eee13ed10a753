/**
 * Handler of the listing tokens' transfers: who holds how much (`src/fold/transfer.ts`).
 * @module
 */
import { ponder } from "ponder:registry";
import { readSettings } from "../config/environment.ts";
import { configuredSources } from "../config/sources.ts";
import { recordTransfer } from "./record.ts";

if (configuredSources(readSettings(process.env)).includes("ListingToken")) {
  ponder.on("ListingToken:Transfer", ({ event, context }) => recordTransfer(context.db, event, event.args));
}
