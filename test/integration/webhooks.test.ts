/**
 * Webhooks of a random market with reorganisations, to receivers that are slow, refuse, lie, die and come back, by a process that is
 * killed in between: each has every message in order, as `/v1/events` has it.
 */
import { writeFileSync } from "node:fs";
import { type ClientRequest, get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createRaisebookClient, type LedgerEvent } from "../../client/index.ts";
import { DELIVERER_HEADER } from "../../config/deliverer.ts";
import { createDaemons } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { freePort } from "../harness/free-port.ts";
import { createHidingRegistry } from "../harness/hiding-registry.ts";
import { chosenSeed, random } from "../harness/history/random.ts";
import { PATIENCE } from "../harness/patience.ts";
import { startTcpProxy } from "../harness/tcp-proxy.ts";
import { missingMetrics } from "../harness/watched-metrics.ts";
import { bookIn, eventsAt, ids, inOrder, outOfOrder, place, rowsIn } from "../harness/webhook-books.ts";
import { delivers, disturb } from "../harness/webhook-disturbances.ts";
import { type Receiver, startReceiver, troubled } from "../harness/webhook-receiver.ts";
import { type Kept, keep } from "../simulation/processes.ts";
import { MAX_STREAMS, startWorld, type World } from "../simulation/world.ts";

const SEED = chosenSeed(20_261_125);
const ACTIONS = Number(process.env.ACTIONS ?? 40);
const SETUP = { database: "postgres", holders: false, webSocket: false, prefix: 45 } as const;
/** Blocks from the head of the local chain to the one that it calls final. */
const FINALITY = 30n;
const LOOPBACK = { privateNetworks: ["127.0.0.0/8"] };
const TOKEN = "hunter2-of-the-url";

let world: World;
let reader: string;
const folder = temporaryFolder();
/** One raise is published while no deliverer runs. */
const registry = createHidingRegistry();
const daemons = createDaemons();
const running: Kept[] = [];
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  world = await startWorld(SEED, SETUP, { published: registry.published });
  world.start();
  reader = world.servers.at(-1)?.url ?? "";
  const isReady = async () => expect((await fetch(`${reader}/v1/ready`)).status).toBe(200);
  await vi.waitFor(isReady, PATIENCE);
});

// One deliverer at a time has the places.
beforeEach(() => Promise.all(running.map((one) => one.stop())).then(() => {}));

afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await Promise.all([...receivers.values()].map((receiver) => receiver.die()));
  await world?.stop();
});

const secretOf = (name: string) => `whsec_${Buffer.alloc(32, name).toString("base64")}`;

/** A target with its receiver. */
async function target(name: string, entry: object = {}, conduct?: Parameters<typeof startReceiver>[1]) {
  const receiver = await startReceiver(secretOf(name), conduct);
  receivers.set(name, receiver);
  const url = `${receiver.url}/${TOKEN}?key=${TOKEN}`;
  return { name, url, secret: secretOf(name), start: "beginning", ...LOOPBACK, ...entry };
}

function environment(
  targets: readonly object[],
  change: Record<string, string> = {},
): Record<string, string> {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ targets }), { mode: 0o600 });
  return {
    ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS: `0x${"c0".repeat(20)}@0`, REGISTRY: "registry.json" },
    ...{ PUBLIC_URL: "http://raises.localhost", PORT: new URL(reader).port, LOG_FORMAT: "json" },
    ...{ DATABASE_URL: world.database?.directString ?? "", WEBHOOKS: file },
    ...change,
  };
}

const rowsOf = (name: string) => rowsIn(receivers.get(name)?.kept() ?? []);
const bookOf = (name: string) => bookIn(receivers.get(name)?.kept() ?? []);
const allEvents = () => eventsAt(reader);
const finalEvents = async () => (await allEvents()).filter(({ finality }) => finality === "final");

const visible = (publicId: string, isVisible: boolean) =>
  vi.waitFor(
    async () => expect((await fetch(`${reader}/v1/listings/${publicId}`)).ok).toBe(isVisible),
    PATIENCE,
  );

/** Delivers until the end, started again whenever it is killed. */
function delivering(env: Record<string, string>): Kept {
  const kept = keep((current) => daemons.deliver(folder, current), env);
  running.push(kept);
  return kept;
}

async function command(env: Record<string, string>, ...options: string[]) {
  const run = daemons.deliver(folder, env, ...options);
  return { code: await run.ended, output: run.output() };
}

