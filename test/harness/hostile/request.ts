/** @module Malicious requests to any path: methods, headers and queries. */
import fc from "fast-check";
import { ELSEWHERE, encode, hostileCursor, hostileSegment, hostileText, PROTOTYPE_NAMES } from "./text.ts";

/** One request, and which route of the app it was made for. */
export type HostileCase = {
  route: string;
  /** with the query */
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer;
};

/** The characters that a header's value may hold on the wire: the rest never reaches the app. */
const headerText = fc.oneof(
  hostileText.map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, "").trim()),
  fc.stringMatching(/^[\x21-\x7e\xa0-\xff]{0,60}$/),
);

const known = (...values: string[]) => fc.oneof(fc.constantFrom(...values), headerText);

const many = (one: string) => fc.constantFrom(1, 50, 800).map((times) => Array(times).fill(one).join(","));

const hostHeader = known(
  ELSEWHERE,
  `raises.example@${ELSEWHERE}`,
  "raises.example:99999",
  "[::1",
  "127.0.0.1.nip.io",
);

/** Each of these may be there or not. */
const HEADERS = {
  Accept: fc.oneof(
    known(
      ...[
        "*/*",
        "application/json",
        "text/html",
        "text/csv",
        "text/markdown",
        "text/event-stream",
        "*/*;q=0",
      ],
      ...[
        "application/json, text/event-stream",
        "application/json;q=NaN",
        "application/graphql-response+json",
      ],
      ...[
        "a/b;q=1;q=0",
        "*",
        "text/*;q=-1",
        "/",
        ";;;,,,",
        "application/json;q=1e999",
        "__proto__/constructor",
      ],
    ),
    many("text/html;q=0.1"),
  ),
  "Accept-Encoding": fc.oneof(
    known(
      "br",
      "gzip",
      "gzip;q=0, br;q=0",
      "identity;q=0",
      "*;q=0",
      "zstd",
      "br, br, br;q=0",
      "__proto__",
      "x-gzip",
    ),
    many("br;q=0.001"),
  ),
  "If-None-Match": fc.oneof(known("*", 'W/"x", "y"', '"', 'W/"', "W/W/W/"), many('W/"hostile"')),
  "If-Modified-Since": known("Thu, 01 Jan 1970 00:00:00 GMT", "NaN"),
  Range: known("bytes=0-0", "bytes=-1", "bytes=0-,0-,0-", "lines=1-2"),
  "X-Request-Id": known("fine", "not fine", "<script>", "../../x", "a".repeat(300), "__proto__"),
  "X-HTTP-Method-Override": known("DELETE", "POST", "__proto__"),
  "X-Method-Override": known("PUT"),
  "X-Original-URL": known("/v1/audit", "/admin"),
  "X-Rewrite-URL": known("/v1/audit"),
  "X-Forwarded-Host": hostHeader,
  "X-Forwarded-Proto": known("javascript", "https, http"),
  "X-Forwarded-For": known("127.0.0.1", "::1, 8.8.8.8"),
  Forwarded: known(`for=127.0.0.1;host=${ELSEWHERE};proto=https`),
  Host: hostHeader,
  Origin: known("null", `https://${ELSEWHERE}`, "file://"),
  Referer: known(`https://${ELSEWHERE}/`),
  Authorization: known("Bearer hostile", "Basic Og=="),
  Cookie: known("__proto__=1; session=hostile"),
  "Access-Control-Request-Method": known("DELETE", "X"),
  "Access-Control-Request-Headers": fc.oneof(known("*", "x-anything", "__proto__"), many("x-h")),
  "Content-Type": known(
    ...[
      "application/json",
      "application/json; charset=utf-7",
      "text/plain",
      "application/xml",
      "application/graphql",
    ],
    ...[
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "application/json, text/plain",
      "json",
    ],
  ),
  "Content-Encoding": known("gzip", "br", "identity, identity"),
  Prefer: known("respond-async"),
  "MCP-Protocol-Version": known("2026-07-28", "2025-11-25", "2025-06-18", "1900-01-01", "__proto__"),
  "Mcp-Session-Id": known("hostile"),
  "Last-Event-ID": known("1"),
  "Sec-Fetch-Site": known("cross-site"),
} satisfies Record<string, fc.Arbitrary<string>>;

