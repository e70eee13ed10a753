/** @module A call of a tool, compared with a tool that does nothing. */
import { loadBoth, rateRow, startGenerator } from "./harness/against-bare.ts";
import type { Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { startWorker } from "./harness/worker.ts";

export async function* mcp(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, { listings: 10_000 });
  await using empty = startWorker(new URL("harness/empty-tool.ts", import.meta.url));
  await using generator = startGenerator();
  const ports = { ours: reader.port, other: await empty.ask<number>(null) };
  const other = calls("empty", {});
  for (const args of [{ limit: 1 }, { limit: 10 }, { status: ["live"], sort: "most_raised", limit: 50 }]) {
    const pairs = await loadBoth(generator, ports, { ours: calls("list_deals", args), other });
    const about = { bench: "mcp", case: `list_deals ${JSON.stringify(args)}`, bar: "≥ 0.9" };
    yield rateRow({ ...about, against: "the library's own empty tool" }, pairs);
  }
}

/** Clients count their messages. */
function calls(name: string, args: object): Request[] {
  return Array.from({ length: 20 }, (_, id) => ({
    method: "POST",
    path: "/mcp",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } }),
  }));
}
