/**
 * The recorded answer of an operation as shown, with the number of omitted items.
 * @module
 */
import type { Snippet } from "../page.ts";

export type Media = {
  example?: unknown;
  /** the requested path, from the root */
  "x-request"?: string;
  /** number of items missing from each list of the example, by JSON pointer */
  "x-left-out"?: Readonly<Record<string, number>>;
};

/** Most lines of an answer on the page, and most characters of a line. */
const MOST_LINES = 8;
const LONGEST_LINE = 120;

/** The example of the first type that has one. */
export function answerOf(content: Readonly<Record<string, Media>> = {}): Snippet | null {
  const [found] = Object.entries(content).filter(([, { example }]) => example !== undefined);
  if (found === undefined) return null;
  const [type, { example, "x-left-out": leftOut = {} }] = found;
  const lines = (typeof example === "string" ? example.trimEnd() : jsonText(example, leftOut)).split(/\r?\n/);
  const shown = shortened(lines.map(shortLine));
  const isWhole = Object.keys(leftOut).length === 0 && shown.join("\n") === lines.join("\n");
  // With omissions it is not JSON any more.
  const language = type.endsWith("json") && isWhole ? "json" : "text";
  return { label: `Response (${type})`, language, text: shown.join("\n") };
}

/** Indented JSON, with a line at the end of each list that has more items. */
function jsonText(
  value: unknown,
  leftOut: Readonly<Record<string, number>>,
  pointer = "",
  indent = "",
): string {
  const deeper = `${indent}  `;
  const inner = (key: string, one: unknown) => jsonText(one, leftOut, `${pointer}/${key}`, deeper);
  if (Array.isArray(value) && value.length > 0) {
    const items = value.map((one, index) => deeper + inner(String(index), one));
    const more = leftOut[pointer];
    if (more !== undefined) items.push(`${deeper}… ${more.toLocaleString("en-US")} more`);
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  if (value !== null && typeof value === "object" && Object.keys(value).length > 0) {
    const fields = Object.entries(value).map(
      ([key, one]) => `${deeper}${JSON.stringify(key)}: ${inner(key, one)}`,
    );
    return `{\n${fields.join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value);
}

function shortLine(line: string): string {
  const more = line.length - LONGEST_LINE;
  // A note as long as the omitted text would not help.
  return more < 24 ? line : `${line.slice(0, LONGEST_LINE)}… ${more.toLocaleString("en-US")} more characters`;
}

function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more < 2 ? lines : [...lines.slice(0, MOST_LINES), `… ${more.toLocaleString("en-US")} more lines`];
}
