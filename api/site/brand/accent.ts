/** @module The colours of the accent, of which the lightness changes until the contrast suffices, the hue never. */
import { clampChroma, formatHex, type Oklch, oklch, wcagContrast } from "culori";

/** Each `#rrggbb`. */
type AccentColours = {
  /** links and marks: at least 4.5:1 on every background of the theme, `accentSoft` included */
  accent: string;
  /** button fill: at least 3:1 against the backgrounds */
  accentStrong: string;
  /** text on `accentStrong`: at least 4.5:1 */
  onAccent: string;
  /** tinted background: at least 7:1 for normal text */
  accentSoft: string;
};

export type Accent = { light: AccentColours; dark: AccentColours };

type Theme = {
  backgrounds: readonly string[];
  /** lightness and maximum chroma of the tint, OKLCH */
  soft: { lightness: number; chroma: number };
  /** direction of lightness for more contrast */
  step: 1 | -1;
};

/** As in the stylesheet. */
export const BACKGROUNDS = { light: ["#ffffff", "#fbfaf7"], dark: ["#101315", "#181c1f"] } as const;
/** Normal text, as in the stylesheet. */
export const TEXT = { light: "#16191d", dark: "#eef1f2" } as const;

const LIGHT: Theme = {
  backgrounds: BACKGROUNDS.light,
  soft: { lightness: 0.955, chroma: 0.03 },
  step: -1,
};
const DARK: Theme = {
  backgrounds: BACKGROUNDS.dark,
  soft: { lightness: 0.27, chroma: 0.045 },
  step: 1,
};

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const READABLE = 4.5;
const VISIBLE = 3;
const STEPS = 200;

/** The colours of both themes. @param hex `#rrggbb` */
export function accentColours(hex: string): Accent {
  return { light: coloursIn(LIGHT, hex), dark: coloursIn(DARK, hex) };
}

function coloursIn(theme: Theme, hex: string): AccentColours {
  const given = oklch(hex);
  if (given === undefined) throw new TypeError(`not a colour: ${hex}`);
  const { lightness, chroma } = theme.soft;
  const accentSoft = toHex({ ...given, l: lightness, c: Math.min(given.c, chroma) });
  const accent = untilContrast(given, theme, { least: READABLE, on: [...theme.backgrounds, accentSoft] });
  const accentStrong = untilContrast(given, theme, { least: VISIBLE, on: theme.backgrounds });
  // One of the two is always sufficient: no colour is closer than 4.58:1 to both.
  const onAccent = wcagContrast("#ffffff", accentStrong) >= READABLE ? "#ffffff" : "#000000";
  return { accent, accentStrong, onAccent, accentSoft };
}

/** The nearest lightness with enough contrast; black or white in the end, where it is always enough. */
function untilContrast(
  given: Oklch,
  { step }: Theme,
  { least, on }: { least: number; on: readonly string[] },
): string {
  const end = step === 1 ? 1 : 0;
  for (let taken = 0; taken < STEPS; taken++) {
    const hex = toHex({ ...given, l: given.l + ((end - given.l) * taken) / STEPS });
    if (on.every((background) => wcagContrast(hex, background) >= least)) return hex;
  }
  return step === 1 ? "#ffffff" : "#000000";
}

/** As displayed: contrast is measured after rounding. */
function toHex(colour: Oklch): string {
  return formatHex(clampChroma(colour, "oklch"));
}

/** Custom properties, placed before the stylesheet. Every value is computed; nothing is copied from the configuration. */
export function brandCss({ accent }: { accent: Accent }): string {
  return `:root {\n${properties(accent.light, "  ")}}\n@media screen and (prefers-color-scheme: dark) {\n  :root {\n${properties(accent.dark, "    ")}  }\n}\n`;
}

function properties(colours: AccentColours, indent: string): string {
  const { accent, accentStrong, onAccent, accentSoft } = colours;
  return Object.entries({
    "--accent": accent,
    "--accent-strong": accentStrong,
    "--on-accent": onAccent,
    "--accent-soft": accentSoft,
  })
    .map(([name, value]) => `${indent}${name}: ${value};\n`)
    .join("");
}
