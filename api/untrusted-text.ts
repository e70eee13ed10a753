/**
 * Control, bidirectional and tag characters in the registry's texts. The registry keeps them, because the metadata hash on
 * the chain is over the original; every face shows the text without them.
 * @module
 */

// Without the marks and overrides below a text cannot make a page show other words, or another order of them.
const BIDIRECTIONAL = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
/** Letters that nobody sees and a model reads. */
const TAGS = "\\u{E0000}-\\u{E007F}";
const CONTROL = new RegExp(`[\\u0000-\\u001F\\u007F-\\u009F${BIDIRECTIONAL}${TAGS}]`, "gu");
const CONTROL_BUT_LINE_FEED = new RegExp(
  `[\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F${BIDIRECTIONAL}${TAGS}]`,
  "gu",
);
const UNSAFE_TO_QUOTE = new RegExp(`[\\u007F-\\u009F\\u2028\\u2029${BIDIRECTIONAL}]`, "g");

const LONGEST_QUOTE = 60;

/** `text` without C0, C1 and bidirectional control characters. Line feeds may stay, for a description. */
export function stripControl(text: string, options: { readonly keepLineFeeds: boolean }): string {
  return text.replace(options.keepLineFeeds ? CONTROL_BUT_LINE_FEED : CONTROL, "");
}

/** A message of another's making on one line, at most so long, and with nothing in it that a terminal or a page acts on. */
export function oneLine(message: string, longest: number): string {
  return stripControl(message.slice(0, longest).replace(/[\u2028\u2029]/g, " "), { keepLineFeeds: false });
}

/** A value as a message may show it: as JSON, short, and with nothing in it that a terminal or a page acts on. */
export function quote(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  const characters = [...json.slice(0, 4 * LONGEST_QUOTE)];
  const short = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : json;
  return short.replace(UNSAFE_TO_QUOTE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
