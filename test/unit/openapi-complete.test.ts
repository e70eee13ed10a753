/**
 * The description is complete: every route of the app is in it, and every answer that a path can be made to give here
 * has the status, the type and the headers that it describes, and no others.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerQueries } from "../../api/ledger/read.ts";
import { describeApi } from "../../api/openapi/describe.ts";
import { appIn } from "../harness/app.ts";
import { bodyOf } from "../harness/asking.ts";
import { type WrittenFolder, writtenFolder } from "../harness/data-source.ts";
import { fixedLedger } from "../harness/fixed-ledger.ts";
import { HEAD, subscribedRow } from "../harness/rows.ts";
import { SITE } from "../harness/snapshot.ts";
import { concrete, type Described, nameDataFile, probesOf, type Situation } from "./openapi-probes.ts";

type Header = { $ref: string };
type Answer = { headers?: Record<string, Header>; content?: Record<string, { schema: object }> };
type Operation = {
  operationId: string;
  servers?: { url: string }[];
  responses: Record<string, Answer>;
};
type Description = {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required: boolean; schema: object }> };
};

const description = JSON.parse(JSON.stringify(describeApi(SITE))) as Description;

/** The headers of every answer: security, CORS, and the form of the body. */
const OF_EVERY_ANSWER =
  /^(access-control-.*|content-(length|type|encoding|security-policy)|cross-origin-.*|origin-agent-cluster|referrer-policy|strict-transport-security|permissions-policy|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

/** Routes that the description leaves out, and why. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^\/\*$|^\*$/, "what stands before every path, and the 404 for all others"],
  [/^(\/v1)?\/mcp\/\*$/, "what stands before the tool endpoint"],
  [/^\/md\/|\.md$/, "the Markdown of a page at another address: the page's description names it"],
  [
    /^\/(listings|originators)(\/|$)/,
    "pages whose paths are the read interface's too: described at their Markdown address",
  ],
  [/^\/(assets|brand|covers)\/|^\/(favicon|site)\./, "files of the pages, under names that change"],
];

type Served = Described & { operation: Operation };

/** Every operation at each of its addresses. */
const OPERATIONS: Served[] = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    (operation.servers ?? description.servers).map(({ url }) => ({
      method: method.toUpperCase(),
      operation,
      template: `${new URL(url).pathname.replace(/\/$/, "")}${path}`,
    })),
  ),
);

let app: Hono;
let apps: Record<Situation, Hono>;
let data: WrittenFolder;
afterAll(() => data[Symbol.asyncDispose]());
beforeAll(async () => {
  // One that is final, and one that is not yet.
  const rows = [subscribedRow(), subscribedRow({ blockNumber: HEAD.number })];
  data = await writtenFolder();
  nameDataFile(data.manifest.tables.ledger.files[0]?.path ?? "");
  app = await appIn({ overrides: { ledger: fixedLedger({ events: { rows } }), data: data.folder } });
  const busy = { reason: "too_many_requests", detail: "Too many at once." } as const;
  const fail = () => {
    throw new Error("broken");
  };
  apps = {
    well: app,
    empty: await appIn({ snapshot: null, upstreamHead: null, overrides: { ledger: emptyLedger() } }),
    busy: await appIn({ overrides: { history: { at: async () => busy } } }),
    broken: await appIn({ overrides: { updater: { current: fail }, audit: { start: fail, state: fail } } }),
    faulty: await appIn({
      overrides: {
        ledger: {
          ofListing: fail,
          ofListings: fail,
          anomalies: fail,
          seriesOfListing: fail,
          bidsOfListing: fail,
          sums: fail,
        },
      },
    }),
  };
});

function emptyLedger(): LedgerQueries {
  return fixedLedger({ events: "not_indexed_yet", anomalies: "not_indexed_yet" });
}

