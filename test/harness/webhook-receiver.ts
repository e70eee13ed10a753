/** @module A receiver of webhooks that does to each attempt what a test says, and verifies it with the specification's own library. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { freePort } from "./free-port.ts";

/**
 * Its conduct: answer, also with `Retry-After` and late; have the message and end the connection without an answer, or after it; switch to
 * another protocol.
 */
export type Conduct =
  | { status: number; retryAfter?: string; afterMs?: number; location?: string }
  | "drops before it answers"
  | "drops after it has answered"
  | "switches protocols";

export type Attempt = {
  id: string;
  body: string;
  path: string;
  /** of the attempt, Unix seconds */
  timestamp: number;
  /** whether the receiver has it: it said so, or went away with it */
  isKept: boolean;
};

export type Receiver = {
  port: number;
  url: string;
  attempts: readonly Attempt[];
  /** messages that no receiver would accept: a wrong signature, another body for the same id */
  problems: readonly string[];
  /** what it has, each message once, in the order in which it came first */
  kept(): Attempt[];
  /** Stops listening, in the middle of whatever is being sent. */
  die(): Promise<void>;
  /** On the same port. */
  comeBack(): Promise<void>;
};

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/** @param conduct for an attempt, of which `count` of the same id have come before */
export async function startReceiver(
  secret: string,
  conduct: (attempt: { id: string; count: number; total: number }) => Conduct = () => ({ status: 204 }),
): Promise<Receiver> {
  const attempts: Attempt[] = [];
  const problems: string[] = [];
  const webhook = new Webhook(secret);

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
    );
    const id = headers["webhook-id"] ?? "";
    try {
      webhook.verify(body, headers);
    } catch (error) {
      problems.push(`${id}: ${error}`);
    }
    const before = attempts.filter((one) => one.id === id);
    if (before.some((one) => one.body !== body)) problems.push(`${id}: another body`);
    const does = conduct({ id, count: before.length, total: attempts.length });
    const isKept =
      typeof does === "string" ? does !== "switches protocols" : does.status >= 200 && does.status < 300;
    const timestamp = Number(headers["webhook-timestamp"]);
    attempts.push({ id, body, path: request.url ?? "", timestamp, isKept });
    if (does === "drops before it answers") return void request.socket.destroy();
    if (does === "switches protocols") return void request.socket.write(UPGRADE);
    if (does === "drops after it has answered") {
      response.writeHead(200, { "Content-Length": "1000" }).write("{", () => request.socket.destroy());
      return;
    }
    await sleep(does.afterMs ?? 0);
    if (does.retryAfter !== undefined) response.setHeader("Retry-After", does.retryAfter);
    if (does.location !== undefined) response.setHeader("Location", does.location);
    response.writeHead(does.status).end("thanks");
  };
  // Not one that the system chooses: while the receiver is dead, it could give that port to an outgoing connection.
  const port = await freePort();
  const listen = async () => {
    const server = createServer((request, response) => void take(request, response).catch(() => {}));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  let server = await listen();
  return {
    ...{ port, url: `http://127.0.0.1:${port}/in`, attempts, problems },
    kept() {
      const first = new Map<string, Attempt>();
      for (const attempt of attempts)
        if (attempt.isKept && !first.has(attempt.id)) first.set(attempt.id, attempt);
      return [...first.values()];
    },
    async die() {
      const closed = server.listening ? once(server, "close") : null;
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async comeBack() {
      server = await listen();
    },
  };
}

/** Conduct that accepts messages, except for every n-th first attempt. */
export const troubled =
  (conducts: readonly Conduct[], every: number) =>
  ({ count, total }: { count: number; total: number }): Conduct =>
    (count === 0 && total > 0 && total % every === 0
      ? conducts[(total / every) % conducts.length]
      : null) ?? { status: 204 };
