import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../config/redact.ts";
import { colourEnvironment, isRoutine, relayOutput } from "../../daemon/child-output.ts";

const redact = createRedactor(["https://rpc.example/v2/Key0123456789"]);
const writer = (script: string) =>
  spawn(process.execPath, ["--eval", script], { stdio: ["ignore", "pipe", "pipe"] });

describe("relayOutput", () => {
  it("hands on every line of both streams in order, secrets taken out, the last words of a crash included", async () => {
    const child = writer(`
      for (let i = 0; i < 50_000; i++) console.log("line " + i + " https://rpc.example/v2/Key0123456789");
      process.stdout.write("no line feed, Key0123456789", () => { throw new Error("at https://rpc.example/v2/Key0123456789") });
    `);
    const lines: string[] = [];
    await relayOutput({ child, redact, onLine: (line) => void lines.push(line) });
    const numbered = lines.filter((line) => line.startsWith("line "));
    expect(numbered).toEqual(Array.from({ length: 50_000 }, (_, i) => `line ${i} https://rpc.example/…`));
    expect(lines).toContain("no line feed, …");
    expect(lines).toContain("Error: at https://rpc.example/…");
    expect(lines.join()).not.toContain("Key0123456789");
  });

  it("shows the lines here when nobody takes them, and outlives whoever reads them", async () => {
    const module = fileURLToPath(new URL("../../daemon/child-output.ts", import.meta.url));
    const script = `
      import { spawn } from "node:child_process";
      import { relayOutput } from ${JSON.stringify(module)};
      const words = "setInterval(() => console.log('told ' + 'x'.repeat(10_000)), 1); setTimeout(() => process.exit(7), 1000)";
      const child = spawn(process.execPath, ["--eval", words], { stdio: ["ignore", "pipe", "pipe"] });
      child.once("exit", (code) => process.stderr.write("ended with " + code));
      await relayOutput({ child, redact: (line) => line.toUpperCase() });
    `;
    const args = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script];
    const daemon = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const errors = text(daemon.stderr);
    const [first] = (await once(daemon.stdout, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^TOLD X+/);
    daemon.stdout.destroy();
    const [code] = await once(daemon, "close");
    expect([code, await errors]).toEqual([0, "ended with 7"]);
  });
});

describe("colourEnvironment", () => {
  it("asks for colours on a terminal, unless somebody has decided", () => {
    expect(colourEnvironment({}, true)).toEqual({ FORCE_COLOR: "1" });
    expect(colourEnvironment({}, false)).toEqual({});
    for (const env of [{ NO_COLOR: "1" }, { FORCE_COLOR: "0" }, { TERM: "dumb" }]) {
      expect(colourEnvironment(env, true)).toEqual({});
    }
  });
});

// Recorded from the indexer at the head; with events, other levels and colours changed by hand.
const JSON_BLOCK = `{"level":30,"time":1795330891106,"msg":"Indexed block","chain":"escrowChain","chain_id":97,"number":43,"event_count":0,"duration":14.168397000001278}`;
const JSON_ERROR = `{"level":40,"time":1795330900997,"msg":"Postgres client error","error":{"message":"Connection terminated unexpectedly \\"msg\\":\\"Indexed block\\""}}`;
const PRETTY_BLOCK = "07:07:52.852 INFO  Indexed block chain=escrowChain number=78 event_count=0 (28ms)";
const PRETTY_FINAL = "07:08:04.597 INFO  Finalized block chain=escrowChain number=74 (27ms)";

describe("isRoutine", () => {
  it.each([
    [true, "json", JSON_BLOCK],
    [true, "json", JSON_BLOCK.replace("Indexed block", "Finalized block").replace(`"event_count":0,`, "")],
    [false, "json", JSON_BLOCK.replace(`"event_count":0`, `"event_count":10`)],
    [false, "json", JSON_BLOCK.replace(`"level":30`, `"level":40`)],
    [false, "json", JSON_BLOCK.replace("Indexed block", "Reorged block")],
    [false, "json", JSON_BLOCK.replace("Indexed block", "Indexed block range")],
    [false, "json", JSON_BLOCK.slice(0, -1)],
    [false, "json", JSON_ERROR],
    [false, "json", PRETTY_BLOCK],
    [true, "pretty", PRETTY_BLOCK],
    [true, "pretty", PRETTY_FINAL],
    [true, "pretty", `\u001b[2m07:07:52.852\u001b[22m \u001b[32mINFO \u001b[39m ${PRETTY_BLOCK.slice(19)}`],
    [false, "pretty", PRETTY_BLOCK.replace("event_count=0", "event_count=10")],
    [false, "pretty", PRETTY_BLOCK.replace("INFO ", "WARN ")],
    [false, "pretty", PRETTY_BLOCK.replace("Indexed block", "Failed to index block")],
    [false, "pretty", "07:07:52.852 INFO  Started live indexing chain=escrowChain finalized_block=12"],
    [false, "pretty", "    at Connection.<anonymous> Indexed block event_count=0"],
  ] as const)("%s, %s: %s", (expected, format, line) => {
    expect(isRoutine(line, format)).toBe(expected);
  });
});
