import type { RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve as startServer } from "../test/harness/serve.ts";
import { callBatch, callRpc, nodeName, RpcError } from "./call.ts";

async function serve(handler: RequestListener): Promise<string> {
  const { port, stop } = await startServer(handler);
  onTestFinished(stop);
  return `127.0.0.1:${port}`;
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
    expect(seen).toEqual(["/v2/secretkey", { jsonrpc: "2.0", id: 0, method: "eth_chainId", params: [] }]);
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
    const { port, stop } = await startServer(() => {});
    await stop();
    await expect(call(`127.0.0.1:${port}`)).rejects.toThrow("cannot be reached (ECONNREFUSED)");
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

describe("an endpoint that is asked too often", () => {
  const limited = (times: number) => {
    let asked = 0;
    return serve((_, response) => {
      asked += 1;
      if (asked <= times) response.writeHead(429).end();
      else response.end(`{"id":1,"result":${asked}}`);
    });
  };

  it("is asked again, for as long as there is time", async () => {
    const url = `http://${await limited(2)}`;
    expect(await callRpc({ url, method: "eth_chainId", timeout: 5_000 })).toBe(3);
    const never = `http://${await limited(100)}`;
    await expect(callRpc({ url: never, method: "eth_chainId", timeout: 400 })).rejects.toMatchObject({
      ...{ message: "answered eth_chainId with HTTP status 429", kind: "rate" },
      remedy: expect.stringContaining("a larger one"),
    });
  });

  it("is named as the reason when the time is over while it is asked again", async () => {
    let asked = 0;
    const host = await serve((_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(429).end();
    });
    const call = callRpc({ url: `http://${host}`, method: "eth_chainId", timeout: 1_500 });
    await expect(call).rejects.toMatchObject({ kind: "rate" });
    expect(asked).toBe(2);
  });

  it("is not asked before the time that it names", async () => {
    const asked: number[] = [];
    const host = await serve((_, response) => {
      asked.push(performance.now());
      const isEarly = performance.now() - (asked[0] ?? 0) < 900;
      if (isEarly) response.writeHead(429, { "retry-after": "1" }).end();
      else response.end('{"id":1,"result":"0x1"}');
    });
    expect(await callRpc({ url: `http://${host}`, method: "eth_chainId", timeout: 5_000 })).toBe("0x1");
    expect(asked).toHaveLength(2);
  });

  it("is not asked again where it names a month", async () => {
    let asked = 0;
    const host = await serve((_, response) => {
      asked += 1;
      response.writeHead(429, { "retry-after": "2592000" }).end();
    });
    const call = callRpc({ url: `http://${host}`, method: "eth_chainId", timeout: 400 });
    await expect(call).rejects.toMatchObject({ kind: "rate" });
    expect(asked).toBe(1);
  });

  it("is not, where its limit is what is looked for", async () => {
    const url = `http://${await limited(1)}`;
    const call = callRpc({ url, method: "eth_chainId", timeout: 5_000, isPatient: false });
    await expect(call).rejects.toMatchObject({ kind: "rate" });
  });
});

describe("callBatch", () => {
  const batch = (host: string) =>
    callBatch({ url: `http://${host}`, timeout: 500 }, [{ method: "a" }, { method: "b", params: [1] }]);

  it("gives the results in the order of the calls", async () => {
    const seen: unknown[] = [];
    const host = await serve(async (request, response) => {
      seen.push(...JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.end('[{"id":1,"result":"two"},{"id":0,"result":"one"}]');
    });
    expect(await batch(host)).toEqual(["one", "two"]);
    expect(seen).toEqual([
      { jsonrpc: "2.0", id: 0, method: "a", params: [] },
      { jsonrpc: "2.0", id: 1, method: "b", params: [1] },
    ]);
  });

  it.each([
    [
      "one error in a list",
      '[{"id":null,"error":{"code":-32600,"message":"batch too large"}}]',
      'refuses a batch: "batch too large"',
    ],
    ["one error for all", '{"error":{"message":"no batches"}}', 'refuses a batch: "no batches"'],
    ["an answer that is missing", '[{"id":0,"result":"one"}]', "answers only a part of a batch"],
    [
      "an error in it",
      '[{"id":0,"result":1},{"id":1,"error":{"message":"no b"}}]',
      'refuses b in a batch: "no b"',
    ],
  ])("throws for %s", async (_, text, message) => {
    const host = await serve((_request, response) => response.end(text));
    await expect(batch(host)).rejects.toThrow(message);
  });
});
