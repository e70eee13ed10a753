/** @module A request, and what a server answers to it: status, headers and bytes as they are sent. */
import { request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";

export type Request = {
  method?: "GET" | "POST";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export type Answer = {
  url: string;
  status: number;
  /** name, value, name, value … as they were sent */
  headers: string[];
  body: Buffer;
};

/** Headers of the connection, which a server adds by itself. */
const OF_THE_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/i;

/** Whether a constant answer can be sent in place of this one. */
export async function capture(
  port: number,
  { method = "GET", path, headers, body }: Request,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ port, host: "127.0.0.1", method, path, headers }, async (response) => {
      const { rawHeaders, statusCode = 0 } = response;
      const kept = rawHeaders.filter((_, index) => !OF_THE_CONNECTION.test(rawHeaders[index & ~1] ?? ""));
      resolve({ url: path, status: statusCode, headers: kept, body: await buffer(response) });
    });
    outgoing.once("error", reject).end(body);
  });
}

/** The request as it goes over the wire. */
export function bytesOf(port: number, { method = "GET", path, headers = {}, body = "" }: Request): Buffer {
  const all = {
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
