/** @module Sorted lists that are replaced, never changed, so that readers may keep one. */

/** An item that is added, removed or replaced. */
export type Edit<Item> = { readonly before: Item | null; readonly after: Item | null };

/** The same of a part of the items. */
export function editOf<Item, Part>(
  { before, after }: Edit<Item>,
  partOf: (item: Item) => Part | null,
): Edit<Part> {
  return { before: before && partOf(before), after: after && partOf(after) };
}

export type Compare<Item> = (a: Item, b: Item) => number;

export function byPublicId(a: { publicId: string }, b: { publicId: string }): number {
  if (a.publicId === b.publicId) return 0;
  return a.publicId < b.publicId ? -1 : 1;
}

/** Above this many edits, re-sorting beats inserting. */
const MANY = 1_000;

/** Apart from one copy, the work depends on the number of edits. @param compare a total order: equal items are the same one */
export function withEdits<Item>(
  items: readonly Item[],
  edits: readonly Edit<Item>[],
  compare: Compare<Item>,
): readonly Item[] {
  const removed = edits.flatMap(({ before }): Item[] => (before === null ? [] : [before]));
  const added = edits.flatMap(({ after }): Item[] => (after === null ? [] : [after])).sort(compare);
  if (removed.length === 0 && added.length === 0) return items;
  if (items.length === 0) return added;
  if (edits.length === 1) return withEdit(items, edits[0] as Edit<Item>, compare);
  if (edits.length > MANY) {
    const gone = new Set(removed);
    return [...items.filter((item) => !gone.has(item)), ...added].sort(compare);
  }
  const cuts: { at: number; item: Item | null }[] = [
    ...added.map((item) => ({ at: firstAtLeast(items, (other) => compare(other, item)), item })),
    ...removed.map((item) => ({ at: firstAtLeast(items, (other) => compare(other, item)), item: null })),
  ].sort((a, b) => a.at - b.at);
  const pieces: Item[][] = [];
  let from = 0;
  for (const { at, item } of cuts) {
    pieces.push(items.slice(from, at));
    from = at;
    if (item === null) from += 1;
    else pieces.push([item as Item]);
  }
  pieces.push(items.slice(from));
  return ([] as Item[]).concat(...pieces);
}

/** The usual single edit: the engine copies the list in one piece. */
function withEdit<Item>(
  items: readonly Item[],
  { before, after }: Edit<Item>,
  compare: Compare<Item>,
): readonly Item[] {
  const placeOf = (item: Item) => firstAtLeast(items, (other) => compare(other, item));
  const changed = items.slice();
  const from = before === null ? null : placeOf(before);
  const to = after === null ? null : placeOf(after);
  const isInPlace = from !== null && to !== null && (to === from || to === from + 1);
  if (isInPlace) changed[from] = after as Item;
  else {
    if (from !== null) changed.splice(from, 1);
    if (to !== null) changed.splice(from !== null && from < to ? to - 1 : to, 0, after as Item);
  }
  return changed;
}

/** The index of the first item whose `place` is not below zero; the length when all are. */
export function firstAtLeast<Item>(items: readonly Item[], place: (item: Item) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (place(items[middle] as Item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
