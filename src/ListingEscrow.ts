/**
 * Handlers of the escrow's events, for the escrows of the list and those of the factory alike.
 * Each names the event, loads, folds and saves (`src/record.ts`); every rule stands in `src/fold/`.
 * @module
 */
import { ponder } from "ponder:registry";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { readSettings } from "../config/environment.ts";
import { configuredSources } from "../config/sources.ts";
import type { EscrowLog } from "./fold/events.ts";
import { recordEscrowLog } from "./record.ts";

const settings = readSettings(process.env);
/** From which block on an address of the list is followed. */
const listedFrom = new Map<string, bigint>(
  settings.escrows.map(({ address, startBlock }) => [address, BigInt(startBlock)]),
);

for (const source of configuredSources(settings)) {
  if (source === "SecondaryDesk" || source === "ListingToken") continue;
  for (const { name: eventName } of listingEscrowEventsAbi) {
    ponder.on(`${source}:${eventName}`, async ({ event, context }) => {
      const from = listedFrom.get(event.log.address.toLowerCase());
      if (from !== undefined && event.block.number < from) return;
      // The loop's name and the arguments belong together; the compiler sees two unions.
      await recordEscrowLog(context.db, event, { eventName, args: event.args } as EscrowLog);
    });
  }
}
