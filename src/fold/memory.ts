/**
 * The tables in memory, a synchronous store for steps: for `asOf`, the audit, bulk indexing and ledger files.
 * @module
 */
import {
  type AppendedTable,
  KEYS,
  type KeyedTable,
  type RowOf,
  type Step,
  type Write,
  type Writes,
} from "./step.ts";

/** Rows by key: a `Map`, or something that reads like one. */
export type Rows<Row> = {
  get(key: string): Row | undefined;
  set(key: string, row: Row): unknown;
  values(): Iterable<Row>;
  /** Whether rows are changed in place, which is quicker but requires that no other code keeps a row that it has read. */
  readonly areOwned?: boolean;
};

/** Rows that later events never change, in the order of the chain. */
type Appended<Row> = { push(row: Row): unknown };

/** A changed row is replaced by a new object, unless its table owns its rows: rows already handed out stay as they are. */
export type MemoryTables = { [Name in KeyedTable]: Rows<RowOf<Name>> } & {
  [Name in AppendedTable]: Appended<RowOf<Name>>;
};

type PlainTables = { [Name in KeyedTable]: Map<string, RowOf<Name>> } & {
  [Name in AppendedTable]: RowOf<Name>[];
};

/** For a table whose rows are not needed. */
export const DROPPED: Appended<unknown> = { push() {} };

/** Creates empty tables; some of them may be supplied by the caller. */
export function createTables<Other extends Partial<MemoryTables>>(
  other: Other,
): Omit<PlainTables, keyof Other> & Other {
  const plain: PlainTables = {
    tally: new Map(),
    listing: new Map(),
    backerPosition: new Map(),
    listingToken: new Map(),
    tokenHolder: new Map(),
    offer: new Map(),
    eventBlock: [],
    ledger: [],
    subscription: [],
    refund: [],
    repayment: [],
    trade: [],
    anomaly: [],
  };
  return { ...plain, ...other };
}

/** Runs a step. @returns its writes, already applied to the tables */
export function runStep(tables: MemoryTables, step: Step): Writes {
  // The row of each key that was read: a change names the same key.
  const found = new Map<object, object>();
  let next = step.next();
  while (next.done !== true) {
    const { table, key } = next.value;
    const row = tables[table].get(keyText(table, key)) ?? null;
    if (row !== null && tables[table].areOwned === true) found.set(key, row);
    next = step.next(row);
  }
  for (const write of next.value) saveIn(tables, write, found);
  return next.value;
}

function saveIn(tables: MemoryTables, write: Write, found: ReadonlyMap<object, object>): void {
  const { table } = write;
  // Table and row match; the compiler sees two unions.
  if (!isKeyed(table)) {
    if ("row" in write) (tables[table] as Appended<object>).push(write.row);
    return;
  }
  const rows = tables[table] as Rows<object>;
  if ("row" in write) {
    rows.set(keyText(table, write.row), write.row);
    return;
  }
  const row = found.get(write.key);
  if (row !== undefined) Object.assign(row, write.changes);
  else {
    const key = keyText(table, write.key);
    rows.set(key, { ...rows.get(key), ...write.changes });
  }
}

function isKeyed(table: string): table is KeyedTable {
  return Object.hasOwn(KEYS, table);
}

/** @param row a row of the table, or its key */
export function keyText(table: KeyedTable, row: object): string {
  let text = "";
  for (const column of KEYS[table]) {
    const value = `${(row as Readonly<Record<string, unknown>>)[column]}`;
    text = text === "" ? value : `${text}/${value}`;
  }
  return text;
}
