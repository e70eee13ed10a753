/** @module A sum over the archive that follows it from version to version: only rows that were added or removed since are looked at. */
import type { ArchiveView } from "./archived-rows.ts";
import type { RowFacts } from "./facts.ts";

/** Adds a row to the state, or takes it away. The object with its facts shows another row next. */
type Take<State> = (state: State, facts: RowFacts, sign: 1 | -1) => void;

/** @param most rows that are added, in their order; all by default @returns the state, and whether it has all rows */
export type Follower<State> = (
  view: ArchiveView,
  take: Take<State>,
  most?: number,
) => { state: State; isWhole: boolean };

const NO_GRADES: ArchiveView["gradeOf"] = () => "NR";

/**
 * The state is changed by later calls. One of an older version than the last is made of all rows, and not kept.
 * @param start the state of no rows
 * @param hasGrades whether the state is made of grades of businesses too
 */
export function createFollower<State>(
  start: () => State,
  { hasGrades }: { hasGrades: boolean },
): Follower<State> {
  const none = () => ({ state: start(), version: 0, rows: 0, removed: 0, gradeOf: NO_GRADES });
  let known = none();

  return ({ archive, version, gradeOf }, take, most = Number.POSITIVE_INFINITY) => {
    const isLater = known.version <= version;
    const hasSame = !hasGrades || known.gradeOf === gradeOf;
    const from = isLater && hasSame && !archive.isRewound(known.version, version) ? known : none();
    const { state } = from;
    let { removed } = from;
    const facts = archive.facts(gradeOf);
    const end = archive.rowsAt(version);
    for (; removed < archive.removed.length; removed++) {
      const row = archive.removed[removed] as number;
      if (row >= end || archive.isPresent(row, version)) break;
      if (row >= from.rows) continue;
      facts.row = row;
      take(state, facts, -1);
    }
    const rows = Math.min(end, from.rows + most);
    for (let row = from.rows; row < rows; row++) {
      if (!archive.isPresent(row, version)) continue;
      facts.row = row;
      take(state, facts, 1);
    }
    if (isLater) known = { state, version, rows, removed, gradeOf };
    return { state, isWhole: rows === end };
  };
}
