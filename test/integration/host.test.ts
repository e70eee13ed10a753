/** The `Host` of a request changes nothing of its answer, and one that is no host is refused. */
import { networkInterfaces } from "node:os";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { startServer } from "../../api/http/server.ts";
import { exchange } from "../harness/hostile/wire.ts";
import { serveApp } from "../harness/serve-app.ts";
import { recordedLog } from "../harness/snapshot.ts";

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

describe("a host in a request", () => {
  const app = new Hono().get("/named", (c) => c.text(c.req.url));
  const asked = (host: string) => `GET /named?a=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

  it.each(["raises.example", "RAISES.EXAMPLE:8080", "a_b.example.:", "127.1", "[::1]:1", "[0:0::1]", ""])(
    "changes nothing for the app: %j",
    async (host) => {
      await using served = await serveApp(app);
      const answer = await exchange(served.port, asked(host));
      expect(answer).toMatchObject({ status: 200, text: "http://localhost/named?a=1" });
    },
  );

  it.each(["1?aaaaa", "1/data?", "a b", "user@a", "[::1", "a:b", "a,b", "\xe9.example"])(
    "that is malformed is refused with a problem: %j",
    async (host) => {
      await using served = await serveApp(app);
      const answer = await exchange(served.port, asked(host));
      expect(answer?.status).toBe(400);
      expect(answer?.headers.get("content-type")).toBe("application/problem+json");
      expect(JSON.parse(answer?.text ?? "")).toMatchObject({
        ...{ status: 400, code: "invalid_parameter", instance: "/named" },
        errors: [{ parameter: "Host" }],
      });
      expect(served.askedApp()).toBe(0);
    },
  );

  it.skipIf(!HAS_IPV6)("may be missing in HTTP/1.0, also at an address of IPv6", async () => {
    const { log } = recordedLog();
    const server = startServer({ app, hostname: "::1", port: 0, log, commonHeaders: {} });
    const { port } = await server.listening;
    const answer = await exchange(port, "GET /named HTTP/1.0\r\n\r\n", "::1");
    expect(answer?.status).toBe(200);
    await server.close();
  });
});
