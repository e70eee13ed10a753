/**
 * Requests with exactly the headers and the path that a test names, and the bytes that come back: `fetch` adds headers and refuses
 * others, tidies the path, and decodes.
 * @module
 */
import {
  type Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http";

/** Milliseconds without a byte after which a request counts as never answered. */
const PATIENCE = 10_000;

export type RawRequest = {
  method?: string;
  /** these, and what HTTP itself needs; a `Host` replaces the real one */
  headers?: OutgoingHttpHeaders;
  /** text of the body; anything else is sent as JSON */
  body?: unknown;
  /** without one, the request has its own connection */
  agent?: Agent;
  /** as it is spelt, instead of the URL's */
  path?: string;
};

export type RawAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** the body as JSON; null where it is none */
  json: RpcMessage | null;
};

type RpcMessage = {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

export function send(url: string, { body, ...request }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent: false, timeout: PATIENCE, ...request }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers, bytes, text },
          get json() {
            return asJson(text);
          },
        });
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

/** Without what differs from one answer to the next. */
export function lasting(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { "x-request-id": _, date: __, ...others } = headers;
  return others;
}

/** The names that a header lists, in lower case. */
export function namesIn(header: string | undefined): string[] {
  return (header ?? "").split(",").map((name) => name.trim().toLowerCase());
}
