/**
 * The database on two machines as deploy/patroni/ has it: the primary is killed under load, its replica is promoted, and the machine
 * comes back. One indexer, its reader at the primary, and a reader at the replica.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { readChainLedger } from "../harness/chain-ledger.ts";
import { createDaemons, type DaemonPlace, type DaemonRun, ROOT } from "../harness/daemon.ts";
import { emit, events } from "../harness/emit.ts";
import { type Answer, under } from "../harness/load.ts";
import { PATIENCE } from "../harness/patience.ts";
import { hasPatroni, type Member, type PatroniCluster, startPatroniCluster } from "../harness/patroni.ts";
import { queryAt } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";

const NO_DESK = `0x${"de".repeat(20)}` as const;
const LISTINGS = "/v1/listings";
const FINAL_EVENTS = "/v1/events?finality=final&limit=50";

const { run, serve, place } = createDaemons();
let chain: LocalChain;
let escrow: Deployment;
let cluster: PatroniCluster;
let at: DaemonPlace;
/** at the replica */
let reader: DaemonRun & { port: number };
/** The amount raised from each block on, which is the number of subscriptions up to there. */
const raisedFrom = new Map<bigint, bigint>();
let subscribed = 0n;

let last: Promise<unknown> = Promise.resolve();
/** One after another, so that each event has the total of those before it. */
const subscribe = (): Promise<bigint> => {
  const subscription = last.then(async () => {
    subscribed += 1n;
    const block = await emit(chain, escrow.address, events.subscribed(1n, 1n, subscribed));
    raisedFrom.set(block, subscribed);
    return block;
  });
  last = subscription;
  return subscription;
};
const raisedAt = (block: bigint): string =>
  `${Math.max(0, ...[...raisedFrom].filter(([from]) => from <= block).map(([, amount]) => Number(amount)))}`;
const untilIndexed = (block: bigint) =>
  vi.waitFor(async () => {
    for (const port of [at.port, reader.port]) {
      const health = await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json();
      expect(BigInt((health as { indexedBlock: string }).indexedBlock)).toBeGreaterThanOrEqual(block);
    }
  }, PATIENCE);
const untilMembers = async (expected: Record<string, Partial<Member>>): Promise<Member[]> =>
  vi.waitFor(async () => {
    const members = await cluster.members();
    for (const [name, member] of Object.entries(expected))
      expect(members.find((one) => one.name === name)).toMatchObject(member);
    return members;
  }, PATIENCE);
/** Both, with the names of their roles. */
const untilBoth = async (): Promise<{ leader: "db1" | "db2"; standby: "db1" | "db2" }> =>
  vi.waitFor(async () => {
    const members = await cluster.members();
    const nameOf = (role: string) =>
      members.find((one) => one.role === role && one.state === "running")?.name;
    const [leader, standby] = [nameOf("leader"), nameOf("sync_standby")];
    if (leader === undefined || standby === undefined) throw new Error(JSON.stringify(members));
    return { leader, standby } as { leader: "db1" | "db2"; standby: "db1" | "db2" };
  }, PATIENCE);

