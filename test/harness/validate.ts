/**
 * Holds an answer of the REST face against the description that the service serves, and against schemas that were
 * written by hand from the interface document.
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse as parseCsv } from "csv-parse/sync";
import answers from "../schema/answers.schema.json" with { type: "json" };
import ledger from "../schema/ledger.schema.json" with { type: "json" };
import proof from "../schema/proof.schema.json" with { type: "json" };
import resources from "../schema/resources.schema.json" with { type: "json" };
import trading from "../schema/trading.schema.json" with { type: "json" };
import type { Ask } from "./asking.ts";

/** An answer as `fetch` gave it, its body decoded and read to the end. */
export type ReadAnswer = { status: number; headers: Headers; text: string };

/** Throws, and says where in the body, when the answer is not what is documented. */
export type AssertAnswer = (path: string, answer: ReadAnswer) => void;

type Server = { url: string };
type Media = Record<string, { schema?: unknown }>;
type Reference = { $ref: string };
type DescribedAnswer = { content?: Media; headers?: Record<string, Reference> };
type Operation = { servers?: Server[]; responses: Record<string, DescribedAnswer> };
type Description = {
  servers: Server[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required: boolean; schema: { pattern?: string } }> };
};
type Route = { path: RegExp; template: string; pointer: string; responses: Operation["responses"] };

/** The hand-written schema of the 200 of each path, by its path from the site root. */
const BODY_BY_PATH: Record<string, string> = {
  "/v1": "answers.schema.json#/$defs/root",
  "/v1/listings": "answers.schema.json#/$defs/listings",
  "/v1/listings/{id}/schedule": "answers.schema.json#/$defs/schedule",
  "/v1/stats": "answers.schema.json#/$defs/stats",
  "/v1/stats/series": "answers.schema.json#/$defs/series",
  "/v1/stats/cohorts": "answers.schema.json#/$defs/cohorts",
  "/v1/events": "ledger.schema.json#/$defs/events",
  "/v1/listings/{id}/events": "ledger.schema.json#/$defs/events",
  "/v1/events/{event}/proof": "proof.schema.json#/$defs/event",
  "/v1/listings/{id}/proof": "proof.schema.json#/$defs/listing",
  "/v1/root": "proof.schema.json#/$defs/bookRoot",
  "/v1/root/nodes": "proof.schema.json#/$defs/bookNodes",
  "/v1/anomalies": "ledger.schema.json#/$defs/anomalies",
  "/v1/listings/{id}": "resources.schema.json#/$defs/listing",
  "/v1/originators": "answers.schema.json#/$defs/originators",
  "/v1/originators/{publicId}": "resources.schema.json#/$defs/originator",
  "/v1/health": "answers.schema.json#/$defs/health",
  "/v1/audit": "answers.schema.json#/$defs/audit",
  "/v1/ready": "answers.schema.json#/$defs/ready",
  "/openapi.json": "answers.schema.json#/$defs/description",
};
const HAND_WRITTEN = "https://raisebook.test/";
const SERVED = "https://raisebook.test/served-openapi.json";

/**
 * @param openapiDocument the parsed body of `/openapi.json`
 * @example
 * const assertAnswer = createAnswerValidator(await service.json("/openapi.json"));
 * assertAnswer("/v1/listings", await service.get("/v1/listings"));
 */
export function createAnswerValidator(openapiDocument: unknown): AssertAnswer {
  const text = JSON.stringify(openapiDocument);
  const made = validators.get(text) ?? compileValidator(openapiDocument);
  validators.set(text, made);
  return made;
}

/** Holds the answers of an app against the description that it serves. */
export async function validatorOf(ask: Ask): Promise<AssertAnswer> {
  return createAnswerValidator(JSON.parse((await ask("/openapi.json")).text));
}

/** Reads JSON of the app, or of another one, and holds each answer against the app's description. */
export async function checkedJson(app: Ask) {
  const assertAnswer = await validatorOf(app);
  return async (path: string, ask = app) => {
    const answer = await ask(path);
    assertAnswer(path, answer);
    return JSON.parse(answer.text);
  };
}

/** By the description's text: compiling its schemas takes longer than a file's requests. */
const validators = new Map<string, AssertAnswer>();

