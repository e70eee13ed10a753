/** @module A visitor's node: in front of a chain, with a key in its address, and open to pages of other sites. It lies when told to. */
import { text } from "node:stream/consumers";
import { serve } from "../harness/serve.ts";

export const KEY = "a-key-of-the-visitors";

type Answer = { result?: unknown; error?: { message: string } };

export type VisitorsNode = {
  url: string;
  /** the methods that it was asked */
  asked: string[];
  /** what becomes of an answer of the chain; null: nothing */
  answers: ((method: string, answer: Answer) => Answer | string) | null;
  /** whether pages of other sites may read it */
  isOpen: boolean;
  stop(): Promise<void>;
};

/** @param chain its JSON-RPC */
export async function startVisitorsNode(chain: string): Promise<VisitorsNode> {
  const { url, stop } = await serve(async (request, response) => {
    const allowed = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    const headers = own.isOpen ? allowed : {};
    const body = await text(request);
    if (request.method !== "POST") return response.writeHead(204, headers).end();
    const upstream = await fetch(chain, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const answer = (await upstream.json()) as Answer;
    const { method } = JSON.parse(body) as { method: string };
    own.asked.push(method);
    const said = own.answers?.(method, answer) ?? answer;
    return response.writeHead(200, headers).end(typeof said === "string" ? said : JSON.stringify(said));
  });
  const own: VisitorsNode = {
    ...{ url: `${url}/${KEY}`, stop },
    asked: [],
    answers: null,
    isOpen: true,
  };
  return own;
}