it("every receiver gets every message in order at least once, whatever it does and whoever is killed", async () => {
  // The first message that comes after three attempts; none once it would be taken.
  let poison: string | null | undefined;
  let kills = 0;
  const shown = (await allEvents())[0]?.publicId ?? "";
  registry.hide(shown);
  world.publish();
  await visible(shown, false);
  const [event] = await allEvents();
  const { originators } = await createRaisebookClient({ baseUrl: `${reader}/v1` }).get("/originators");
  const originator = originators.find(({ listings }) =>
    listings.some((one) => one.publicId === event?.publicId),
  );
  const filter = { originators: [originator?.publicId], kinds: ["listing_created", "subscribed"] };
  const targets = [
    await target("plain"),
    await target("slow", {}, () => ({ status: 200, afterMs: 20 })),
    await target(
      "refusing",
      {},
      troubled([{ status: 503 }, { status: 429, retryAfter: "1" }, { status: 302, location: "/x" }], 40),
    ),
    await target("lying", {}, troubled(["drops before it answers", "drops after it has answered"], 15)),
    await target("mortal"),
    // It does not get the message that is under way in that moment.
    await target("killing", {}, ({ count }) => {
      if (count > 0 || kills < 1) return { status: 200 };
      kills--;
      running[0]?.kill("SIGKILL");
      return { status: 503, afterMs: 200 };
    }),
    await target("pending", { finality: "pending" }, troubled(["drops before it answers"], 60)),
    await target("filtered", filter),
    await target("of-one", { listings: [event?.refnum] }),
    await target("late", { start: "now" }),
    await target("poisoned", { giveUpAfterHours: 0.0004 }, ({ id, count, total }) => {
      // One that has come before is taken already, and comes again after a kill.
      if (poison === undefined && total >= 3 && count === 0) poison = id;
      return { status: id === poison ? 400 : 200 };
    }),
    await target("gone", {}, () => ({ status: 410 })),
    await target("upgrading", {}, () => "switches protocols"),
    {
      ...(await target("inward")),
      url: `https://localhost:${receivers.get("inward")?.port}/${TOKEN}`,
      privateNetworks: [],
    },
  ];
  const metricsPort = await freePort();
  const env = environment(targets, { WEBHOOKS_METRICS_PORT: `${metricsPort}` });
  const checked = await command(env, "--check");
  expect(checked).toMatchObject({ code: 0, output: expect.stringContaining("can be used") });
  // More may become final before the deliverer notes where it begins.
  const old = await vi.waitFor(async () => {
    const finals = await finalEvents();
    expect(finals.length).toBeGreaterThan(0);
    return finals;
  }, PATIENCE);
  const deliverer = delivering(env);
  await delivers(deliverer.current());
  const second = daemons.deliver(folder, environment(targets));
  await vi.waitFor(() => expect(second.output()).toContain("Another process delivers webhooks"), PATIENCE);
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  // Rows may become final for a while after the reader is ready.
  const before = await vi.waitFor(async () => {
    const finals = await finalEvents();
    expect(ids(rowsOf("plain"))).toEqual(ids(finals));
    return finals;
  }, PATIENCE);
  // This counts the whole ledger, not the visible part.
  const origin = await vi.waitFor(async () => {
    const [row] = (await world.database?.query(BEGINNING)) ?? [];
    expect(row).toBeDefined();
    return `${row?.origin}`;
  }, PATIENCE);
  const [block = "", log = ""] = origin.split("-");
  const began = BigInt(block) * 1_000_000n + BigInt(log);

  kills = 2;
  const [mortal, pending] = ["mortal", "pending"].map((name) => receivers.get(name));
  if (mortal === undefined || pending === undefined) throw new Error("there are no such receivers");
  await disturb({ deliverer, world, reader, mortal, pending, random: random(SEED), actions: ACTIONS });
  // A raise that is published while no deliverer runs has much older rows.
  await deliverer.stop();
  const known = new Set(world.registry().listings.map(({ publicId }) => publicId));
  registry.hide(null);
  world.publish();
  await visible(shown, true);
  await deliverer.restart(env);

  const { number } = world.chain.record.head();
  await vi.waitFor(async () => {
    const { indexedBlock } = await (await fetch(`${reader}/v1/health`)).json();
    expect(BigInt(indexedBlock)).toBe(BigInt(number));
    // No more rows become final from now on.
    const deep = (await allEvents()).filter(
      ({ blockNumber }) => BigInt(blockNumber) <= BigInt(number) - FINALITY,
    );
    expect(new Set(deep.map(({ finality }) => finality))).toEqual(new Set(["final"]));
  }, PATIENCE);
  const [events, finals] = [await allEvents(), await finalEvents()];
  expect(finals.length).toBeGreaterThan(before.length);
  expect(finals.some(({ publicId }) => publicId === shown)).toBe(true);
  const wanted: Record<string, readonly LedgerEvent[]> = {
    ...Object.fromEntries(
      ["plain", "slow", "refusing", "lying", "mortal", "killing"].map((name) => [name, finals]),
    ),
    filtered: finals.filter((event) => filter.kinds.includes(event.kind) && isOf(event, originator)),
    "of-one": finals.filter(({ refnum }) => refnum === event?.refnum),
  };
  expect(wanted.filtered?.length).toBeGreaterThan(0);
  for (const [name, expected] of Object.entries(wanted)) {
    await vi.waitFor(() => expect(ids(inOrder(rowsOf(name))), name).toEqual(ids(expected)), PATIENCE);
    expect(outOfOrder(rowsOf(name)), name).toEqual([]);
    expect(inOrder(rowsOf(name)), name).toEqual(expected);
  }
  expect(kills).toBe(0);
  // As for any follower, raises that were published without a follower have only their later rows.
  const ofKnown = (some: readonly LedgerEvent[]) => ids(some.filter(({ publicId }) => known.has(publicId)));
  await vi.waitFor(() => expect(ofKnown(bookOf("pending").rows)).toEqual(ofKnown(events)), PATIENCE);
  expect(ofKnown(events).length).toBeGreaterThan(5);
  expect(bookOf("pending").withdrawals).toBeGreaterThan(0);
  await vi.waitFor(() => expect(bookOf("pending").through).toBeGreaterThan(0n), PATIENCE);
  // From where it stood at first: nothing from before, and all from then on.
  const since = ids(finals.filter((one) => place(one) > began));
  await vi.waitFor(() => expect(new Set(ids(rowsOf("late")))).toEqual(new Set(since)), PATIENCE);
  expect(since.length).toBeGreaterThan(0);
  expect(ids(old).filter((id) => since.includes(id))).toEqual([]);
  expect(receivers.get("gone")?.attempts.length).toBeLessThanOrEqual(deliverer.starts());
  expect(receivers.get("inward")?.attempts).toEqual([]);
  expect((await command(env, "--status")).output).toMatch(/^upgrading: .*\n {2}not taken: .* \(101\);/m);

  await expectDeadLetter(env, metricsPort, finals, () => {
    poison = null;
  });
  for (const [name, receiver] of receivers) expect(receiver.problems, name).toEqual([]);
  const again = receivers
    .get("lying")
    ?.attempts.filter(({ id }, index, all) => all.findIndex((one) => one.id === id) < index);
  expect(again?.length).toBeGreaterThan(0);
  await deliverer.stop();
  expect(await deliverer.current().ended, "asked to stop").toBe(0);
  const output = deliverer.output();
  expect(output).toContain("A webhook target does not take a message");
  expect(output).toContain("A webhook target takes messages again");
  for (const secret of [TOKEN, ...[...receivers.keys()].map(secretOf)]) expect(output).not.toContain(secret);
  console.info({
    seed: SEED,
    finals: finals.length,
    events: events.length,
    starts: deliverer.starts(),
    withdrawals: bookOf("pending").withdrawals,
  });
});

