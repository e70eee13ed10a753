import { describe, expect, it } from "vitest";
import { problemSchema } from "../../api/http/problem.ts";
import { appIn } from "../harness/app.ts";
import { serveApp } from "../harness/serve-app.ts";

describe("the rate limit of a client", () => {
  const rateLimit = { perMinute: 3, trustedProxies: ["127.0.0.1"] };
  const fieldsOf = ({ headers }: Response) =>
    ["ratelimit-policy", "ratelimit", "retry-after"].map((name) => headers.get(name));

  it("is told in each answer, also from memory, and ends in a problem", async () => {
    await using served = await serveApp(await appIn(), { rateLimit });
    const ask = (path: string, client: string, method = "GET") =>
      fetch(`${served.url}${path}`, { method, headers: { "X-Forwarded-For": `203.0.113.9, ${client}` } });
    const policy = '"client";q=3;w=60';
    for (const left of [2, 1, 0]) {
      const answer = await ask("/v1/listings", "198.51.100.7");
      expect([answer.status, ...fieldsOf(answer)]).toEqual([
        ...[200, policy],
        expect.stringMatching(`^"client";r=${left};t=\\d+$`),
        null,
      ]);
      await answer.text();
    }
    // The last two came from memory.
    expect(served.askedApp()).toBe(1);
    const refused = await ask("/v1/listings?limit=1", "198.51.100.7");
    expect([refused.status, ...fieldsOf(refused)]).toEqual([
      ...[429, policy],
      expect.stringMatching(/^"client";r=0;t=(59|60)$/),
      expect.stringMatching(/^(19|20)$/),
    ]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringContaining("RateLimit,RateLimit-Policy,Retry-After"),
    });
    expect(problemSchema.parse(await refused.json())).toMatchObject({
      code: "too_many_requests",
      status: 429,
      instance: "/v1/listings",
      requestId: refused.headers.get("x-request-id"),
    });
    expect(served.askedApp()).toBe(1);
    expect((await ask("/v1/listings", "198.51.100.7", "HEAD")).status).toBe(429);
    // Others are not refused, and neither are preflights and the check of a load balancer.
    expect((await ask("/v1/listings", "198.51.100.8")).status).toBe(200);
    expect((await ask("/v1/listings", "198.51.100.7", "OPTIONS")).status).toBe(204);
    const ready = await ask("/v1/ready", "198.51.100.7");
    expect([ready.status, ...fieldsOf(ready).slice(0, 2)]).toEqual([200, null, null]);
  });

  it("refuses a request with a body so that its sender can read it", async () => {
    await using served = await serveApp(await appIn(), { rateLimit });
    const headers = { "Content-Type": "application/json" };
    const statuses: number[] = [];
    for (let count = 0; count < 30; count++) {
      const response = await fetch(`${served.url}/graphql`, {
        method: "POST",
        headers,
        body: "x".repeat(200_000),
      });
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([413, 413, 413, ...Array.from({ length: 27 }, () => 429)]);
  });

  it("is off by default", async () => {
    await using served = await serveApp(await appIn());
    expect(fieldsOf(await fetch(`${served.url}/v1/listings`))).toEqual([null, null, null]);
  });
});
