/** @module The colours of generated covers, around the hue of the accent; their lightness is fixed. */
import { clampChroma, formatHex, oklch } from "culori";
import { TONES, type Tone } from "./pattern.ts";

/** `#rrggbb`: the ground, then the inks 1 to 5. */
type ToneColours = readonly string[];

type Theme = {
  /** OKLCH, the ground first; the last is the spot */
  lightness: readonly number[];
  chroma: number;
};

const LIGHT: Theme = { lightness: [0.4, 0.48, 0.56, 0.65, 0.74, 0.86], chroma: 0.088 };
const DARK: Theme = { lightness: [0.28, 0.36, 0.43, 0.51, 0.6, 0.78], chroma: 0.07 };

/** Degrees from the accent's hue to the ground's. */
const GROUND_HUES: Readonly<Record<Tone, number>> = { 1: 0, 2: 40, 3: -40, 4: 65, 5: 0 };
/** Degrees from the ground's hue to the lightest ink's; to either side, for variety. */
const DRIFT: Readonly<Record<Tone, number>> = { 1: 36, 2: 30, 3: 40, 4: 36, 5: -50 };
/** The spot looks like lamplight with any hue. */
const SPOT = { chroma: 0.1, hue: 75 };
/** A grey accent still gives a tint, of slate. */
const GREY = { chroma: 0.02, hue: 250, leastChroma: 0.018 };

export type CoverColours = { light: Record<Tone, ToneColours>; dark: Record<Tone, ToneColours> };

/** @param accent `#rrggbb` */
export function coverColours(accent: string): CoverColours {
  const given = oklch(accent);
  if (given === undefined) throw new TypeError(`not a colour: ${accent}`);
  const isGrey = given.c < GREY.chroma || given.h === undefined;
  const hue = isGrey ? GREY.hue : (given.h ?? GREY.hue);
  const inTheme = ({ lightness, chroma }: Theme) => {
    const most = isGrey ? GREY.leastChroma : Math.min(chroma, Math.max(given.c, 0.05));
    const colours = (tone: Tone) =>
      lightness.map((l, at) => {
        const isSpot = at === lightness.length - 1;
        const turned = hue + GROUND_HUES[tone] + (DRIFT[tone] * at) / (lightness.length - 2);
        const h = isSpot ? SPOT.hue : (turned + 360) % 360;
        const c = isSpot && !isGrey ? SPOT.chroma : most;
        return formatHex(clampChroma({ mode: "oklch", l, c, h }, "oklch"));
      });
    return { 1: colours(1), 2: colours(2), 3: colours(3), 4: colours(4), 5: colours(5) };
  };
  return { light: inTheme(LIGHT), dark: inTheme(DARK) };
}

/** Rules that give each tone its colours, `--cover-0` (the ground) to `--cover-5`, in both themes. */
export function coverCss(accent: string): string {
  const { light, dark } = coverColours(accent);
  const rules = (theme: Record<Tone, ToneColours>) =>
    TONES.map(
      (tone) =>
        `.cover-t${tone} {${theme[tone].map((colour, ink) => ` --cover-${ink}: ${colour};`).join("")} }\n`,
    ).join("");
  return `${rules(light)}@media screen and (prefers-color-scheme: dark) {\n${rules(dark)}}\n`;
}
