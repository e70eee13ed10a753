/** @jsxImportSource hono/jsx */
/**
 * How far something is, as a bar with marks. Drawn as SVG: a width that depends on a figure would else need an inline
 * style, which the pages' policy forbids.
 * @module
 */
import type { Progress } from "../page.ts";

/** Units of the drawing from end to end. */
const LENGTH = 1000;

export function ProgressBar({ progress: { label, value, max, marks, text } }: { progress: Progress }) {
  const most = [value, max, ...marks.map(({ at }) => at)].map(BigInt).reduce((a, b) => (a > b ? a : b));
  const place = (baseUnits: string) => placeOf(BigInt(baseUnits), most);
  return (
    <div class="progress">
      <svg
        class="progress-bar"
        viewBox={`0 0 ${LENGTH} 16`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${text}`}
      >
        <rect class="progress-whole" x="0" y="4" width={LENGTH} height="8" rx="4" />
        <rect class="progress-part" x="0" y="4" width={place(value)} height="8" rx="4" />
        {marks.map(({ at }) => (
          <rect class="progress-mark" x={Math.min(LENGTH - 3, place(at))} y="0" width="3" height="16" />
        ))}
      </svg>
      <p class="progress-text">{text}</p>
    </div>
  );
}

/** In whole units of the drawing; money stays a bigint until it is one. */
function placeOf(value: bigint, most: bigint): number {
  return most === 0n ? 0 : Number((value * BigInt(LENGTH)) / most);
}
