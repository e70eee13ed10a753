/** @jsxImportSource hono/jsx */
/** @module The sheet of all pictures, with name and mark above and the address below, and its parts. */
import type { Child } from "hono/jsx";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { BACKGROUNDS, TEXT } from "../brand/accent.ts";
import type { Brand } from "../brand/brand.ts";
import { PICTURE_SIZE } from "../page.ts";
import type { Tone } from "../value.ts";
import { CoverBand, type CoverBandProps } from "./cover.tsx";
import { FONT_FAMILY, fitted, type Letters, unjoined, WEIGHTS, widthOf } from "./letters.ts";

const { width: WIDTH, height: HEIGHT } = PICTURE_SIZE;
const MARGIN = 64;
export const LEFT = MARGIN;
export const RIGHT = WIDTH - MARGIN;
/** Pixels between the margins. */
export const ROOM = RIGHT - LEFT;
/** As in the stylesheet's light theme: a picture is the same for every reader. */
export const INK = { text: TEXT.light, muted: "#555c64", line: "#dcdcd6", track: "#e9e9e4" } as const;
export const TONES: Record<Tone, { ink: string; soft: string }> = {
  good: { ink: "#17643c", soft: "#e2f2e8" },
  busy: { ink: "#174f8a", soft: "#e3edf8" },
  warn: { ink: "#7a4a00", soft: "#fbeed7" },
  bad: { ink: "#9b1c1c", soft: "#fbe5e3" },
  idle: { ink: "#4d545b", soft: "#ebebe7" },
};
const LOGO = 52;
const PILL: Letters = { weight: "bold", size: 26 };

type TextProps = {
  x: number;
  y: number;
  letters: Letters;
  text: string;
  fill?: string;
  anchor?: "start" | "middle" | "end";
};

export function Text({ x, y, letters, text, fill = INK.text, anchor = "start" }: TextProps) {
  return (
    <text
      x={x}
      y={y}
      fill={fill}
      font-family={FONT_FAMILY}
      font-weight={WEIGHTS[letters.weight]}
      font-size={letters.size}
      text-anchor={anchor}
    >
      {isolated(unjoined(text))}
    </text>
  );
}

/** A few words on a coloured ground. @param x its left side, or its right side with `isEnd` */
export function Pill(props: { x: number; y: number; text: string; tone: Tone; isEnd?: boolean }) {
  const { x, y, text, tone, isEnd = false } = props;
  const shown = fitted(text, PILL, ROOM / 2);
  const width = widthOfPill(shown);
  const left = isEnd ? x - width : x;
  const { ink, soft } = TONES[tone];
  return (
    <g>
      <rect x={left} y={y - 32} width={width} height={46} rx={23} fill={soft} />
      <Text x={left + 18} y={y} letters={PILL} text={shown} fill={ink} />
    </g>
  );
}

export function widthOfPill(text: string): number {
  return widthOf(text, PILL) + 36;
}

export type Part = { weight: bigint; fill: string };

/** A bar of parts of a whole, which is at least their sum. */
export function Bar({
  y,
  height,
  whole,
  parts,
}: {
  y: number;
  height: number;
  whole: bigint;
  parts: readonly Part[];
}) {
  const ends = parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, { weight }) => sum + weight, 0n));
  return (
    <g>
      <clipPath id="bar">
        <rect x={LEFT} y={y} width={ROOM} height={height} rx={height / 2} />
      </clipPath>
      <g clip-path="url(#bar)">
        <rect x={LEFT} y={y} width={ROOM} height={height} fill={INK.track} />
        {parts.map(({ weight, fill }, at) => {
          const start = placeOf((ends[at] ?? 0n) - weight, whole);
          return (
            <rect
              x={start}
              y={y}
              width={placeOf(ends[at] ?? 0n, whole) - start}
              height={height}
              fill={fill}
            />
          );
        })}
      </g>
    </g>
  );
}

/** The pixel of an amount on a bar. */
export function placeOf(amount: bigint, whole: bigint): number {
  if (whole <= 0n) return LEFT;
  const share = Number((amount * 10_000n) / whole) / 10_000;
  return Math.round((LEFT + ROOM * Math.min(Math.max(share, 0), 1)) * 10) / 10;
}

export type SheetParameters = {
  brand: Brand;
  publicUrl: string;
  /** across the top; a thin line of the accent without one */
  cover?: CoverBandProps;
  state?: { label: string; tone: Tone };
  children: Child;
};

export function sheet({ brand, publicUrl, cover, state, children }: SheetParameters): string {
  const { logo, accent } = brand;
  const name: Letters = { weight: "bold", size: 30 };
  const small: Letters = { weight: "regular", size: 24 };
  const siteName = fitted(brand.name, name, ROOM / 2);
  const nameAt = LEFT + LOGO + 18;
  const drawn = (
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{isolated(siteName)}</title>
      <rect width={WIDTH} height={HEIGHT} fill={BACKGROUNDS.light[0]} />
      {cover === undefined ? (
        <rect width={WIDTH} height={12} fill={accent.light.accentStrong} />
      ) : (
        <>
          <CoverBand {...cover} />
          <rect
            x={LEFT - 16}
            y={36}
            width={nameAt - LEFT + widthOf(siteName, name) + 40}
            height={LOGO + 24}
            rx={14}
            fill={BACKGROUNDS.light[0]}
          />
        </>
      )}
      <image
        x={LEFT}
        y={48}
        width={LOGO}
        height={LOGO}
        href={`data:${logo.body.type};base64,${logo.body.bytes.toString("base64")}`}
      />
      <Text x={nameAt} y={85} letters={name} text={siteName} />
      {state !== undefined && <Pill x={RIGHT} y={84} text={state.label} tone={state.tone} isEnd />}
      {children}
      <rect x={LEFT} y={552} width={ROOM} height={1} fill={INK.line} />
      <Text
        x={LEFT}
        y={594}
        letters={small}
        fill={INK.muted}
        text={fitted(new URL(publicUrl).host, small, ROOM / 2)}
      />
      <Text
        x={RIGHT}
        y={594}
        letters={small}
        fill={INK.muted}
        anchor="end"
        text="Test network: no value here is real"
      />
    </svg>
  );
  return drawn.toString();
}
