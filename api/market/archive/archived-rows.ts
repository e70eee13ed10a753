/** @module Rows of one version of the archive, such as those of a business, in any order. Immutable. */
import { compareSortKeys, type Sort, type SortKey, sortKeyOf } from "../listings-order.ts";
import { byPublicId } from "../ordered.ts";
import { type Grade, type Listing, STATUSES, type Status } from "../schema.ts";
import type { Archive } from "./archive.ts";
import type { RowFacts } from "./facts.ts";
import { firstFrom, mergedWith, sortedBy } from "./sorted-rows.ts";

/** The archive as one market sees it. */
export type ArchiveView = {
  readonly archive: Archive;
  readonly version: number;
  gradeOf(originator: string): Grade;
  /** The listing of a row; the same object as long as it is kept and nothing in it has changed. */
  listingOf(row: number): Listing;
  /** The same for callers that read many: it is not kept, and the market cannot be asked about it. */
  listingToRead(row: number): Listing;
};

type Order = Sort | "public id";

/** Prepared orders for a snapshot: making them of a million rows takes seconds. */
export type SavedOrders = ReadonlyMap<Order, Int32Array>;

const OF_GRADES: ReadonlySet<Order> = new Set<Sort>(["best_grade", "worst_grade"]);
const NO_ROWS = new Int32Array();
/** Rows for which there is room, by those that there are. */
const ROOM = 1.25;

type State = {
  readonly view: ArchiveView;
  /** some of them may be gone since */
  readonly rows: Int32Array;
  readonly length: number;
  readonly orders: Map<Order, Int32Array>;
};

export class ArchivedRows {
  readonly #state: State;
  #counts: readonly number[] | null = null;

  private constructor(state: State) {
    this.#state = state;
  }

  static none(view: ArchiveView): ArchivedRows {
    return new ArchivedRows({ view, rows: NO_ROWS, length: 0, orders: new Map() });
  }

  /** Restores what a snapshot has. */
  static restored(view: ArchiveView, rows: Int32Array, orders: SavedOrders = new Map()): ArchivedRows {
    return new ArchivedRows({ view, rows, length: rows.length, orders: new Map(orders) });
  }

  /** The orders that do not follow from grades, the usual one among them. */
  saveOrders(): SavedOrders {
    this.inOrder("newest");
    return new Map([...this.#state.orders].filter(([order]) => !OF_GRADES.has(order)));
  }

  get length(): number {
    return this.#state.length;
  }

  get view(): ArchiveView {
    return this.#state.view;
  }

  /** The rows in a later version of the archive. @param added rows, few if any order is in use @param removed how many are gone since */
  with(view: ArchiveView, added: readonly number[], removed: number): ArchivedRows {
    const { rows, length, orders } = this.#state;
    const next = { view, length: length + added.length - removed };
    if (added.length === 0) return new ArchivedRows({ ...next, rows, orders: this.#ordersOf(view) });
    const isThere = (row: number) => view.archive.isPresent(row, view.version);
    const all = withAppended(rows, added);
    const [one, other] = [view.archive.facts(view.gradeOf), view.archive.facts(view.gradeOf)];
    const merged = [...orders.keys()].map((order): [Order, Int32Array] => {
      const keyOf = (facts: RowFacts & { row: number }, row: number): SortKey => {
        facts.row = row;
        return order === "public id" ? { key: 0n, publicId: facts.publicId } : sortKeyOf(facts, order);
      };
      const compare = (a: number, b: number) => compareSortKeys(keyOf(one, a), keyOf(other, b));
      const before = this.#ordersOf(view).get(order);
      return [
        order,
        before === undefined ? NO_ROWS : mergedWith(before, added.toSorted(compare), compare, isThere),
      ];
    });
    return new ArchivedRows({
      ...next,
      rows: next.length === all.length ? all : all.filter(isThere),
      orders: new Map(merged.filter(([, order]) => order !== NO_ROWS)),
    });
  }

  /** The prepared orders that hold for another view too. */
  #ordersOf(view: ArchiveView): Map<Order, Int32Array> {
    const { orders, view: before } = this.#state;
    if (view.gradeOf === before.gradeOf) return orders;
    return new Map([...orders].filter(([order]) => !OF_GRADES.has(order)));
  }

  /** All rows in an order, and perhaps some that are gone. Not to be written to. */
  inOrder(order: Order): Int32Array {
    const { view, orders } = this.#state;
    const known = orders.get(order);
    if (known !== undefined) return known;
    const facts = view.archive.facts(view.gradeOf);
    const sorted =
      order === "public id"
        ? this.#byPublicId()
        : sortedBy(this.inOrder("public id"), (row) => {
            facts.row = row;
            return sortKeyOf(facts, order).key;
          });
    orders.set(order, sorted);
    return sorted;
  }

  #byPublicId(): Int32Array {
    const { view, rows } = this.#state;
    const named = Array.from(rows, (row) => ({ row, publicId: view.archive.publicIdOf(row) }));
    named.sort(byPublicId);
    return Int32Array.from(named, ({ row }) => row);
  }

  /** The number of rows in each status, in the order of `STATUSES`. */
  countOf(status: Status): number {
    if (this.#counts === null) {
      const counts = STATUSES.map(() => 0);
      const { rows, view } = this.#state;
      for (const row of rows)
        if (view.archive.isPresent(row, view.version)) (counts[view.archive.statusOf(row)] as number)++;
      this.#counts = counts;
    }
    return this.#counts[STATUSES.indexOf(status)] as number;
  }

  /** The facts of the rows from this one on, in the order in which they were added. */
  *walkFrom(first: number): Generator<RowFacts, undefined> {
    const { rows } = this.#state;
    yield* this.factsOf(rows.subarray(firstFrom(rows, 0, (row) => row >= first)));
  }

  /** The facts of those of these rows that are there, in an object that shows one after the other. */
  *factsOf(rows: Iterable<number>): Generator<RowFacts, undefined> {
    const { view } = this.#state;
    const facts = view.archive.facts(view.gradeOf);
    for (const row of rows) {
      if (!view.archive.isPresent(row, view.version)) continue;
      facts.row = row;
      yield facts;
    }
  }

  /**
   * The facts of the rows, in an object that shows one after the other.
   * @param sort null for any order
   * @param after where to begin in the order
   */
  *walk(sort: Sort | null, after?: SortKey): Generator<RowFacts, undefined> {
    const { view, rows } = this.#state;
    const facts = view.archive.facts(view.gradeOf);
    const order = sort === null ? rows : this.inOrder(sort);
    const isAfter = (row: number) => {
      facts.row = row;
      return sort !== null && after !== undefined && compareSortKeys(sortKeyOf(facts, sort), after) > 0;
    };
    yield* this.factsOf(after === undefined ? order : order.subarray(firstFrom(order, 0, isAfter)));
  }
}

/** How many rows are in a buffer, if it has room for more. */
const filled = new WeakMap<ArrayBufferLike, number>();

/** The rows before stay as they are. The others go behind them if nothing was appended there yet; otherwise all are copied. */
function withAppended(rows: Int32Array, added: readonly number[]): Int32Array {
  const length = rows.length + added.length;
  const isLast = filled.get(rows.buffer) === rows.length;
  const hasRoom = isLast && length * Int32Array.BYTES_PER_ELEMENT <= rows.buffer.byteLength;
  const buffer = hasRoom ? rows.buffer : new Int32Array(Math.ceil(length * ROOM)).buffer;
  const all = new Int32Array(buffer, 0, length);
  if (!hasRoom) all.set(rows);
  all.set(added, rows.length);
  filled.set(buffer, length);
  return all;
}
