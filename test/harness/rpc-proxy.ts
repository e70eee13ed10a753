/**
 * An RPC endpoint in front of a chain: counts what is asked; answers slowly, less than all, or something else when told
 * to.
 * @module
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type RpcProxy = {
  url: string;
  /** how often each method was asked since the last `reset` */
  asked(method: string): number;
  reset(): void;
  /** milliseconds that every further answer is held back */
  delay: number;
  /** what every further answer to `eth_getLogs` waits for; null: nothing */
  logsWaitFor: Promise<void> | null;
  /** logs that nobody is told of; null: every log is */
  hides: ((log: RpcLog) => boolean) | null;
  /** answers of the proxy's own, where it has one; null: it has none */
  answers: ((request: { method: string; params?: unknown[] }) => unknown) | null;
  /** HTTP requests that the proxy refuses: an HTTP status, or an error of JSON-RPC; null: it refuses none */
  refuses: ((requests: Request[]) => Refusal | undefined) | null;
  stop(): Promise<void>;
};

/** A log as it goes over the wire: numbers in hex. */
export type RpcLog = { address: string; topics: string[]; blockNumber: string; logIndex: string };
type Request = { method: string; id: number; params?: unknown[] };
type Refusal = { status: number; headers?: Record<string, string>; error?: string };
type Response = { id: number; result?: unknown };

export async function startRpcProxy(upstream: string): Promise<RpcProxy> {
  const counts = new Map<string, number>();
  const proxy: Pick<RpcProxy, "delay" | "logsWaitFor" | "hides" | "answers" | "refuses"> = {
    ...{ delay: 0, logsWaitFor: null, hides: null, answers: null, refuses: null },
  };
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const parsed = JSON.parse(body) as Request | Request[];
      for (const { method } of [parsed].flat()) counts.set(method, (counts.get(method) ?? 0) + 1);
      await sleep(proxy.delay);
      if ([parsed].flat().some(({ method }) => method === "eth_getLogs")) await proxy.logsWaitFor;
      const refusal = proxy.refuses?.([parsed].flat());
      if (refusal !== undefined) {
        const { status, headers, error } = refusal;
        const [first] = [parsed].flat();
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(
          error && JSON.stringify({ jsonrpc: "2.0", id: first?.id, error: { code: -32000, message: error } }),
        );
        return;
      }
      const own = Array.isArray(parsed) ? undefined : proxy.answers?.(parsed);
      if (own !== undefined && !Array.isArray(parsed)) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: parsed.id, result: own }));
        return;
      }
      const answer = await fetch(upstream, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { hides } = proxy;
      const text = hides === null ? await answer.text() : withoutLogs(parsed, await answer.text(), hides);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    } catch {
      response.writeHead(502).end();
    }
  });
  // A connection that is closed for being idle may be one on which something is just being asked.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${address.port}`,
    asked: (method: string) => counts.get(method) ?? 0,
    reset: () => counts.clear(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** The answers to `eth_getLogs` without the logs that are hidden; all else as it is. */
function withoutLogs(
  asked: Request | Request[],
  text: string,
  hides: NonNullable<RpcProxy["hides"]>,
): string {
  const forLogs = new Set([asked].flat().flatMap(({ method, id }) => (method === "eth_getLogs" ? [id] : [])));
  const filter = (answer: Response): Response =>
    forLogs.has(answer.id) && Array.isArray(answer.result)
      ? { ...answer, result: (answer.result as RpcLog[]).filter((log) => !hides(log)) }
      : answer;
  const answers: Response | Response[] = JSON.parse(text);
  return JSON.stringify(Array.isArray(answers) ? answers.map(filter) : filter(answers));
}
