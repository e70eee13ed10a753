/** @module Both paths of the tool endpoint over a real socket, and what their answers have in common. */
import { expect } from "vitest";
import { appIn } from "../harness/app.ts";
import { lasting, type RawAnswer, type RawRequest, send } from "../harness/raw-http.ts";
import { serveApp } from "../harness/serve-app.ts";
import { ID } from "./messages.ts";

export const PATHS = ["/mcp", "/v1/mcp"] as const;
/** The code of what HTTP alone is about. */
export const HTTP_ERROR = -32_000;

export type Edge = {
  url: string;
  /** The answer, which is the same on both paths, and must not be stored. */
  ask(request: RawRequest): Promise<RawAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openEdge(): Promise<Edge> {
  const served = await serveApp(await appIn());
  return {
    url: served.url,
    async ask(request) {
      const [path, other] = PATHS;
      const answer = await send(`${served.url}${path}`, request);
      expect(shown(await send(`${served.url}${other}`, request))).toEqual(shown(answer));
      expect(answer.headers).toMatchObject({ "cache-control": "no-store", vary: "Accept" });
      expect(answer.headers["mcp-session-id"]).toBeUndefined();
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      return answer;
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

/** An answer without what differs from one to the next. */
function shown({ status, headers, text }: RawAnswer): object {
  return { status, headers: lasting(headers), text };
}

/** A JSON-RPC error of this code. */
export function expectError(answer: RawAnswer, status: number, code: number, id: unknown = null): void {
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  expect(answer.json?.id ?? null).toBe(id);
  expect(answer.json?.error?.message.length).toBeGreaterThan(5);
}

/** The list of the four tools, as JSON. */
export function expectTools(answer: RawAnswer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  expect(answer.json?.id).toBe(ID);
  expect(answer.json?.result?.tools).toHaveLength(4);
}
