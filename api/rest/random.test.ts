import fc from "fast-check";
import { expect, it } from "vitest";
import { appIn, asking } from "../../test/harness/app.ts";
import { createAnswerValidator } from "../../test/harness/validate.ts";

const segment = fc.oneof(
  fc.constantFrom("v1", "listings", "originators", "health", "ready", "openapi.json", "lst_1", "RB00002"),
  fc.constantFrom(
    "__proto__",
    "..",
    ".",
    "",
    "%",
    "%2e%2e",
    "%00",
    "%E2%80%AE",
    "*",
    ":id",
    "{id}",
    "org_northwind",
  ),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ maxLength: 30 }),
);
const path = fc.oneof(
  { weight: 3, arbitrary: fc.array(segment, { maxLength: 5 }).map((steps) => `/${steps.join("/")}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/v1/listings",
      "/v1/listings/lst_1",
      "/v1/originators",
      "/v1/health",
      "/v1/ready",
      "/openapi.json",
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 4000, max: 4200 }).map((length) => `/v1/${"x".repeat(length)}`) },
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).map((text) => `?${text}`) },
);
/** What Node lets through as the value of a header. */
const headerValue = (...known: string[]) =>
  fc.oneof(fc.constantFrom(...known), fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,60}$/));
const headers = fc.record(
  {
    Accept: headerValue("*/*", "application/json", "text/html", "application/json;q=0"),
    "Accept-Encoding": headerValue("br", "gzip, br;q=0.2", "identity;q=0", "*;q=0"),
    "If-None-Match": headerValue("*", 'W/"x", "y"', '"'),
    "X-Request-Id": headerValue("fine", "not fine"),
    Origin: headerValue("null", "https://elsewhere.example"),
    "Access-Control-Request-Headers": headerValue("x-anything", "*"),
    Host: headerValue("elsewhere.example", "[", "a b"),
    "Content-Type": headerValue("application/json", "text/plain"),
  },
  { requiredKeys: [] },
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("GET", "HEAD") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "get", "X"),
  },
);

/** Stacks, files of this machine, and words of the runtime: what no body may hold unless the client sent it. */
const LEAK = /\n\s+at |node_modules|file:\/\/|\/work\/|\.ts:\d|TypeError|RangeError|SyntaxError|URIError/;

it.each([
  ["before the first snapshot", true],
  ["with a market", false],
])("no request makes it fail, %s", async (_when, empty) => {
  const ask = asking(await appIn(empty ? { snapshot: null } : {}));
  const assertAnswer = createAnswerValidator(JSON.parse((await ask("/openapi.json")).text));
  const statuses = new Set<number>();

  await fc.assert(
    fc.asyncProperty(path, query, method, headers, async (path, query, method, headers) => {
      // Like a server: a target that is no URL never reaches the app.
      fc.pre(URL.canParse(`http://raises.example${path}${query}`));
      const url = new URL(`http://raises.example${path}${query}`);
      const answer = await ask(`${path}${query}`, { method, headers });
      statuses.add(answer.status);

      if (answer.status >= 500) {
        expect(answer.status).toBe(503);
        expect(empty).toBe(true);
      }
      expect(answer.headers.get("x-request-id")).toMatch(/^[\w\-=]+$/);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      if (method.toUpperCase() === "HEAD" || answer.status === 204) {
        expect(answer.text).toBe("");
        return;
      }
      const isSilent = LEAK.test(decodeURIComponentOr(`${path}${query}`));
      if (answer.status >= 400 && !isSilent) expect(answer.text).not.toMatch(LEAK);
      const type = answer.headers.get("content-type") ?? "";
      // Pages are no part of the read interface, and neither is the page that says that there is none.
      if (/^text\/(html|markdown);/.test(type)) {
        expect(url.pathname).not.toMatch(/^\/(v1|mcp|graphql|\.well-known)(\/|$)/);
        return;
      }
      if (answer.status >= 400) expect(type).toBe("application/problem+json");
      // Neither is a page that is taken in no form that it has.
      if (/^\/(listings|originators)(\/|$)/.test(url.pathname)) return;
      // The path as the server sees it: `..` and the fragment are gone.
      assertAnswer(url.pathname, answer);
    }),
    { numRuns: 2000 },
  );
  // Each kind of answer was among them.
  expect([...statuses]).toEqual(
    expect.arrayContaining([200, 204, 400, 404, 405, 406, 414, empty ? 503 : 304]),
  );
});

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
