/**
 * Makes untrusted text safe to show: titles from the registry, names from the chain, errors of other programs. The registry
 * keeps control characters, because the hash on the chain covers the original text; every face removes them.
 * @module
 */

/** Marks and overrides that can change the visible words or their order. */
const BIDIRECTIONAL = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
/** Letters that are invisible but read by models. */
const TAGS = "\\u{E0000}-\\u{E007F}";
const CONTROL = new RegExp(`[\\u0000-\\u001F\\u007F-\\u009F${BIDIRECTIONAL}${TAGS}]`, "gu");
const CONTROL_BUT_LINE_FEED = new RegExp(
  `[\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F${BIDIRECTIONAL}${TAGS}]`,
  "gu",
);
const UNSAFE_TO_QUOTE = new RegExp(`[\\u007F-\\u009F\\u2028\\u2029${BIDIRECTIONAL}]`, "g");

const LONGEST_QUOTE = 60;

/** `text` without C0, C1, bidirectional and tag characters. Descriptions keep their line feeds. */
export function stripControl(text: string, options: { readonly keepLineFeeds: boolean }): string {
  return text.replace(options.keepLineFeeds ? CONTROL_BUT_LINE_FEED : CONTROL, "");
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
  return short.replace(UNSAFE_TO_QUOTE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
