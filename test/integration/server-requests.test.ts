/** Requests that the server refuses, ends or limits. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { SLOTS } from "../../api/http/slots.ts";
import { appIn } from "../harness/app.ts";
import { askWithoutReading, exchange, openSocket } from "../harness/open-sockets.ts";
import { PATIENCE } from "../harness/patience.ts";
import { serveApp } from "../harness/serve-app.ts";

describe("a body that is refused", () => {
  /** A connection that is cut while the client still sends shows in one of a few. */
  const TIMES = 50;
  const refused = [
    ["/mcp", "application/json", 413],
    ["/v1/mcp", "text/plain", 413],
    ["/graphql", "application/json", 413],
    ["/graphql", "text/plain", 413],
    ["/v1/listings", "application/json", 405],
    ["/nothing", "application/json", 404],
  ] as const;

  it.each(refused)("POST %s of 200 kB as %s is answered with %i every time", async (path, type, status) => {
    await using served = await serveApp(await appIn());
    const body = Buffer.alloc(200_000, "x");
    const statuses = new Map<number, number>();
    for (let count = 0; count < TIMES; count++) {
      const response = await fetch(`${served.url}${path}`, {
        method: "POST",
        headers: { "Content-Type": type },
        body,
      });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ [status]: TIMES });
  });

  it("is not read without end", async () => {
    await using served = await serveApp(await appIn(), { drainTimeout: 200 });
    const socket = openSocket(served.port).resume();
    const closed = once(socket, "close").catch(() => {});
    socket.write(
      "POST /v1/listings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const deadline = performance.now() + 20_000;
    while (!socket.destroyed && performance.now() < deadline) {
      socket.write("4\r\nmore\r\n");
      await sleep(10);
    }
    await closed;
    expect(performance.now()).toBeLessThan(deadline);
  });
});

describe("a request without a body", () => {
  it.each(["/mcp", "/graphql"])("POST %s is told that this is no JSON", async (path) => {
    await using served = await serveApp(await appIn());
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    for (const length of ["", "Content-Length: 0\r\n"]) {
      const answer = await exchange(served.port, `${head}${length}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toMatch(/the body is not JSON/i);
    }
  });
});

describe("limits", () => {
  it("refuses connections beyond the most, and takes new ones once others have ended", async () => {
    await using served = await serveApp(await appIn(), { connections: 2, streams: 0 });
    const open = [
      await askWithoutReading(served.port, "/v1/health"),
      await askWithoutReading(served.port, "/v1/health"),
    ];
    await vi.waitFor(() => expect(served.requests).toHaveLength(2), PATIENCE);
    await expect(fetch(`${served.url}/v1/health`)).rejects.toThrow();
    for (const socket of open) socket.destroy();
    await vi.waitFor(async () => expect((await fetch(`${served.url}/v1/health`)).status).toBe(200), PATIENCE);
  });

  it("ends a request whose head does not come", async () => {
    await using served = await serveApp(await appIn(), { headersTimeout: 100, checkInterval: 50 });
    const socket = openSocket(served.port);
    socket.write("GET /v1/health HTTP/1.1\r\nHost: 127");
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("ends a request whose body does not come", async () => {
    const limits = { headersTimeout: 100, requestTimeout: 200, checkInterval: 50 };
    await using served = await serveApp(await appIn(), limits);
    const head =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
    expect(await exchange(served.port, `${head}{`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("gives no slot among the expensive questions to a body that does not come", async () => {
    await using served = await serveApp(await appIn());
    const body = JSON.stringify({ query: "{ listings(first: 1) { totalCount } }" });
    const headers = { "Content-Type": "application/json" };
    for (const path of ["/graphql", "/mcp"]) {
      for (let count = 0; count <= SLOTS.atOnce; count++) {
        openSocket(served.port).write(
          `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
        );
      }
    }
    await vi.waitFor(() => expect(served.requests).toHaveLength(2 * (SLOTS.atOnce + 1)), PATIENCE);
    const answer = await fetch(`${served.url}/graphql`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([200, { data: {} }]);
    expect((await fetch(`${served.url}/v1/listings.csv`)).status).toBe(200);
  });

  it("cuts off a connection that sends requests ahead without end", async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const app = new Hono().get("/", async (c) => {
      asked += 1;
      await gate.promise;
      return c.text("whole");
    });
    await using served = await serveApp(app, { pipelined: 4 });
    const request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    expect(await exchange(served.port, request.repeat(500))).toBe("");
    expect(asked).toBeLessThanOrEqual(4);
    const inOrder = exchange(
      served.port,
      `${request.repeat(3)}${request.replace("\r\n\r\n", "\r\nConnection: close$&")}`,
    );
    await vi.waitFor(() => expect(asked).toBe(8), PATIENCE);
    gate.resolve();
    expect((await inOrder).match(/whole/g)).toHaveLength(4);
  });

  it("refuses a head that is too large", async () => {
    await using served = await serveApp(await appIn());
    const { status } = await fetch(`${served.url}/v1/health`, { headers: { "X-Long": "x".repeat(20_000) } });
    expect(status).toBe(431);
  });
});

describe("on a real socket", () => {
  it.each([
    ["/v1/listings", "GET,HEAD,OPTIONS"],
    ["/", "GET,HEAD,OPTIONS"],
    ["/openapi.json", "GET,HEAD,OPTIONS"],
    ["/nothing", "GET,HEAD,OPTIONS"],
    ["/mcp", "GET,HEAD,OPTIONS,POST"],
    ["/graphql", "GET,HEAD,OPTIONS,POST"],
  ])("a preflight of %s allows %s", async (path, methods) => {
    await using served = await serveApp(await appIn());
    const response = await fetch(`${served.url}${path}`, {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "DELETE" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toBe(methods);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});
