/** @module Bytes to a loopback port and the answer that comes back, for what no client library would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE } from "../patience.ts";
import type { ReadAnswer } from "../validate.ts";

/** A connection that is open, with these bytes sent. Errors of it are ended connections. */
export async function open(port: number, bytes: string | Buffer, address = "127.0.0.1"): Promise<Socket> {
  const socket = connect(port, address);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return socket;
}

/**
 * Sends bytes and reads until the server hangs up; null when it does so without a word. Throws when it does neither.
 * The client leaves its side open: a server that waits for more shows.
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  address?: string,
): Promise<ReadAnswer | null> {
  const socket = await open(port, bytes, address);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const isOver = await Promise.race([
    // Not by `once`, for which a reset is a failure: hanging up on nonsense is right.
    new Promise<boolean>((resolve) => socket.once("close", () => resolve(true))),
    sleep(PATIENCE.timeout, false, { ref: false }),
  ]);
  socket.destroy();
  const raw = Buffer.concat(chunks);
  if (!isOver) throw new Error(`no end after ${JSON.stringify(raw.toString("latin1").slice(0, 300))}`);
  return raw.length === 0 ? null : readAnswer(raw);
}

/** The first answer in the bytes, after what only says to go on; throws when they are none. */
function readAnswer(raw: Buffer): ReadAnswer {
  const end = raw.indexOf("\r\n\r\n");
  const [first = "", ...lines] = raw.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (status === 100) return readAnswer(raw.subarray(end + 4));
  if (end < 0 || Number.isNaN(status)) throw new Error(`no answer: ${JSON.stringify(first.slice(0, 300))}`);
  const headers = new Headers();
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1));
  const rest = raw.subarray(end + 4);
  const length = headers.get("content-length");
  const isChunked = /chunked/i.test(headers.get("transfer-encoding") ?? "");
  const body = isChunked ? unchunk(rest) : rest.subarray(0, length === null ? undefined : Number(length));
  return { status, headers, text: body.toString("utf8") };
}

function unchunk(raw: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < raw.length; ) {
    const end = raw.indexOf("\r\n", at);
    const size = Number.parseInt(raw.subarray(at, end).toString("latin1"), 16);
    if (end < 0 || !(size > 0)) break;
    chunks.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
