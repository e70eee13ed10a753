import fc from "fast-check";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { createGraphql } from "/work/main/api/graphql/index.ts";
import { asking, fixedLedger, recordedLog, SITE, REGISTRY_STATE, snapshotOf, tablesOf } from "/work/main/test/harness/app.ts";
import { problem } from "/work/main/api/problem.ts";
import { judgeAnswer } from "/work/main/test/harness/hostile/judge.ts";
import { graphqlCases, judgeGraphql } from "/work/main/test/harness/hostile/graphql.ts";
import { createWorld } from "/work/main/test/harness/hostile/world.ts";
const w = await createWorld({ isEmpty: false });
const snap = await snapshotOf(tablesOf());
for (const isEmpty of [false, true]) {
  const { log, lines } = recordedLog();
  const app = new Hono();
  app.use(requestId(), secureHeaders(), cors({ origin: "*", allowHeaders: ["*"] }));
  app.use(async (c, next) => { const { pathname, search } = new URL(c.req.url); if (pathname.length + search.length <= 4096) return next(); return problem(c, { code: "uri_too_long", detail: `A URL has at most 4096 characters here.` }); });
  const deps = { feed: { current: () => (isEmpty ? null : snap) }, upstream: { head: () => null, secondsSinceSeen: () => 1 }, registry: { state: () => REGISTRY_STATE }, audit: { start() {}, state: () => ({ running: null, last: null }) }, ledger: fixedLedger(), exposeAccounts: false, site: SITE, version: "0.1.0", log };
  app.route("/graphql", createGraphql(deps as never));
  app.onError((error, c) => { log.error({ msg: "A request failed", error }); return c.text(`oops ${error}`, 500); });
  const ask = asking(app);
  const seen = new Map<string, number>(), kinds: Record<string, number> = {};
  let slow: [number, string][] = [];
  for (const one of fc.sample(graphqlCases("/graphql", w.cursors), { seed: Number(process.env.S ?? 1), numRuns: Number(process.env.N ?? 1500) })) {
    const before = lines.length; const t = performance.now();
    try {
      const answer = await ask(one.path, { method: one.method, headers: one.headers, ...(one.body === undefined ? {} : { body: typeof one.body === "string" ? one.body : new Uint8Array(one.body) }) });
      let k = `${answer.status}`;
      if (answer.text.startsWith("{")) { const b = JSON.parse(answer.text); k += b.errors ? ` ${b.errors[0].extensions?.code}` : b.data ? " data" : ` ${b.code}`; }
      kinds[k] = (kinds[k] ?? 0) + 1;
      judgeAnswer(answer, { isEmpty, method: one.method });
      judgeGraphql(answer);
      const bad = lines.slice(before).filter((l) => l.level === "error");
      if (bad.length) throw new Error(`log ${JSON.stringify(bad)}`);
    } catch (error) {
      const key = String((error as Error).message).slice(0, 90);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.get(key)! <= 1) console.log(`${(error as Error).message.slice(0, 700)}\n   ${JSON.stringify({ ...one, path: one.path.slice(0, 400), body: String(one.body).slice(0, 400) })}\n`);
    }
    slow.push([performance.now() - t, JSON.stringify([one.path.slice(0, 200), String(one.body).slice(0, 200)])]);
  }
  console.log(isEmpty, seen, kinds);
  console.log(slow.sort((a, b) => b[0] - a[0]).slice(0, 5));
}
process.exit(0);
