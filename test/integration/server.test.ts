import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBody } from "../../api/http/etagged-body.ts";
import { answerStatic } from "../../api/http/respond.ts";
import { startServer } from "../../api/http/server.ts";
import { SLOTS } from "../../api/http/slots.ts";
import { appIn } from "../harness/app.ts";
import { PATIENCE } from "../harness/patience.ts";
import { serveApp } from "../harness/serve-app.ts";
import { recordedLog } from "../harness/snapshot.ts";

const MIB = 1024 * 1024;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A client that asks and reads nothing of the answer until it is told to. */
async function askWithoutReading(port: number, path: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  sockets.add(socket);
  socket.pause().on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n`);
  return socket;
}

/** How many bytes come until the connection ends or `most` are there. */
function read(socket: Socket, most: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let count = 0;
  socket.on("data", (chunk) => {
    count += chunk.length;
    if (count >= most) resolve(count);
  });
  socket.once("close", () => resolve(count));
  socket.resume();
  return promise;
}

/** All that a server answers to a text until it ends the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  sockets.add(socket);
  const closed = once(socket, "close").catch(() => {});
  let answer = "";
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      answer += String(chunk);
    });
  socket.write(text);
  await closed;
  return answer;
}

describe("slow readers", () => {
  it("share the bytes of an answer: 200 who never read cost little more than one", async () => {
    const body = createBody("text/plain", Buffer.alloc(8 * MIB, "x"));
    await using served = await serveApp(new Hono().get("/", (c) => answerStatic(c, body)));
    const path = "/";
    const first = await askWithoutReading(served.port, path);
    expect(await read(first, 7 * MIB)).toBeGreaterThanOrEqual(7 * MIB);
    const asked = served.requests.length;
    const before = process.memoryUsage().rss;
    const patient = await askWithoutReading(served.port, path);
    for (let count = 1; count < 200; count++) await askWithoutReading(served.port, path);
    await vi.waitFor(() => expect(served.requests).toHaveLength(asked + 200), PATIENCE);
    // Copies of it would take 1,400 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MIB);
    // And none was cut off to save memory.
    expect(await read(patient, 7 * MIB)).toBeGreaterThanOrEqual(7 * MIB);
  });

  it("are cut off, those that wait longest first, when answers of their own take too much memory", async () => {
    const size = 8 * MIB;
    const app = new Hono().get("/", (c) => c.body(Buffer.alloc(size, "x")));
    await using served = await serveApp(app, { waitingBytes: 3 * size });
    const readers: Socket[] = [];
    for (let count = 1; count <= 6; count++) {
      readers.push(await askWithoutReading(served.port, "/"));
      await vi.waitFor(() => expect(served.requests).toHaveLength(count), PATIENCE);
    }
    const areOver = () => served.requests.map(({ isOver }) => isOver);
    await vi.waitFor(() => expect(areOver()).toEqual([true, true, true, false, false, false]), PATIENCE);
    const counts = await Promise.all(readers.map((reader) => read(reader, size)));
    expect(counts.map((count) => count >= size)).toEqual([false, false, false, true, true, true]);
  });

  it("are cut off when they take too long", async () => {
    const app = new Hono().get("/", (c) => c.body(Buffer.alloc(16 * MIB, "x")));
    await using served = await serveApp(app, { readTimeout: 100, slowestPace: 1024 * MIB });
    const reader = await askWithoutReading(served.port, "/");
    await vi.waitFor(() => expect(served.requests.at(-1)?.isOver).toBe(true), PATIENCE);
    expect(await read(reader, 16 * MIB)).toBeLessThan(16 * MIB);
  });
});

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
    const socket = connect({ host: "127.0.0.1", port: served.port });
    sockets.add(socket);
    const closed = once(socket, "close").catch(() => {});
    socket.on("error", () => {}).resume();
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
    const socket = connect({ host: "127.0.0.1", port: served.port });
    sockets.add(socket);
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
        const socket = connect({ host: "127.0.0.1", port: served.port });
        sockets.add(socket);
        socket.on("error", () => {});
        socket.write(
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

describe("the server", () => {
  const { log } = recordedLog();

  it("rejects when its port is taken, and takes no other", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const server = startServer({ app: new Hono(), hostname: "127.0.0.1", port, log, commonHeaders: {} });
    await expect(server.listening).rejects.toMatchObject({ code: "EADDRINUSE" });
    other.close();
  });

  it("lets open answers end when it closes, refuses new ones, and cuts off who does not read", async () => {
    const gate = Promise.withResolvers<void>();
    const asked: string[] = [];
    const app = new Hono()
      .use(({ req }, next) => {
        asked.push(req.path);
        return next();
      })
      .get("/large", (c) => c.body(Buffer.alloc(16 * MIB)))
      .get("/late", async (c) => {
        await gate.promise;
        return c.text("whole");
      });
    const server = startServer({
      app,
      hostname: "127.0.0.1",
      port: 0,
      log,
      commonHeaders: {},
      limits: { closeTimeout: 1_000 },
    });
    const { port } = await server.listening;
    await askWithoutReading(port, "/large");
    const late = fetch(`http://127.0.0.1:${port}/late`);
    await vi.waitFor(() => expect(asked.toSorted()).toEqual(["/large", "/late"]), PATIENCE);
    const closed = server.close();
    await expect(fetch(`http://127.0.0.1:${port}/late`)).rejects.toThrow();
    gate.resolve();
    expect(await (await late).text()).toBe("whole");
    await closed;
  });
});

