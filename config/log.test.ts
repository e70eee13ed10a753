import { describe, expect, it } from "vitest";
import { createLogger, type LogFormat, type LogLevel } from "./log.ts";

function recorder(format: LogFormat, level: LogLevel = "info") {
  const lines: string[] = [];
  const now = () => new Date(2026, 0, 2, 3, 4, 5, 67);
  return { lines, log: createLogger({ format, level, now, write: (line) => lines.push(line) }) };
}

describe("createLog", () => {
  it("writes one pretty line: time, padded level, message, fields", () => {
    const { log, lines } = recorder("pretty");
    log.info({ msg: "Loaded the registry", listings: 20, missing: undefined, version: "ab12" });
    log.error({ msg: "No" });
    expect(lines).toEqual([
      "03:04:05.067 INFO  Loaded the registry listings=20 version=ab12\n",
      "03:04:05.067 ERROR No\n",
    ]);
  });

  it("writes one JSON object a line, bigints as decimal strings and errors as their message", () => {
    const { log, lines } = recorder("json");
    log.warn({ msg: "Odd", block: 2n ** 200n, nested: { at: 1n }, error: new TypeError("no\nway") });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: new Date(2026, 0, 2, 3, 4, 5, 67).getTime(),
      level: "warn",
      msg: "Odd",
      block: (2n ** 200n).toString(),
      nested: { at: "1" },
      error: "TypeError: no\nway",
    });
  });

  it("keeps what is as severe as the level and drops the rest", () => {
    const { log, lines } = recorder("pretty", "warn");
    log.debug({ msg: "a" });
    log.info({ msg: "b" });
    log.warn({ msg: "c" });
    log.error({ msg: "d" });
    expect(lines.map((line) => line.trim().slice(-1))).toEqual(["c", "d"]);
  });

  it("lets no text from outside forge a line or drive the terminal", () => {
    const { log, lines } = recorder("pretty");
    log.info({ msg: "x", title: "a\n12:00:00.000 INFO  forged\u001b[2J\u0085" });
    expect(lines[0]?.split("\n")).toHaveLength(2);
    expect(lines[0]).toContain("title=a\\n12:00:00.000 INFO  forged\\u001b[2J\\u0085");
  });
});
