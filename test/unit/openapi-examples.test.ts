/** The examples of the description are real answers of the demo, and as documented. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { describeApi } from "../../api/openapi/describe.ts";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { SITE } from "../harness/snapshot.ts";
import { createAnswerValidator } from "../harness/validate.ts";

type Media = Record<string, { schema: object; example?: unknown }>;
type Operation = {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media; headers?: Record<string, unknown> }>;
};
type Schema = { example?: Record<string, unknown>; required?: string[] };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const description = JSON.parse(JSON.stringify(describeApi(SITE))) as Description;
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.values(item).map((operation) => ({ path, operation })),
);
/** Every example, and where it stands. */
const examples = operations.flatMap(({ path, operation }) => {
  const { operationId, requestBody, responses } = operation;
  const contents = Object.entries(responses).map(([status, { content }]) => [status, content] as const);
  return [["request", requestBody?.content] as const, ...contents].flatMap(([status, content = {}]) =>
    Object.entries(content).flatMap(([type, { schema, example }]) =>
      example === undefined
        ? []
        : [{ what: `${operationId} ${status} ${type}`, path, status, type, schema, example }],
    ),
  );
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...description, $id: "https://raisebook.test/description.json" });

/** Every value in a body with the key that it stands under. */
function* valuesIn(value: unknown, key = ""): Generator<[key: string, value: unknown]> {
  yield [key, value];
  if (value === null || typeof value !== "object") return;
  for (const [inner, item] of Object.entries(value))
    yield* valuesIn(item, Array.isArray(value) ? key : inner);
}

describe("the description has an example", () => {
  it.each(operations)("for the answer of $operation.operationId, and its main errors", ({ operation }) => {
    // The description itself would be an example of itself.
    if (operation.operationId === "getOpenApi") return;
    const { requestBody, responses } = operation;
    const contents = [requestBody, ...["200", "400", "404"].map((status) => responses[status])];
    const media = contents.map((content) => Object.entries(content?.content ?? {}));
    for (const types of media) {
      const json = types.filter(([type]) => type.endsWith("json"));
      if (json.length > 0) expect(json.filter(([, { example }]) => example !== undefined)).not.toEqual([]);
    }
  });

  it("in every tag that answers with data", () => {
    const tags = new Set(
      operations
        .filter(({ operation }) =>
          examples.some(({ what }) => what.startsWith(`${operation.operationId} 200`)),
        )
        .flatMap(({ operation }) => operation.tags),
    );
    expect([...tags]).toEqual(["Market", "Ledger", "Proofs", "Service", "Tools", "GraphQL", "Discovery"]);
  });
});

it("every kind of event has an example, as its schema says and without a person", () => {
  const { schemas } = description.components;
  for (const kind of EVENT_KINDS) {
    const name = `${kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
    const { example, required = [] } = schemas[name] ?? {};
    expect(example, name).toMatchObject({ kind });
    expect(Object.keys(example ?? {}).sort(), name).toEqual([...required].sort());
    for (const value of Object.values(example ?? {})) expect(value, name).toBeDefined();
    const validate = ajv.compile({
      $ref: `https://raisebook.test/description.json#/components/schemas/${name}`,
    });
    validate(example);
    expect(validate.errors ?? [], name).toEqual([]);
  }
});

describe("an example", () => {
  it.each(examples)("is as its schema says: $what", ({ schema, example, what }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://raisebook.test/description.json#/');
    const validate = ajv.compile(JSON.parse(text));
    validate(example);
    expect(validate.errors ?? [], what).toEqual([]);
  });

  const ofRest = examples.filter(
    ({ path, status, type }) =>
      status !== "request" &&
      !/^\/(v1$|mcp|graphql|\.well-known|knowledge|data\/|registry\.schema\.json)/.test(path) &&
      type !== "text/plain",
  );
  it.each(ofRest)("is as the documents say: $what", ({ path, status, type, example }) => {
    const isText = typeof example === "string";
    const requestId = (example as { requestId?: string }).requestId ?? "id";
    const headers = new Headers({
      "Content-Type": type,
      "X-Request-Id": requestId,
      ETag: 'W/"tag"',
      Vary: "Accept, Accept-Encoding",
      "Cache-Control": type === "text/event-stream" ? "no-store" : "public, max-age=1",
      "X-Accel-Buffering": "no",
      "Content-Disposition": 'attachment; filename="listings.csv"',
      "X-Indexed-Block": "638",
      "X-Indexed-At": "2026-03-01T12:00:00Z",
    });
    const text = isText ? example : JSON.stringify(example);
    // Files of pages are at the root; what is missing is answered alike everywhere.
    const isFile = /\.(atom|ics)$/.test(path) && status !== "404";
    const concrete = `${isFile ? "" : "/v1"}${path.replace(/\{\w+\}/, "x")}`;
    createAnswerValidator(description)(concrete, { status: Number(status), headers, text });
  });

  it.each(examples)("names no machine and no person: $what", ({ example }) => {
    expect(JSON.stringify(example)).not.toMatch(/127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0/);
    const hosts = (JSON.stringify(example).match(/https?:\/\/[^/"\\\s<>)]+/g) ?? []).map(
      (url) => new URL(url).host,
    );
    const foreign = [
      "app.raises.example",
      "static.modelcontextprotocol.io",
      "schemas.agentskills.io",
      "json-schema.org",
    ];
    expect(hosts.filter((host) => host !== "raises.example" && !foreign.includes(host))).toEqual([]);
    const persons = new Set<string>(PERSONS);
    expect([...valuesIn(example)].filter(([key]) => persons.has(key))).toEqual([]);
  });

  it("shows an answer, not an error, for the tools and GraphQL", () => {
    const answers = examples.filter(({ what }) => /^(callTool|queryGraphql(ByUrl)?) 200/.test(what));
    expect(answers).toHaveLength(3);
    for (const { example, what } of answers) {
      const { result, data, errors } = example as Record<string, Record<string, unknown> | undefined>;
      expect(errors, what).toBeUndefined();
      expect(result ?? data, what).toBeDefined();
      expect(result?.isError, what).not.toBe(true);
    }
  });

  it("names every parameter of its path where one is unknown, as when it was recorded", () => {
    const found = operations.flatMap(({ path, operation: { parameters = [], responses } }) => {
      const body = responses["400"]?.content?.["application/problem+json"]?.example;
      const taken = /This path takes ([^.]+)\./.exec(JSON.stringify(body ?? null))?.[1];
      const names = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []));
      return taken === undefined ? [] : [{ path, taken, described: names.join(", ") || "no parameters" }];
    });
    expect(found.length).toBeGreaterThan(20);
    for (const { path, taken, described } of found) expect(taken, path).toBe(described);
  });

  it("has the status under which it is described if it is a problem", () => {
    const problems = examples.filter(({ type }) => type === "application/problem+json");
    expect(problems.length).toBeGreaterThanOrEqual(20);
    for (const { status, example } of problems) expect(example).toMatchObject({ status: Number(status) });
  });
});
