/** @module Sockets of clients that no library would be: some read nothing, or send no whole request. Each is closed after its test. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export function openSocket(port: number, options: { allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ host: "127.0.0.1", port, ...options }).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A client that asks and reads nothing of the answer until it is told to. */
export async function askWithoutReading(port: number, path: string): Promise<Socket> {
  const socket = openSocket(port).pause();
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n`);
  return socket;
}

/** The whole answer of a server to a text, up to the end of the connection. */
export async function exchange(port: number, text: string): Promise<string> {
  const socket = openSocket(port);
  const closed = once(socket, "close").catch(() => {});
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  socket.write(text);
  await closed;
  return answer;
}
