/** The deliverer as a separate process, at a real server whose stream places are all taken. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createDelivererCheck } from "../../api/database/deliverer.ts";
import { appIn } from "../../test/harness/app.ts";
import { createDaemons } from "../../test/harness/daemon.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { createStreamedChain } from "../../test/harness/streamed-chain.ts";
import { startReceiver } from "../../test/harness/webhook-receiver.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const folder = temporaryFolder();
const daemons = createDaemons();

it("has a place when others hold all, tries again after 101, and ends when it is asked to", async () => {
  const chain = await createStreamedChain();
  chain.mine(2);
  chain.finalise(10n ** 9n);
  const dataDirectory = join(folder, "data");
  const settings = {
    ...{ chainId: 97, publicUrl: "http://raises.localhost" },
    database: { kind: "pglite" as const, dataDirectory, directory: "" },
  };
  const isDeliverer = createDelivererCheck(settings, { statement: () => Promise.reject(new Error("no")) });
  const streamLimits = { followers: 1, pendingRows: 1_000 };
  const overrides = { updater: chain.updater, onward: chain.reader, streamLimits, isDeliverer };
  await using served = await serveApp(await appIn({ overrides }));
  const held = await fetch(`${served.url}/v1/stream`);
  expect((await fetch(`${served.url}/v1/stream`)).status).toBe(503);
  const receiver = await startReceiver(SECRET, ({ total }) =>
    total === 2 ? { status: 204 } : "switches protocols",
  );
  const one = { url: receiver.url, secret: SECRET, start: "beginning", privateNetworks: ["127.0.0.0/8"] };
  const webhooks = join(folder, "webhooks.json");
  writeFileSync(webhooks, JSON.stringify({ targets: [{ name: "books", ...one }] }));
  const run = daemons.deliver(folder, {
    ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0`, REGISTRY: "registry.json" },
    ...{ WEBHOOKS: webhooks, RAISEBOOK_DATA_DIR: dataDirectory, PORT: `${served.port}` },
  });
  await vi.waitFor(() => expect(receiver.kept(), run.output()).toHaveLength(1), PATIENCE);
  await vi.waitFor(() => expect(receiver.attempts.length).toBeGreaterThan(3), PATIENCE);
  run.child.kill("SIGTERM");
  expect(await run.ended).toBe(0);
  await receiver.die();
  await held.body?.cancel();
});
