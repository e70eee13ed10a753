import { setImmediate } from "node:timers/promises";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { PATIENCE } from "../../test/harness/patience.ts";
import { readsRaises } from "../market/series-query.ts";
import { ProblemError, problem } from "./problem.ts";
import { createSlots, NoSlotError, takeSlots } from "./slots.ts";

const LIMITS = { atOnce: 2, waiting: 3, patience: 60_000 };

/** An app whose expensive questions are held until they are let go. */
function held(limits = LIMITS) {
  const gates: PromiseWithResolvers<void>[] = [];
  const slots = createSlots(limits);
  const app = new Hono();
  app.onError((error, c) => {
    if (error instanceof ProblemError) return problem(c, error.problem);
    throw error;
  });
  app.use(takeSlots(slots, readsRaises)).all("*", async (c) => {
    if (c.req.path === "/cheap") return c.text("cheap");
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return c.text("whole");
  });
  return { app, gates };
}

const EXPENSIVE: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/v1/listings?asOf=1"],
  ["/v1/stats?confirmations=15"],
  ["/v1/listings.csv"],
  ["/v1/listings", { headers: { Accept: "text/csv" } }],
  ["/v1/listings?q=kelp"],
  ["/knowledge?q=grade"],
];

/** The same, and what else is expensive, as no client needs to write it. */
const ENCODED = [
  "/v1/listings.%63sv",
  "/v1/stats/curves%2Ecsv",
  "/v1/listings/lst_1/proo%66",
  "/%761/events/1-2/proof",
  "/v1/root/node%73",
  "/v1/%72oot?at=1",
  "/v1/listings?%71=kelp",
  "/v1/listings?as%4Ff=1",
  "/v1/stats/series?%6Friginator=org_1",
  "/v1/stats/seri%65s?grade=A,B&jurisdiction=SG",
  "/v1/stats/cohorts?by=year&jurisdiction=SG",
];

describe("expensive questions", () => {
  it("share one queue, whatever their kind, beside which cheap ones are answered", async () => {
    const { app, gates } = held();
    const asked = EXPENSIVE.map(([path, init]) => Promise.resolve(app.request(path, init)));
    // Two are worked on and three wait: there is no place for the sixth.
    const refused = await asked[5];
    expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await refused?.json()).toMatchObject({ code: "too_many_requests" });
    expect(gates).toHaveLength(2);
    for (let count = 0; count < 20; count++) expect(await (await app.request("/cheap")).text()).toBe("cheap");
    for (let done = 0; done < 5; done++) {
      await vi.waitFor(() => expect(gates.length).toBeGreaterThan(done), PATIENCE);
      expect(gates.length - done).toBeLessThanOrEqual(2);
      gates[done]?.resolve();
      const answer = await asked[done];
      expect([answer?.status, await answer?.text()]).toEqual([200, "whole"]);
    }
  });

  it.each(ENCODED)("include %s", async (path) => {
    const { app } = held({ ...LIMITS, atOnce: 0, waiting: 0 });
    expect((await app.request(path)).status).toBe(429);
  });

  it.each([
    "/cheap",
    "/graphql",
    "/v1/listings",
    "/v1/listings?asOf=head&confirmations=0",
    "/v1/listings?originator=org_1",
    "/v1/stats/series?by=day&from=2026-01-01",
    "/v1/stats/series?grade=A,B",
    "/v1/stats/series?jurisdiction=SG",
    "/v1/stats/cohorts?by=year",
    "/v1/health",
  ])("do not include %s", async (path) => {
    const { app, gates } = held({ ...LIMITS, atOnce: 0, waiting: 0 });
    const asked = app.request(path);
    await setImmediate();
    gates[0]?.resolve();
    expect((await asked).status).toBe(200);
  });

  it("are those that only read: a body is sent at its sender's pace", async () => {
    const { app, gates } = held({ ...LIMITS, atOnce: 1 });
    const first = app.request("/v1/listings?q=kelp");
    await setImmediate();
    const posted = await app.request("/cheap?q=kelp", { method: "POST", body: "{}" });
    expect(await posted.text()).toBe("cheap");
    gates[0]?.resolve();
    expect(await (await first).text()).toBe("whole");
  });

  it("are refused when they have waited for too long", async () => {
    const slots = createSlots({ ...LIMITS, atOnce: 1, patience: 10 });
    const gate = Promise.withResolvers<string>();
    const first = slots.take(() => gate.promise);
    await expect(slots.take(async () => "second")).rejects.toThrow(NoSlotError);
    gate.resolve("first");
    expect(await first).toBe("first");
    // The one that gave up left no trace.
    expect(await slots.take(async () => "third")).toBe("third");
  });

  it("give their slot back when they fail", async () => {
    const slots = createSlots({ ...LIMITS, atOnce: 1 });
    const failing = Array.from({ length: 4 }, () => slots.take(() => Promise.reject(new Error("broken"))));
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe("rejected");
    expect(await slots.take(async () => "well")).toBe("well");
  });

  it("let the event loop turn between one and the next", async () => {
    const slots = createSlots({ ...LIMITS, atOnce: 1 });
    const order: string[] = [];
    const work = (name: string) =>
      slots.take(async () => {
        order.push(name);
        void setImmediate().then(() => order.push("something else"));
      });
    await Promise.all([work("one"), work("two")]);
    expect(order).toEqual(["one", "something else", "two"]);
  });
});
