/**
 * One JSON-RPC call with a deadline, and how a node's URL may be named: by its origin, since a key can stand anywhere
 * else in it.
 * @module
 */
import { quote } from "../api/registry/text.ts";

/** A call failed. The message completes "<node> …" and holds nothing of the URL. */
export class RpcError extends Error {
  override readonly name = "RpcError";
}

export interface RpcCall {
  readonly url: string;
  readonly method: string;
  readonly params?: readonly unknown[];
  /** Milliseconds for the whole answer. */
  readonly timeout: number;
}

/** @throws {RpcError} unless the node answers with a result in time. */
export async function callRpc({ url, method, params = [], timeout }: RpcCall): Promise<unknown> {
  const target = new URL(url);
  const headers = new Headers({ "content-type": "application/json" });
  if (target.username !== "" || target.password !== "") {
    const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
    target.username = "";
    target.password = "";
  }
  const signal = AbortSignal.timeout(timeout);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  let response: Response;
  let text: string;
  try {
    response = await fetch(target, { method: "POST", headers, body, signal });
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw new RpcError(`did not answer ${method} within ${timeout / 1000} s`);
    throw new RpcError(`cannot be reached${codeOf(error)}`);
  }
  return resultOf(text, { method, url, status: response.status });
}

/** The result in the text of an answer, over HTTP or a WebSocket. */
export function resultOf(
  text: string,
  { method, url, status }: { method: string; url: string; status?: number },
): unknown {
  const answer = parseObject(text);
  if (answer?.error !== undefined && answer.error !== null) {
    throw new RpcError(`refuses ${method}: ${quote(withoutSecrets(messageOf(answer.error), url))}`);
  }
  if (status !== undefined && status !== 200)
    throw new RpcError(`answered ${method} with HTTP status ${status}`);
  if (answer === null || !("result" in answer))
    throw new RpcError(`does not speak JSON-RPC: it answered ${method} with something else`);
  return answer.result;
}

/** How a message names a node. */
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

/** Some nodes repeat the key in their refusal. Path, query and password count as secret, the words of the host do not. */
function withoutSecrets(message: string, url: string): string {
  const { pathname, searchParams, username, password } = new URL(url);
  const secrets = [...pathname.split("/"), ...searchParams.values(), username, password].filter(
    (part) => part.length >= 6,
  );
  return secrets.reduce((text, secret) => text.replaceAll(secret, "…"), message);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}
