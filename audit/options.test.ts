import { describe, expect, it } from "vitest";
import { readOptions, USAGE } from "./options.ts";

const NONE = { url: null, rpcUrl: null, logs: false, json: false, help: false };

describe("readOptions", () => {
  it("reads what there is", () => {
    expect(readOptions([])).toEqual(NONE);
    expect(readOptions(["--json", "--logs", "--rpc-url", "https://node.example/KEY"])).toEqual({
      ...NONE,
      json: true,
      logs: true,
      rpcUrl: "https://node.example/KEY",
    });
    expect(readOptions(["--url=http://127.0.0.1:42069/"])).toEqual({
      ...NONE,
      url: "http://127.0.0.1:42069",
    });
    expect(readOptions(["--help"])).toEqual({ ...NONE, help: true });
  });

  it.each([
    [["--all"], "Unknown option '--all'"],
    [["now"], "Unexpected argument 'now'"],
    [["--url"], "'--url <value>' argument missing"],
    [["--url", "here"], '--url must be an http or https URL, not "here"'],
    [["--rpc-url", "ws://node.example"], '--rpc-url must be an http or https URL, not "ws://node.example"'],
    [["--url", "http://127.0.0.1:1", "--logs"], "--rpc-url and --logs cannot be combined with it"],
    [["--json=yes"], "'--json' does not take an argument"],
  ])("refuses %j: %s", (args, message) => {
    expect(readOptions(args)).toContain(message);
  });
});

describe("USAGE", () => {
  it("has every option, and fits a terminal", () => {
    for (const option of ["url", "rpc-url", "logs", "json", "help"])
      expect(USAGE).toContain(`  --${option} `);
    for (const line of USAGE.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });
});
