/**
 * A load generator in a separate process: keep-alive connections of plain sockets, each with one request under way.
 * A response costs it a search for the end of its head and a length, so that a server is busy long before it is.
 * @module
 */
import { connect } from "node:net";
import { answerOwner } from "./worker.ts";

export type Job = {
  port: number;
  /** whole requests, sent in turn */
  requests: readonly Buffer[];
  connections: number;
  /** seconds */
  duration: number;
  /** requests a second of all connections together; without it as many as are answered */
  rate?: number;
};

export type Load = {
  /** answers a second */
  rate: number;
  /** milliseconds */
  p50: number;
  p99: number;
  /** answers by status, and of problems by their code too, "503 reorganising" */
  statuses: Readonly<Record<string, number>>;
};

/** Room for a large answer in few pieces. */
const READ_BUFFER = 512 * 1024;
const HEAD_END = "\r\n\r\n";

answerOwner(run);

async function run({ port, requests, connections, duration, rate }: Job): Promise<Load> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + duration * 1000;
  let sent = 0;
  const nextRequest = () => requests[sent++ % requests.length] as Buffer;

  const client = () =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let isDone = false;
      let awaited: Body | null = null;
      let head: Buffer = Buffer.alloc(0);
      let problem = "";
      const send = () => {
        const now = performance.now();
        // With a rate each request has its moment, and waiting for a late answer counts as latency.
        const due = rate === undefined ? now : startedAt + (sent / rate) * 1000;
        if (Math.max(now, due) >= endsAt) {
          isDone = true;
          socket.end();
          return;
        }
        const request = nextRequest();
        const write = () => {
          // A timer may be early, and what is sent late has been waiting.
          sentAt = Math.min(due, performance.now());
          socket.write(request);
        };
        if (due - now < 1) write();
        else setTimeout(write, due - now);
      };
      const take = (chunk: Buffer) => {
        let rest = chunk;
        while (rest.length > 0 || awaited?.isEmpty) {
          if (awaited === null) {
            head = head.length === 0 ? rest : Buffer.concat([head, rest]);
            const end = head.indexOf(HEAD_END);
            if (end === -1) {
              // The socket uses its buffer again.
              head = Buffer.from(head);
              return;
            }
            awaited = bodyAfter(head.toString("latin1", 0, end));
            rest = head.subarray(end + HEAD_END.length);
            head = Buffer.alloc(0);
          }
          const taken = awaited.take(rest);
          if (awaited.status >= "400") problem += rest.toString("latin1", 0, taken ?? rest.length);
          if (taken === null) return;
          const kind = problem === "" ? awaited.status : kindOf(awaited.status, problem);
          statuses[kind] = (statuses[kind] ?? 0) + 1;
          problem = "";
          rest = rest.subarray(taken);
          awaited = null;
          latencies.push(performance.now() - sentAt);
          send();
        }
      };
      const buffer = Buffer.allocUnsafe(READ_BUFFER);
      const socket = connect({
        port,
        host: "127.0.0.1",
        noDelay: true,
        onread: {
          buffer,
          callback: (length) => {
            take(buffer.subarray(0, length));
            return true;
          },
        },
      });
      socket.once("connect", send).once("error", reject);
      socket.once("close", () => (isDone ? resolve() : reject(new Error("cut off"))));
    });

  await Promise.all(Array.from({ length: connections }, client));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    rate: latencies.length / ((performance.now() - startedAt) / 1000),
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  };
}

function kindOf(status: string, problem: string): string {
  const code = /"code": *"(\w+)"/.exec(problem)?.[1];
  return code === undefined ? status : `${status} ${code}`;
}

type Body = {
  status: string;
  isEmpty: boolean;
  /** how many of these bytes are the end of it; null when more will come */
  take(bytes: Buffer): number | null;
};

const LAST_CHUNK = "0\r\n\r\n";

function bodyAfter(head: string): Body {
  const status = head.slice(9, 12);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== "304") return { status, isEmpty: false, take: untilLastChunk() };
  let left = status === "304" ? 0 : Number(length);
  return {
    status,
    isEmpty: left === 0,
    take(bytes) {
      if (bytes.length < left) {
        left -= bytes.length;
        return null;
      }
      return left;
    },
  };
}

/** With one request under way nothing follows the last chunk, and no answer of JSON or HTML has one inside. */
function untilLastChunk(): Body["take"] {
  let tail = "";
  return (bytes) => {
    tail = (tail + bytes.toString("latin1", Math.max(0, bytes.length - LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    );
    return tail === LAST_CHUNK ? bytes.length : null;
  };
}
