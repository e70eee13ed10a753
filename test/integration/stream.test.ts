/**
 * A client that follows a random market through reorganisations, over connections that are cut at random bytes and go to one of two
 * readers: what it has is what the service answers, and what the model says of each block that a copy names.
 *
 * `SEED=7 ACTIONS=2000 npx vitest run --project integration stream.test.ts` plays another, longer one.
 */

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  createRaisebookClient,
  createReplica,
  follow,
  type ReplicaCopy,
  type StreamMessage,
} from "../../client/index.ts";
import { chosenSeed, random } from "../harness/history/random.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { eventsAt, ids, place } from "../harness/webhook-books.ts";
import { differences } from "../model/differences.ts";
import type { RegistryDocument } from "../model/registry.ts";
import { killWithin } from "../simulation/processes.ts";
import { chainTo, type RecordedBlock } from "../simulation/record.ts";
import { startWorld, type World } from "../simulation/world.ts";

const SEED = chosenSeed(20_261_124);
const ACTIONS = Number(process.env.ACTIONS ?? 50);
const SETUP = { database: "postgres", holders: false, webSocket: false, prefix: 45 } as const;
/** The more blocks there were, the more heads the indexer may have before it that are gone: each takes it two seconds. */
const PATIENCE = { timeout: 400_000 + 100 * ACTIONS, interval: 50 };
/** Milliseconds. */
const ANOTHER_HEAD = 30_000;

type Row = Extract<StreamMessage, { type: "ledger" }>;
/** A copy with the rows that were followed up to it. */
type Seen = { copy: ReplicaCopy; rows: readonly Row[] };

let world: World;
let proxy: TcpProxy;
let documents: RegistryDocument[];
const { below, between, chance, one } = random(SEED);

beforeAll(async () => {
  world = await startWorld(SEED, SETUP, { isDirect: true });
  documents = [world.registry()];
  world.start();
  for (const { url } of world.servers)
    await vi.waitFor(async () => expect((await fetch(`${url}/v1/ready`)).status).toBe(200), PATIENCE);
  const ports = world.servers.map(({ url }) => Number(new URL(url).port));
  proxy = await startTcpProxy(() => one(ports));
});

afterAll(async () => {
  await proxy?.stop();
  await world?.stop();
});

/** The rows of a client that does what the stream says, and nothing else. */
function createBooks() {
  let rows: Row[] = [];
  const withdrawn: Row[] = [];
  const seen: Seen[] = [];
  const problems: string[] = [];
  const counts = { ledger: 0, reorg: 0, final: 0, head: 0 };
  let newest: StreamMessage | null = null;
  return {
    seen,
    withdrawn,
    problems,
    counts,
    rows: () => rows,
    take(message: StreamMessage) {
      counts[message.type] += 1;
      newest = message;
      if (message.type === "reorg") {
        const last = rows.at(-1);
        if (last !== undefined) withdrawn.push(last);
        rows = rows.filter(({ event }) => BigInt(event.blockNumber) < message.from);
      }
      if (message.type !== "ledger") return;
      const last = rows.at(-1);
      if (last !== undefined && place(last.event) >= place(message.event))
        problems.push(`${message.id} comes after ${last.id}`);
      rows = [...rows, message];
    },
    keep: (copy: ReplicaCopy) => void seen.push({ copy, rows }),
    newest: () => newest,
  };
}

/** The blocks that a copy may be of: those with its number and time on whose chain the copy's newest event is. Forks can have several. */
function blocksOf({ block, blockTime, id }: ReplicaCopy): RecordedBlock[] {
  const [number, , hash] = id.split("-");
  return world.chain.record
    .numbered(block)
    .filter(({ timestamp }) => new Date(Number(timestamp) * 1_000).toISOString() === fullTime(blockTime))
    .filter((tip) => chainTo(tip).some((at) => `${at.number}` === number && at.hash.slice(2, 10) === hash));
}

const fullTime = (time: string) => new Date(time).toISOString();

/** The differences of a copy and its rows from the model, at the block that they agree with best. */
function judge(seen: Seen): string[] {
  const { block, id } = seen.copy;
  const blocks = blocksOf(seen.copy);
  if (blocks.length === 0) return [`no block of the chain is ${block} with ${id}`];
  return least(blocks.map((one) => judgeAt(one, seen)));
}

/**
 * The same of one block, with the registry that they agree with best, each: in the moment of a new one the listings may be of a reader that
 * has it already, and the rows of another.
 */
function judgeAt(block: RecordedBlock, { copy, rows }: Seen): string[] {
  const withoutFinality = (some: readonly object[]) => some.map((each) => ({ ...each, finality: null }));
  const shown = rows.map(({ event: { kind, publicId, refnum, blockNumber, logIndex, txHash } }) => ({
    ...{ kind, publicId, refnum, blockNumber, logIndex, txHash },
  }));
  const all = documents.map((document) => world.expected(block, document));
  const ofListings = all.map(({ listings }) => [
    ...differences(withoutFinality(listings.listings), withoutFinality(copy.listings)),
    ...differences(listings.trading, copy.trading),
  ]);
  const ofRows = all.map(({ events }) => differences(events.toReversed(), shown));
  return [...least(ofListings), ...least(ofRows)].map((line) => `block ${copy.block}: ${line}`);
}

