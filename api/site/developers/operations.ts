/** @module The operations of the read interface, from the served OpenAPI description with its examples. */
import type { ApiDescription } from "../dependencies.ts";
import type { Snippet } from "../endpoint.ts";
import type { Block, Operation } from "../page.ts";
import { type Described, describedOperations, type Media, operationPath } from "./described.ts";
import { requestTabs } from "./requests.ts";

type Tag = { name: string; description: string; operations: readonly Operation[] };

/** By the tag's name, in the order of the description; tags without operations are left out. */
export type Operations = ReadonlyMap<string, Tag>;

/** Tags whose operations belong to an interface; the others are files and pages. */
export const TAGS = {
  rest: ["Market", "Ledger", "Service"],
  tools: ["Tools"],
  graphql: ["GraphQL"],
} as const;
const INTERFACES: readonly string[] = Object.values(TAGS).flat();

/** Whether the operations of a tag belong to an interface, and are not files or pages. */
const isOfInterface = (tag: string): boolean => INTERFACES.includes(tag);

export function describeOperations(description: ApiDescription, publicUrl: string): Operations {
  const described = describedOperations(description).map((one) => ({
    tag: one.tag,
    operation: operationOf(one, publicUrl),
  }));
  const groups = (description.tags ?? []).map(({ name, description = "" }): [string, Tag] => {
    const operations = described.filter(({ tag }) => tag === name).map(({ operation }) => operation);
    return [name, { name, description, operations }];
  });
  return new Map(groups.filter(([, { operations }]) => operations.length > 0));
}

function operationOf(described: Described, publicUrl: string): Operation {
  const { tag, request } = described;
  const { operationId, summary, description = "", parameters = [], responses } = described.operation;
  const isFile = !isOfInterface(tag);
  return {
    id: `operation-${operationId}`,
    method: request.method,
    path: request.base + request.template,
    summary,
    description,
    parameters: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    reference: operationPath(described),
    request: requestTabs(operationId, request, publicUrl, isFile),
    // There are many files, each a request away; the reference has their answers.
    answer: isFile ? null : answerOf(responses["200"]?.content),
    isOpen: false,
  };
}

/** The operations of a tag; the first of them may be folded open. */
export function operationsBlock({ operations }: Tag, { isFirstOpen = false } = {}): Block {
  const all = operations.map((one, index) => ({ ...one, isOpen: isFirstOpen && index === 0 }));
  return { kind: "operations", operations: { fold: null, operations: all } };
}

const MOST_LINES = 7;
const LONGEST_LINE = 80;

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
