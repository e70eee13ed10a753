import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Rests after each of its first requests, and prints whether V8 still has shapes for the last one and its response. */
const SERVER = `
  const { createServer, get } = require("node:http");
  const { once } = require("node:events");
  const { setTimeout: sleep } = require("node:timers/promises");
  let found = [];
  const server = createServer((request, response) => {
    found = [%HasFastProperties(request), %HasFastProperties(response)];
    response.end();
  });
  server.listen(0, "127.0.0.1", async () => {
    for (let i = 0; i < 20; i++) {
      const [answer] = await once(get({ port: server.address().port, agent: false }), "response");
      await once(answer.resume(), "close");
      await sleep(10);
      gc();
    }
    console.log(...found);
    server.close();
  });`;
const FILE = new URL("../../config/kept-shapes.mjs", import.meta.url).href;

async function run(...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", FILE, ...args]);
  return stdout;
}

it("keeps a tick", async () => {
  const code = `const { kept } = await import("${FILE}"); console.log("callback" in kept.tick);`;
  expect(await run("--input-type=module", "--eval", code)).toBe("true\n");
});

it("keeps the shapes of requests and responses while a server rests", async () => {
  expect(await run("--expose-gc", "--allow-natives-syntax", "--eval", SERVER)).toBe("true true\n");
});
