import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import { PATIENCE } from "../../test/harness/patience.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { type Channel, openEnded, pieceOf } from "./open-ended.ts";

const encoder = new TextEncoder();
const HELLO = pieceOf([encoder.encode("hel"), encoder.encode("lo")]);
const LARGE = pieceOf([new Uint8Array(256 * 1024).fill(46)]);

/** An app whose only answer has no end, and what becomes of its clients. */
function endless() {
  const channels: Channel[] = [];
  const ready = vi.fn();
  const gone = vi.fn();
  const app = new Hono().get("/", (c) => {
    c.header("X-Request-Id", "one");
    const { channel, begin } = openEnded(c, { ready, gone });
    channels.push(channel);
    if (c.req.query("refused") !== undefined) return c.text("no", 503);
    const body = begin({ "Content-Type": "text/event-stream" });
    return body === null ? c.body(null) : c.body(body);
  });
  return { app, channels, ready, gone };
}

/** The answer to a request, head and body as sent. */
async function ask(port: number, request: string) {
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  const client = { socket, text: "" };
  socket.on("data", (bytes) => {
    client.text += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(`${request}\r\nHost: 127.0.0.1\r\n\r\n`);
  return client;
}

const bodyIn = ({ text }: { text: string }) => text.slice(text.indexOf("\r\n\r\n") + 4);

it("an open-ended answer is written in chunks, or as it is to a client of HTTP/1.0, until it ends", async () => {
  const { app, channels, gone } = endless();
  await using served = await serveApp(app);
  const chunked = await ask(served.port, "GET / HTTP/1.1");
  await vi.waitFor(() => expect(channels).toHaveLength(1), PATIENCE);
  const plain = await ask(served.port, "GET / HTTP/1.0");
  await vi.waitFor(() => expect(channels).toHaveLength(2), PATIENCE);
  for (const channel of channels) {
    expect(channel.isReady()).toBe(true);
    channel.write(HELLO);
    channel.write(HELLO);
  }
  await vi.waitFor(() => expect(bodyIn(chunked)).toBe("5\r\nhello\r\n5\r\nhello\r\n"), PATIENCE);
  await vi.waitFor(() => expect(bodyIn(plain)).toBe("hellohello"), PATIENCE);
  for (const { text } of [chunked, plain]) {
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/\r\ncontent-type: text\/event-stream\r\n/i);
    expect(text).toMatch(/\r\nx-request-id: one\r\n/i);
    // The common headers of the server.
    expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  }
  for (const channel of channels) channel.end();
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(2), PATIENCE);
  await vi.waitFor(() => expect(bodyIn(chunked)).toBe("5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n"), PATIENCE);
});

it("an open-ended answer is not ready while the client takes nothing, and is once it has taken everything", async () => {
  const { app, channels, ready } = endless();
  await using served = await serveApp(app);
  const { socket } = await ask(served.port, "GET / HTTP/1.1");
  await vi.waitFor(() => expect(channels).toHaveLength(1), PATIENCE);
  socket.pause();
  const [channel] = channels as [Channel];
  let written = 0;
  await vi.waitFor(() => {
    for (; channel.isReady(); written++) channel.write(LARGE);
    // The system has taken all that it takes when no more has gone for a moment.
    const before = written;
    return new Promise<void>((resolve, reject) =>
      setTimeout(
        () => (channel.isReady() || written > before ? reject(new Error("it goes on")) : resolve()),
        100,
      ),
    );
  }, PATIENCE);
  const times = ready.mock.calls.length;
  socket.resume();
  await vi.waitFor(() => expect(ready.mock.calls.length).toBeGreaterThan(times), PATIENCE);
  expect(channel.isReady()).toBe(true);
});

it("an open-ended answer is cut off when its client takes nothing for too long", async () => {
  const { app, channels, gone } = endless();
  await using served = await serveApp(app, { readTimeout: 100, slowestPace: 2 ** 30 });
  const { socket } = await ask(served.port, "GET / HTTP/1.1");
  socket.pause();
  await vi.waitFor(() => expect(channels).toHaveLength(1), PATIENCE);
  await vi.waitFor(() => {
    for (const [channel] = channels; channel?.isReady(); ) channel.write(LARGE);
    expect(gone).toHaveBeenCalledOnce();
  }, PATIENCE);
});

it("an open-ended answer tells when the client leaves, before and after it begins", async () => {
  const { app, channels, gone } = endless();
  await using served = await serveApp(app);
  const { socket } = await ask(served.port, "GET / HTTP/1.1");
  await vi.waitFor(() => expect(channels).toHaveLength(1), PATIENCE);
  socket.destroy();
  await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce(), PATIENCE);
  expect(channels[0]?.isReady()).toBe(false);
  const refused = await fetch(`${served.url}/?refused`);
  expect([refused.status, await refused.text()]).toEqual([503, "no"]);
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(2), PATIENCE);
});

it("an open-ended answer to a pipelined request waits for the answers before it", async () => {
  const { app, channels, ready } = endless();
  await using served = await serveApp(app);
  const client = await ask(served.port, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1");
  await vi.waitFor(() => expect(channels).toHaveLength(2), PATIENCE);
  const [first, second] = channels as [Channel, Channel];
  expect([first.isReady(), second.isReady()]).toEqual([true, false]);
  first.end();
  await vi.waitFor(() => expect(second.isReady()).toBe(true), PATIENCE);
  expect(ready).toHaveBeenCalledOnce();
  second.write(HELLO);
  await vi.waitFor(() => expect(client.text).toMatch(/5\r\nhello\r\n$/), PATIENCE);
});

it("open-ended answers to pipelined requests are all told when the client leaves", async () => {
  const { app, channels, gone } = endless();
  await using served = await serveApp(app);
  const request = "GET / HTTP/1.1\r\nHost: 127.0.0.1";
  const { socket } = await ask(served.port, [request, request, "GET / HTTP/1.1"].join("\r\n\r\n"));
  await vi.waitFor(() => expect(channels).toHaveLength(3), PATIENCE);
  socket.destroy();
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(3), PATIENCE);
});

it("an open-ended answer without a socket is read a piece at a time", async () => {
  const { app, channels, ready, gone } = endless();
  const response = await app.request("/");
  const [channel] = channels as [Channel];
  expect(channel.isReady()).toBe(false);
  const reader = response.body?.getReader();
  const piece = reader?.read();
  await vi.waitFor(() => expect(ready).toHaveBeenCalledOnce(), PATIENCE);
  channel.write(HELLO);
  expect(channel.isReady()).toBe(false);
  expect(Buffer.from((await piece)?.value ?? []).toString()).toBe("hello");
  await reader?.cancel();
  expect(gone).toHaveBeenCalledOnce();
});

it("an open-ended answer refuses a piece without bytes, which would end it", () => {
  expect(() => pieceOf([])).toThrow("at least one byte");
});
