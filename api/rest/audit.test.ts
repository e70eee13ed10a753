import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";

type Caller = { address?: string; headers?: Record<string, string> };

/** How often an audit is begun by a caller from this address. */
async function begun({ address, headers = {} }: Caller): Promise<number> {
  let count = 0;
  const audit = { start: () => void count++, state: () => ({ running: null, last: null }) };
  const app = await appIn({ overrides: { audit } });
  const env = address === undefined ? undefined : { incoming: { socket: { remoteAddress: address } } };
  const response = await app.request("http://raises.example/v1/audit", { headers }, env);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({ running: null, last: null });
  return count;
}

describe("GET /v1/audit", () => {
  it.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])(
    "begins an audit for %s",
    async (address) => {
      expect(await begun({ address })).toBe(1);
    },
  );

  it.each<Caller>([
    { address: "192.0.2.1" },
    { address: "::ffff:192.0.2.1" },
    { address: "127.0.0.1.example" },
    { address: "2001:db8::1" },
    {},
    { address: "127.0.0.1", headers: { "X-Forwarded-For": "192.0.2.1" } },
    { address: "127.0.0.1", headers: { Forwarded: "for=192.0.2.1" } },
    { address: "127.0.0.1", headers: { Via: "1.1 proxy" } },
  ])("only tells %j", async (caller) => {
    expect(await begun(caller)).toBe(0);
  });
});
