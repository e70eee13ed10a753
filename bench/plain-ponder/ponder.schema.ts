import { onchainTable, primaryKey } from "ponder";

export const listing = onchainTable(
  "listing",
  (t) => ({
    escrow: t.hex().notNull(),
    id: t.bigint().notNull(),
    originator: t.hex(),
    token: t.hex(),
    raised: t.bigint().notNull(),
    repaid: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrow, table.id] }) }),
);

export const position = onchainTable(
  "position",
  (t) => ({
    escrow: t.hex().notNull(),
    id: t.bigint().notNull(),
    backer: t.hex().notNull(),
    amount: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.escrow, table.id, table.backer] }) }),
);

export const event = onchainTable("event", (t) => ({
  eventId: t.text().primaryKey(),
  escrow: t.hex().notNull(),
  id: t.bigint().notNull(),
  kind: t.text().notNull(),
  block: t.bigint().notNull(),
  time: t.bigint().notNull(),
  tx: t.hex().notNull(),
}));
