import { describe, expect, it } from "vitest";
import type { LogFormat, LogLevel } from "../../config/log.ts";
import { createLogLines } from "./log-lines.ts";

// Recorded from the indexer beside endpoints that failed in these ways; only repetitions, levels and counts are made here.
const BLOCK = `{"level":30,"time":1795330891106,"msg":"Indexed block","chain":"escrowChain","chain_id":97,"number":43,"event_count":0,"duration":14.168397000001278}`;
const UNAVAILABLE = String.raw`{"level":40,"time":1795422877567,"msg":"Received JSON-RPC error","chain":"escrowChain","chain_id":97,"hostname":"127.0.0.1","request_id":"2c13f49e-9a20-423d-bbcc-cfab8906f7c4","method":"eth_getBlockByNumber","request":"{\"method\":\"eth_getBlockByNumber\",\"params\":[\"latest\",true]}","duration":4.8520449999996345,"retry_count":1,"retry_delay":125,"error":{"message":"HTTP request failed.\n\nStatus: 503\nURL: http://127.0.0.1:43419\nRequest body: {\"method\":\"eth_getBlockByNumber\",\"params\":[\"latest\",true]}\n\nDetails: Service Unavailable\nVersion: viem@2.57.0","stack":"HttpRequestError: HTTP request failed.\n\nStatus: 503\nURL: http://127.0.0.1:43419\n    at file:///srv/raisebook/node_modules/ponder/src/rpc/http.ts:131:15","details":"Service Unavailable","name":"HttpRequestError","status":503,"url":"http://127.0.0.1:43419"}}`;
const SLOW = `{"level":40,"time":1795422908104,"action":"fetch_block_data","msg":"JSON-RPC request unexpectedly surpassed timeout","chain":"escrowChain","chain_id":97,"hostname":"127.0.0.1","request_id":"3c9a701a-3967-466a-9a69-3943d9b786e7","method":"eth_getLogs","duration":15000}`;
const REFUSED = String.raw`{"level":40,"time":1795422945062,"msg":"Failed to fetch latest block","chain":"escrowChain","chain_id":97,"retry_count":0,"error":{"message":"HTTP request failed.\n\nURL: http://127.0.0.1:43419\nRequest body: {\"method\":\"eth_getBlockByNumber\",\"params\":[\"latest\",true]}\n\nDetails: fetch failed\nVersion: viem@2.57.0: fetch failed: connect ECONNREFUSED 127.0.0.1:43419","stack":"HttpRequestError: HTTP request failed.\n    at file:///srv/raisebook/node_modules/ponder/src/rpc/http.ts:131:15","name":"HttpRequestError"}}`;
const OWN = `{"time":1795422908104,"level":"warn","msg":"The RPC does not answer"}`;

function linesOf(format: LogFormat, level: LogLevel) {
  const clock = { now: 1_000_000 };
  const lines = createLogLines({ format, level, now: () => clock.now });
  return {
    clock,
    lines,
    /** so often, so many milliseconds apart */
    take: (line: string, times = 1, apart = 0) =>
      Array.from({ length: times }, () => {
        clock.now += apart;
        return lines.take(line);
      }).flat(),
  };
}

