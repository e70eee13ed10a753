/**
 * nginx and Caddy with the configurations of `deploy/`, in front of the public server: TLS, HTTP/2, what is cached and how, whose
 * address the service sees, and readers that do not listen.
 */

import { once } from "node:events";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createClientNamer } from "../../api/http/client-address.ts";
import { PROBLEM_TYPE, problemSchema } from "../../api/http/problem.ts";
import { createOperatorApp } from "../../api/operator.ts";
import { follow } from "../../client/follow.ts";
import { appIn } from "../harness/app.ts";
import { writtenFolder } from "../harness/data-source.ts";
import { type Caddy, hasCaddy, runCaddy, startCaddy } from "../harness/deployment/caddy.ts";
import { textOf } from "../harness/deployment/files.ts";
import { type HttpsAnswer, type HttpsClient, httpsClient } from "../harness/deployment/https.ts";
import { freePort } from "../harness/free-port.ts";
import { hasNginx, type Nginx, startNginx } from "../harness/nginx.ts";
import { PATIENCE } from "../harness/patience.ts";
import { serve } from "../harness/serve.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";

const CLIENT = "127.0.0.12";
const PAGE = "/knowledge/grades";
const MARKET = "/v1/listings";
const JSON_TYPE = { "content-type": "application/json" };
const QUERY = JSON.stringify({ query: "{ listings(first: 1) { nodes { refnum } } }" });

let served: ServedApp;
/** The ports of readers, of which one listens. */
let ports: number[];

beforeAll(async () => {
  served = await serveApp(await appIn());
  ports = [await freePort(), await freePort(), await freePort(), served.port];
});
afterAll(() => served?.close());

/** How many requests have got to the service. */
const reached = () => served.requests.length;

function decoded({ headers, body }: HttpsAnswer): string {
  if (headers["content-encoding"] === "br") return brotliDecompressSync(body).toString();
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
}

/** The problem in an answer of the proxy itself, which clients of every site can read. */
function problemOf({ status, headers, body }: HttpsAnswer) {
  expect(headers).toMatchObject({
    "content-type": PROBLEM_TYPE,
    "retry-after": "1",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Retry-After,X-Request-Id",
  });
  const found = problemSchema.strict().parse(JSON.parse(`${body}`));
  expect([found.status, found.requestId]).toEqual([status, headers["x-request-id"]]);
  return found;
}

/** Without following it. */
async function redirectionAt(port: number, path: string, host: string): Promise<[number?, string?]> {
  const asked = request({ host: "127.0.0.1", port, path, headers: { host } }).end();
  const [response] = await once(asked, "response");
  response.resume();
  return [response.statusCode, response.headers.location];
}

