/**
 * Ponder's handlers. Each hands what its log means to `record.ts`; every rule is in `fold/`, and what a log means in `contracts/`.
 * @module
 */
import { ponder } from "ponder:registry";
import { readSettings } from "../config/environment.ts";
import { createLogger } from "../config/log.ts";
import { configuredSources } from "../config/sources.ts";
import { contractsOf, unmappedLog } from "./contracts/contracts.ts";
import { scaleOf } from "./contracts/market-event.ts";
import { placeOf, record } from "./record.ts";

const settings = readSettings(process.env);
const { escrow, desk, unknowable } = contractsOf(settings);
const scale = scaleOf(escrow.decimals);
/** The first block of each listed escrow; Ponder follows all of them from the lowest. */
const listedFrom = new Map<string, bigint>(
  settings.escrows.map(({ address, startBlock }) => [address, BigInt(startBlock)]),
);
const onUnmapped = unmappedLog(createLogger({ format: settings.logFormat, level: settings.logLevel }));

for (const source of configuredSources(settings)) {
  if (source === "ListingToken") {
    ponder.on("ListingToken:Transfer", ({ event, context }) =>
      record(context.db, event, {
        content: { source: "token", transfer: { ...event.args, scale } },
        part: 0,
      }),
    );
    continue;
  }
  for (const { ponderName, abiItem, map } of (source === "SecondaryDesk" ? desk : escrow)?.events ?? []) {
    // The ABI is not known to the compiler, nor are its events' names.
    ponder.on(`${source}:${ponderName}` as "ListingToken:Transfer", async ({ event, context }) => {
      const { address, ...place } = placeOf(event);
      const from = source === "SecondaryDesk" ? undefined : listedFrom.get(address);
      if (from !== undefined && place.blockNumber < from) return;
      for (const [part, { content, problem }] of map(event.args, { address, ...place }).entries()) {
        if (problem !== null) onUnmapped(abiItem.name, problem);
        await record(context.db, event, { content, part }, unknowable);
      }
    });
  }
}