describe.skipIf(!hasPatroni())("PostgreSQL on two machines under Patroni", () => {
  beforeAll(async () => {
    cluster = startPatroniCluster();
    chain = await startChain();
    escrow = await deployRogueEscrow(chain);
    await emit(chain, escrow.address, events.created(1n, { targetAmount: 10n ** 9n }));
    for (let count = 0; count < 5; count++) await subscribe();
    // A local chain calls a block final that is 64 below its head.
    await chain.testClient.mine({ blocks: 70, interval: 1 });
    const { leader } = await untilBoth();
    await queryAt(cluster.urlOf(leader), "CREATE ROLE raisebook LOGIN PASSWORD 'raisebook'");
    await queryAt(cluster.urlOf(leader), "CREATE DATABASE raisebook OWNER raisebook");
    at = await place(chain.rpcUrl);
    const registry = join(at.folder, "registry.json");
    writeFileSync(registry, JSON.stringify(registryOf({ a: escrow.address }, 1)));
    const env = { ...at.env, REGISTRY: registry, ESCROWS: `${escrow.address}@0`, LOG_FORMAT: "json" };
    at.env = { ...env, DATABASE_URL: cluster.url.primary };
    run(at.folder, at.env);
    const other = await place(chain.rpcUrl);
    const urls = { DATABASE_URL: cluster.url.replica, NOTICES_DATABASE_URL: cluster.url.primary };
    reader = {
      ...serve(other.folder, { ...env, ...urls, PORT: other.env.PORT ?? "" }),
      port: other.port,
    };
    await untilIndexed(await subscribe());
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  it("indexes on after the primary's machine is killed, and has every row on both in the end", async () => {
    const before = await untilBoth();
    let isOver = false;
    const load = async () => {
      while (!isOver) {
        await subscribe();
        await sleep(200);
      }
    };
    const loading = load();
    const work = async () => {
      for (let count = 0; count < 20; count++) await chain.testClient.mine({ blocks: 5 });
      await untilIndexed(await chain.publicClient.getBlockNumber());
      await cluster.kill(before.leader);
      // The first that is mined after it, by an indexer that has found the new primary by itself.
      await untilIndexed(await subscribe());
      await untilMembers({ [before.standby]: { role: "leader" } });
      cluster.start(before.leader);
      const [one, other] = await untilMembers({
        [before.standby]: { role: "leader" },
        [before.leader]: { role: "sync_standby", state: "running" },
      });
      expect(one?.timeline).toBe(other?.timeline);
      await untilIndexed(await subscribe());
      isOver = true;
      await loading;
    };
    const questions = [{ path: LISTINGS }, { path: FINAL_EVENTS }];
    const { answers, result } = await under(at.port, questions, () => under(reader.port, questions, work));
    const last = await chain.testClient.mine({ blocks: 1 }).then(() => chain.publicClient.getBlockNumber());
    await untilIndexed(last);

    const inChain = (await readChainLedger(chain, { escrows: [escrow.address], desk: NO_DESK })).map(idOf);
    for (const machine of ["db1", "db2"] as const)
      expect((await ledgerAt(machine)).map(idOf), machine).toEqual(inChain);
    for (const one of [answers, result.answers]) expectTrue(one, new Set(inChain));
  });

  it("promotes the other one when PostgreSQL alone crashes", async () => {
    const before = await untilBoth();
    cluster.crash(before.leader);
    await untilMembers({
      [before.standby]: { role: "leader" },
      [before.leader]: { role: "sync_standby", state: "running" },
    });
    await untilIndexed(await subscribe());
  });

  it("is listed, switched over and copied again by the documented commands", async () => {
    const text = readFileSync(join(ROOT, "docs/operations/high-availability.md"), "utf8");
    const [list = [], switchover = [], reinit = []] = [
      ...text.matchAll(/^sudo -u postgres patronictl -c \/etc\/patroni\/config\.yml (.+)$/gm),
    ].map(([, words = ""]) => words.split(" "));
    const before = await untilBoth();
    const after = { [before.standby]: { role: "leader" }, [before.leader]: { role: "sync_standby" } };
    expect(cluster.patronictl(list)).toMatch(new RegExp(`${before.leader} .* Leader `));
    // The candidate and the time that it proposes.
    expect(cluster.patronictl(switchover, "\n\n\ny\n")).toContain("Successfully switched over");
    await untilMembers(after);
    cluster.patronictl([...reinit.slice(0, -1), before.leader], "y\n");
    await untilMembers({ [before.leader]: { state: "running", role: "sync_standby" } });
    await untilIndexed(await subscribe());
  });
});

type Row = { blockNumber: bigint | string; logIndex: number | string; txHash: string };
const idOf = ({ blockNumber, logIndex, txHash }: Row) => `${blockNumber}-${logIndex}-${txHash}`;

/** The machine's own rows, newest first. */
async function ledgerAt(machine: "db1" | "db2"): Promise<Row[]> {
  const url = new URL(cluster.urlOf(machine));
  url.pathname = "/raisebook";
  const schema = pg.escapeIdentifier(schemaNameOf(readSettings(at.env)));
  const rows = await queryAt(
    url.href,
    `SELECT block_number AS "blockNumber", log_index AS "logIndex", tx_hash AS "txHash"
      FROM ${schema}.ledger ORDER BY event_id DESC`,
  );
  return rows as Row[];
}

/** No answer is wrong: the market is that of its block, no reader goes back, and what was called final is there in the end. */
function expectTrue(answers: readonly Answer[], inChain: ReadonlySet<string>): void {
  const blocks = new Map<number, bigint>();
  const final = new Set<string>();
  for (const { client, path, status, headers, body } of answers) {
    // Pages of the ledger need the database.
    if (status === 503 && path === FINAL_EVENTS) continue;
    expect(status, body).toBe(200);
    const answer = JSON.parse(body);
    if (answer.listings === undefined) {
      for (const event of answer.events) final.add(idOf(event));
      continue;
    }
    const block = BigInt(`${headers["x-indexed-block"]}`);
    expect(answer.listings[0].raisedAmount, `${block}`).toBe(raisedAt(block));
    expect(block).toBeGreaterThanOrEqual(blocks.get(client) ?? 0n);
    blocks.set(client, block);
  }
  expect(final.size).toBeGreaterThan(10);
  expect([...final].filter((id) => !inChain.has(id))).toEqual([]);
}
