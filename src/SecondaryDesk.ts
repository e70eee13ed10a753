/**
 * Handlers of the desk's events. Each names the event, loads, folds and saves (`src/record.ts`).
 * @module
 */
import { ponder } from "ponder:registry";
import { readSettings } from "../config/environment.ts";
import { configuredSources } from "../config/sources.ts";
import { recordDeskLog } from "./record.ts";

if (configuredSources(readSettings(process.env)).includes("SecondaryDesk")) {
  ponder.on("SecondaryDesk:OfferCreated", ({ event, context }) =>
    recordDeskLog(context.db, event, { eventName: "OfferCreated", args: event.args }),
  );
  ponder.on("SecondaryDesk:OfferFilled", ({ event, context }) =>
    recordDeskLog(context.db, event, { eventName: "OfferFilled", args: event.args }),
  );
  ponder.on("SecondaryDesk:OfferCancelled", ({ event, context }) =>
    recordDeskLog(context.db, event, { eventName: "OfferCancelled", args: event.args }),
  );
}
