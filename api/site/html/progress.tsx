/** @jsxImportSource hono/jsx */
/** @module Bars. SVG, because a width computed from data would need an inline style, which the policy forbids. */
import type { ProgressBar, Shares } from "../page.ts";
import { textOf } from "../value.ts";
import { FactView } from "./value.tsx";

/** Width of a drawing, in its own units. */
const LENGTH = 1000;

export function ProgressBarView({ progress }: { progress: ProgressBar }) {
  const { label, value, max, marks, text, isQuiet, tone = "busy", missing } = progress;
  const most = [value, max, ...marks.map(({ at }) => at)].map(BigInt).reduce((a, b) => (a > b ? a : b));
  const place = (baseUnits: string) => placeOf(BigInt(baseUnits), most);
  return (
    <div class="progress">
      <svg
        class={`bar bar--${tone}`}
        viewBox={`0 0 ${LENGTH} 16`}
        preserveAspectRatio="none"
        role="img"
        aria-label={[`${label}: ${text}`, ...marks.map((mark) => mark.label)].join(", ")}
      >
        <rect class="bar-whole" x="0" y="4" width={LENGTH} height="8" />
        {missing !== undefined && (
          <rect
            class={`bar-missing share--${missing}`}
            x={place(value)}
            y="4"
            width={LENGTH - place(value)}
            height="8"
          />
        )}
        <rect class="bar-part" x="0" y="4" width={place(value)} height="8" />
        {marks.map(({ at }) => (
          <rect class="bar-mark" x={Math.min(LENGTH - 4, place(at))} y="0" width="4" height="16" />
        ))}
      </svg>
      {!isQuiet && <p class="progress-text">{text}</p>}
    </div>
  );
}

export function SharesView({ shares: { label, whole, parts, text, more } }: { shares: Shares }) {
  const total = parts.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  let before = 0n;
  const bars = parts.map(({ fact: { label, value, href }, weight, tone, isSoft }) => {
    const [from, to] = [before, before + BigInt(weight)].map((at) => placeOf(at, total)) as [number, number];
    before += BigInt(weight);
    const bar = (
      <rect
        class={`share share--${tone}${isSoft ? " share--soft" : ""}`}
        x={from}
        y="0"
        width={Math.max(0, to === LENGTH ? to - from : to - from - 3)}
        height="16"
      />
    );
    // For a pointer; the label next to the figure leads to the same.
    return href === undefined ? (
      bar
    ) : (
      <a href={href} tabindex={-1}>
        <title>{`${label} ${textOf(value)}`}</title>
        {bar}
      </a>
    );
  });
  // An image has no links in it.
  const hasLinks = parts.some(({ fact }) => fact.href !== undefined);
  const description = parts.map(({ fact }) => `${fact.label} ${textOf(fact.value)}`).join(", ");
  return (
    <div class="shares">
      <dl class="facts shares-whole">
        <FactView fact={whole} />
      </dl>
      {total > 0n && (
        <svg
          class="shares-bar"
          viewBox={`0 0 ${LENGTH} 16`}
          preserveAspectRatio="none"
          role={hasLinks ? "group" : "img"}
          aria-label={`${label}: ${description}`}
        >
          {bars}
        </svg>
      )}
      <dl class="facts shares-parts">
        {parts.map(({ fact, tone, isSoft }) => (
          <FactView fact={fact} class={`key key--${tone}${isSoft ? " key--soft" : ""}`} />
        ))}
      </dl>
      <p class="shares-text">
        {text}
        {more !== undefined && (
          <>
            {" "}
            <a href={more.href}>{more.text}</a>
          </>
        )}
      </p>
    </div>
  );
}

/** In whole units of the drawing; money stays a bigint until then. */
function placeOf(value: bigint, most: bigint): number {
  return most === 0n ? 0 : Number((value * BigInt(LENGTH)) / most);
}
