/**
 * One JSON-RPC call with a deadline.
 * @module
 */

import { createRedactor } from "../config/redact.ts";
import { quote } from "../format/untrusted-text.ts";

/** A call failed. The message completes "<node> …" and contains no part of the URL. */
export class RpcError extends Error {
  override readonly name = "RpcError";
}

export type RpcCall = {
  readonly url: string;
  readonly method: string;
  readonly params?: readonly unknown[];
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number;
};

/** @throws {RpcError} unless the node answers with a result in time. */
export async function callRpc({ url, method, params = [], timeout }: RpcCall): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeout);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { method: "POST", headers, body, signal });
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw new RpcError(`did not answer ${method} within ${timeout / 1000} s`);
    throw new RpcError(`cannot be reached${codeOf(error)}`);
  }
  return resultOf(text, { method, url, status: response.status });
}

/** Parses an answer that came over HTTP or a WebSocket. @throws {RpcError} unless it carries a result */
export function resultOf(
  text: string,
  { method, url, status }: { method: string; url: string; status?: number },
): unknown {
  const answer = parseObject(text);
  if (answer?.error !== undefined && answer.error !== null) {
    throw new RpcError(`refuses ${method}: ${quote(createRedactor([url])(messageOf(answer.error)))}`);
  }
  if (status !== undefined && status !== 200)
    throw new RpcError(`answered ${method} with HTTP status ${status}`);
  if (answer === null || !("result" in answer))
    throw new RpcError(`does not speak JSON-RPC: it answered ${method} with something else`);
  return answer.result;
}

/** A node's name in messages: its origin, since a key can be anywhere else in the URL. */
export function nodeName(url: string): string {
  return new URL(url).origin;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return typeof message === "string" ? message : "an error without a message";
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}