/** At most a few of the headers above at once: each has to have a chance to be what the answer is about. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(HEADERS) as (keyof typeof HEADERS)[])), { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, HEADERS[name]]))))
  .map((headers) => ({ ...headers }));

export const hostileMethod: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("GET", "GET", "HEAD") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "OPTIONS",
        "PROPFIND",
        "get",
        "QUERY",
        "X",
        "__proto__",
        "constructor",
      ],
    ),
  },
);

/** The parameters of every path together: one path's are another's unknown ones. */
const PARAMETERS = [
  ...[
    "status",
    "grade",
    "originator",
    "minCouponBps",
    "closingBefore",
    "dueBefore",
    "sort",
    "limit",
    "cursor",
    "asOf",
  ],
  ...["repayment", "maxCouponBps", "minTenorDays", "maxTenorDays"],
  ...[
    "kind",
    "since",
    "until",
    "listing",
    "jurisdiction",
    "finality",
    "q",
    "before",
    "page",
    "query",
    "variables",
    "operationName",
  ],
];

/** A query, with its question mark; or nothing. `cursors` are such as the app gives out, of every face. */
export function hostileQuery(cursors: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PARAMETERS) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...PROTOTYPE_NAMES, "limit[]", "limit[__proto__]", "", "LIMIT", "%00"),
    },
    { weight: 1, arbitrary: hostileText.map(encode) },
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: hostileText.map(encode) },
    { weight: 1, arbitrary: hostileSegment },
    { weight: 1, arbitrary: hostileCursor(cursors) },
  );
  const one = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(name, value).map(([key, text]) => `${key}=${text}`) },
    { weight: 2, arbitrary: hostileCursor(cursors).map((cursor) => `cursor=${cursor}`) },
    { weight: 1, arbitrary: fc.tuple(name, value).map(([key, text]) => `${key}=${text}&${key}=${text}`) },
    { weight: 1, arbitrary: name },
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant("") },
    { weight: 3, arbitrary: fc.array(one, { maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`) },
    { weight: 1, arbitrary: name.map((key) => `?${Array(300).fill(`${key}=1`).join("&")}`) },
  );
}

/** Posts of JSON to an endpoint. */
export function postsTo(
  route: string,
  headers: fc.Arbitrary<Record<string, string>>,
  body: fc.Arbitrary<string | Buffer>,
): fc.Arbitrary<HostileCase> {
  return fc.tuple(headers, body).map(([own, sent]) => ({
    ...{ route, path: route, method: "POST", body: sent },
    headers: { "Content-Type": "application/json", ...own },
  }));
}

/** Requests of any method and any query to an endpoint. */
export function othersTo(route: string, cursors: readonly string[]): fc.Arbitrary<HostileCase> {
  return fc
    .tuple(hostileQuery(cursors), hostileMethod, hostileHeaders)
    .map(([query, method, headers]) => ({ route, path: `${route}${query}`, method, headers }));
}

/** A path that the route's pattern takes, its parameters filled with harm; now and then with a step too many. */
export function pathOf(route: string): fc.Arbitrary<string> {
  const steps = route.split("/").slice(1);
  const filled = steps.map((step) => {
    if (step === "*") return fc.array(hostileSegment, { maxLength: 3 }).map((rest) => rest.join("/"));
    if (!step.startsWith(":")) return fc.constant(step);
    // `/:slug{.+\.md}`: harm that the pattern lets in is hard to find, so that most texts are made by it.
    const [, pattern] = /^:\w+\{(.*)\}$/.exec(step) ?? [];
    if (pattern === undefined) return hostileSegment;
    const fitting = fc.stringMatching(new RegExp(`^${pattern}$`)).map(encode);
    return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: hostileSegment });
  });
  return fc
    .tuple(
      fc.tuple(...filled),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant("") },
        hostileSegment.map((text) => `/${text}`),
      ),
    )
    .map(([parts, extra]) => `/${parts.join("/")}${extra}`);
}

/** Steps that lead to no route, or seem to lead out of one. */
export const unknownPath: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      hostileSegment,
      fc.constantFrom(
        "v1",
        "listings",
        "mcp",
        "graphql",
        "md",
        "knowledge",
        ".well-known",
        "admin",
        ".git",
        ".env",
        "",
      ),
    ),
    { maxLength: 5 },
  )
  .map((steps) => `/${steps.join("/")}`);
