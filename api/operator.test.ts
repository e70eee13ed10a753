import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { appIn } from "../test/harness/app.ts";
import { createOperatorApp } from "./operator.ts";

function counting() {
  let begun = 0;
  const audit = { start: () => void begun++, state: () => ({ running: null, last: null }) };
  return { audit, begun: () => begun };
}

describe("GET /v1/audit", () => {
  it.each([
    ["127.0.0.1", {}],
    ["::1", { Host: "127.0.0.1:42069" }],
    ["127.0.0.1", { Host: "localhost" }],
    ["192.0.2.1", {}],
  ])(
    "only tells, also a peer at %s with %j: a proxy on this machine looks like that",
    async (address, headers) => {
      const { audit, begun } = counting();
      const app = await appIn({ overrides: { audit } });
      const env = { incoming: { socket: { remoteAddress: address } } };
      const response = await app.request("http://127.0.0.1:42069/v1/audit", { headers }, env);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({ running: null, last: null });
      const post = await app.request("http://127.0.0.1:42069/v1/audit", { method: "POST", headers }, env);
      expect(post.status).toBe(405);
      expect(begun()).toBe(0);
    },
  );
});

describe("the operator's POST /audit", () => {
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const { audit, begun } = counting();
    const response = await createOperatorApp(audit, new Registry()).request(url, { method: "POST", headers });
    return { status: response.status, begun: begun() };
  };

  it.each(["http://127.0.0.1:42070", "http://localhost:42070", "http://[::1]:42070"])(
    "begins an audit for a program that asks %s",
    async (url) => {
      expect(await ask(`${url}/audit`)).toEqual({ status: 202, begun: 1 });
    },
  );

  it.each([
    ["a page of another site", "http://127.0.0.1:42070", { Origin: "https://elsewhere.example" }],
    ["a page that hides where it is from", "http://127.0.0.1:42070", { "Sec-Fetch-Site": "cross-site" }],
    ["a name that leads here", "http://rebound.example:42070", {}],
  ])("refuses %s", async (_, url, headers) => {
    expect(await ask(`${url}/audit`, headers)).toEqual({ status: 403, begun: 0 });
  });

  it("is not begun by a GET", async () => {
    const { audit, begun } = counting();
    const app = createOperatorApp(audit, new Registry());
    expect((await app.request("http://127.0.0.1:42070/audit")).status).toBe(200);
    expect((await app.request("http://127.0.0.1:42070/")).status).toBe(200);
    expect(begun()).toBe(0);
  });
});
