/**
 * Ponder's handlers. Each hands its log to `record.ts`; every rule is in `fold/`.
 * @module
 */
import { ponder } from "ponder:registry";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../abis/SecondaryDeskEvents.ts";
import { readSettings } from "../config/environment.ts";
import { configuredContracts } from "../config/sources.ts";
import type { DeskLog, EscrowLog } from "./fold/events.ts";
import { record } from "./record.ts";

const settings = readSettings(process.env);
/** The first block of each listed escrow; Ponder follows all of them from the lowest. */
const listedFrom = new Map<string, bigint>(
  settings.escrows.map(({ address, startBlock }) => [address, BigInt(startBlock)]),
);

// In both loops the name and the arguments belong together; the compiler sees two unions.
for (const source of configuredContracts(settings)) {
  if (source === "ListingToken") {
    ponder.on("ListingToken:Transfer", ({ event, context }) =>
      record(context.db, event, { source: "token", transfer: event.args }),
    );
  } else if (source === "SecondaryDesk") {
    for (const { name: eventName } of secondaryDeskEventsAbi) {
      ponder.on(`${source}:${eventName}`, ({ event, context }) =>
        record(context.db, event, { source: "desk", log: { eventName, args: event.args } as DeskLog }),
      );
    }
  } else {
    for (const { name: eventName } of listingEscrowEventsAbi) {
      ponder.on(`${source}:${eventName}`, async ({ event, context }) => {
        const from = listedFrom.get(event.log.address.toLowerCase());
        if (from !== undefined && event.block.number < from) return;
        const log = { eventName, args: event.args } as EscrowLog;
        await record(context.db, event, { source: "escrow", log });
      });
    }
  }
}