describe("a failing endpoint", () => {
  it("is remembered by its last reason, without its host", () => {
    const { take, lines } = linesOf("pretty", "error");
    expect(lines.lastFailure()).toBeNull();
    take(BLOCK);
    take(OWN);
    expect(lines.lastFailure()).toBeNull();
    take(UNAVAILABLE);
    expect(lines.lastFailure()).toMatch(/^Received JSON-RPC error \(eth_getBlockByNumber\): .*Status: 503/);
    take(SLOW);
    expect(lines.lastFailure()).not.toContain("127.0.0.1");
  });

  it("is a line for each method when it begins, and one when it has ended", () => {
    const { take, lines, clock } = linesOf("json", "info");
    const begun = [...take(UNAVAILABLE, 250, 80), ...take(SLOW, 12, 1_000), ...take(REFUSED)];
    expect(begun.map((line) => JSON.parse(line))).toEqual([
      {
        time: 1795422877567,
        level: "warn",
        msg: "Received JSON-RPC error",
        chain: "escrowChain",
        hostname: "127.0.0.1",
        method: "eth_getBlockByNumber",
        duration: "5ms",
        retry_count: 1,
        retry_delay: 125,
        error: "HttpRequestError: HTTP request failed. Status: 503 Details: Service Unavailable",
      },
      expect.objectContaining({
        method: "eth_getLogs",
        msg: "JSON-RPC request unexpectedly surpassed timeout",
      }),
      expect.objectContaining({
        error:
          "HttpRequestError: HTTP request failed. Details: fetch failed fetch failed: connect ECONNREFUSED 127.0.0.1:43419",
      }),
    ]);
    clock.now += 44_999;
    expect(lines.ended().map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ level: "info", msg: "A repeated warning has ended", of: "Received JSON-RPC error" },
        ...{ hostname: "127.0.0.1", method: "eth_getBlockByNumber", times: 250, seconds: 20 },
      },
    ]);
    clock.now += 1;
    // A line that came once has no summary.
    expect(lines.ended().map((line) => JSON.parse(line))).toMatchObject([
      { method: "eth_getLogs", times: 12 },
    ]);
    expect(take(UNAVAILABLE)).toHaveLength(1);
    expect(take(UNAVAILABLE)).toHaveLength(0);
    expect(lines.ended(true)).toHaveLength(1);
  });

  it("is a line of text without a stack, and with one at debug", () => {
    const { take } = linesOf("pretty", "info");
    expect(take(UNAVAILABLE, 2).map((line) => line.slice(13))).toEqual([
      "WARN  Received JSON-RPC error chain=escrowChain hostname=127.0.0.1 method=eth_getBlockByNumber retry_count=1 retry_delay=125 " +
        "duration=5ms error=HttpRequestError: HTTP request failed. Status: 503 Details: Service Unavailable",
    ]);
    const debugged = linesOf("pretty", "debug").take(UNAVAILABLE, 2);
    expect(debugged.filter((line) => line.includes("WARN "))).toHaveLength(2);
    expect(debugged.filter((line) => line.includes("http.ts:131:15"))).toHaveLength(2);
    expect(
      linesOf("json", "debug")
        .take(UNAVAILABLE, 2)
        .map((line) => JSON.parse(line).error.stack),
    ).toEqual(Array(2).fill(expect.stringContaining("http.ts:131:15")));
  });
});

it("keeps an error's stack, each of our own lines, and what is not of the log", () => {
  const { take } = linesOf("json", "info");
  expect(take(OWN, 2)).toHaveLength(2);
  const failed = take(UNAVAILABLE.replace(`"level":40`, `"level":50`), 2);
  expect(failed.map((line) => JSON.parse(line))).toMatchObject(
    Array(2).fill({ level: "error", error: { stack: expect.stringContaining("http.ts") } }),
  );
  for (const line of ["Error: a crash", "    at node:internal", "{", BLOCK.slice(0, -1)])
    expect(take(line)).toEqual([line]);
});

it("names each host once, of which the indexer's configuration may have several shares", () => {
  const hostnames = JSON.stringify([...Array(16).fill("127.0.0.1"), "rpc.example"]);
  const entry = {
    level: 30,
    time: 1795330891106,
    msg: "Connected to JSON-RPC",
    chain: "escrowChain",
    hostnames,
  };
  const [line = ""] = linesOf("pretty", "info").take(JSON.stringify(entry));
  expect(line).toMatch(/ hostnames=\["127\.0\.0\.1","rpc\.example"\]$/);
});

describe("a block", () => {
  it.each([
    [0, BLOCK],
    [0, BLOCK.replace("Indexed block", "Finalized block").replace(`"event_count":0,`, "")],
    [1, BLOCK.replace(`"event_count":0`, `"event_count":10`)],
    [1, BLOCK.replace(`"level":30`, `"level":40`)],
    [1, BLOCK.replace("Indexed block", "Reorged block")],
    [1, BLOCK.replace("Indexed block", "Indexed block range")],
  ])("is %i lines: %s", (count, line) => {
    for (const format of ["json", "pretty"] as const) {
      expect(linesOf(format, "info").take(line)).toHaveLength(count);
      expect(linesOf(format, "debug").take(line)).toHaveLength(1);
    }
  });
});
