/** @module A request of an operation in curl, TypeScript and Python; each snippet works as pasted. */
import type { Snippet, Tabs } from "../endpoint.ts";
import { CLIENT_NAME } from "./client-package.ts";

export type ExampleRequest = {
  operationId: string;
  method: string;
  /** path of the operation's server, such as `/v1` */
  base: string;
  /** below the base, with parameters in braces */
  template: string;
  /** from the root, with a query */
  path: string;
  /** sent as JSON; undefined for none */
  body: unknown;
  type: string;
  isInClient: boolean;
  /** JSON Schema types of the query's parameters, by name */
  types: Readonly<Record<string, string>>;
};

/** @param isFile a file to fetch, which needs no program */
export function requestTabs(id: string, request: ExampleRequest, publicUrl: string, isFile: boolean): Tabs {
  const url = publicUrl + request.path;
  const curl: Snippet = { label: "curl", language: "bash", text: curlOf(url, request) };
  const label = `Request ${request.method} ${request.path}`;
  if (isFile) return { id, label, snippets: [curl] };
  if (request.type === STREAM) return { id, label, snippets: streamSnippets(url, publicUrl + request.base) };
  const programs: Snippet[] = [
    {
      label: "TypeScript",
      language: "ts",
      text: request.isInClient ? clientCode(request, publicUrl) : fetchCode(url, request),
    },
    { label: "Python", language: "python", text: pythonCode(url, request) },
  ];
  return { id, label, snippets: [curl, ...programs] };
}

const STREAM = "text/event-stream";

/** Reads an open-ended answer for three seconds, or up to the first head. */
function streamSnippets(url: string, baseUrl: string): Snippet[] {
  return [
    { label: "curl", language: "bash", text: `curl -sN --max-time 3 '${url}' || true` },
    {
      label: "TypeScript",
      language: "ts",
      text: `import { follow } from "${CLIENT_NAME}";

for await (const message of follow({ baseUrl: "${baseUrl}" })) {
  console.log(message);
  if (message.type === "head") break;
}`,
    },
    {
      label: "Python",
      language: "python",
      text: `import urllib.request

with urllib.request.urlopen("${url}") as answer:
    for line in answer:
        print(line.decode(), end="")
        if line.startswith(b"event: head"):
            break`,
    },
  ];
}

const isText = ({ type }: ExampleRequest) => !type.endsWith("json");

function curlOf(url: string, { body, type }: ExampleRequest): string {
  // A page is HTML unless another form is asked for.
  const accept = type === "text/html" ? "-H 'Accept: text/markdown' " : "";
  if (body === undefined) return `curl -s ${accept}'${url}'`;
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -s '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}

function clientCode(request: ExampleRequest, publicUrl: string): string {
  const { base, template } = request;
  const lines = parametersOf(request);
  const head = `import { createRaisebookClient } from "${CLIENT_NAME}";

const book = createRaisebookClient({ baseUrl: "${publicUrl}${base}" });`;
  if (isText(request)) {
    const params = lines.length === 0 ? "" : ` params: { ${lines.join(", ")} },`;
    return `${head}
const { data } = await book.raw.GET("${template}", {${params} parseAs: "text" });
console.log(data);`;
  }
  const asked = lines.length === 0 ? "" : `, {\n${lines.map((line) => `  ${line},\n`).join("")}}`;
  return `${head}
const answer = await book.get("${template}"${asked});
console.log(answer);`;
}

/** The parameters of the path and of the query as properties, such as `query: { limit: 1 }`. */
function parametersOf({ base, template, path, types }: ExampleRequest): string[] {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^${(base + template).replace(/\{\w+\}/g, "([^/]+)")}$`);
  const values = pattern.exec(pathname)?.slice(1) ?? [];
  const inPath = names.map((name, index): [string, unknown] => [
    name,
    decodeURIComponent(values[index] ?? ""),
  ]);
  const inQuery = [...searchParams].map(([name, value]): [string, unknown] => [
    name,
    typed(value, types[name]),
  ]);
  return [
    ...(inPath.length === 0 ? [] : [`path: ${literal(inPath)}`]),
    ...(inQuery.length === 0 ? [] : [`query: ${literal(inQuery)}`]),
  ];
}

function typed(value: string, type: string | undefined): unknown {
  if (type === "array") return value.split(",");
  return type === "integer" || type === "number" ? Number(value) : value;
}

function literal(fields: readonly [name: string, value: unknown][]): string {
  const written = fields.map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll(",", ", ")}`);
  return `{ ${written.join(", ")} }`;
}

function fetchCode(url: string, request: ExampleRequest): string {
  const read = isText(request) ? "text" : "json";
  const { method, body } = request;
  if (body === undefined) {
    return `const response = await fetch("${url}");\nconsole.log(await response.${read}());`;
  }
  return `const body = ${JSON.stringify(body, null, 2)};
const response = await fetch("${url}", {
  method: "${method}",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
console.log(await response.${read}());`;
}

function pythonCode(url: string, request: ExampleRequest): string {
  const read = isText(request) ? "answer.read().decode()" : "json.load(answer)";
  const modules = isText(request) ? "import urllib.request" : "import json\nimport urllib.request";
  const { body } = request;
  if (body === undefined) {
    return `${modules}\n\nwith urllib.request.urlopen("${url}") as answer:\n    print(${read})`;
  }
  return `${modules}

body = r"""${JSON.stringify(body, null, 2)}"""
request = urllib.request.Request(
    "${url}",
    data=body.encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    print(${read})`;
}
