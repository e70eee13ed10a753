/** The server with slow readers, and when it closes. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { createBody } from "../../api/http/etagged-body.ts";
import { answerStatic } from "../../api/http/respond.ts";
import { startServer } from "../../api/http/server.ts";
import { appIn } from "../harness/app.ts";
import { askWithoutReading, openSocket } from "../harness/open-sockets.ts";
import { PATIENCE } from "../harness/patience.ts";
import { serveApp } from "../harness/serve-app.ts";
import { recordedLog } from "../harness/snapshot.ts";

const MIB = 1024 * 1024;
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
    const idle = openSocket(served.port, { allowHalfOpen: true });
    await once(idle, "connect");
    // Its connection stays open too.
    await (await fetch(`${served.url}/v1/health`)).text();
    await served.close();
  });
});
