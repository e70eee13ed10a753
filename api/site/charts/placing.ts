/**
 * Finds room for labels.
 * @module
 */

/** In canvas units; a line is a box without width or height. */
export type Box = { left: number; right: number; top: number; bottom: number };

/** The first of the places that cover the fewest obstacles; null when there are no places. */
export function freest<Place extends { box: Box }>(
  places: readonly Place[],
  obstacles: readonly Box[],
): Place | null {
  const covered = places.map(({ box }) => obstacles.filter((one) => overlap(box, one)).length);
  return places[covered.indexOf(Math.min(...covered))] ?? null;
}

/** The lines of a stepped path through these corners: along, then up or down. */
export function linesOfSteps(corners: readonly { x: number; y: number }[]): Box[] {
  return corners.flatMap(({ x, y }, index) => {
    const next = corners[index + 1];
    if (next === undefined) return [];
    return [
      { left: x, right: next.x, top: y, bottom: y },
      { left: next.x, right: next.x, top: Math.min(y, next.y), bottom: Math.max(y, next.y) },
    ];
  });
}

function overlap(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}