describe("every route", () => {
  it("is described, or left out for a reason", () => {
    const templates = OPERATIONS.map(
      ({ template }) => new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    );
    const isKnown = (path: string) =>
      templates.some((template) => template.test(path)) || LEFT_OUT.some(([left]) => left.test(path));
    const paths = new Set(app.routes.map(({ path }) => path));
    expect(paths.size).toBeGreaterThan(OPERATIONS.length / 2);
    expect([...paths].filter((path) => !isKnown(path))).toEqual([]);
  });

  it("exists if it is listed as left out", () => {
    const paths = app.routes.map(({ path }) => path);
    const gone = LEFT_OUT.filter(([left]) => !paths.some((path) => left.test(path)));
    expect(gone.map(([left]) => left.source)).toEqual([]);
  });

  it("is described with POST only if it takes POST", async () => {
    const taking = OPERATIONS.filter(({ method }) => method === "POST").map(({ template }) => template);
    for (const { template } of OPERATIONS) {
      const { status, headers } = await app.request(`http://raises.example${concrete(template)}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "{}",
      });
      const isTaken = taking.includes(template);
      expect(status === 405, template).toBe(!isTaken);
      if (!isTaken) expect(headers.get("allow"), template).toBe("GET, HEAD, OPTIONS");
    }
  });
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...description, $id: "https://raisebook.test/description.json" });

/** The answer is one that the operation describes: status, type, headers, and the body where it is JSON. */
function assertDescribed(what: string, operation: Operation, response: Response, text: string): void {
  const described = operation.responses[response.status];
  if (described === undefined) throw new Error(`${what}: ${response.status} is not described`);
  const type = response.headers.get("content-type")?.replace(/;.*$/s, "");
  if (described.content === undefined) expect(text, what).toBe("");
  else expect(Object.keys(described.content), what).toContain(type);
  for (const [name, { $ref }] of Object.entries(described.headers ?? {})) {
    const component = description.components.headers[$ref.replace("#/components/headers/", "")];
    if (component === undefined) throw new Error(`${$ref} is not there`);
    const value = response.headers.get(name);
    if (value === null) expect(component.required, `${what} lacks ${name}`).toBe(false);
    else expect(ajv.validate(component.schema, value), `${what} ${name}: ${value}`).toBe(true);
  }
  const known = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
  const unknown = [...response.headers.keys()].filter(
    (name) => !known.has(name) && !OF_EVERY_ANSWER.test(name),
  );
  expect(unknown, `${what} has headers that are not described`).toEqual([]);
  const schema = described.content?.[type ?? ""]?.schema;
  if (schema !== undefined && type?.endsWith("json")) {
    const resolved = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/', '"https://raisebook.test/description.json#/'),
    );
    const validate = ajv.compile(resolved);
    validate(JSON.parse(text));
    expect(validate.errors ?? [], what).toEqual([]);
  }
}

/** Answers that cannot be brought about here, and why. */
function isOutOfReach(operation: Operation, status: string): boolean {
  // The server answers it above a client's limit: test/integration/rate-limit.test.ts. The past has its own, which is a 503 of a page.
  const hasPast = JSON.stringify(operation).includes('"name":"asOf"') && !/Page$/.test(operation.operationId);
  if (status === "429" && !hasPast) return true;
  // Made once at the start, or never failing: nothing between the request and the answer can break.
  const isLive = /health|Audit|Sitemap|Page$|Board|Knowledge|Badge|Manifest/.test(operation.operationId);
  return status === "500" && !operation.responses[503] && !isLive;
}

describe.each(OPERATIONS)("$method $template", (described) => {
  const { operation, method } = described;

  it("answers as described, and gives every answer that it describes", async () => {
    const seen = new Set<string>();
    for (const { situation, path, init } of probesOf(described)) {
      const response = await apps[situation].request(`http://raises.example${path}`, init);
      const what = `${method} ${path.slice(0, 100)} (${situation}) ${JSON.stringify(init.headers)}`;
      const text = (await bodyOf(response)).toString();
      assertDescribed(what, operation, response, text);
      seen.add(String(response.status));
    }
    const expected = Object.keys(operation.responses).filter((status) => !isOutOfReach(operation, status));
    expect([...seen].sort()).toEqual(expected.sort());
  });
});

const GETS = OPERATIONS.filter(({ method }) => method === "GET");
it.each(GETS)("$template answers HEAD with the same headers", async ({ template }) => {
  const path = `http://raises.example${concrete(template)}`;
  const get = await app.request(path);
  const head = await app.request(path, { method: "HEAD" });
  expect(head.status).toBe(get.status);
  expect(await head.text()).toBe("");
  const names = (response: Response) => [...response.headers.keys()];
  expect(names(head)).toEqual(names(get));
  await get.body?.cancel();
});

describe("what is not described is found", () => {
  const path = "/v1/listings";
  const operation = OPERATIONS.find(({ template }) => template === path)?.operation;
  if (operation === undefined) throw new Error(`${path} is not described`);
  const good = operation.responses[200];
  const withAnswer = (answer: Answer): Operation => ({ ...operation, responses: { 200: answer } });
  const { ETag, ...headers } = good?.headers ?? {};
  const { Vary } = headers;

  it.each<[string, Operation]>([
    ["a status", { ...operation, responses: {} }],
    ["a header", withAnswer({ ...good, headers })],
    [
      "a header that is missing",
      withAnswer({ ...good, headers: { ...good?.headers, "X-Other": { ...Vary } as Header } }),
    ],
    [
      "a header of another value",
      withAnswer({ ...good, headers: { ...good?.headers, Vary: { ...ETag } as Header } }),
    ],
    ["a type", withAnswer({ ...good, content: { "text/csv": { schema: {} } } })],
    ["a body where none is", withAnswer({ headers: { ...good?.headers } })],
    [
      "a field",
      withAnswer({ ...good, content: { "application/json": { schema: { required: ["surprise"] } } } }),
    ],
  ])("%s", async (_what, spoilt) => {
    const response = await app.request(`http://raises.example${path}`);
    const text = await response.text();
    expect(() => assertDescribed(path, operation, response, text)).not.toThrow();
    expect(() => assertDescribed(path, spoilt, response, text)).toThrow();
  });
});
