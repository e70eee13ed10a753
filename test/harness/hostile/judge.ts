/** @module The rules for every answer to a hostile request, from any face. Each rule throws with what it saw. */
import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import answers from "../../schema/answers.schema.json" with { type: "json" };
import ledger from "../../schema/ledger.schema.json" with { type: "json" };
import resources from "../../schema/resources.schema.json" with { type: "json" };
import trading from "../../schema/trading.schema.json" with { type: "json" };
import type { ReadAnswer } from "../validate.ts";
import { ELSEWHERE } from "./text.ts";

/** Characters. The whole market of the tests fits into the second; a page brings its scripts along. */
const LARGEST_ERROR = 100_000;
const LARGEST_ANSWER = 2_000_000;
const LARGEST_PAGE = 10_000_000;

/** Stacks, files of the machine, names of modules and texts of exceptions; "Syntax Error" is how GraphQL speaks. */
const LEAK =
  /node_modules|\.ts\b|at \w+ \(|(?<!Syntax )Error:|\/work\/|\/home\/|file:\/\/\/(?!etc)|\bundefined\b is not|reading '/;

/** Characters on which a terminal acts, and characters that turn a line of a page around. Line feeds and tabs are plain text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const ACTED_ON = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const schema of [resources, trading, ledger, answers]) ajv.addSchema(schema);
const isProblem = ajv.compile({ $ref: `${answers.$id}#/$defs/problem` });

export type Judged = {
  /** Whether nothing is indexed yet: the only time that a 503 is right. */
  isEmpty: boolean;
  method: string;
};

/** Throws when the answer is not one that the service may give to any client. */
export function judgeAnswer(answer: ReadAnswer, { isEmpty, method }: Judged): void {
  const { status, headers, text } = answer;
  if (status >= 500 && !(status === 503 && isEmpty)) fail(answer, `the status ${status}`);
  if (!/^[\w\-=]{1,255}$/.test(headers.get("x-request-id") ?? "")) fail(answer, "no request id");
  if (headers.get("access-control-allow-origin") !== "*") fail(answer, "no CORS");
  if (headers.get("x-content-type-options") !== "nosniff") fail(answer, "sniffing");
  if (headers.has("set-cookie")) fail(answer, "a cookie");
  for (const [name, value] of headers) {
    if (!/^[\x20-\x7e]*$/.test(value)) fail(answer, `a header ${name} that is not plain`);
    if (/hostile(?!\.)|<script/i.test(value) && name !== "x-request-id")
      fail(answer, `input in the header ${name}`);
  }
  if (`${[...headers.values()]} ${text}`.includes(ELSEWHERE))
    fail(answer, "a name that stood in the headers");
  if (status === 405 && !headers.has("allow")) fail(answer, "a 405 without Allow");
  if (status === 503 && !headers.has("retry-after")) fail(answer, "a 503 without Retry-After");
  if (status >= 300 && status < 400 && status !== 304 && !/^\/(?!\/)/.test(headers.get("location") ?? ""))
    fail(answer, "a redirect that may lead elsewhere");
  if (method === "HEAD" || status === 204 || status === 304 || status === 202) {
    if (text !== "") fail(answer, "a body");
    return;
  }
  const largest = isTypeOf(answer, "text/html") ? LARGEST_PAGE : LARGEST_ANSWER;
  if (text.length > (status >= 400 ? LARGEST_ERROR : largest)) fail(answer, `${text.length} characters`);
  if (status >= 400) judgeWords(answer, text);
  if (isTypeOf(answer, "application/problem+json")) judgeProblem(answer);
  if (
    headers.get("content-type")?.startsWith("text/") &&
    /<script>hostile|<[^<>&]*onerror=hostile/.test(text)
  ) {
    fail(answer, "input in a page");
  }
}

/** The words of an error: no leak, and nothing that a terminal or a page acts on, once its JSON is read too. */
export function judgeWords(answer: ReadAnswer, text: string): void {
  const type = answer.headers.get("content-type") ?? "";
  const shown = /json/.test(type) ? textsIn(withoutId(JSON.parse(text))) : [withoutOwnScripts(answer, text)];
  for (const one of shown) {
    if (LEAK.test(one)) fail(answer, `a leak: ${LEAK.exec(one)?.[0]}`);
    if (ACTED_ON.test(one)) fail(answer, `a control character: ${JSON.stringify(one.slice(0, 200))}`);
  }
}

/** A page without the scripts that its own policy names: they are ours, and programs speak of errors. */
function withoutOwnScripts({ headers }: ReadAnswer, text: string): string {
  const policy = headers.get("content-security-policy") ?? "";
  return text.replace(/<script>([\s\S]*?)<\/script>/g, (script, program: string) => {
    const hash = createHash("sha256").update(program).digest("base64");
    return policy.includes(`'sha256-${hash}'`) ? "" : script;
  });
}

/** JSON-RPC has the caller's own id in every answer, as it was. */
function withoutId(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("jsonrpc" in body)) return body;
  return { ...body, id: null };
}

/** RFC 9457, its own status, and the request id of the header. */
function judgeProblem(answer: ReadAnswer): void {
  const body = JSON.parse(answer.text) as { status: number; requestId: string };
  if (!isProblem(body)) fail(answer, `no problem: ${ajv.errorsText(isProblem.errors)}`);
  if (body.status !== answer.status) fail(answer, "another status in the problem");
  if (body.requestId !== answer.headers.get("x-request-id"))
    fail(answer, "another request id in the problem");
}

export function isTypeOf({ headers }: ReadAnswer, type: string): boolean {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim() === type;
}

/** Every text and every name in a JSON value. Not by recursion: an answer may be as deep as what was asked. */
function textsIn(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) {
      if (!Array.isArray(next)) found.push(...Object.keys(next));
      open.push(...Object.values(next));
    }
  }
  return found;
}

export function fail({ status, text }: ReadAnswer, what: string): never {
  throw new Error(`${what} in an answer ${status}: ${JSON.stringify(text.slice(0, 400))}`);
}
