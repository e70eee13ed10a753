/** @module A node's WebSocket that takes every subscription to new heads, and announces what it is told to. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

export type NodeSocket = {
  url: string;
  /** how many subscriptions there have been */
  subscriptions(): number;
  announce(header: object): void;
  /** Closes all connections, and takes new ones. */
  drop(): void;
  close(): void;
};

const SUBSCRIPTION = "0x1";

export async function startNodeSocket(): Promise<NodeSocket> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  let subscriptions = 0;
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id, method } = JSON.parse(String(data)) as { id: number; method: string };
      const result = method === "eth_chainId" ? "0x61" : SUBSCRIPTION;
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method === "eth_subscribe") subscriptions += 1;
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    subscriptions: () => subscriptions,
    announce(header) {
      const params = { subscription: SUBSCRIPTION, result: header };
      const text = JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params });
      for (const socket of server.clients) socket.send(text);
    },
    drop() {
      for (const socket of server.clients) socket.terminate();
    },
    close: () => server.close(),
  };
}
