/**
 * All that only reads the demo, over one that stands still: what it promises, the whole site as a crawler finds it, an
 * agent's way from its root to a raise, and what the documents have to paste.
 */
import { expect, test } from "vitest";
import { startDemo } from "../harness/demo.ts";
import { expectNothingLeft } from "../harness/demo-promises.ts";
import { demo, place } from "./still-demo/demo.ts";
import "./still-demo/market.ts";
import "./still-demo/crawler.ts";
import "./still-demo/agent-session.ts";
// Last, as it moves the clock.
import "./still-demo/documents.ts";

test("a second demo on its ports says which are in use, and starts nothing", async () => {
  const { port, rpcPort, options } = place;
  const second = startDemo(...options);
  expect(await second.exited).toBe(1);
  expect(second.said()).toContain(`Port ${port} of the API is in use on 127.0.0.1`);
  expect(second.said()).toContain(`Port ${rpcPort} of the chain is in use on 127.0.0.1`);
  expect(second.said()).not.toContain("Starting");
});

test("Ctrl-C ends every child, with exit code 0", async () => {
  const { port, rpcPort, appPort } = place;
  const children = demo.children();
  expect(children.length).toBeGreaterThanOrEqual(process.platform === "linux" ? 2 : 0);
  process.kill(-(demo.process.pid ?? 0), "SIGINT");
  expect(await demo.exited).toBe(0);
  expect(demo.said()).not.toContain("The demo failed");
  await expectNothingLeft([port, rpcPort, appPort], children);
});
