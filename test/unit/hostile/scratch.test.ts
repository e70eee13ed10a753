import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { it } from "vitest";
import { createMcp } from "../../../api/mcp/index.ts";
import { asking, fixedLedger, recordedLog, SITE, snapshotOf, tablesOf } from "../../harness/app.ts";
import { judgeAnswer } from "../../harness/hostile/judge.ts";
import { judgeMcp, mcpCases } from "../../harness/hostile/mcp.ts";

it.each([false, true])("mcp %s", async (isEmpty) => {
  const { log, lines } = recordedLog();
  const app = new Hono();
  app.use(requestId(), secureHeaders(), cors({ origin: "*" }));
  const deps = { feed: { current: () => (isEmpty ? null : snap) }, ledger: fixedLedger(), exposeAccounts: false, site: SITE, version: "0.1.0", log, search: { search: () => [] } };
  const snap = await snapshotOf(tablesOf());
  app.route("/mcp", createMcp(deps as never));
  app.onError((error, c) => { log.error({ msg: "A request failed", error }); return c.text(`oops ${error}`, 500); });
  const ask = asking(app);
  const seen = new Map<string, number>();
  for (const one of fc.sample(mcpCases("/mcp", ["W10"]), { seed: Number(process.env.HOSTILE_SEED ?? 1), numRuns: Number(process.env.N ?? 1500) })) {
    const before = lines.length;
    try {
      const answer = await ask(one.path, { method: one.method, headers: one.headers, ...(one.body === undefined ? {} : { body: typeof one.body === "string" ? one.body : new Uint8Array(one.body) }) });
      judgeAnswer(answer, { isEmpty, method: one.method });
      judgeMcp(answer, one);
      const bad = lines.slice(before).filter((l) => l.level === "error");
      if (bad.length) throw new Error(`log ${JSON.stringify(bad)}`);
    } catch (error) {
      const key = String((error as Error).message).slice(0, 70);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.get(key) === 1) appendFileSync("/tmp/hostile-scratch.log", `${(error as Error).message.slice(0, 600)}\n   ${JSON.stringify({ ...one, path: one.path.slice(0, 300), body: String(one.body).slice(0, 400) })}\n\n`);
    }
  }
  console.log(seen);
});
