/**
 * Makes untrusted text safe to show: titles from the registry, names from the chain, errors of other programs. The registry
 * keeps control characters, because the hash on the chain covers the original text; every face removes them.
 * @module
 */

/** Marks and overrides that can change the visible words or their order. */
const BIDIRECTIONAL = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
/** Tags, invisible operators, annotations and selectors of glyphs: invisible to readers, but a model reads what they spell. */
const INVISIBLE = "\\u2060-\\u2065\\u206A-\\u206F\\uFE00-\\uFE0D\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E0FFF}";
/** Selectors between text and emoji, which have a meaning after a character that can be either. */
const STRAY_SELECTOR = "[\\uFE0E\\uFE0F](?<!\\p{Emoji}.)";
const unsafeAnd = (more: string) =>
  new RegExp(`[${more}\\u007F-\\u009F${BIDIRECTIONAL}${INVISIBLE}]|${STRAY_SELECTOR}`, "gu");
const CONTROL = unsafeAnd("\\u0000-\\u001F");
const CONTROL_BUT_LINE_FEED = unsafeAnd("\\u0000-\\u0009\\u000B-\\u001F");
const UNSAFE_TO_QUOTE = unsafeAnd("\\u2028\\u2029");

/** Letters that are written from right to left; Unicode, default values of Bidi_Class. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE = "\u2068";
const END_ISOLATE = "\u2069";
const ISOLATION = /\u2068([^\u2068\u2069]*)\u2069/;

const LONGEST_QUOTE = 60;

/**
 * `text` without C0, C1, bidirectional and invisible characters. Descriptions keep their line feeds. Joiners and zero-width spaces stay:
 * scripts and emoji are written with them.
 */
export function stripControl(text: string, options: { readonly keepLineFeeds: boolean }): string {
  return text.replace(options.keepLineFeeds ? CONTROL_BUT_LINE_FEED : CONTROL, "");
}

/**
 * A third party's text for a sentence or a line of ours, on one line. One with letters from right to left gets isolates around it
 * (U+2068, U+2069): without them it would change places with the digits and signs next to it. Others need none.
 */
export function isolated(text: string): string {
  const plain = stripControl(text, { keepLineFeeds: false });
  return RIGHT_TO_LEFT.test(plain) ? `${ISOLATE}${plain}${END_ISOLATE}` : plain;
}

/** As `stripControl`, without line feeds, but isolations stay. */
export function stripButIsolations(text: string): string {
  const strip = (part: string) => stripControl(part, { keepLineFeeds: false });
  return text
    .split(ISOLATION)
    .map((part, at) => (at % 2 === 0 ? strip(part) : `${ISOLATE}${strip(part)}${END_ISOLATE}`))
    .join("");
}

/** Another program's message on one line, cut to `longest` characters, without control characters. */
export function oneLine(message: string, longest: number): string {
  return stripControl(message.slice(0, longest).replace(/[\u2028\u2029]/g, " "), { keepLineFeeds: false });
}

/** A value as short JSON for a message, without anything that a terminal or a page acts on. */
export function quote(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  const characters = [...json.slice(0, 4 * LONGEST_QUOTE)];
  const short = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : json;
  return short.replace(UNSAFE_TO_QUOTE, escaped);
}

/** In JSON: each half of a surrogate pair on its own. */
function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** `quote` for a page: a value with letters from right to left is isolated. */
export function isolatedQuote(value: unknown): string {
  return isolated(quote(value));
}
