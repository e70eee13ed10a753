/** @module The demo standing still, started once for all that only read it. */
import { afterAll, beforeAll } from "vitest";
import { createRaisebookClient } from "../../../client/index.ts";
import { type DemoProcess, startDemo } from "../../harness/demo.ts";
import type { DemoPlace } from "../../harness/demo-promises.ts";
import { freePort } from "../../harness/free-port.ts";

export let demo: DemoProcess;
export let place: DemoPlace & { port: number; rpcPort: number; appPort: number; options: string[] };
/** milliseconds since 1970: its present */
export let startedAt: number;

beforeAll(async () => {
  const [port, rpcPort, appPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  place = {
    ...{ port, rpcPort, appPort, url },
    appUrl: `http://127.0.0.1:${appPort}`,
    book: createRaisebookClient({ baseUrl: `${url}/v1`, userAgent: "raisebook-tests" }),
    options: ["--port", port, "--rpc-port", rpcPort, "--app-port", appPort].map(String),
  };
  startedAt = Date.now();
  demo = startDemo("--still", ...place.options);
  await demo.says("Ctrl-C ends everything");
});

afterAll(() => {
  demo.process.kill("SIGKILL");
});
