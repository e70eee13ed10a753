/**
 * A TCP connection to somewhere that can be cut, or fall silent without an end.
 * @module
 */
import { connect, createServer, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** `silent`: accepts and passes nothing on; `cut`: ends every connection and refuses others; `open`: as it was */
  become(state: "open" | "silent" | "cut"): Promise<void>;
  stop(): Promise<void>;
};

export async function startTcpProxy(upstreamPort: number): Promise<TcpProxy> {
  let state: "open" | "silent" | "cut" = "open";
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(upstreamPort, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (bytes) => other.write(bytes));
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (state === "silent") socket.pause();
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const close = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    async become(next) {
      state = next;
      if (next === "cut") return close();
      for (const socket of sockets) {
        if (next === "silent") socket.pause();
        else socket.resume();
      }
      if (!server.listening) await listen(address.port);
    },
    stop: async () => {
      if (server.listening) await close();
    },
  };
}
