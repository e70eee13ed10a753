/** The judge of hostile requests finds what it is there for. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createStatusJudge } from "../../harness/hostile/described.ts";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import { judgeGraphql } from "../../harness/hostile/judge-graphql.ts";
import { judgeMcp } from "../../harness/hostile/judge-mcp.ts";

const HEADERS = {
  "x-request-id": "1",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "content-type": "application/json",
};
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers({ ...HEADERS, ...headers }),
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const asked = { isEmpty: false, method: "GET" };
const problem = {
  type: "about:blank",
  title: "Not Found",
  status: 404,
  detail: "There is nothing at this path.",
  instance: "/x",
  code: "not_found",
  requestId: "1",
};
const PROBLEM = { "content-type": "application/problem+json" };
/** A page with a script that speaks of errors, and a policy that names the script by this text. */
const page = (program: string) => {
  const hash = createHash("sha256").update(program).digest("base64");
  const policy = `default-src 'none'; script-src 'self' 'sha256-${hash}'`;
  const text = "<p>No.</p><script>Error: oh</script>";
  return answer(404, text, { "content-type": "text/html", "content-security-policy": policy });
};

describe("judgeAnswer", () => {
  it("takes a good answer and a good problem", () => {
    judgeAnswer(answer(200, {}), asked);
    judgeAnswer(answer(404, problem, PROBLEM), asked);
    judgeAnswer(answer(503, {}, { "retry-after": "2" }), { ...asked, isEmpty: true });
    judgeAnswer(answer(302, "", { location: "/listings/lst_1" }), asked);
    judgeAnswer(page("Error: oh"), asked);
  });

  it.each([
    ["a failure", answer(500, {})],
    ["a 503 with a market", answer(503, {}, { "retry-after": "2" })],
    ["a stack", answer(400, { detail: "oh\n    at run (/srv/app.js:1:2)" })],
    ["the name of an exception", answer(400, { detail: "TypeError: x is not a function" })],
    ["a file of ours", answer(400, { detail: "in api/app.ts" })],
    ["an escape", answer(400, { detail: "\u001b[2J" })],
    ["a turn of the line", answer(400, { detail: "\u202E" })],
    ["a name that is acted on", answer(400, { "\u2066": 1 })],
    ["a cookie", answer(200, {}, { "set-cookie": "a=b" })],
    ["a link elsewhere", answer(200, {}, { link: "<https://elsewhere.example/>; rel=next" })],
    ["another's name in a body", answer(200, { url: "https://elsewhere.example/v1" })],
    ["a header of odd bytes", answer(200, {}, { "x-odd": "\u00ff" })],
    ["no Allow", answer(405, {})],
    ["a redirect to another host", answer(302, "", { location: "https://hostile.invalid/" })],
    ["a redirect to another host by a path", answer(308, "", { location: "//hostile.invalid/" })],
    ["a redirect to nowhere", answer(302, "")],
    ["a script that the policy does not name", page("another")],
    ["a huge error", answer(400, "x".repeat(100_001), { "content-type": "text/plain" })],
    ["a page with input in it", answer(200, "<script>hostile()</script>", { "content-type": "text/html" })],
    ["the wrong status in a problem", answer(400, problem, PROBLEM)],
    ["another request id", answer(404, { ...problem, requestId: "2" }, PROBLEM)],
    ["a problem without words", answer(404, { ...problem, detail: undefined }, PROBLEM)],
  ])("refuses %s", (_what, bad) => expect(() => judgeAnswer(bad, asked)).toThrow());

  it("refuses a body where there is none", () => {
    expect(() => judgeAnswer(answer(200, {}), { ...asked, method: "HEAD" })).toThrow("a body");
  });
});

describe("createStatusJudge", () => {
  const judgeStatus = createStatusJudge({
    servers: [{ url: "https://raises.example/v1" }],
    paths: {
      "/listings/{id}": { get: { responses: { 200: {}, 404: {} } } },
      "/mcp": { servers: [{ url: "https://raises.example" }], post: { responses: { 200: {} } } },
    },
  });
  const request = (method: string, path: string) => ({ route: "", path, method, headers: {} });

  it("takes what is described, and a 405 anywhere", () => {
    judgeStatus(request("GET", "/v1/listings/x?y=1"), answer(404, {}));
    judgeStatus(request("POST", "/mcp"), answer(200, {}));
    judgeStatus(request("PUT", "/mcp"), answer(405, {}));
    judgeStatus(request("GET", "/elsewhere"), answer(404, {}));
  });

  it.each([
    ["GET", "/v1/listings/x"],
    ["HEAD", "/v1/listings/x"],
    ["POST", "/mcp"],
  ])("refuses another status of %s %s", (method, path) => {
    expect(() => judgeStatus(request(method, path), answer(418, {}))).toThrow("undescribed");
  });
});

describe("judgeMcp", () => {
  const sent = { route: "/mcp", path: "/mcp", method: "POST", headers: {}, body: '{"id":"\\u202e"}' };
  const rpc = (more: object) => answer(200, { jsonrpc: "2.0", id: "\u202e", ...more });

  it("takes a result, an error and advice, with the caller's own id", () => {
    judgeMcp(rpc({ result: {} }), sent);
    judgeMcp(rpc({ error: { code: -32_600, message: "Invalid request." } }), sent);
    judgeMcp(rpc({ result: { isError: true, content: [{ type: "text", text: "Try x." }] } }), sent);
  });

  it.each([
    ["neither result nor error", rpc({})],
    ["both", rpc({ result: {}, error: { code: 1, message: "x" } })],
    ["another's id", answer(200, { jsonrpc: "2.0", id: 7, result: {} })],
    ["an error without a code", rpc({ error: { message: "x" } })],
    ["an endless error", rpc({ error: { code: 1, message: "x".repeat(2_000) } })],
    ["a failure inside", rpc({ error: { code: -32_603, message: "Oh." } })],
    ["the dump of a validator", rpc({ error: { code: -32_602, message: '[ { "code": "invalid_type" } ]' } })],
    ["a leak", rpc({ error: { code: 1, message: "RangeError: x" } })],
    ["no advice", rpc({ result: { isError: true, content: [] } })],
    [
      "facts in an error",
      rpc({ result: { isError: true, content: [{ text: "x" }], structuredContent: {} } }),
    ],
    ["no JSON-RPC", answer(200, {})],
    ["a stream", answer(200, "data: 1", { "content-type": "text/event-stream" })],
  ])("refuses %s", (_what, bad) => expect(() => judgeMcp(bad, sent)).toThrow());
});

describe("judgeGraphql", () => {
  const errors = (...list: unknown[]) => answer(200, { errors: list });

  it("takes data, and errors with a code", () => {
    judgeGraphql(answer(200, { data: {} }));
    judgeGraphql(errors({ message: "No.", extensions: { code: "BAD_USER_INPUT" } }));
  });

  it.each([
    ["neither", answer(200, {})],
    ["no errors in errors", errors()],
    ["no code", errors({ message: "No." })],
    ["a failure inside", errors({ message: "No.", extensions: { code: "INTERNAL_SERVER_ERROR" } })],
    ["no words", errors({ message: "", extensions: { code: "A" } })],
    ["an endless message", errors({ message: "x".repeat(2_000), extensions: { code: "A" } })],
    ["a turn of the line", errors({ message: "\u202e", extensions: { code: "A" } })],
    ["a flood", errors(...Array(201).fill({ message: "No.", extensions: { code: "A" } }))],
  ])("refuses %s", (_what, bad) => expect(() => judgeGraphql(bad)).toThrow());
});
