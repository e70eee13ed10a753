/**
 * A raise of the real service is proven on its page, against a real chain that the visitor names; what lies is found out, and every trouble
 * of a node is told in plain words.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import type { ListingProof } from "../../client/verify.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { launchChromium } from "./chromium.ts";
import { axeFindings, CONTRAST, overflows } from "./judge.ts";
import { KEY, startVisitorsNode, type VisitorsNode } from "./node.ts";
import { WIDTHS } from "./pages.ts";
import { openProvenSite } from "./proven-site.ts";
import { watch } from "./watch.ts";

const VIEWS = [
  "raisedAmount",
  "refundedAmount",
  "reserveBalance",
  "outstandingPrincipal",
  "claimedAmount",
] as const;

const [browser, site] = await Promise.all([launchChromium(), openProvenSite()]);
const { proof } = site;
const node = await startVisitorsNode(site.chain.rpcUrl);
/** accepts connections, and says nothing */
const silent = createServer(() => {});
/** the verdict with such a node */
let silence: Promise<string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  silence = verdictOn(await openForm(), `http://127.0.0.1:${port}`);
});

afterAll(async () => {
  await browser.close();
  node.stop();
  silent.closeAllConnections();
  silent.close();
  await site[Symbol.asyncDispose]();
});

/** The raise's page with the form open, once it has refreshed itself. */
async function openForm(): Promise<Page> {
  Object.assign(node, { asked: [], answers: null, isOpen: true });
  const page = await browser.newPage({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(`${site.url}/listings/${proof.publicId}`);
  await page.locator("#prover button").click();
  await page.locator("#proverNode").waitFor();
  return page;
}

async function verdictOn(page: Page, rpc: string): Promise<string> {
  await page.locator("#proverNode").fill(rpc);
  await page.keyboard.press("Enter");
  const status = page.locator("#prover [role=status]");
  await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^(?!Checking).+/);
  return (await status.textContent()) ?? "";
}

/** The checks of the verdict, a line each. */
async function checksOn(page: Page): Promise<string[]> {
  const details = page.locator("#prover details");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  return page.locator("#prover details li").allTextContents();
}

describe("the button on a raise", () => {
  test("proves it by keyboard alone; nothing of the node goes to the service, or is kept", async () => {
    Object.assign(node, { asked: [], answers: null });
    const page = await browser.newPage();
    const { troubles } = watch(page, { origin: site.url });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).origin === site.url)
        asked.push([request.url(), request.postData(), JSON.stringify(request.headers())].join(" "));
    });
    await page.goto(`${site.url}/listings/${proof.publicId}`);
    expect(asked.filter((one) => /prove|verify/.test(one))).toEqual([]);

    await page.locator("#prover button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("proverNode");
    await page.keyboard.type(node.url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const status = page.locator("#prover [role=status]");
    await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Proven up to block /);

    expect(await status.textContent()).toContain(
      `of listing ${proof.onchainId} of the contract ${proof.escrowAddress}. Your node confirmed every event they add up from, and the contract itself says the same.`,
    );
    const { blockNumber } = proof.asOf;
    const views = await Promise.all(
      VIEWS.map(async (functionName) => {
        const value = await site.chain.publicClient.readContract({
          ...{ address: proof.escrowAddress as `0x${string}`, abi: listingEscrowAbi, functionName },
          ...{ args: [BigInt(proof.onchainId)] as const, blockNumber: BigInt(blockNumber) },
        });
        return [
          `✓ ${functionName}: ${value}, as the events say`,
          `✓ ${functionName} of the contract: ${value}, as the contract says`,
        ];
      }),
    );
    const checks = await checksOn(page);
    expect(checks).toEqual(expect.arrayContaining(views.flat()));
    expect(checks.filter((line) => !line.startsWith("✓ "))).toEqual([]);
    expect(await page.locator("#prover").textContent()).toContain("What this does not prove");
    expect(await page.locator("#prover").textContent()).toContain("it comes from the service it is checking");
    expect(new Set(node.asked)).toEqual(new Set(["eth_chainId", "eth_getBlockByNumber", "eth_call"]));

    expect(asked.length).toBeGreaterThan(5);
    expect(asked.join("\n")).not.toContain(KEY);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain(KEY);
    const elsewhere = troubles().filter((line) => line !== `request elsewhere: ${node.url}`);
    expect(elsewhere).toEqual([]);
    await page.reload();
    await page.locator("#prover button").click();
    expect(await page.locator("#proverNode").inputValue()).toBe("");
    await page.close();
  });

  test("stays as it is while the page refreshes itself, at every width, in the light and in the dark", async () => {
    const page = await openForm();
    const refreshed = page.waitForResponse(
      (response) => response.url() === page.url() && !response.request().isNavigationRequest(),
    );
    expect(await verdictOn(page, node.url)).toMatch(/^Proven up to block /);
    await refreshed;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await page.locator("#proverNode").inputValue()).toBe(node.url);
    expect(await checksOn(page)).toHaveLength(7);
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: "light" });
      found.push(...(await overflows(page)), ...(await axeFindings(page)));
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await axeFindings(page, CONTRAST)));
    }
    expect(found).toEqual([]);
    await page.close();
  });

  test("offers the node of the operator, and says what trusting it leaves open", async () => {
    Object.assign(node, { asked: [], answers: null, isOpen: true });
    const page = await browser.newPage();
    await page.goto(`${site.url}/listings/${proof.publicId}`);
    // As a page does with PUBLIC_NODE.
    await page.locator("#prover").evaluate((place, url) => place.setAttribute("data-node", url), node.url);
    await page.locator("#prover button").click();
    await expect.poll(() => page.locator("#proverNode").inputValue(), PATIENCE).toBe(node.url);
    expect(await page.locator("#proverHint").textContent()).toContain("chose");
    expect(await verdictOn(page, node.url)).toContain(". The public node confirmed every event");
    expect(await page.locator("#prover").textContent()).toContain("That the public node tells the truth");
    await page.close();
  });

  test("does not let the page itself contact other hosts", async () => {
    const page = await openForm();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    const asks = page.evaluate((url) => fetch(url, { method: "POST", body: "{}" }), node.url);
    await expect(asks).rejects.toThrow("Failed to fetch");
    expect(said.join()).toContain("violates the following Content Security Policy directive");
    expect(node.asked).toEqual([]);
    await page.close();
  });

  test("is not there without scripts; the command is", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${site.url}/listings/${proof.publicId}`);
    expect(await page.locator("#prover > *").count()).toBe(0);
    expect(await page.locator("#proof pre").textContent()).toBe(
      `npx raisebook verify http://raises.localhost/listings/${proof.publicId} --rpc https://a-node-of-yours.example`,
    );
    await page.close();
  });
});

