/**
 * A bounded load on a reader, or on what stands in front of several: a few clients, each on a connection from its own address, one request
 * after the other.
 * @module
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export type Answer = {
  /** of the client that asked, from 0 */
  client: number;
  path: string;
  /** the error's code where there is no answer */
  status: number | string;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Question = { path: string; body?: string };

const CLIENTS = 6;
/** Milliseconds between two requests of a client. */
const PAUSE = 40;
/** Requests of a client, after which it ends by itself. */
const MOST = 20_000;

/** Asks once, as this client. */
export async function ask(
  port: number,
  { path, body }: Question,
  {
    client = 0,
    agent,
    headers = {},
  }: { client?: number; agent?: Agent; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request({
      ...{ host: "127.0.0.1", port, path, localAddress: `127.0.0.${11 + client}` },
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(agent && { agent }),
    });
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ client, path, status: `${error.code ?? error.message}`, headers: {}, body: "" });
    sent.on("error", fail);
    sent.on("response", (response) => {
      text(response).then(
        (answer) =>
          resolve({
            client,
            path,
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: answer,
          }),
        fail,
      );
    });
    sent.end(body);
  });
}

/** Asks the questions in turn until the work is done, and returns all answers. */
export async function under<Result>(
  port: number,
  questions: readonly Question[],
  work: () => Promise<Result>,
): Promise<{ answers: Answer[]; result: Result }> {
  const answers: Answer[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !isOver && count < MOST; count++) {
      const question = questions[count % questions.length];
      if (question !== undefined) answers.push(await ask(port, question, { client, agent }));
      await sleep(PAUSE);
    }
    agent.destroy();
  });
  const result = await work().finally(() => {
    isOver = true;
  });
  await Promise.all(clients);
  return { answers, result };
}