describe("a server that closes", () => {
  it("lets an answer that is made be read to its end", async () => {
    const size = 16 * MIB;
    const app = new Hono().get("/", (c) => c.body(Buffer.alloc(size, "x")));
    await using served = await serveApp(app, { closeTimeout: 20_000 });
    const reader = await askWithoutReading(served.port, "/");
    await vi.waitFor(() => expect(served.requests).toHaveLength(1), PATIENCE);
    await sleep(50);
    const closed = served.close();
    expect(await read(reader, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(size);
    await closed;
  });

  it("lets an answer be made and read for longer than a moment, while it gets on", async () => {
    const count = 4;
    async function* pieces() {
      for (let piece = 0; piece < count; piece++) {
        await sleep(1_000);
        yield Buffer.from("x");
      }
    }
    const app = new Hono().get("/", (c) => c.body(Readable.toWeb(Readable.from(pieces())) as ReadableStream));
    const server = startServer({
      app,
      hostname: "127.0.0.1",
      port: 0,
      log: recordedLog().log,
      commonHeaders: {},
      limits: { closeSilence: 200 },
    });
    const { port } = await server.listening;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    const closed = server.close();
    expect(await answer.text()).toBe("x".repeat(count));
    await closed;
  });

  it("lets slow readers read on, even while nothing leaves the server", async () => {
    const size = 16 * MIB;
    const body = createBody("text/plain", Buffer.alloc(size, "x"));
    const app = new Hono()
      .get("/kept", (c) => answerStatic(c, body))
      .get("/made", (c) => c.body(Buffer.alloc(size, "x")));
    await using served = await serveApp(app, { closeTimeout: 60_000, closeSilence: 200 });
    // The second of these comes by the fast lane.
    await (await fetch(`${served.url}/kept`)).bytes();
    const slow = [
      await askWithoutReading(served.port, "/made"),
      await askWithoutReading(served.port, "/kept"),
    ];
    await vi.waitFor(() => expect(served.requests).toHaveLength(3), PATIENCE);
    const closed = served.close();
    const counts = slow.map(async (socket) => {
      let known = 0;
      let pauses = 0;
      for await (const chunk of socket) {
        known += chunk.length;
        if (known <= (pauses * size) / 4) continue;
        pauses += 1;
        await sleep(1_000);
      }
      return known;
    });
    for (const known of await Promise.all(counts)) expect(known).toBeGreaterThan(size);
    await closed;
  });

  it("does not wait for connections on which nothing is asked", async () => {
    await using served = await serveApp(await appIn(), { closeTimeout: 60_000, closeSilence: 200 });
    // It does not end either.
    const idle = connect({ host: "127.0.0.1", port: served.port, allowHalfOpen: true });
    sockets.add(idle);
    await once(idle, "connect");
    // Its connection stays open too.
    await (await fetch(`${served.url}/v1/health`)).text();
    await served.close();
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