function least(found: readonly string[][]): string[] {
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** The state of both servers and of the follower, and the file with the output of the processes. */
async function whereItStands(newest: StreamMessage | null): Promise<string> {
  const log = join(tmpdir(), `raisebook-stream-${SEED}.log`);
  writeFileSync(log, world.output());
  const health = async ({ name, url }: World["servers"][number]) => {
    const answer = await fetch(`${url}/v1/health`).then((response) => response.json(), String);
    return `${name}: ${JSON.stringify(answer)}`;
  };
  const said = JSON.stringify(newest, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return [...(await Promise.all(world.servers.map(health))), `newest message: ${said}`, `log: ${log}`].join(
    "\n",
  );
}

/** A follower that returns with the id of a fork's row is told where the fork left the chain; an unknown id is refused. */
async function expectReturns(url: string, books: ReturnType<typeof createBooks>): Promise<void> {
  const kept = books.rows();
  const onChain = new Set(kept.map(({ id }) => id));
  const lost = books.withdrawn.filter((row) => !onChain.has(row.id));
  expect(lost).not.toEqual([]);
  for (const row of lost) {
    // As if nothing but this row had been sent before.
    const returned = createBooks();
    returned.take(row);
    for await (const message of follow({ baseUrl: `${url}/v1`, after: row.id })) {
      returned.take(message);
      if (message.type === "head") break;
    }
    expect(returned.counts.reorg).toBe(1);
    const back = returned.rows().map(({ id }) => id);
    expect(back).toEqual(kept.slice(kept.length - back.length).map(({ id }) => id));
  }
  const [old] = kept;
  const forged = `${old?.event.blockNumber}-${old?.event.logIndex}-00000000`;
  for (const after of [forged, "999999999-0-00000000"])
    await expect(follow({ baseUrl: `${url}/v1`, after }).next()).rejects.toMatchObject({ status: 400 });
}

it(`follows ${ACTIONS} blocks of seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const books = createBooks();
  const leaving = new AbortController();
  const baseUrl = `http://127.0.0.1:${proxy.port}/v1`;
  const replica = createReplica(createRaisebookClient({ baseUrl }), {
    ...{ baseUrl, after: "0", signal: leaving.signal },
    onMessage: books.take,
  });
  const following = (async () => {
    for await (const copy of replica) books.keep(copy);
  })();

  let depths = 0;
  const deepest = Math.floor(ACTIONS / 2);
  for (let action = 0; action < ACTIONS; action++) {
    if (action === deepest || chance(0.06)) {
      const depth = action === deepest ? 25 : between(1, 8);
      depths = Math.max(depths, depth);
      await world.chain.reorganise(depth, { seen: chance(0.3), disagreement: 0 });
    } else await world.chain.mine();
    if (chance(0.15)) proxy.cutAfter(below(4_000));
    if (chance(0.03)) await proxy.become("cut").then(() => proxy.become("open"));
    // Both are started again.
    if (action % 100 === 40) world.reader()?.current().child.kill("SIGKILL");
    if (action % 400 === 200) killWithin(world.daemon(), "indexer", "SIGKILL");
    await sleep(between(20, 200));
  }
  proxy.cutAfter(Number.POSITIVE_INFINITY);
  // A head goes by without a copy when the server that was asked is behind: then there is another one.
  const hasCopyOfHead = async () => {
    const { number } = world.chain.record.head();
    const isThere = () => expect(books.seen.at(-1)?.copy.block).toBe(number);
    await vi.waitFor(isThere, { timeout: ANOTHER_HEAD, interval: 50 }).catch(async (error) => {
      await world.chain.mine();
      throw error;
    });
  };
  await vi.waitFor(hasCopyOfHead, PATIENCE).catch(async (error) => {
    throw new Error(`${await whereItStands(books.newest())}`, { cause: error });
  });
  const followed = () => ids(books.rows().map(({ event }) => event));
  const expectAllFollowed = async () => {
    for (const { url } of world.servers) expect(followed()).toEqual(ids(await eventsAt(url)));
  };
  await vi.waitFor(expectAllFollowed, PATIENCE);
  // The events of a raise before its publication are sent too, and in their places.
  const before = books.rows().length;
  world.publish();
  documents.push(world.registry());
  await vi.waitFor(async () => {
    expect(books.rows().length).toBeGreaterThan(before);
    await expectAllFollowed();
  }, PATIENCE);
  leaving.abort();
  await following;

  expect(books.problems).toEqual([]);
  const wrong = books.seen.flatMap((seen) => judge(seen).slice(0, 3));
  expect(wrong.slice(0, 20)).toEqual([]);
  // There was something to follow.
  expect(depths).toBe(25);
  expect(books.counts.reorg).toBeGreaterThan(1);
  expect(books.seen.length).toBeGreaterThan(ACTIONS / 16);
  for (const { url } of world.servers) await expectReturns(url, books);
  console.info({ copies: books.seen.length, rows: books.rows().length, ...books.counts });
});