test("a node of another chain of blocks: not proven, with both hashes", async () => {
  const page = await openForm();
  const other = `0x${"ab".repeat(32)}`;
  node.answers = (method, answer) =>
    method === "eth_getBlockByNumber" ? { result: { hash: other } } : answer;
  const verdict = await verdictOn(page, node.url);
  expect(verdict).toMatch(/^Not all of the listing's totals are proven: /);
  expect(verdict).toContain(
    `block ${proof.asOf.blockNumber} of your node has the hash ${other}, and the proof is of ${proof.asOf.hash}`,
  );
  const fails = (await checksOn(page)).filter((line) => line.startsWith("✕ fails: "));
  expect(fails.length).toBeGreaterThan(1);
  expect(verdict).toContain(`Of 7 checks ${fails.length} fail.`);
  await page.close();
});

test.each<[string, (given: ListingProof) => void, RegExp]>([
  [
    "figure",
    ({ totals }) => {
      totals.repaidAmount.value = `${BigInt(totals.repaidAmount.value) + 1n}`;
    },
    /repaidAmount: the events come to \d+, and not to \d+/,
  ],
  [
    "sum, of which it leaves an event out",
    ({ totals }) => {
      totals.repaidAmount.sumOf?.pop();
    },
    /repaidAmount: the events come to \d+, and not to \d+/,
  ],
  [
    "contract",
    (given) => {
      given.escrowAddress = `0x${"ab".repeat(20)}`;
    },
    /is of another contract/,
  ],
])("a service that lies about a %s: not proven, and why", async (_, lie, why) => {
  const page = await openForm();
  await page.route("**/v1/listings/*/proof", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as ListingProof;
    lie(body);
    await route.fulfill({ response, json: body });
  });
  const verdict = await verdictOn(page, node.url);
  expect(verdict).toMatch(/^Not all of the listing's totals are proven: /);
  expect(verdict).toMatch(why);
  await page.close();
});

test("a service that has no proof now is asked again when it says so", async () => {
  const page = await openForm();
  let refusals = 1;
  await page.route("**/v1/listings/*/proof", async (route) => {
    if (refusals-- === 0) return route.continue();
    const json = { detail: "Proofs ask the chain too often at the moment." };
    return route.fulfill({ status: 429, headers: { "Retry-After": "1" }, json });
  });
  await page.locator("#proverNode").fill(node.url);
  await page.keyboard.press("Enter");
  const status = page.locator("#prover [role=status]");
  await expect.poll(() => status.textContent(), PATIENCE).toMatch(/Trying again in 1 s|^Proven/);
  await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Proven up to block /);
  expect(refusals).toBeLessThan(0);
  await page.close();
});

describe("a node that cannot be asked", () => {
  test.each<[string, Partial<VisitorsNode>, string]>([
    ["does not let pages ask", { isOpen: false }, "not to pages of other sites (CORS)"],
    [
      "is of another chain",
      { answers: () => ({ result: "0x1" }) },
      "your node is on chain 1, and this raise on chain 97: name a node of that chain.",
    ],
    [
      "refuses",
      { answers: () => ({ error: { message: "no such key" } }) },
      "your node refuses to answer: no such key",
    ],
    ["is no node", { answers: () => "<html>" }, "does not answer as a node does."],
  ])("as it %s", async (_, behaviour, why) => {
    const page = await openForm();
    Object.assign(node, behaviour);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const verdict = await verdictOn(page, node.url);
    expect(verdict).toMatch(/^Nothing is proven: /);
    expect(verdict).toContain(why);
    // The service has made no proof for it.
    expect(asked.filter((url) => url.endsWith("/proof"))).toEqual([]);
    await page.close();
  });

  test("because nothing listens there", async () => {
    const page = await openForm();
    expect(await verdictOn(page, `http://127.0.0.1:${await freePort()}`)).toContain(
      "nobody answers at that address",
    );
    await page.close();
  });

  test("because a page is not allowed to", async () => {
    const page = await openForm();
    for (const address of [
      "",
      "node.example",
      "ftp://node.example",
      "http://node.example",
      "http://10.0.0.5:8545",
    ]) {
      expect(await verdictOn(page, address), address).toContain("Enter an https address");
      const field = page.locator("#proverNode");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("proverNode");
    }
    expect(await verdictOn(page, "https://me:secret@node.example")).toContain("with a name and a password");
    await page.close();
  });

  // Last: it has had all the time of the others.
  test("because it does not answer", async () => {
    expect(await silence).toContain("your node is silent: it has not answered within 15 seconds.");
  });
});
