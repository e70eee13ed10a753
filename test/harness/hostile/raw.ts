/** @module Input that only a socket can send: no request, two in one, or one that never ends. */
import fc from "fast-check";
import { ELSEWHERE } from "./text.ts";

const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...lines, "", ""].join("\r\n");
const post = (target: string, body: string, ...lines: string[]) =>
  [`POST ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...lines, "", body].join("\r\n");

const JSON_TYPE = "Content-Type: application/json";
const SECOND = "GET /v1/audit HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

const TARGETS = [
  ...[
    "/v1/../../etc/passwd",
    "/v1/%2e%2e/%2e%2e/etc/passwd",
    "/..\\..\\windows\\win.ini",
    "/./v1/./listings",
    "//",
  ],
  ...[
    "//hostile.example/v1/listings",
    `http://${ELSEWHERE}/v1/listings`,
    `http://${ELSEWHERE}:99999/`,
    "http://",
    "http:///",
  ],
  ...[
    `http://raises.example@${ELSEWHERE}/`,
    "file:///etc/passwd",
    "javascript:hostile()",
    "*",
    "",
    "?",
    "#",
    "v1/listings",
  ],
  ...[
    "/v1/listings#fragment",
    "/v1/listings?\xff\xfe",
    "/v1/listings/\xe2\x80\xae",
    "/v1/listings/\x80",
    "/v1/listings lst_1",
  ],
  ...[
    "/%",
    "/%00",
    "/v1/listings/%0d%0aSet-Cookie:%20hostile=1",
    "/v1/listings/\x00",
    "/v1/listings\t",
    "/[",
    "/\\",
  ],
  ...[
    `/v1/listings?limit=${"1".repeat(5_000)}`,
    `/${"x".repeat(20_000)}`,
    `/v1/${"../".repeat(1_000)}`,
    `/?${"&".repeat(4_000)}`,
  ],
  ...[
    "/md/../../etc/passwd",
    "/md/%2e%2e/%2e%2e/etc/passwd",
    `/md/${"md/".repeat(1_000)}`,
    `/listings/${"%25".repeat(1_000)}`,
    "/listings/%2e%2e%2fsystem",
    "/listings/lst_1%00.md",
    `/?q=${"%F0%9F%8F%97".repeat(300)}`,
    "/?q=%ff%fe&status=%00",
    "/originators?page=99999999999999999999",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/developers/reference/assets/%2e%2e/%2e%2e/package.json",
  ],
];

/** Some are as long as the name that a URL makes of what stands before their path. */
export const HOSTS = [
  ...["1?aaaaa", "1/data?", "1#aaaaa", "1\\aaaaa", "\xe9.\xe9.\xe9/openapi.json?xxxx"],
  ...[
    ELSEWHERE,
    "",
    " ",
    "a b",
    "[::1",
    "[::1]:0",
    ":0",
    "127.0.0.1:99999999",
    "a/b",
    "a?b",
    "a#b",
    `raises.example@${ELSEWHERE}`,
  ],
  ...[
    "xn--",
    "\xff",
    "%00",
    `127.0.0.1\\@${ELSEWHERE}`,
    "x".repeat(5_000),
    "..",
    "*",
    "<script>hostile()</script>",
  ],
];

