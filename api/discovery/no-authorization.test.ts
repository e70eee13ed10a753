/**
 * Why these are 404s and must stay so: clients of the tool endpoint probe for an authorization server before they
 * connect, below its path too. Only a plain 404 tells them that there is none. A page, an empty object, a redirect, a
 * 401 or a 405 makes them try to sign in, and fail.
 */
import { Agent } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { CLIENT_KINDS } from "../../test/conformance/sdk-clients.ts";
import { appIn } from "../../test/harness/app.ts";
import { type RawAnswer, send } from "../../test/harness/raw-http.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { jsonLinks } from "../../test/harness/web-links.ts";

const METADATA = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
];
const SUFFIXES = [
  "",
  "/",
  "//",
  "/mcp",
  "//mcp",
  "/v1/mcp",
  "/v1/mcp/",
  "%2Fmcp",
  "%2f",
  "/a/b/c",
  "/..%2fx",
  "/%",
  "/%00",
  "?x=1",
];
/** How else a client may come to them; what is no path of theirs any more is answered as one all the same. */
const SPELLINGS = [
  "//.well-known/openid-configuration",
  "/.well-known//openid-configuration",
  "/.well-known%2Fopenid-configuration",
  "/%2Ewell-known/oauth-authorization-server",
  "/.well-known/oauth%2Dprotected%2Dresource",
  "/.WELL-KNOWN/openid-configuration",
  "/./.well-known/openid-configuration",
  "/knowledge/../.well-known/openid-configuration",
  "/mcp/.well-known/openid-configuration",
  "/mcp/.well-known/oauth-protected-resource",
  "/v1/mcp/.well-known/oauth-protected-resource",
  "/v1/.well-known/oauth-authorization-server",
  "/md/.well-known/openid-configuration",
];
const ENDPOINTS = ["/register", "/authorize", "/token"].flatMap((path) =>
  ["", "/", "//", "/x", "%2F", "?x=1"]
    .map((suffix) => path + suffix)
    .concat(`/${path}`, `/mcp${path}`, `/v1/mcp${path}`, `/v1${path}`),
);
/** Nothing lies there, and nothing of the site may be shown in its place. */
const OTHERS = [
  "/.well-known",
  "/.well-known/",
  "/.well-known//",
  "/.well-known/jwks.json",
  "/.well-known/openid-configuration.json",
  "/.well-known/openid-configuration.md",
  "/.well-known/openid-configurations",
  "/.well-known/oauth-client",
  "/.well-known/unknown",
  "/.well-known/security.txt",
  "/.well-known/index.md",
  "/.well-known/%E0%A4%A",
  "/.well-known%2Fjwks.json",
  "//.well-known/jwks.json",
  "/md/.well-known/unknown",
  "/knowledge/.well-known/unknown",
];
const METHODS = ["HEAD", "POST", "PUT", "PATCH", "DELETE"];
const ACCEPTS = [
  undefined,
  "*/*",
  "text/html",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/markdown",
  "application/json",
  "application/json, text/event-stream",
  "text/event-stream",
  "image/png",
  "application/problem+json;q=0, */*",
  "garbage",
];
/** Clients take the contents of these paths for metadata. */
const FORBIDDEN_KEYS = ["issuer", "resource", "authorization_servers"];

const served = await serveApp(await appIn());
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(async () => {
  agent.destroy();
  await served[Symbol.asyncDispose]();
});

const ask = (path: string, method = "GET", headers = {}) =>
  send(served.url, { path, method, headers, agent });

function keysAtAnyDepth(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysAtAnyDepth)];
}

function expectNothing({ status, headers, text }: RawAnswer, method: string, what: string): void {
  expect(status, what).toBe(404);
  expect(headers["content-type"], what).toBe("application/problem+json");
  expect(headers["access-control-allow-origin"]).toBe("*");
  for (const absent of ["www-authenticate", "location", "link", "refresh", "set-cookie"]) {
    expect(headers[absent], `${absent} in ${what}`).toBeUndefined();
  }
  if (method === "HEAD") {
    expect(text).toBe("");
    return;
  }
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  const body = JSON.parse(text);
  expect(body, what).toMatchObject({ status: 404, code: "not_found" });
  expect(keysAtAnyDepth(body).filter((key) => FORBIDDEN_KEYS.includes(key))).toEqual([]);
  expect(jsonLinks(body)).toEqual([]);
}

const PROBES = [...METADATA.flatMap((path) => SUFFIXES.map((suffix) => path + suffix)), ...SPELLINGS];

describe.each([...PROBES, ...ENDPOINTS, ...OTHERS])("%s", (path) => {
  it("is a 404 for every method, whatever is accepted", async () => {
    const asked = [
      ...ACCEPTS.map((accept) => ["GET", accept] as const),
      // The effect of a method does not depend on the accepted types.
      ...METHODS.flatMap((method) => [undefined, "text/html"].map((accept) => [method, accept] as const)),
    ];
    for (const [method, accept] of asked) {
      const headers = { Authorization: "Bearer x", ...(accept === undefined ? {} : { Accept: accept }) };
      expectNothing(await ask(path, method, headers), method, `${method} ${path} for ${accept}`);
    }
  });

  it("leaves OPTIONS to CORS", async () => {
    const { status, headers } = await ask(path, "OPTIONS", {
      Origin: "https://x.example",
      "Access-Control-Request-Method": "GET",
    });
    expect(status).toBe(204);
    expect(headers["access-control-allow-origin"]).toBe("*");
  });
});

it.each([...PROBES, ...ENDPOINTS])("%s says why, and where to read more", async (path) => {
  const { detail } = JSON.parse((await ask(path)).text);
  expect(detail).toContain("There is no authorization server");
  expect(detail).toContain("https://raises.example/auth.md");
});

it("a path that only looks like one of them is not taken for it", async () => {
  for (const path of ["/registers", "/tokens", "/knowledge/token", "/authorize-me"]) {
    const { status, text } = await ask(path, "GET", { Accept: "application/json" });
    expect(status, path).toBe(404);
    expect(text).not.toContain("There is no authorization server");
  }
  expect((await ask("/auth.md")).status).toBe(200);
});

it("no client is ever asked for a credential", async () => {
  for (const kind of CLIENT_KINDS) {
    const client = await kind.connect(`${served.url}/mcp`);
    expect(await client.listTools()).toHaveLength(4);
    await client.close();
  }
  const refused = served.requests.filter(({ status }) => status === 401 || status === 403);
  expect(refused).toEqual([]);
});
