/**
 * The client in a page of another origin: it follows the stream over a cut connection and through a reorganisation, and its copies
 * of the listings are those of the rows that it has.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { appIn } from "../harness/app.ts";
import { PATIENCE } from "../harness/patience.ts";
import { serveApp } from "../harness/serve-app.ts";
import { createStreamedChain } from "../harness/streamed-chain.ts";
import { startTcpProxy } from "../harness/tcp-proxy.ts";
import { launchChromium } from "./chromium.ts";

type Followed = { held: string[]; copies: { id: string; listings: number }[]; reorgs: number; fault: string };

declare global {
  interface Window {
    raisebookFollowed?: Followed;
  }
}

/** In place of the service's own. */
const OWN_POLICY = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline'; connect-src *" };

/** A page that keeps a copy of the rows. */
const pageOf = (baseUrl: string) => `<!doctype html><title>A page</title><script type="module">
import { createRaisebookClient, createReplica } from "/client.js";
const baseUrl = "${baseUrl}";
const followed = { held: [], copies: [], reorgs: 0, fault: "" };
window.raisebookFollowed = followed;
const onMessage = (message) => {
  if (message.type === "ledger") followed.held.push(message.id);
  if (message.type !== "reorg") return;
  followed.reorgs += 1;
  followed.held = followed.held.filter((id) => BigInt(id.split("-")[0]) < message.from);
};
try {
  const book = createRaisebookClient({ baseUrl });
  for await (const { id, listings } of createReplica(book, { baseUrl, after: "0", onMessage }))
    followed.copies.push({ id, listings: listings.length });
} catch (error) {
  followed.fault = String(error);
}
</script>`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../client/index.ts", import.meta.url))],
    ...{
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
      tsconfigRaw: "{}",
    },
  });
  return outputFiles[0]?.text ?? "";
}

test("a page keeps up with the ledger and the listings", async () => {
  const chain = await createStreamedChain();
  chain.mine(2, 1, 3);
  chain.finalise(1n);
  const { updater, reader: onward } = chain;
  await using api = await serveApp(await appIn({ overrides: { updater, onward } }));
  const proxy = await startTcpProxy(api.port);
  const code = await bundle();
  const front = new Hono()
    .get("/client.js", (c) => c.body(code, 200, { "Content-Type": "text/javascript" }))
    .get("/", (c) => c.html(pageOf(`http://127.0.0.1:${proxy.port}/v1`), 200, OWN_POLICY));
  await using site = await serveApp(front);
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(site.url);
  const followed = async () => {
    const { copies = [], ...rest } = (await page.evaluate(() => window.raisebookFollowed)) ?? {};
    return { ...rest, copies, newest: copies.at(-1)?.id };
  };
  // Also waits for the copy: no copy exists of a head that a reorg has replaced.
  const hasAll = () =>
    expect
      .poll(followed, PATIENCE)
      .toMatchObject({ held: chain.ids(), newest: chain.ids().at(-1), fault: "" })
      .then(followed);

  await hasAll();
  chain.mine(1, 0);
  await hasAll();
  chain.reorganise(3, 1, 1, 2);
  expect((await hasAll()).reorgs).toBe(1);
  await proxy.become("cut");
  chain.reorganise(1, 2, 1);
  await proxy.become("open");
  const { reorgs, copies } = await hasAll();
  expect(reorgs).toBe(2);

  expect(copies.length).toBeGreaterThan(3);
  expect(new Set(copies.map(({ listings }) => listings))).toEqual(new Set([chain.market.listings.length]));
  await page.close();
  await proxy.stop();
});
