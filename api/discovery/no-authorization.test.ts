/**
 * Why these are 404s and must stay so: clients of the tool endpoint probe for an authorization server before they
 * connect, below its path too. Only a plain 404 tells them that there is none. A page, an empty object, a redirect, a
 * 401 or a 405 makes them try to sign in, and fail.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { CLIENT_KINDS } from "../../test/conformance/sdk-clients.ts";
import { type Ask, appIn, asking } from "../../test/harness/app.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { jsonLinks } from "../../test/harness/web-links.ts";

const METADATA = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
];
const SUFFIXES = ["", "/", "/mcp", "/v1/mcp", "/v1/mcp/", "/a/b/c", "?x=1"];
const PATHS = [
  ...METADATA.flatMap((path) => SUFFIXES.map((suffix) => path + suffix)),
  "/mcp/.well-known/openid-configuration",
  "/v1/mcp/.well-known/oauth-protected-resource",
  "/register",
  "/authorize",
  "/authorize?response_type=code&redirect_uri=https%3A%2F%2Fx.example",
  "/token",
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const ACCEPTS = ["*/*", "text/html", "text/markdown", "application/json", "text/event-stream", "garbage"];

let ask: Ask;
beforeAll(async () => {
  ask = asking(await appIn());
});

describe.each(PATHS)("%s", (path) => {
  it.each(METHODS)("is a 404 for %s, whatever is accepted", async (method) => {
    for (const accept of ACCEPTS) {
      const { status, headers, text } = await ask(path, {
        method,
        headers: { Accept: accept, Authorization: "Bearer x" },
      });
      expect(status, accept).toBe(404);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      for (const absent of ["www-authenticate", "location", "link"]) expect(headers.get(absent)).toBeNull();
      if (method === "HEAD") continue;
      const body = JSON.parse(text);
      expect(body).toMatchObject({ status: 404, code: "not_found" });
      for (const key of ["issuer", "resource", "authorization_servers"]) expect(body).not.toHaveProperty(key);
      expect(jsonLinks(body)).toEqual([]);
    }
  });

  it("leaves OPTIONS to CORS", async () => {
    const { status } = await ask(path, { method: "OPTIONS", headers: { Origin: "https://x.example" } });
    expect(status).toBe(204);
  });
});

it("says why, and where to read more", async () => {
  const { detail } = JSON.parse((await ask("/.well-known/oauth-protected-resource/mcp")).text);
  expect(detail).toContain("There is no authorization server");
  expect(detail).toContain("https://raises.example/auth.md");
});

it("no client is ever asked for a credential", async () => {
  await using served = await serveApp(await appIn());
  for (const kind of CLIENT_KINDS) {
    const client = await kind.connect(`${served.url}/mcp`);
    expect(await client.listTools()).toHaveLength(4);
    await client.close();
  }
  const refused = served.requests.filter(({ status }) => status === 401 || status === 403);
  expect(refused).toEqual([]);
});