/** Each with what it is, for a test's name. */
export const RAW_REQUESTS: readonly (readonly [string, string | Buffer])[] = [
  ...TARGETS.map((target) => [`the target ${shown(target)}`, get(target)] as const),
  ...HOSTS.map(
    (host) =>
      [
        `the host ${shown(host)}`,
        `GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ] as const,
  ),
  ...HOSTS.map(
    (host) =>
      [
        `the host ${shown(host)} at the tools`,
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${JSON_TYPE}\r\nContent-Length: 2\r\n\r\n{}`,
      ] as const,
  ),
  ...["get", "TRACE", "CONNECT", "PRI", "DEBUG", "G\0T", "", "GET\t", "X".repeat(1_000)].map(
    (method) => [`the method ${shown(method)}`, get("/v1/listings").replace("GET", method)] as const,
  ),
  ...["HTTP/0.9", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/9.9", "HTTP", "", "http/1.1"].map(
    (version) => [`the version ${shown(version)}`, get("/v1/listings").replace("HTTP/1.1", version)] as const,
  ),
  ["no host", "GET /v1/listings HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["two hosts", get("/v1/listings", `Host: ${ELSEWHERE}`)],
  ["a folded header", get("/v1/listings", "Accept: text/html,", " text/csv")],
  ["a space before the colon", get("/v1/listings", "Accept : text/html")],
  ["a NUL in a header", get("/v1/listings", "Accept: a\0b")],
  ["an escape in a header", get("/v1/listings", "X-Request-Id: \x1b[2J")],
  ["a bare line feed", get("/v1/listings", "Accept: a\nX-Hostile: 1")],
  ["a bare carriage return", get("/v1/listings", "Accept: a\rX-Hostile: 1")],
  ["a header without a name", get("/v1/listings", ": x")],
  ["a header without a colon", get("/v1/listings", "hostile")],
  [
    "two thousand headers",
    get("/v1/listings", ...Array.from({ length: 2_000 }, (_, index) => `X-H${index}: 1`)),
  ],
  ["a header of 100 kB", get("/v1/listings", `If-None-Match: ${"x".repeat(100_000)}`)],
  ["a header that just fits", get("/v1/listings", `If-None-Match: ${'"x",'.repeat(3_500)}`)],
  [
    "both lengths",
    post("/mcp", `0\r\n\r\n${SECOND}`, JSON_TYPE, "Content-Length: 5", "Transfer-Encoding: chunked"),
  ],
  ["two lengths", post("/mcp", "{}", JSON_TYPE, "Content-Length: 2", "Content-Length: 20")],
  ["a negative length", post("/mcp", "{}", JSON_TYPE, "Content-Length: -1")],
  ["a length with a sign", post("/mcp", "{}", JSON_TYPE, "Content-Length: +2")],
  ["an endless length", post("/mcp", "{}", JSON_TYPE, `Content-Length: ${"9".repeat(30)}`)],
  ["an unknown transfer coding", post("/mcp", "{}", JSON_TYPE, "Transfer-Encoding: xchunked")],
  ["a hidden transfer coding", post("/mcp", "0\r\n\r\n", JSON_TYPE, "Transfer-Encoding: identity, chunked")],
  ["a chunk of no size", post("/mcp", "zz\r\n{}\r\n0\r\n\r\n", JSON_TYPE, "Transfer-Encoding: chunked")],
  ["an endless chunk", post("/mcp", "FFFFFFFFFFFFFFFFF\r\n{}", JSON_TYPE, "Transfer-Encoding: chunked")],
  [
    "chunk extensions",
    post("/mcp", `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, JSON_TYPE, "Transfer-Encoding: chunked"),
  ],
  ["a trailer", post("/mcp", "2\r\n{}\r\n0\r\nHost: x\r\n\r\n", JSON_TYPE, "Transfer-Encoding: chunked")],
  ["a GET with a body", get("/v1/listings", "Content-Length: 5").concat("hello")],
  ["a GET with a request for a body", get("/v1/listings", `Content-Length: ${SECOND.length}`).concat(SECOND)],
  ["a HEAD with a body", get("/v1/listings", "Content-Length: 5").replace("GET", "HEAD").concat("hello")],
  ["an expectation", post("/mcp", "{}", JSON_TYPE, "Content-Length: 2", "Expect: 100-continue")],
  ["an odd expectation", post("/mcp", "{}", JSON_TYPE, "Content-Length: 2", "Expect: hostile")],
  [
    "an upgrade to websocket",
    get("/mcp", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"),
  ],
  ["an upgrade to HTTP/2", get("/mcp", "Upgrade: h2c", "HTTP2-Settings: x")],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["the hello of TLS", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Array(500).fill(7)])],
  ["another protocol", "SSH-2.0-hostile\r\n"],
  ["a thousand empty lines", "\r\n".repeat(1_000) + get("/v1/listings")],
  [
    "fifty requests at once",
    `${"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(50)}${get("/v1/listings")}`,
  ],
];

/** A GET of a target of any bytes that leave the line one line. */
export const rawGet: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(
      "/",
      "/v1/listings/",
      "/v1/listings?",
      "/mcp/",
      "/graphql?query=",
      "/.well-known/",
      "/md/",
      "//",
    ),
    fc.uint8Array({ min: 1, max: 255, maxLength: 30 }),
  )
  .map(([start, bytes]) => {
    const target = Buffer.from(bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d));
    return Buffer.concat([
      Buffer.from(`GET ${start}`),
      target,
      Buffer.from(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"),
    ]);
  });

/** A POST that says how long its body is, without the body. */
export function postHead(path: string, length: number): string {
  return post(path, "", JSON_TYPE, `Content-Length: ${length}`);
}

/** POSTs whose bodies begin and never end: with a length, in a chunk, between two chunks. */
export function begunPosts(path: string): string[] {
  const chunked = post(path, "", JSON_TYPE, "Transfer-Encoding: chunked");
  return [`${postHead(path, 1_000)}{"a`, `${chunked}64\r\n{"a`, `${chunked}1\r\n{\r\n`];
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
