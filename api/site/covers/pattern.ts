/**
 * The cover of a raise without its own picture, as data: the same id always gives the same shapes. Each family divides
 * the width evenly before it varies anything, so that no draw is empty or leans to one side. Paths are left open: a
 * fill closes them.
 * @module
 */
import { createHash } from "node:crypto";

/** Sets of colours, each around another hue near the accent (colours.ts). */
export const TONES = [1, 2, 3, 4, 5] as const;
export type Tone = (typeof TONES)[number];

export type Pattern = { family: Family; tone: Tone; shapes: readonly Shape[] };

/** @param id of the raise or business; any text */
export function patternOf(id: string): Pattern {
  const source = sourceOf(id);
  const tone = source.pick(TONES);
  const family = source.pick(FAMILY_NAMES);
  return { family, tone, shapes: FAMILIES[family](source) };
}

const FAMILY_NAMES = ["orbs", "ripples", "peaks", "columns", "waves", "tiles"] as const satisfies Family[];

/** mulberry32, seeded with the hash of the id. */
function sourceOf(id: string): RandomStream {
  let state = createHash("sha256").update(id).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { between, pick: (from) => from[between(0, from.length - 1)] ?? from[0] };
}

/** Size of the drawing, in its own units. Its middle must suffice: phones show only that. */
export const WIDTH = 384;
export const HEIGHT = 96;

/** Colours of a tone: 1 to 4 lead from the ground to the light, 5 is the one spot of another hue. */
type Ink = 1 | 2 | 3 | 4 | 5;

/** Painted in order, within the drawing; a circle may reach beyond it. */
export type Shape = { ink: Ink } & ({ x: number; y: number; r: number } | { path: string });

type RandomStream = {
  /** an integer, both ends included */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
};

type Family = keyof typeof FAMILIES;

export const FAMILIES = { orbs, ripples, peaks, columns, waves, tiles } satisfies Record<
  string,
  (source: RandomStream) => Shape[]
>;

function orbs({ between, pick }: RandomStream): Shape[] {
  const large = [0, 1, 2, 3].map((at): Shape => {
    const ink: Ink = at % 2 === 0 ? 1 : 2;
    return { ink, x: 48 + at * 96 + between(-18, 18), y: between(28, 76), r: between(36, 58) };
  });
  const lit = between(0, 4);
  const small = [0, 1, 2, 3, 4].map((at): Shape => {
    const ink: Ink = at === lit ? 5 : pick<Ink>([3, 4, 3]);
    const r = at === lit ? between(7, 11) : between(10, 24);
    return { ink, x: 30 + at * 80 + between(-16, 16), y: between(16, 80), r };
  });
  return [...large, ...small];
}

function ripples({ between, pick }: RandomStream): Shape[] {
  const up = pick([true, false]);
  const inks = [1, 2, 3, 4, 5] as const;
  const rings = (x: number, y: number, most: number) =>
    inks.map((ink, at): Shape => ({ ink, x, y, r: Math.round(most * (1 - at * 0.21)) }));
  return [
    ...rings(between(64, 120), up ? HEIGHT : 0, between(84, 112)),
    ...rings(between(232, 312), up ? 0 : HEIGHT, between(84, 112)),
  ];
}

/** A far ridge, nearer mountains with a lit side, and a sun. */
function peaks({ between }: RandomStream): Shape[] {
  const far = [0, 1, 2, 3].map((at) => {
    const x = 40 + at * 100 + between(-16, 16);
    return `L${x} ${between(20, 44)}L${Math.min(WIDTH, x + 50)} ${between(60, 76)}`;
  });
  const near = [0, 1, 2].map((at) => {
    const x = 64 + at * 124 + between(-24, 24);
    const top = between(34, 56);
    return { x, top, half: (HEIGHT - top) * 1.5 };
  });
  const face = (side: -1 | 1) =>
    near.map(
      ({ x, top, half }) => `M${x} ${top}V${HEIGHT}H${clampX(x + side * half)}${closing(x, top, half, side)}`,
    );
  return [
    { ink: 5, x: between(130, 254), y: between(18, 28), r: between(10, 14) },
    { ink: 1, path: `M0 ${HEIGHT}V${between(52, 72)}${far.join("")}L${WIDTH} ${HEIGHT}` },
    { ink: 3, path: face(-1).join("") },
    { ink: 2, path: face(1).join("") },
  ];
}

function clampX(x: number): number {
  return Math.round(Math.min(WIDTH, Math.max(0, x)));
}

