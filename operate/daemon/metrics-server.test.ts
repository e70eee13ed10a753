import { get } from "node:http";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createOperatorApp } from "../../api/operator.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { serveMetrics } from "./metrics-server.ts";

it.each([
  ["127.0.0.1", 200],
  ["localhost:42071", 200],
  ["[::1]:42071", 200],
  ["10.1.2.3:9071", 200],
  ["evil.example", 403],
  ["127.0.0.1.evil.example:42071", 403],
  ["localhost.evil.example", 403],
])("metrics for the host %j: %i", async (host, expected) => {
  const port = await freePort();
  serveMetrics(port, recordedLog().log, new Registry());
  const status = await new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${port}/metrics/raisebook`;
    get(url, { headers: { Host: host } }, (response) => resolve(response.resume().statusCode)).on(
      "error",
      reject,
    );
  });
  expect(status).toBe(expected);
  const audit = { state: () => ({ isRunning: false }), start() {} };
  const operator = createOperatorApp(audit as never, new Registry());
  for (const path of ["/metrics/raisebook", "/audit"])
    expect((await operator.request(path, { headers: { Host: host } })).status, path).toBe(expected);
});
