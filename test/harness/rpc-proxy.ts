/** @module An RPC endpoint in front of a chain: counts what is asked; answers slowly, less than all, or something else when told to. */
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { endsWithFile } from "./ending.ts";
import { serve } from "./serve.ts";

export type RpcProxy = {
  url: string;
  /** how often each method was asked since the last `reset` */
  asked(method: string): number;
  reset(): void;
  /** milliseconds that every further answer is held back */
  delay: number;
  /** what every further answer to `eth_getLogs` waits for; null: nothing */
  logsWaitFor: Promise<void> | null;
  /** what becomes of the logs of every further answer to `eth_getLogs`; null: nothing */
  alters: (<Log extends RpcLog>(logs: Log[], request: RpcRequest) => Log[]) | null;
  /** answers of the proxy itself: a result, an error that it throws (with a `code` or without), or null to pass the request on */
  answers: ((request: RpcRequest) => unknown) | null;
  /** HTTP requests that the proxy refuses, whatever they ask; null: it refuses none */
  refuses: ((requests: RpcRequest[]) => Refusal | undefined) | null;
  stop(): Promise<void>;
};

/** A log as it goes over the wire: numbers in hex. */
export type RpcLog = {
  address: string;
  topics: string[];
  blockHash: string;
  blockNumber: string;
  logIndex: string;
};
export type RpcRequest = { method: string; id: number; params?: unknown[] };
/** An HTTP status with an error of JSON-RPC or any other text, or a connection that ends without or within an answer. */
type Refusal =
  | { status: number; headers?: Record<string, string>; error?: string; text?: string }
  | { ends: "without an answer" | "within the answer" };
type RpcResponse = { jsonrpc: string; id: number; result?: unknown; error?: unknown };

export async function startRpcProxy(upstream: string): Promise<RpcProxy> {
  const counts = new Map<string, number>();
  const proxy: Pick<RpcProxy, "delay" | "logsWaitFor" | "alters" | "answers" | "refuses"> = {
    ...{ delay: 0, logsWaitFor: null, alters: null, answers: null, refuses: null },
  };

  /** The chain's answers, and the proxy's own in their place. */
  const answersTo = async (requests: RpcRequest[], body: string): Promise<RpcResponse[]> => {
    const own = new Map(requests.map((request) => [request.id, ownAnswer(request)]));
    const isForChain = [...own.values()].includes(undefined);
    const theirs = isForChain ? await ask(upstream, body) : [];
    const { alters } = proxy;
    return requests.flatMap((request) => {
      const { id, method } = request;
      const response = own.get(id) ?? theirs.find((one) => one.id === id);
      if (response === undefined) return [];
      const isAltered = alters !== null && method === "eth_getLogs" && Array.isArray(response.result);
      return isAltered ? { ...response, result: alters(response.result as RpcLog[], request) } : response;
    });
  };
  const ownAnswer = (request: RpcRequest): RpcResponse | undefined => {
    const head = { jsonrpc: "2.0", id: request.id };
    try {
      const result = proxy.answers?.(request);
      return result === undefined ? undefined : { ...head, result };
    } catch (error) {
      const { code = -32000, message } = error as Error & { code?: number };
      return { ...head, error: { code, message } };
    }
  };

  // A connection that is closed for being idle may be one on which something is just being asked.
  const server = createServer({ keepAliveTimeout: 0 });
  const { url, stop } = await serve(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const parsed = JSON.parse(body) as RpcRequest | RpcRequest[];
      const requests = [parsed].flat();
      for (const { method } of requests) counts.set(method, (counts.get(method) ?? 0) + 1);
      await sleep(proxy.delay);
      if (requests.some(({ method }) => method === "eth_getLogs")) await proxy.logsWaitFor;
      const refusal = proxy.refuses?.(requests);
      if (refusal !== undefined && "status" in refusal) {
        refuse(response, refusal, requests);
        return;
      }
      if (refusal?.ends === "without an answer") {
        request.socket.destroy();
        return;
      }
      const answers = await answersTo(requests, body);
      const text = JSON.stringify(Array.isArray(parsed) ? answers : answers[0]);
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      if (refusal === undefined) response.end(text);
      else response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    } catch {
      response.writeHead(502).end();
    }
  }, server);
  const made = Object.assign(proxy, {
    ...{ url, stop },
    asked: (method: string) => counts.get(method) ?? 0,
    reset: () => counts.clear(),
  });
  return endsWithFile(made);
}

async function ask(upstream: string, body: string): Promise<RpcResponse[]> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(upstream, { method: "POST", headers, body });
  return [await answer.json()].flat() as RpcResponse[];
}

function refuse(
  response: ServerResponse,
  { status, headers, error, text }: Extract<Refusal, { status: number }>,
  [first]: RpcRequest[],
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  const said = error && { jsonrpc: "2.0", id: first?.id, error: { code: -32000, message: error } };
  response.end(text ?? (said && JSON.stringify(said)));
}
