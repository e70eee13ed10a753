/**
 * The operations of the read interface as tables, read from the description that is served: what is described is listed
 * here, and nothing else.
 * @module
 */
import type { ApiDescription } from "../dependencies.ts";
import type { Row, Table } from "../page.ts";
import { code, link, text } from "../value.ts";

type Operation = {
  operationId: string;
  summary: string;
  tags: readonly string[];
  servers?: readonly { url: string }[];
};

type Described = { method: string; path: string; tag: string; operation: Operation };

export type Operations = {
  /** one table for each tag, in the order of the description; tags without operations are left out */
  tables: ReadonlyMap<string, Table>;
};

const METHODS = ["get", "post"] as const;

/**
 * @param reference path of the API reference, where each operation is explained and can be tried
 */
export function describeOperations(
  { paths = {}, tags = [], servers }: ApiDescription,
  reference: string,
): Operations {
  const described = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Described[] => {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) return [];
      const [server] = operation.servers ?? servers ?? [];
      const [tag = ""] = operation.tags;
      return [{ method: method.toUpperCase(), path: `${pathOf(server?.url)}${path}`, tag, operation }];
    }),
  );
  const tables = tags.flatMap(({ name, description = "" }): [string, Table][] => {
    const rows = described.filter(({ tag }) => tag === name).map((one): Row => rowOf(one, reference));
    return rows.length === 0 ? [] : [[name, tableOf(description, rows)]];
  });
  return { tables: new Map(tables) };
}

function tableOf(description: string, rows: readonly Row[]): Table {
  return {
    caption: description.replace(/\.$/, ""),
    columns: [
      { key: "path", label: "Path" },
      { key: "method", label: "Method" },
      { key: "summary", label: "What it is" },
    ],
    rows,
    empty: "There is none.",
  };
}

/** Swagger UI opens the operation that the fragment names. */
function rowOf(
  { method, path, tag, operation: { operationId, summary } }: Described,
  reference: string,
): Row {
  const place = `${reference}#/${encodeURIComponent(tag)}/${encodeURIComponent(operationId)}`;
  return { key: `${method} ${path}`, cells: [link(path, place), code(method), text(summary)] };
}

function pathOf(server: string | undefined): string {
  return server === undefined ? "" : new URL(server).pathname.replace(/\/$/, "");
}
