/**
 * Checks that an SVG file is a drawing and nothing else. A small strict grammar rejects what it does not know, so that
 * no browser can see more in the file than was checked here. The file is also served with its own content security policy.
 * @module
 */
import { quote } from "./untrusted-text.ts";

/** The size in the drawing's own units, or the problems, each a clause such as "has a <script> element". */
export type SvgCheck = { width: number; height: number } | { problems: readonly string[] };

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["xmlns", SVG_NAMESPACE],
  ["xmlns:svg", SVG_NAMESPACE],
  ["xmlns:xlink", "http://www.w3.org/1999/xlink"],
]);
const PREFIXED: ReadonlySet<string> = new Set(["xlink:href", "xml:space", "xml:lang"]);
/** Shapes and paint: no scripts, animations, links, images or other documents. */
const ELEMENTS: ReadonlySet<string> = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan linearGradient
  radialGradient stop pattern clipPath mask filter feBlend feColorMatrix feComposite feDropShadow feFlood
  feGaussianBlur feMerge feMergeNode feOffset`.split(/\s+/),
);
const MOST_PROBLEMS = 8;

// With another declared encoding, a browser would read different characters from those checked.
const DECLARATION =
  /\uFEFF?(?:<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>)?/iy;
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/y;
const END_TAG = /<\/([A-Za-z_][\w.:-]*)\s*>/y;
const START = /<([A-Za-z_][\w.:-]*)/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const START_END = /\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 does not allow
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u;

/** Stops the parser: the rest of the file cannot be interpreted. */
class Malformed extends Error {}

type SvgParser = {
  source: string;
  at: number;
  problems: Set<string>;
  /** names of the open elements */
  open: string[];
  size: { width: number; height: number } | null;
};

/** Checks the text of a file. Never throws. */
export function checkSvg(source: string): SvgCheck {
  const reader: SvgParser = { source, at: 0, problems: new Set(), open: [], size: null };
  try {
    readDocument(reader);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    reader.problems.add(error.message);
  }
  const { problems, size } = reader;
  if (problems.size === 0 && size === null) problems.add("has no <svg> element");
  if (problems.size > 0 || size === null) return { problems: [...problems].slice(0, MOST_PROBLEMS) };
  return size;
}

function readDocument(reader: SvgParser): void {
  const { source, open } = reader;
  if (NOT_XML.test(source)) throw new Malformed("has a character that XML does not allow");
  take(reader, DECLARATION);
  let hasRoot = false;
  while (reader.at < source.length) {
    if (take(reader, COMMENT)) {
      // It would split a token that a browser joins again.
      if (open.at(-1) === "style") throw new Malformed("has a comment within its <style>");
      continue;
    }
    const text = take(reader, TEXT);
    if (text) {
      readText(reader, text[0]);
      continue;
    }
    const end = take(reader, END_TAG);
    if (end) {
      if (open.pop() !== end[1]) throw new Malformed(`is not well-formed: </${end[1]}> closes nothing`);
      continue;
    }
    if (hasRoot && open.length === 0) throw new Malformed("has something behind its <svg> element");
    readStart(reader);
    hasRoot = true;
  }
  if (open.length > 0) throw new Malformed(`is not well-formed: <${open.at(-1)}> is not closed`);
}

function take(reader: SvgParser, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source);
  if (found) reader.at = pattern.lastIndex;
  return found;
}

function readText({ open, problems }: SvgParser, raw: string): void {
  const text = decode(raw);
  const parent = open.at(-1);
  if (parent === undefined && text.trim() !== "") throw new Malformed("is not an SVG document");
  if (text.includes("]]>")) throw new Malformed("is not well-formed: ]]> in a text");
  if (parent === "style") for (const problem of styleProblems(text)) problems.add(problem);
}

function readStart(reader: SvgParser): void {
  const { source, problems, open } = reader;
  const start = take(reader, START);
  if (start === null) throw new Malformed(whyNoTag(source.slice(reader.at, reader.at + 60)));
  const [, name = ""] = start;
  if (open.length === 0 && name !== "svg") throw new Malformed(`begins with <${name}>, not with <svg>`);
  if (!ELEMENTS.has(name)) problems.add(`has a <${name}> element, which is not allowed`);
  if (open.at(-1) === "style") problems.add("has an element within its <style>");

  const attributes = new Map<string, string>();
  for (let found = take(reader, ATTRIBUTE); found; found = take(reader, ATTRIBUTE)) {
    const [, attribute = "", double, single] = found;
    if (attributes.has(attribute))
      throw new Malformed(`is not well-formed: <${name}> has ${attribute} twice`);
    attributes.set(attribute, decode(double ?? single ?? ""));
  }
  const end = take(reader, START_END);
  if (end === null) throw new Malformed(`is not well-formed: the tag <${name}> cannot be read`);

  for (const [attribute, value] of attributes) {
    for (const problem of attributeProblems(attribute, value)) problems.add(problem);
  }
  if (open.length === 0) readRoot(reader, attributes);
  if (end[1] === "") open.push(name);
}

function whyNoTag(source: string): string {
  if (/^<!DOCTYPE/i.test(source)) return "has a document type: remove <!DOCTYPE …>";
  if (source.startsWith("<![CDATA[")) return "has a CDATA section: write its text without";
  if (source.startsWith("<?xml ")) return "is not declared as XML 1.0 in UTF-8";
  if (source.startsWith("<?")) return "has a processing instruction, which is not allowed";
  return `is not well-formed at ${quote(source)}`;
}

function readRoot(reader: SvgParser, attributes: ReadonlyMap<string, string>): void {
  if (attributes.get("xmlns") !== SVG_NAMESPACE)
    reader.problems.add(`does not say xmlns="${SVG_NAMESPACE}" on its <svg> element`);
  const [, , width = 0, height = 0, ...more] = (attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (width > 0 && height > 0 && Number.isFinite(width * height) && more.length === 0) {
    reader.size = { width, height };
  } else {
    reader.problems.add("has no viewBox with four numbers on its <svg> element");
  }
}

function attributeProblems(name: string, value: string): string[] {
  const local = name.slice(name.indexOf(":") + 1);
  if (name === "xmlns" || name.startsWith("xmlns:"))
    return NAMESPACES.get(name) === value ? [] : [`declares ${name}: save it as plain SVG`];
  if (name !== local && !PREFIXED.has(name)) return [`has the attribute ${name}: save it as plain SVG`];
  if (/^on/i.test(local)) return [`has the event handler ${name}`];
  if (local.toLowerCase() === "href")
    return /^#[^\s]*$/.test(value) ? [] : [`refers to something outside of itself (${name})`];
  if (local === "style") return styleProblems(value);
  return hasForeignUrl(value) ? [`refers to something outside of itself (${name})`] : [];
}

function styleProblems(css: string): string[] {
  const problems: string[] = [];
  if (css.includes("\\")) problems.push("has a backslash in a style");
  if (/@(?!media\b)/i.test(css)) problems.push("has a style rule that begins with @ and is not @media");
  // Functions that load resources without `url()`.
  const loads = /(?:image|image-set|cross-fade|element|src|paint|expression)\s*\(/i.test(css);
  if (loads || hasForeignUrl(css)) problems.push("refers to something outside of itself in a style");
  return problems;
}

/** Whether a value has a `url()` that points outside the file. A backslash may spell `url` too. */
function hasForeignUrl(value: string): boolean {
  return /url\s*\((?!\s*["']?#)/i.test(value) || /\\/.test(value);
}

/** @throws {Malformed} on a reference that XML alone does not define */
function decode(raw: string): string {
  if (raw.replace(REFERENCE, "").includes("&"))
    throw new Malformed("has an & that begins no known reference");
  return raw.replace(REFERENCE, (_, named?: string, decimal?: string, hex?: string) => {
    if (named !== undefined) return NAMED[named] ?? "";
    const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const character = point <= 0x10ffff ? String.fromCodePoint(point) : "\uFFFF";
    if (NOT_XML.test(character)) throw new Malformed("has a character that XML does not allow");
    return character;
  });
}
