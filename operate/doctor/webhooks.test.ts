import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { examineWebhooks } from "./environment.ts";

const folder = temporaryFolder();
const webhooks = join(folder, "webhooks.json");

it("names each problem of the file with its place, and nothing without one", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  writeFileSync(webhooks, JSON.stringify({ targets: [{ name: "a", url: "http://a.example", secret }] }), {
    mode: 0o600,
  });
  const { findings } = await examineWebhooks({ webhooks });
  expect(findings).toMatchObject([
    {
      severity: "problem",
      variable: "WEBHOOKS",
      what: expect.stringMatching(/:1:\d+: targets\[0\]\.url: must be https/),
    },
  ]);
  writeFileSync(webhooks, JSON.stringify({ targets: [{ name: "a", url: "https://a.example", secret }] }));
  expect(await examineWebhooks({ webhooks })).toMatchObject({
    findings: [],
    facts: [{ values: { targets: 1 } }],
  });
  chmodSync(webhooks, 0o644);
  expect(await examineWebhooks({ webhooks })).toMatchObject({
    findings: [{ severity: "warning", variable: webhooks, what: expect.stringContaining("(mode 644)") }],
  });
  expect(await examineWebhooks({ webhooks: null })).toMatchObject({ findings: [], facts: [] });
});
