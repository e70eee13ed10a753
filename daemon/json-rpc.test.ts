import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { callRpc, nodeName, RpcError } from "./json-rpc.ts";

const servers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of servers.splice(0)) await close();
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = (host: string, path = "/v2/secretkey") =>
  callRpc({ url: `http://${host}${path}`, method: "eth_chainId", timeout: 200 });

describe("callRpc", () => {
  it("posts JSON-RPC, and returns the result", async () => {
    const seen: unknown[] = [];
    const host = await serve(async (request, response) => {
      const chunks = await request.toArray();
      seen.push(request.url, JSON.parse(Buffer.concat(chunks).toString()));
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x61"}');
    });
    expect(await call(host)).toBe("0x61");
    expect(seen).toEqual(["/v2/secretkey", { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }]);
  });

  it.each<[string, RequestListener, string]>([
    ["silence", () => {}, "did not answer eth_chainId within 0.2 s"],
    ["half an answer", (_, response) => response.write("{"), "did not answer eth_chainId within 0.2 s"],
    ["a closed connection", (request) => request.socket.destroy(), "cannot be reached"],
    ["a page", (_, response) => response.end("<html>"), "does not speak JSON-RPC"],
    ["a bare string", (_, response) => response.end('"hello"'), "does not speak JSON-RPC"],
    [
      "a failure",
      (_, response) => response.writeHead(503).end("down"),
      "answered eth_chainId with HTTP status 503",
    ],
    [
      "a refusal",
      (_, response) =>
        response
          .writeHead(401)
          .end('{"error":{"code":-32000,"message":"key secretkey \\u001b is not valid"}}'),
      'refuses eth_chainId: "key … \\u001b is not valid"',
    ],
  ])("calls %s what it is, and shows nothing of the URL", async (_name, handler, expected) => {
    const error = await call(await serve(handler)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(String(error)).toContain(expected);
    expect(String(error)).not.toMatch(/secretkey|127\.0/);
  });

  it("names a refused connection", async () => {
    const host = await serve(() => {});
    for (const close of servers.splice(0)) await close();
    await expect(call(host)).rejects.toThrow("cannot be reached (ECONNREFUSED)");
  });
});

describe("nodeName", () => {
  it("is the origin: scheme, host and port", () => {
    expect(nodeName("https://user:password@rpc.example:8443/v2/secretkey?key=x")).toBe(
      "https://rpc.example:8443",
    );
    expect(nodeName("wss://rpc.example/secretkey")).toBe("wss://rpc.example");
  });
});
