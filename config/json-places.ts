/** @module Line and column of problems in a JSON document: a registry, or the webhook targets. */
import { readFileSync } from "node:fs";
import { type AnyNode, type DocumentNode, parse } from "@humanwhocodes/momoa";
import { isNode, LineCounter, parseDocument } from "yaml";

/** Both start at 1, as in editors. */
export type SourceLocation = { readonly line: number; readonly column: number };

/** Locates problems as `RegistryError` has them; a problem of the whole document is at its beginning. */
export function createLocator(text: string): (problem: string) => SourceLocation {
  const broken = syntaxErrorIn(text);
  if (broken !== null) return () => broken;
  const document = parse(text);
  return (problem) => {
    const path =
      /^(?:originators|listings|revision|signature|targets|\$schema)(?:\[\d+\]|\.[A-Za-z]+)*(?=: )/.exec(
        problem,
      )?.[0];
    return path === undefined ? placeAt(text, 0) : placeOf(document, path);
  };
}

/**
 * The place of a path such as `.addresses[2]` in a file of JSON or YAML; its deepest existing node if a value is missing, and
 * the first error if it cannot be parsed. Null for a file that cannot be read.
 */
export function placeInFile(file: string, path: string): SourceLocation | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const steps = (path.match(/\w+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  let offset = document.errors[0]?.pos[0];
  for (let length = steps.length; offset === undefined && length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(steps.slice(0, length), true);
    if (isNode(node)) offset = node.range?.[0];
  }
  const { line, col } = lineCounter.linePos(offset ?? 0);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** JSON.parse decides, and usually says where. */
function syntaxErrorIn(text: string): SourceLocation | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return placeAt(text, Number(position));
    if (message.startsWith("Unexpected end")) return placeAt(text, text.length);
  }
  try {
    parse(text);
    return null;
  } catch (error) {
    const { line, column } = error as SourceLocation;
    return { line, column };
  }
}

/** The deepest existing node of the path: a missing value is reported at its parent. */
function placeOf(document: DocumentNode, path: string): SourceLocation {
  let node: AnyNode = document.body;
  for (const step of path.match(/[\w$]+/g) ?? []) {
    const next: AnyNode | undefined = childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  const { line, column } = node.loc.start;
  return { line, column };
}

function childOf(node: AnyNode, step: string): AnyNode | undefined {
  if (node.type === "Array") return node.elements[Number(step)]?.value;
  if (node.type !== "Object") return undefined;
  // Like JSON.parse, take the last of several members with the same name.
  return node.members.findLast(({ name }) => name.type === "String" && name.value === step)?.value;
}

function placeAt(text: string, offset: number): SourceLocation {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
