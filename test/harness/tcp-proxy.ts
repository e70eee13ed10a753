/** @module A TCP connection to somewhere that can be cut, or fall silent without an end. */
import { connect, createServer, type Socket } from "node:net";
import { endsWithFile } from "./ending.ts";
import { freePort } from "./free-port.ts";

export type TcpProxy = {
  port: number;
  /** `silent`: accepts and passes nothing on; `closing`: accepts and ends at once, as one without a server; `cut`: ends every connection and refuses others; `open`: as it was */
  become(state: "open" | "silent" | "closing" | "cut"): Promise<void>;
  /** Ends the connection over which this text is sent, the first time or the nth: before it gets there, or before its answer comes back; or loses it alone. */
  cutAt(text: string, when: "before" | "after" | "never", nth?: number): Promise<void>;
  /** Ends the next connection after this many bytes of the answer, even in the middle of a chunk. */
  cutAfter(bytes: number): void;
  stop(): Promise<void>;
};

/** @param upstream a port, or what names one for each connection */
export async function startTcpProxy(upstream: number | (() => number)): Promise<TcpProxy> {
  let state: "open" | "silent" | "closing" | "cut" = "open";
  const sockets = new Set<Socket>();
  let trap: { text: string; when: "before" | "after" | "never"; left: number; sprung: () => void } | null =
    null;
  let limit = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    if (state === "closing") {
      near.on("error", () => {});
      near.end().resume();
      return;
    }
    let sent = 0;
    const far = connect(typeof upstream === "number" ? upstream : upstream(), "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      // As both ends do: the last piece of a longer answer would wait 40 ms for an acknowledgement.
      socket.setNoDelay(true);
      socket.on("data", (bytes) => {
        if (socket === near && trap !== null && bytes.includes(trap.text) && --trap.left === 0) {
          const { when, sprung } = trap;
          trap = null;
          sprung();
          if (when === "never") return;
          // The server reads what it was sent, though its answer is no longer awaited.
          if (when === "after") far.end(bytes);
          near.destroy();
          return;
        }
        if (socket === far && sent + bytes.length >= limit) {
          near.end(bytes.subarray(0, limit - sent));
          limit = Number.POSITIVE_INFINITY;
          far.destroy();
          return;
        }
        if (socket === far) sent += bytes.length;
        other.write(bytes);
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        if (!other.writableEnded) other.destroy();
      });
      if (state === "silent") socket.pause();
    }
  });
  // Not one that the system chooses: while the proxy is cut, it could give that port to an outgoing connection.
  const port = await freePort();
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const close = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  await listen();
  return endsWithFile<TcpProxy>({
    port,
    async become(next) {
      state = next;
      if (next === "cut") return close();
      for (const socket of sockets) {
        if (next === "closing") socket.destroy();
        else if (next === "silent") socket.pause();
        else socket.resume();
      }
      if (!server.listening) await listen();
    },
    cutAt: (text, when, nth = 1) =>
      new Promise((sprung) => {
        trap = { text, when, left: nth, sprung };
      }),
    cutAfter(bytes) {
      limit = bytes;
    },
    stop: async () => {
      if (server.listening) await close();
    },
  });
}
