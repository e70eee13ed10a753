/** @module Messages of both generations of the protocol, as a well-behaved client sends them. */
import type { RawRequest } from "../harness/raw-http.ts";

/** The id of every message. */
export const ID = 7;

export const NEWEST = "2026-07-28";

const META = "io.modelcontextprotocol/";

/** The sender as each message of the newest revision names it. */
export const META_OF_CLIENT = {
  [`${META}protocolVersion`]: NEWEST,
  [`${META}clientInfo`]: { name: "raisebook-tests", version: "1.0.0" },
  [`${META}clientCapabilities`]: {},
};

export const JSON_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

/** A message of the revisions with a handshake. */
export function oldMessage(
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): RawRequest {
  return {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: { jsonrpc: "2.0", id: ID, method, params },
  };
}

type NewParts = {
  /** null leaves a header out */
  headers?: Record<string, string | null>;
  meta?: object | null;
};

/** A message of the newest revision: its envelope in the body, repeated in headers. */
export function newMessage(
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, meta = META_OF_CLIENT }: NewParts = {},
): RawRequest {
  const named = typeof params.name === "string" ? { "Mcp-Name": params.name } : {};
  const all = { ...JSON_HEADERS, "MCP-Protocol-Version": NEWEST, "Mcp-Method": method, ...named, ...headers };
  return {
    method: "POST",
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
    body: { jsonrpc: "2.0", id: ID, method, params: meta === null ? params : { ...params, _meta: meta } },
  };
}
