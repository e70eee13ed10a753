/**
 * Records the examples of the API description: plays the demo's market up to a fixed day, sends the requests of
 * `example-requests.ts` to the real service, and writes `api/openapi/examples.json`. To be run after an answer has changed.
 *
 *     npm run record:examples
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HOST } from "./chain.ts";
import {
  APP_URL,
  type ExampleIds,
  type ExampleRequest,
  exampleRequests,
  PUBLIC_URL,
} from "./example-requests.ts";
import { playDemoMarket, startDemoChain } from "./market/play.ts";
import { registryFileIn } from "./market/registry.ts";
import { type DemoService, startService } from "./service.ts";
import { createStageDisplay } from "./stage-display.ts";

const FILE = fileURLToPath(new URL("../api/openapi/examples.json", import.meta.url));
const PORT = 42_169;
const SEED = 1;
/** The end of the market in Unix seconds, 2026-03-01T12:00:00Z. Fixed, so that a new recording shows only real changes. */
const END = 1_772_366_400;
/** Milliseconds between polls for the end of the audit, and their number. */
const AUDIT_POLL = 200;
const AUDIT_POLLS = 300;
/** The same id for every request, for the same reason. */
const REQUEST_ID = "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11";

/** List items that an example keeps. */
const MOST_ITEMS = 2;

/** By operation, then by status (or `request`, `asked`, `leftOut`), then by media type. */
type Recorded = Record<string, Record<string, Record<string, unknown>>>;

async function record(service: DemoService): Promise<Recorded> {
  const ids = await exampleIds(service.url);
  const recorded: Recorded = {};
  for (const request of exampleRequests(ids)) {
    const { operationId, status, body, path } = request;
    const { type, example, leftOut } = await recordAnswer(service.url, request);
    const answers = recorded[operationId] ?? {};
    recorded[operationId] = answers;
    if (body !== undefined && status === 200) answers.request = { "application/json": body };
    if (status === 200) answers.asked = { ...answers.asked, [type]: path };
    if (status === 200 && Object.keys(leftOut).length > 0)
      answers.leftOut = { ...answers.leftOut, [type]: leftOut };
    answers[status] = { ...answers[status], [type]: example };
  }
  return recorded;
}

/** @throws if the answer has an unexpected status */
async function recordAnswer(url: string, { path, status, accept, body }: ExampleRequest) {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "User-Agent": "raisebook-examples",
      "X-Request-Id": REQUEST_ID,
      ...(accept !== undefined && { Accept: accept }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${path} answers ${response.status}: ${text.slice(0, 500)}`);
  const type = response.headers.get("Content-Type")?.replace(/;.*$/s, "") ?? "";
  const leftOut: LeftOut = {};
  return { type, example: type.endsWith("json") ? trimmed(JSON.parse(text), "", leftOut) : text, leftOut };
}

/** The number of items of each list that an example omits, by the list's JSON pointer. */
type LeftOut = Record<string, number>;

/** A copy in which every list has at most two items. */
function trimmed(value: unknown, pointer: string, leftOut: LeftOut): unknown {
  if (value === null || typeof value !== "object") return value;
  const inner = ([key, one]: [string, unknown]) => [key, trimmed(one, `${pointer}/${key}`, leftOut)] as const;
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(inner));
  const kept = value.slice(0, MOST_ITEMS);
  if (value.length > kept.length) leftOut[pointer] = value.length - kept.length;
  return Object.entries(kept).map((entry) => inner(entry)[1]);
}

/** A raise and a business with something to show. */
async function exampleIds(url: string): Promise<ExampleIds> {
  const response = await fetch(`${url}/v1/listings?status=matured&sort=most_subscribers`);
  const { listings } = (await response.json()) as {
    listings: { publicId: string; originator: { publicId: string } | string }[];
  };
  const [listing] = listings;
  if (listing === undefined) throw new Error("the market has no matured raise");
  const { publicId, originator } = listing;
  const closed = await fetch(`${url}/v1/listings/${publicId}/events?kind=listing_closed`);
  const [event] = ((await closed.json()) as { events: { blockNumber: string; logIndex: number }[] }).events;
  if (event === undefined) throw new Error("the raise was never closed");
  return {
    listing: publicId,
    event: `${event.blockNumber}-${event.logIndex}`,
    originator: typeof originator === "string" ? originator : originator.publicId,
  };
}

/** Runs an audit to its end, for the examples of its report. */
async function runAudit(operatorUrl: string): Promise<void> {
  await fetch(`${operatorUrl}/audit`, { method: "POST" });
  for (let poll = 0; poll < AUDIT_POLLS; poll++) {
    const { running, last } = (await (await fetch(`${operatorUrl}/audit`)).json()) as Record<string, unknown>;
    if (running === null && last !== null) return;
    await sleep(AUDIT_POLL);
  }
  throw new Error("the audit does not end");
}

/** Resolves when there is something at this address. */
async function untilThere(url: string): Promise<void> {
  for (let polls = 0; polls < AUDIT_POLLS; polls++) {
    if ((await fetch(url)).ok) return;
    await sleep(AUDIT_POLL);
  }
  throw new Error(`there is nothing at ${url}`);
}

async function main(): Promise<void> {
  const display = createStageDisplay(process.stdout);
  const directory = await mkdtemp(join(tmpdir(), "raisebook-examples-"));
  display.begin("Playing two years");
  const chain = await startDemoChain({ end: END });
  try {
    const market = await playDemoMarket(chain, { seed: SEED, now: END, onProgress: display.update });
    display.begin("Starting the indexer");
    const registryFile = registryFileIn(directory);
    await registryFile.write(market.registry);
    const { rpcUrl } = chain;
    const addresses = { port: PORT, publicUrl: PUBLIC_URL, appUrl: APP_URL };
    const service = startService({
      ...{ market, rpcUrl, registryPath: registryFile.path, ...addresses },
      dataDir: join(directory, "data"),
    });
    try {
      await service.ready(display.update);
      display.end();
      await runAudit(service.operatorUrl);
      await untilThere(`${service.url}/data/manifest.json`);
      await writeFile(FILE, `${JSON.stringify(await record(service), null, 2)}\n`);
    } finally {
      await service.stop();
    }
  } finally {
    display.end();
    await chain.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)} (${HOST}:${PORT})\n`);
  process.exit(1);
}