const isOf = (
  { publicId }: LedgerEvent,
  originator: { listings: readonly { publicId: string }[] } | undefined,
) => originator?.listings.some((listing) => listing.publicId === publicId) === true;

const BEGINNING = `SELECT value->>'origin' AS origin FROM raisebook_webhooks.entry WHERE key = 'target/late'`;
/** One message is never taken: the others are, and it is shown, kept, and sent once it would be taken. */
async function expectDeadLetter(
  env: Record<string, string>,
  metricsPort: number,
  finals: readonly LedgerEvent[],
  mend: () => void,
): Promise<void> {
  await vi.waitFor(() => expect(rowsOf("poisoned")).toHaveLength(finals.length - 1), PATIENCE);
  const missing = () => finals.filter((event) => !ids(rowsOf("poisoned")).includes(ids([event])[0] ?? ""));
  const [lost] = missing();
  const shown = await command(env, "--status", "--json");
  const [status] = JSON.parse(shown.output).filter(({ name }: { name: string }) => name === "poisoned");
  expect(status.deadLetters).toMatchObject([
    { id: expect.stringContaining(ids([lost as LedgerEvent])[0] ?? ""), reason: "400" },
  ]);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics/raisebook`)).text();
  expect(metrics).toContain('raisebook_webhooks_dead_letters{target="poisoned"} 1');
  expect(metrics).toContain('raisebook_webhooks_dead_letters{target="plain"} 0');
  expect(await missingMetrics([metrics], ["raisebook_webhooks"])).toEqual([]);
  expect(metrics).toMatch(/raisebook_webhooks_waiting_seconds\{target="inward"\} [1-9]/);
  const refused = await command(env, "--retry", "poisoned");
  expect(refused).toMatchObject({
    code: 1,
    output: "poisoned: 0 dead letters were taken, 1 are left (400)\n",
  });
  mend();
  const taken = await command(env, "--retry");
  expect(taken).toMatchObject({
    code: 0,
    output: expect.stringContaining("poisoned: 1 dead letters were taken, 0 are left\n"),
  });
  expect(missing()).toEqual([]);
  const forgotten = await command(env, "--forget", "poisoned");
  expect(forgotten).toMatchObject({ code: 1, output: expect.stringContaining("stop it first") });
}

it("keeps places in the data directory without a database", async () => {
  const env = environment([await target("embedded"), await target("embedded-other")], {
    ...{ DATABASE_URL: "", RAISEBOOK_DATA_DIR: join(folder, "data") },
  });
  const deliverer = delivering(env);
  await vi.waitFor(() => expect(receivers.get("embedded")?.attempts.length).toBeGreaterThan(2), PATIENCE);
  expect(await command(env)).toMatchObject({
    code: 1,
    output: expect.stringContaining("is in use by process"),
  });
  deliverer.kill("SIGKILL");
  const finals = await finalEvents();
  for (const name of ["embedded", "embedded-other"]) {
    await vi.waitFor(() => expect(ids(rowsOf(name))).toEqual(ids(finals)), PATIENCE);
    expect(receivers.get(name)?.problems).toEqual([]);
    const repeated = (receivers.get(name)?.attempts ?? []).length - finals.length;
    // A kill repeats the message that was under way, and no other.
    expect(repeated).toBeLessThanOrEqual(1);
  }
  await deliverer.stop();
  const status = await command(env, "--status");
  expect(status.output).toMatch(/^embedded: followed up to row \d+-\d+-[0-9a-f]{8}$/m);
  expect(await command(env, "--forget", "embedded")).toMatchObject({ code: 0 });
  expect((await command(env, "--status")).output).toContain("embedded: has not begun");
});

it("has a place at a reader of which one client holds all streams", async () => {
  const held: ClientRequest[] = [];
  const hold = () =>
    new Promise<number>((resolve, reject) => {
      const request = get(`${reader}/v1/stream`, { agent: false }, ({ statusCode = 0 }) =>
        resolve(statusCode),
      );
      held.push(request.on("error", reject));
    });
  while (held.length < MAX_STREAMS) await Promise.all(Array.from({ length: 100 }, hold));
  expect(await hold()).toBe(503);
  const run = daemons.deliver(folder, environment([await target("beside"), await target("beside-other")]));
  const finals = await finalEvents();
  for (const name of ["beside", "beside-other"])
    await vi.waitFor(() => expect(rowsOf(name).length).toBeGreaterThanOrEqual(finals.length), PATIENCE);
  const { status } = await fetch(`${reader}/v1/stream`, { headers: { [DELIVERER_HEADER]: "x".repeat(43) } });
  expect(status).toBe(503);
  expect(run.output()).not.toContain("The reader");
  run.child.kill("SIGTERM");
  expect(await run.ended).toBe(0);
  for (const request of held) request.on("error", () => {}).destroy();
});

it("stops in time though the database has fallen silent", async () => {
  const { DATABASE_URL = "", ...env } = environment([await target("silenced")]);
  const proxy = await startTcpProxy(Number(new URL(DATABASE_URL).port));
  const url = new URL(DATABASE_URL);
  url.port = `${proxy.port}`;
  const run = daemons.deliver(folder, { ...env, DATABASE_URL: url.href });
  await vi.waitFor(() => expect(receivers.get("silenced")?.attempts.length).toBeGreaterThan(0), PATIENCE);
  await proxy.become("silent");
  run.child.kill("SIGTERM");
  expect(await Promise.race([run.ended, sleep(30_000, "it still runs")])).toBe(0);
  await proxy.stop();
});
