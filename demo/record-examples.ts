/**
 * Records the examples of the machine description: plays the demo's market up to a fixed day, asks the real service
 * over it what `example-requests.ts` says, and writes `api/openapi/examples.json`. Run it after a change of an answer.
 *
 *     node --import tsx demo/record-examples.ts
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChain } from "./chain.ts";
import { APP_URL, type ExampleRequest, exampleRequests, type Known, PUBLIC_URL } from "./example-requests.ts";
import { genesisOf } from "./market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "./market/play.ts";
import { HOST } from "./ports.ts";
import { createProgress } from "./progress.ts";
import { registryFileIn } from "./registry-file.ts";
import { type Service, startService } from "./service.ts";
import { trimmed } from "./trim-example.ts";

const FILE = fileURLToPath(new URL("../api/openapi/examples.json", import.meta.url));
const PORT = 42_169;
const SEED = 1;
/** Where the market ends, Unix seconds: 2026-03-01T12:00:00Z. Fixed, so that a new recording shows what has changed. */
const END = 1_772_366_400;
const KEPT_STATES = 200;
/** How often, in milliseconds, and for how long it is asked whether the audit is over. */
const AUDIT_POLL = 200;
const AUDIT_POLLS = 300;
/** The id of every request, for the same reason. */
const REQUEST_ID = "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11";

/** By operation, then by status (or `request`), then by media type. */
type Recorded = Record<string, Record<string, Record<string, unknown>>>;

async function record(service: Service): Promise<Recorded> {
  const known = await knownIn(service.url);
  const recorded: Recorded = {};
  for (const request of exampleRequests(known)) {
    const { operationId, status, body } = request;
    const { type, example } = await answerTo(service.url, request);
    const answers = recorded[operationId] ?? {};
    recorded[operationId] = answers;
    if (body !== undefined && status === 200) answers.request = { "application/json": body };
    answers[status] = { ...answers[status], [type]: example };
  }
  return recorded;
}

/** @throws when the answer has another status than it should */
async function answerTo(url: string, { path, status, accept, body }: ExampleRequest) {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "User-Agent": "raisebook-examples",
      "X-Request-Id": REQUEST_ID,
      ...(accept === undefined ? {} : { Accept: accept }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${path} answers ${response.status}: ${text.slice(0, 500)}`);
  const type = response.headers.get("Content-Type")?.replace(/;.*$/s, "") ?? "";
  return { type, example: type.endsWith("json") ? trimmed(JSON.parse(text)) : text };
}

/** Ids of the market, chosen so that the examples have something to show. */
async function knownIn(url: string): Promise<Known> {
  const response = await fetch(`${url}/v1/listings?status=matured&sort=most_subscribers`);
  const { listings } = (await response.json()) as {
    listings: { publicId: string; originator: { publicId: string } | string }[];
  };
  const [listing] = listings;
  if (listing === undefined) throw new Error("the market has no raise that is paid back");
  const { publicId, originator } = listing;
  return {
    listing: publicId,
    originator: typeof originator === "string" ? originator : originator.publicId,
  };
}

/** The examples want an audit that is over. */
async function auditIsOver(operatorUrl: string): Promise<void> {
  await fetch(`${operatorUrl}/audit`, { method: "POST" });
  for (let poll = 0; poll < AUDIT_POLLS; poll++) {
    const { running, last } = (await (await fetch(`${operatorUrl}/audit`)).json()) as Record<string, unknown>;
    if (running === null && last !== null) return;
    await new Promise((resolve) => setTimeout(resolve, AUDIT_POLL));
  }
  throw new Error("the audit does not end");
}

async function main(): Promise<void> {
  const progress = createProgress(process.stdout);
  const directory = await mkdtemp(join(tmpdir(), "raisebook-examples-"));
  progress.stage("Playing two years");
  const chain = await startChain({
    genesisTimestamp: genesisOf(END),
    accounts: ACCOUNT_COUNT,
    keptStates: KEPT_STATES,
  });
  try {
    const market = await playDemoMarket(chain, {
      seed: SEED,
      now: END,
      onProgress: ({ done, total }) => progress.update(done, total),
    });
    progress.stage("Starting the indexer");
    const registryFile = registryFileIn(directory);
    await registryFile.write(market.registry);
    const { rpcUrl } = chain;
    const service = startService({
      market,
      rpcUrl,
      registryPath: registryFile.path,
      port: PORT,
      publicUrl: PUBLIC_URL,
      appUrl: APP_URL,
    });
    try {
      await service.ready((indexed, head) => progress.update(indexed, head));
      progress.end();
      await auditIsOver(service.operatorUrl);
      await writeFile(FILE, `${JSON.stringify(await record(service), null, 2)}\n`);
    } finally {
      await service.stop();
    }
  } finally {
    progress.end();
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