/** The way back to the top; where the foot is beyond the edge, along the edge first. */
function closing(x: number, top: number, half: number, side: -1 | 1): string {
  const foot = x + side * half;
  if (foot >= 0 && foot <= WIDTH) return "";
  const edge = clampX(foot);
  const y = top + ((HEIGHT - top) * Math.abs(edge - x)) / half;
  return `V${Math.round(y)}`;
}

/** Two rows of columns with round heads; the nearer row rises to one side or the middle, and one column is lit. */
function columns({ between, pick }: RandomStream): Shape[] {
  const column = (x: number, top: number, radius: number) =>
    `M${x} ${HEIGHT}V${top}a${radius} ${radius} 0 0 1 ${2 * radius} 0V${HEIGHT}`;
  const far = [0, 1, 2, 3, 4, 5].map((at) => column(4 + at * 64 + between(-4, 4), between(22, 50), 26));
  const rise = pick([
    [0, 5, 10, 15, 20, 25, 30, 35],
    [0, 11, 22, 33, 33, 22, 11, 0],
    [28, 18, 8, 0, 0, 8, 18, 28],
    [35, 30, 25, 20, 15, 10, 5, 0],
  ]);
  const lit = between(2, 5);
  const near = new Map<Ink, string>();
  rise.forEach((height, at) => {
    const ink = at === lit ? 5 : pick<Ink>([2, 3, 4]);
    const path = column(12 + at * 48, 72 - height + between(-6, 6), 12);
    near.set(ink, (near.get(ink) ?? "") + path);
  });
  return [{ ink: 1, path: far.join("") }, ...[...near].map(([ink, path]) => ({ ink, path }))];
}

function waves({ between, pick }: RandomStream): Shape[] {
  const calm = between(6, 12);
  const bands = ([1, 2, 3, 4] as const).map((ink, at): Shape => {
    const phase = pick([1, -1]);
    const y = 36 + at * 16;
    const heights = [0, 1, 2, 3, 4].map((_, step) => {
      const swing = (step % 2 === 0 ? phase : -phase) * between(calm - 4, calm + 2);
      return Math.min(HEIGHT, y + swing);
    });
    const [first = y, ...rest] = heights;
    const curve = rest.map((height, step) => {
      const x = step * 96;
      return `${step === 0 ? `C48 ${first} ` : "S"}${x + 48} ${height} ${x + 96} ${height}`;
    });
    return { ink, path: `M0 ${HEIGHT}V${first}${curve.join("")}V${HEIGHT}` };
  });
  return [{ ink: 5, x: between(120, 264), y: between(18, 24), r: between(10, 14) }, ...bands];
}

/** Quarter circles, leaves, halves and dots on a grid of squares, each fifth of them left free. */
function tiles({ between, pick }: RandomStream): Shape[] {
  const inks: readonly [Ink, ...Ink[]] = [1, 2, 3, 4];
  const paths = new Map<Ink, string>();
  const add = (ink: Ink, path: string) => paths.set(ink, (paths.get(ink) ?? "") + path);
  const free = between(0, 4);
  const lit = between(2, 5) + pick([0, 8]);
  let last: Ink = 1;
  for (let at = 0; at < 16; at++) {
    const [x, y] = [(at % 8) * 48, at < 8 ? 0 : 48];
    const drawn = pick(inks);
    last = drawn === last ? (inks[drawn % 4] ?? 1) : drawn;
    const shape = pick([quarter, quarter, leaf, half, dot]);
    if (at === lit) add(5, dot(x, y));
    else if (at % 5 !== free) add(last, shape(x, y, between(0, 3)));
  }
  return [...paths].sort(([one], [other]) => one - other).map(([ink, path]) => ({ ink, path }));
}

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

function corner(x: number, y: number, turn: number): string {
  const [right, down] = CORNERS[turn % 4] ?? CORNERS[0];
  return `${x + right * 48} ${y + down * 48}`;
}

/** With its centre in a corner of the square. */
function quarter(x: number, y: number, turn: number): string {
  return `M${corner(x, y, turn)}L${corner(x, y, turn + 1)}A48 48 0 0 1 ${corner(x, y, turn + 3)}`;
}

function leaf(x: number, y: number, turn: number): string {
  const [from, to] = [corner(x, y, turn), corner(x, y, turn + 2)];
  return `M${from}A48 48 0 0 1 ${to}A48 48 0 0 1 ${from}`;
}

/** Over one side of the square. */
function half(x: number, y: number, turn: number): string {
  return `M${corner(x, y, turn)}A24 24 0 0 0 ${corner(x, y, turn + 1)}`;
}

function dot(x: number, y: number): string {
  return `M${x + 12} ${y + 24}a12 12 0 0 1 24 0a12 12 0 0 1-24 0`;
}
