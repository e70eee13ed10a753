/**
 * Requests with exactly the headers that a test names: `fetch` adds some and refuses to send others.
 * @module
 */
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";

/** Milliseconds without a byte after which a request counts as never answered. */
const PATIENCE = 10_000;

export type RawRequest = {
  method?: string;
  /** these, and what HTTP itself needs; a `Host` replaces the real one */
  headers?: OutgoingHttpHeaders;
  /** text of the body; anything else is sent as JSON */
  body?: unknown;
};

export type RawAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** the body as JSON; null where it is none */
  json: RpcMessage | null;
};

type RpcMessage = {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

/** Sends one request on a connection of its own. */
export function send(url: string, { method = "GET", headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false, timeout: PATIENCE }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: asJson(text) });
      });
    });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  });
}

function asJson(text: string): RpcMessage | null {
  try {
    return JSON.parse(text) as RpcMessage;
  } catch {
    return null;
  }
}
