// Written as Ponder's documentation suggests: three tables, the running sums and every event.
import { ponder } from "ponder:registry";
import { event as eventTable, listing, position } from "ponder:schema";
import { listingEscrowEventsAbi } from "../../../abis/ListingEscrowEvents.ts";

for (const { name } of listingEscrowEventsAbi) {
  ponder.on(`ListingEscrow:${name}`, async ({ event, context }) => {
    const { db } = context;
    const { onchainId: id } = event.args;
    const escrow = event.log.address;
    await db.insert(eventTable).values({
      eventId: event.id,
      escrow,
      id,
      kind: name,
      block: event.block.number,
      time: event.block.timestamp,
      tx: event.transaction.hash,
    });
    if (name === "ListingCreated") {
      const { originator, token } = event.args;
      await db.insert(listing).values({ escrow, id, originator, token, raised: 0n, repaid: 0n });
    }
    if (name === "Subscribed") {
      const { backer, amount, totalRaised } = event.args;
      await db.update(listing, { escrow, id }).set({ raised: totalRaised });
      await db
        .insert(position)
        .values({ escrow, id, backer, amount })
        .onConflictDoUpdate((row) => ({ amount: row.amount + amount }));
    }
    if (name === "Repaid") {
      const { principal } = event.args;
      await db.update(listing, { escrow, id }).set((row) => ({ repaid: row.repaid + principal }));
    }
  });
}
