/**
 * The connections of a server: how many answers each of them waits for, and how they end.
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

export type Connections = {
  /** Counts an answer that the app has yet to make. False when the connection waits for too many; it is then cut off. */
  open(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Refuses new connections; open ones end with the last of their answers. */
  end(): void;
};

/** @param most answers that a connection may wait for; only pipelining clients have more than one */
export function watchConnections(server: Server, most: number): Connections {
  const waiting = new Map<Socket, number>();
  let isEnding = false;

  server.on("connection", (socket) => {
    waiting.set(socket, 0);
    socket.once("close", () => waiting.delete(socket));
  });

  return {
    open({ socket }, outgoing) {
      const count = (waiting.get(socket) ?? 0) + 1;
      if (count > most) {
        socket.destroy();
        return false;
      }
      waiting.set(socket, count);
      outgoing.once("close", () => {
        const left = (waiting.get(socket) ?? 1) - 1;
        if (waiting.has(socket)) waiting.set(socket, left);
        if (isEnding && left === 0) socket.end();
      });
      return true;
    },
    end() {
      isEnding = true;
      // Not the server's own `close`: it cuts off connections whose answer is made and not yet read.
      NetServer.prototype.close.call(server);
      for (const [socket, count] of waiting) if (count === 0) socket.end();
    },
  };
}
