/**
 * The operations of the read interface as tables, from the served OpenAPI description: exactly what is described is
 * listed.
 * @module
 */
import { table } from "../blocks.ts";
import type { ApiDescription } from "../dependencies.ts";
import type { Block } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import { code, link, text } from "../value.ts";

type Operation = {
  operationId: string;
  summary: string;
  tags: readonly string[];
  servers?: readonly { url: string }[];
};

type Described = { method: string; path: string; tag: string; operation: Operation };

/** A table for each tag, in the order of the description; tags without operations are left out. */
export type Operations = ReadonlyMap<string, Block>;

const METHODS = ["get", "post"] as const;

/** Tags whose operations belong to an interface; the others are files and pages. */
export const TAGS = {
  rest: ["Market", "Ledger", "Service"],
  tools: ["Tools"],
  graphql: ["GraphQL"],
} as const;

export function describeOperations({ paths = {}, tags = [], servers }: ApiDescription): Operations {
  const described = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Described[] => {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) return [];
      const [server] = operation.servers ?? servers ?? [];
      const [tag = ""] = operation.tags;
      return [{ method: method.toUpperCase(), path: `${pathOf(server?.url)}${path}`, tag, operation }];
    }),
  );
  const tables = tags.flatMap(({ name, description = "" }): [string, Block][] => {
    const items = described.filter(({ tag }) => tag === name);
    return items.length === 0 ? [] : [[name, operationsTable(description, items)]];
  });
  return new Map(tables);
}

function operationsTable(description: string, items: readonly Described[]): Block {
  return table({
    caption: description.replace(/\.$/, ""),
    items,
    keyOf: ({ method, path }) => `${method} ${path}`,
    columns: [
      ["path", "Path", (one) => link(one.path, placeInReference(one))],
      ["method", "Method", ({ method }) => code(method)],
      ["summary", "What it is", ({ operation }) => text(operation.summary)],
    ],
    empty: "There is none.",
  });
}

/** The fragment makes Swagger UI open the operation. */
function placeInReference({ tag, operation: { operationId } }: Described): string {
  return `${SITE_PATHS.reference}#/${encodeURIComponent(tag)}/${encodeURIComponent(operationId)}`;
}

function pathOf(server: string | undefined): string {
  return server === undefined ? "" : new URL(server).pathname.replace(/\/$/, "");
}

/** The tables of these tags. */
export function operationsOf(operations: Operations, tags: readonly string[]): Block[] {
  return tags.flatMap((tag) => operations.get(tag) ?? []);
}

/** The tables of all other tags. */
export function otherOperations(operations: Operations): Block[] {
  const taken = new Set<string>(Object.values(TAGS).flat());
  return operationsOf(
    operations,
    [...operations.keys()].filter((tag) => !taken.has(tag)),
  );
}