function compileValidator(openapiDocument: unknown): AssertAnswer {
  // Not strict: OpenAPI adds keywords (`example`).
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  addFormats.default(ajv);
  for (const schema of [resources, trading, ledger, proof, answers]) ajv.addSchema(schema);
  ajv.addSchema({ ...(openapiDocument as object), $id: SERVED });
  const routes = routesOf(openapiDocument as Description);
  const { headers: headerComponents } = (openapiDocument as Description).components;
  const headerOf = ({ $ref }: Reference) => headerComponents[$ref.replace("#/components/headers/", "")];
  const assertHeaders = (what: string, described: DescribedAnswer | undefined, headers: Headers) => {
    for (const [name, header] of Object.entries(described?.headers ?? {})) {
      const { required, schema } = headerOf(header) ?? {};
      const value = headers.get(name);
      if (value === null && required !== false) fail(`${what} lacks the header ${name}`);
      if (value !== null && !new RegExp(schema?.pattern ?? "").test(value))
        fail(`${what} has ${name}: ${value}`);
    }
    assertFreshness(what, headers);
  };

  const known = new Map<string, ValidateFunction>();
  const assertBody = (ref: string, body: unknown, what: string) => {
    const validate = known.get(ref) ?? ajv.compile({ $ref: ref });
    known.set(ref, validate);
    if (validate(body)) return;
    const lines = (validate.errors ?? []).slice(0, 10).map((error) => {
      const extra = error.params.additionalProperty ?? error.params.unevaluatedProperty ?? "";
      return `  ${error.instancePath || "/"} ${error.message} ${extra}: ${short(error.data)}`;
    });
    fail(`${what} is not as ${ref.replace(HAND_WRITTEN, "")} says:\n${lines.join("\n")}`);
  };

  return (path, { status, headers, text }) => {
    const what = `${status} of ${path}`;
    const pathname = path.replace(/[?#].*$/s, "");
    const route = routes.find((candidate) => candidate.path.test(pathname));
    if (status === 304) {
      if (route?.responses[304] === undefined) fail(`${what}: not described`);
      if (text !== "") fail(`${what} has a body`);
      assertHeaders(what, route?.responses[304], headers);
      return;
    }
    // The base URL with a slash behind it is the base URL.
    if (status === 308 && pathname === "/v1/") {
      if (headers.get("location")?.replace(/\?.*$/s, "") !== "/v1") fail(`${what} leads elsewhere`);
      return;
    }
    const type = headers.get("content-type")?.replace(/;.*$/s, "") ?? "(none)";
    if (type === "text/csv") {
      // A list that is asked for as CSV answers with the file next to it, which alone declares the type.
      const file = routes.find(({ template }) => template === `${route?.template.replace(/\.csv$/, "")}.csv`);
      if (file?.responses[status]?.content?.[type] === undefined) fail(`${what}: ${type} is not described`);
      assertHeaders(what, route?.responses[status], headers);
      assertCsv(text, what);
      return;
    }
    if (type === "text/event-stream") {
      const described = route?.responses[status];
      if (described?.content?.[type] === undefined) fail(`${what}: ${type} is not described`);
      assertHeaders(what, described, headers);
      return;
    }
    const body = parse(text, what);
    if (status >= 400) {
      if (type !== "application/problem+json") fail(`${what} has the type ${type}`);
      assertBody(`${HAND_WRITTEN}answers.schema.json#/$defs/problem`, body, what);
      assertProblem(what, body as { status: number; requestId: string }, status, headers);
      assertBody(`${SERVED}#/components/schemas/Problem`, body, what);
    }
    // 405 is never the answer to a GET, and only GETs are described.
    if (status === 405) return;
    if (route === undefined) {
      if (status !== 404 && status !== 414) fail(`${what}: the path is not described`);
      return;
    }
    const described = route.responses[status];
    if (described === undefined) return fail(`${what}: the status is not described`);
    if (described.content?.[type]?.schema === undefined) fail(`${what}: ${type} is not described`);
    assertHeaders(what, described, headers);
    assertBody(`${SERVED}#${route.pointer}/${status}/content/${escapePointer(type)}/schema`, body, what);
    if (status !== 200) return;
    const handWritten = BODY_BY_PATH[route.template];
    if (handWritten === undefined) return fail(`${what}: there is no hand-written schema of this body`);
    assertBody(`${HAND_WRITTEN}${handWritten}`, body, what);
  };
}

/** The described GETs by their path from the site root, fixed ones before those with a parameter. */
function routesOf({ servers, paths }: Description): Route[] {
  const routes = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const [server] = get.servers ?? servers;
    if (server === undefined) return fail(`${path} has no server`);
    const template = `${new URL(server.url).pathname.replace(/\/$/, "")}${path}`;
    const pattern = template
      .replace(/[.*+?^$()|[\]\\]/g, (character) => `\\${character}`)
      .replace(/\{\w+\}/g, "[^/]+");
    const pointer = `/paths/${escapePointer(path)}/get/responses`;
    return [{ path: new RegExp(`^${pattern}$`), template, pointer, responses: get.responses }];
  });
  return routes.sort((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")));
}

function assertFreshness(what: string, headers: Headers): void {
  const block = headers.get("x-indexed-block");
  if (block !== null && !/^(0|[1-9]\d*)$/.test(block)) fail(`${what} has X-Indexed-Block: ${block}`);
  const at = headers.get("x-indexed-at");
  if (at !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at)) fail(`${what} has X-Indexed-At: ${at}`);
}

/** RFC 9457: `status` is the status; and the request id is the one in the header. */
function assertProblem(
  what: string,
  body: { status: number; requestId: string },
  status: number,
  headers: Headers,
): void {
  if (body.status !== status) fail(`${what} says that its status is ${body.status}`);
  if (body.requestId !== headers.get("x-request-id"))
    fail(`${what} names another request id than its header`);
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${what} is not JSON: ${text.slice(0, 200)}`);
  }
}

/** RFC 4180: every record has as many cells as the header row, and ends with CR LF. */
function assertCsv(text: string, what: string): void {
  const [header, ...records] = parseCsv(text, { record_delimiter: "\r\n" });
  if (header === undefined || new Set(header).size !== header.length) fail(`${what} has no header row`);
  const odd = records.find((record) => record.length !== header.length);
  if (odd !== undefined) fail(`${what} has a record with ${odd.length} cells: ${short(odd)}`);
}

function escapePointer(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function short(value: unknown): string {
  const json = JSON.stringify(value) ?? "undefined";
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}

function fail(message: string): never {
  throw new Error(message);
}
