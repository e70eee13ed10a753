import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../config/redact.ts";
import { relayOutput } from "../../operate/daemon/indexer.ts";

const LOG = { format: "json", level: "info" } as const;
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
    await relayOutput({ child, redact, log: LOG, onLine: (line) => void lines.push(line) });
    const numbered = lines.filter((line) => line.startsWith("line "));
    expect(numbered).toEqual(Array.from({ length: 50_000 }, (_, i) => `line ${i} https://rpc.example/…`));
    expect(lines).toContain("no line feed, …");
    expect(lines).toContain("Error: at https://rpc.example/…");
    expect(lines.join()).not.toContain("Key0123456789");
  });

  it("shows the lines here when nobody takes them, and outlives whoever reads them", async () => {
    const module = fileURLToPath(new URL("../../operate/daemon/indexer.ts", import.meta.url));
    const script = `
      import { spawn } from "node:child_process";
      import { relayOutput } from ${JSON.stringify(module)};
      const words = "setInterval(() => console.log('told ' + 'x'.repeat(10_000)), 1); setTimeout(() => process.exit(7), 1000)";
      const child = spawn(process.execPath, ["--eval", words], { stdio: ["ignore", "pipe", "pipe"] });
      child.once("exit", (code) => process.stderr.write("ended with " + code));
      await relayOutput({ child, log: ${JSON.stringify(LOG)}, redact: (line) => line.toUpperCase() });
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