/** The tests of both proxies. */
function behaves(client: () => HttpsClient): void {
  const ask = () => client().ask;

  it("hands on encodings, languages of a page and entity tags as the readers make them", async () => {
    const direct = await (await fetch(`${served.url}${PAGE}`, { headers: { accept: "text/html" } })).text();
    for (const encoding of ["br", "gzip", "identity"]) {
      const answer = await ask()(PAGE, { accept: "text/html", "accept-encoding": encoding });
      expect(answer.headers["content-encoding"]).toBe(encoding === "identity" ? undefined : encoding);
      expect(decoded(answer)).toBe(direct);
      expect(answer.headers.vary).toBe("Accept, Accept-Encoding");
      const headers = { accept: "text/html", "if-none-match": `${answer.headers.etag}` };
      expect(await ask()(PAGE, headers)).toMatchObject({ status: 304, body: Buffer.of() });
    }
    const markdown = await ask()(PAGE, { accept: "text/markdown" });
    expect(markdown.headers["content-type"]).toMatch("text/markdown");
  });

  it("asks for no encoding of its own", async () => {
    await ask()("/v1/health");
    expect(served.requests.at(-1)?.headers).not.toHaveProperty("accept-encoding");
    await ask()("/v1/health", { "accept-encoding": "br" });
    expect(served.requests.at(-1)?.headers).toHaveProperty("accept-encoding", "br");
  });

  it("passes over readers that do not listen, also with a body", async () => {
    for (let count = 0; count < 8; count++) {
      expect((await ask()("/v1/ready")).status).toBe(200);
      expect((await ask()("/graphql", JSON_TYPE, QUERY)).status).toBe(200);
    }
  });

  it("names the client, whatever it says of itself", async () => {
    await ask()("/v1/health", { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" });
    const headers = served.requests.at(-1)?.headers ?? {};
    const nameOf = createClientNamer(["127.0.0.1"]);
    expect(nameOf({ headers, socket: { remoteAddress: "127.0.0.1" } })).toBe(CLIENT);
  });

  it("asks each time for what is of this moment, and for what is asked by POST", async () => {
    const before = reached();
    for (let count = 0; count < 3; count++) {
      await ask()("/v1/health");
      await ask()("/graphql", JSON_TYPE, QUERY);
    }
    expect(reached() - before).toBe(6);
  });

  it("passes on a stream as it comes, to each who asks, and leaves it when they do", async () => {
    const before = reached();
    for (let count = 0; count < 3; count++)
      expect(await client().readUntil("/v1/stream", "event: head")).toMatch("event: final");
    expect(reached() - before).toBe(3);
    await vi.waitFor(
      () => expect(served.requests.slice(before).every(({ isOver }) => isOver)).toBe(true),
      PATIENCE,
    );
  });

  it("hands on an error with its own type", async () => {
    const answer = await ask()("/v1/listings/nothing");
    expect([answer.status, answer.headers["content-type"]]).toEqual([404, PROBLEM_TYPE]);
  });
}

describe.skipIf(!hasNginx())("nginx", () => {
  let nginx: Nginx;
  let client: HttpsClient;
  beforeAll(async () => {
    nginx = await startNginx(ports);
    client = httpsClient(nginx.tlsPort, nginx.certificate, CLIENT);
  });
  afterAll(async () => {
    client?.[Symbol.dispose]();
    await nginx?.stop();
  });
  behaves(() => client);

  it("complains of nothing but the readers that do not listen", () => {
    expect(
      nginx.errors().replaceAll(/.*(Connection refused|upstream server temporarily disabled).*\n/g, ""),
    ).toBe("");
  });

  it("leads to TLS, but for the proofs that a certificate needs", async () => {
    const at = (path: string) => redirectionAt(nginx.redirectPort, path, "raises.example");
    expect(await at("/v1/listings?limit=1")).toEqual([301, "https://raises.example/v1/listings?limit=1"]);
    expect(await at("/.well-known/acme-challenge/token")).toEqual([404, undefined]);
  });

  it("answers each form from its cache, once it has been asked for some times", async () => {
    const forms = [
      { accept: "text/html", "accept-encoding": "br" },
      { accept: "text/html", "accept-encoding": "identity" },
      { accept: "text/markdown", "accept-encoding": "br" },
    ];
    const path = "/knowledge/refunds-and-reserve";
    const ask = () => Promise.all(forms.map((form) => client.ask(path, form)));
    const first = await ask();
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    // nginx counts a form by itself once it knows that there are several.
    for (let round = 0; round < 4; round++) await ask();
    const before = reached();
    const cached = [...(await ask()), ...(await ask())];
    expect(reached()).toBe(before);
    expect(new Set(first.map(({ body }) => body.toString("hex"))).size).toBe(forms.length);
    expect(cached.map(({ body }) => body)).toEqual([...first, ...first].map(({ body }) => body));
    const tag = `${first[0]?.headers.etag}`;
    expect((await client.ask(path, { ...forms[0], "if-none-match": tag })).status).toBe(304);
    expect(reached()).toBe(before);
  });

  it("asks again for the market after a second, and tells the block of each answer", async () => {
    const ask = () => client.ask(MARKET, { "accept-encoding": "identity" });
    const first = await ask();
    await ask();
    const before = reached();
    await vi.waitFor(async () => {
      const { status, headers } = await ask();
      expect([status, headers["x-indexed-block"]]).toEqual([200, first.headers["x-indexed-block"]]);
      expect(reached()).toBeGreaterThan(before);
    }, PATIENCE);
    // In full: what a 304 says of the block would be lost.
    expect(served.requests.at(-1)?.headers["if-none-match"]).toBeUndefined();
  });

  it("gives each request an id of its own, also one that is answered from the cache", async () => {
    const ids = new Set<unknown>();
    for (let count = 0; count < 4; count++) ids.add((await client.ask(PAGE)).headers["x-request-id"]);
    expect(ids.size).toBe(4);
    const answer = await client.ask("/v1/health", { "x-request-id": "mine-1" });
    expect(answer.headers["x-request-id"]).toBe("mine-1");
    expect(served.requests.at(-1)?.headers["x-request-id"]).toBe("mine-1");
    expect((await client.ask(PAGE, { "x-request-id": "two words" })).headers["x-request-id"]).toMatch(
      /^\w{32}$/,
    );
  });

  it("shows the rate limit of one client to nobody else", async () => {
    await using limited = await serveApp(await appIn(), {
      rateLimit: { perMinute: 5, trustedProxies: ["127.0.0.1"] },
    });
    const other = await startNginx(Array.from({ length: 6 }, () => limited.port));
    using client = httpsClient(other.tlsPort, other.certificate, CLIENT);
    const answers: HttpsAnswer[] = [];
    for (let count = 0; count < 7; count++) answers.push(await client.ask(`/v1/events?limit=${count + 1}`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    for (const { headers } of answers) expect(headers).not.toHaveProperty("ratelimit");
    expect(answers.at(-1)?.headers["retry-after"]).toMatch(/^\d+$/);
    await other.stop();
  });

  it("refuses a client that asks without end", async () => {
    const other = await startNginx(ports, (site) => site.replace("rate=50r/s", "rate=1r/m"));
    using client = httpsClient(other.tlsPort, other.certificate, CLIENT);
    const statuses: number[] = [];
    for (let count = 0; count < 210; count++) statuses.push((await client.ask(PAGE)).status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200);
    const path = `${PAGE}?of="a"\\&b`;
    expect(problemOf(await client.ask(path))).toMatchObject({ status: 429, code: "too_many_requests" });
    const refused = await client.ask(PAGE, { "x-request-id": "mine-1" });
    expect(problemOf(refused)).toMatchObject({ instance: PAGE, requestId: "mine-1" });
    await other.stop();
  });

  it("says as the service does that a body is too large, that an answer takes too long, and that no reader is there", async () => {
    const large = await client.ask("/graphql", JSON_TYPE, "x".repeat(1_100_000));
    expect(problemOf(large)).toMatchObject({ status: 413, code: "payload_too_large", instance: "/graphql" });
    await using silent = await serve(() => {});
    const late = await startNginx(
      Array.from({ length: 6 }, () => silent.port),
      (site) =>
        site.replace("proxy_next_upstream error", "proxy_read_timeout 1s; proxy_next_upstream off; #"),
    );
    using ofLate = httpsClient(late.tlsPort, late.certificate, CLIENT);
    expect(problemOf(await ofLate.ask(MARKET))).toMatchObject({ status: 503, code: "timed_out" });
    await late.stop();
    const alone = await startNginx(ports.slice(0, 3));
    using ofAlone = httpsClient(alone.tlsPort, alone.certificate, CLIENT);
    expect(problemOf(await ofAlone.ask(MARKET))).toMatchObject({ status: 503, code: "not_ready" });
    await alone.stop();
  });

  it("hands on files of the open data, with their ranges, and stores none", async () => {
    await using data = await writtenFolder();
    await using reader = await serveApp(await appIn({ overrides: { data: data.folder } }));
    const other = await startNginx(ports.map(() => reader.port));
    using client = httpsClient(other.tlsPort, other.certificate, CLIENT);
    expect((await client.ask("/data")).status).toBe(200);
    const path = `/data/${data.manifest.tables.ledger.files[0]?.path}`;
    for (let count = 0; count < 4; count++) expect((await client.ask(path)).status).toBe(200);
    expect(reader.requests).toHaveLength(5);
    expect(await client.ask(path, { range: "bytes=0-3" })).toMatchObject({
      status: 206,
      body: Buffer.from("PAR1"),
    });
    const outside = await client.ask(path, { range: "bytes=99999999-" });
    expect(problemSchema.parse(JSON.parse(`${outside.body}`))).toMatchObject({
      code: "range_not_satisfiable",
    });
    expect(outside.headers["cache-control"]).toBe("no-store");
    await other.stop();
  });
});

describe.skipIf(!hasCaddy())("Caddy", () => {
  let caddy: Caddy;
  let client: HttpsClient;
  beforeAll(async () => {
    caddy = await startCaddy(ports);
    client = httpsClient(caddy.port, caddy.certificate, CLIENT);
  });
  afterAll(async () => {
    client?.[Symbol.dispose]();
    await caddy?.stop();
  });
  behaves(() => client);

  it("leads to TLS", async () => {
    const { port, redirectPort, certificate } = caddy;
    expect(await redirectionAt(redirectPort, "/v1/listings?limit=1", certificate.host)).toEqual([
      308,
      `https://${certificate.host}:${port}/v1/listings?limit=1`,
    ]);
  });

  it("says as the service does that no reader is there", async () => {
    const alone = await startCaddy(ports.slice(0, 3), (text) => text.replace("lb_try_duration 10s", ""));
    using client = httpsClient(alone.port, alone.certificate, CLIENT);
    const problem = problemOf(await client.ask(`${MARKET}?of="a"\\&b`));
    expect(problem).toMatchObject({ status: 503, code: "not_ready", instance: MARKET });
    expect(problemOf(await client.ask(`/"a"`))).toMatchObject({ instance: "/" });
    await alone.stop();
  });

  it("leads webhooks of this machine to the readers without TLS, and nobody else", async () => {
    const root = (host: string) => `http://${host}:${caddy.insidePort}/v1`;
    for await (const { type } of follow({ baseUrl: root("127.0.0.1") })) if (type === "head") break;
    await expect(fetch(`${root(CLIENT)}/ready`)).rejects.toThrow();
  });

  it("in a pod passes on metrics, and nothing else from the ports that are not public", async () => {
    const start = vi.fn();
    const metrics = new Registry();
    const operator = createOperatorApp({ start, state: () => ({ running: null, last: null }) }, metrics);
    operator.get("/metrics", (c) => c.text("of the indexer"));
    await using served = await serve(getRequestListener(operator.fetch));
    const [indexer, readers] = [await freePort(), await freePort()];
    const text = textOf("deploy/kubernetes/metrics.Caddyfile")
      .replaceAll(/127\.0\.0\.1:\d+/g, `127.0.0.1:${served.port}`)
      .replace(":9070", `:${indexer}`)
      .replace(":9071", `:${readers}`);
    const sidecar = await runCaddy(text, readers);
    const statusOf = async (at: number, path: string, method = "GET") =>
      (await fetch(`http://127.0.0.1:${at}${path}`, { method })).status;
    expect(await (await fetch(`http://127.0.0.1:${indexer}/metrics`)).text()).toBe("of the indexer");
    expect(await statusOf(indexer, "/metrics/raisebook")).toBe(200);
    expect(await statusOf(readers, "/metrics/raisebook")).toBe(200);
    for (const path of ["/", "/audit", "/status", "/metrics/../audit", "/metrics%2f..%2faudit"])
      expect(await statusOf(indexer, path), path).toBe(404);
    for (const path of ["/audit", "/metrics"]) expect(await statusOf(indexer, path, "POST"), path).toBe(404);
    expect(await statusOf(readers, "/metrics")).toBe(404);
    expect(start).not.toHaveBeenCalled();
    await sidecar.stop();
  });
});
