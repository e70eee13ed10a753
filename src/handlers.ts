/**
 * Ponder's handlers. Each hands a log to `record.ts`, which loads, folds and saves; every rule is in `fold/`.
 * @module
 */
import { ponder } from "ponder:registry";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../abis/SecondaryDeskEvents.ts";
import { readSettings } from "../config/environment.ts";
import { configuredSources } from "../config/sources.ts";
import type { DeskLog, EscrowLog } from "./fold/events.ts";
import { recordDeskLog, recordEscrowLog, recordTransfer } from "./record.ts";

const settings = readSettings(process.env);
/** The first block of each listed escrow; Ponder follows all of them from the lowest. */
const listedFrom = new Map<string, bigint>(
  settings.escrows.map(({ address, startBlock }) => [address, BigInt(startBlock)]),
);

// In both loops the name and the arguments belong together; the compiler sees two unions.
for (const source of configuredSources(settings)) {
  if (source === "ListingToken") {
    ponder.on("ListingToken:Transfer", ({ event, context }) => recordTransfer(context.db, event, event.args));
  } else if (source === "SecondaryDesk") {
    for (const { name: eventName } of secondaryDeskEventsAbi) {
      ponder.on(`${source}:${eventName}`, ({ event, context }) =>
        recordDeskLog(context.db, event, { eventName, args: event.args } as DeskLog),
      );
    }
  } else {
    for (const { name: eventName } of listingEscrowEventsAbi) {
      ponder.on(`${source}:${eventName}`, async ({ event, context }) => {
        const from = listedFrom.get(event.log.address.toLowerCase());
        if (from !== undefined && event.block.number < from) return;
        await recordEscrowLog(context.db, event, { eventName, args: event.args } as EscrowLog);
      });
    }
  }
}
