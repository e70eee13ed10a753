/** @module The served OpenAPI description, operation by operation, for the pages that show it. */
import type { ApiDescription } from "../dependencies.ts";
import { SITE_PATHS } from "../paths.ts";
import type { ExampleRequest } from "./requests.ts";

/** The parts of JSON Schema that the description uses. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  description?: string;
  example?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
};

export type Parameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
};

export type Media = {
  schema?: Schema;
  example?: unknown;
  /** the requested path, from the root */
  "x-request"?: string;
  /** number of items missing from each list of the example, by JSON pointer */
  "x-left-out"?: Readonly<Record<string, number>>;
};

type Contents = Readonly<Record<string, Media>>;
export type Answer = {
  description: string;
  headers?: Readonly<Record<string, { $ref?: string; description?: string }>>;
  content?: Contents;
};

type DescribedOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  servers?: readonly { url: string }[];
  parameters?: readonly Parameter[];
  requestBody?: { description?: string; content: Contents };
  responses: Readonly<Record<string, Answer>>;
};

export type Described = {
  operation: DescribedOperation;
  tag: string;
  /** id of its page in the reference */
  group: string;
  request: ExampleRequest;
};

const METHODS = ["get", "post"] as const;

/** In the order of the description. */
export function describedOperations({ paths = {}, servers = [] }: ApiDescription): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as DescribedOperation | undefined;
      if (operation === undefined) return [];
      const [server] = operation.servers ?? servers;
      const [tag = ""] = operation.tags;
      const request = requestOf(method, path, operation, pathOf(server?.url));
      return [{ operation, tag, group: groupOf(tag, path), request }];
    }),
  );
}

/** The tag whose operations are too many for a page: each resource has its own. */
const DIVIDED = "Market";

function groupOf(tag: string, path: string): string {
  const [, resource = ""] = /^\/(\w+)/.exec(path) ?? [];
  return (tag === DIVIDED ? resource : tag).toLowerCase();
}

export function groupPath(group: string): string {
  return `${SITE_PATHS.reference}/${group}`;
}

export function operationPath({ group, operation }: Pick<Described, "group" | "operation">): string {
  return `${groupPath(group)}#${operation.operationId}`;
}

/** The recorded request where there is one, else that of the parameters' examples. */
function requestOf(
  method: string,
  template: string,
  { operationId, servers, parameters = [], requestBody, responses }: DescribedOperation,
  base: string,
): ExampleRequest {
  const recorded = Object.entries(responses["200"]?.content ?? {}).find(([, media]) => media["x-request"]);
  const named = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example, schema } = named[name] ?? {};
    return encodeURIComponent(String(example ?? schema?.example ?? name));
  });
  const types = parameters.map(({ name, schema }) => [
    name,
    [schema?.type ?? "string"].flat()[0] ?? "string",
  ]);
  return {
    operationId,
    method: method.toUpperCase(),
    base,
    template,
    path: recorded?.[1]["x-request"] ?? base + filled,
    body: requestBody?.content["application/json"]?.example,
    type: recorded?.[0] ?? Object.keys(responses["200"]?.content ?? {})[0] ?? "",
    isInClient: servers === undefined && method === "get",
    types: Object.fromEntries(types),
  };
}

function pathOf(server: string | undefined): string {
  return server === undefined ? "" : new URL(server).pathname.replace(/\/$/, "");
}
