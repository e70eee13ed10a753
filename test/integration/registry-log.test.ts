/** The log of registry revisions, in a file and in a real PostgreSQL: the same answers from both. */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DatabaseSilentError } from "../../api/database/checkpoint.ts";
import { createRevisions, type RevisionLog, revisionLogFile } from "../../api/registry/revisions.ts";
import { pairKey, type Registry } from "../../api/registry/schema.ts";
import { readSettings } from "../../config/environment.ts";
import { stripControl } from "../../config/format/untrusted-text.ts";
import { revisionLogInPostgres } from "../../operate/daemon/registry-log.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { freePort } from "../harness/free-port.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { entryDraft, registryOf } from "../harness/rows.ts";

const SIGNER = `0x${"05".repeat(20)}`;
const quiet = { debug() {}, warn() {} };

let postgres: Postgres;
const folder = temporaryFolder();

beforeAll(async () => {
  postgres = await startPostgres();
});

beforeEach(async () => {
  await postgres.query("DROP SCHEMA IF EXISTS raisebook_registry CASCADE");
  await rm(join(folder, "log.jsonl"), { force: true });
});

const inFile = () => revisionLogFile(join(folder, "log.jsonl"));
const inPostgres = (publicUrl = "https://raises.example", url = postgres.connectionString) =>
  revisionLogInPostgres(
    url,
    readSettings({
      RPC_URLS: "http://127.0.0.1:1",
      ESCROWS: `${SIGNER}@0`,
      REGISTRY: "r.json",
      PUBLIC_URL: publicUrl,
    }),
    quiet,
  );

/** @param role whose password is its name */
const urlOf = (role: string) => postgres.connectionString.replace(/\/\/[^@]*@/, `//${role}:${role}@`);

/** A registry in which these raises have these titles. */
const registryWith = (titles: Record<string, string>): Registry =>
  registryOf(Object.entries(titles).map(([onchainId, title]) => entryDraft({ onchainId, title })));

/** Logs a registry that is in use from a block on, whose time is 12 seconds a block. */
function use(
  revisions: ReturnType<typeof createRevisions>,
  registry: Registry,
  block: number,
): Promise<void> {
  return revisions.record(usedAt(registry, block));
}

const usedAt = (registry: Registry, block: number, backfilled = true) => ({
  ...{ registry, backfilled },
  registrySince: { number: BigInt(block), timestamp: BigInt(12 * block) },
});

const of = (log: RevisionLog) => createRevisions(log, { signer: SIGNER, log: quiet });

describe.each<[string, () => RevisionLog]>([
  ["a file", inFile],
  ["PostgreSQL", inPostgres],
])("the log in %s", (_name, open) => {
  test("has the titles of each moment, by block and by time, also after a restart", async () => {
    const first = of(open());
    await use(first, registryWith({ 1: "One", 2: "Two" }), 100);
    await use(first, registryWith({ 1: "First", 2: "Two" }), 200);
    const second = of(open());
    const today = registryWith({ 1: "Last", 2: "Two", 3: "Three" });
    await use(second, today, 300);
    const titlesAt = async (moment: { block: bigint } | { time: bigint }) =>
      (await second.registryAt(usedAt(today, 300), moment)).listings.map(({ title }) => title);
    // Before the log began: the earliest titles that are known.
    expect(await titlesAt({ block: 50n })).toEqual(["One", "Two", "Three"]);
    expect(await titlesAt({ block: 199n })).toEqual(["One", "Two", "Three"]);
    expect(await titlesAt({ block: 200n })).toEqual(["First", "Two", "Three"]);
    expect(await titlesAt({ time: 2_399n })).toEqual(["One", "Two", "Three"]);
    expect(await titlesAt({ time: 2_400n })).toEqual(["First", "Two", "Three"]);
    expect(await titlesAt({ block: 300n })).toEqual(["Last", "Two", "Three"]);
  });

  test("has a title with NUL, which no answer shows", async () => {
    const revisions = of(open());
    await use(revisions, registryWith({ 1: "O\0ne" }), 100);
    const today = registryWith({ 1: "Last" });
    await use(revisions, today, 200);
    const [listing] = (await revisions.registryAt(usedAt(today, 200), { block: 150n })).listings;
    expect(stripControl(`${listing?.title}`, { keepLineFeeds: false })).toBe("One");
  });

  test("has the terms, refnum and token of each moment", async () => {
    const raise = (changes: object) => registryOf([entryDraft(changes)]);
    const terms = (closeAt?: string) => ({
      ...{ targetAmount: "5", minRaise: "1", couponRateBps: 1, tenorDays: 1, insuranceBps: 1 },
      ...{ pricingMode: "fixed", goLiveAt: "2026-03-01T12:00:00Z", closeAt },
    });
    const revisions = of(open());
    const bare = raise({});
    const first = raise({ terms: terms(), refnum: "FX00001", tokenAddress: SIGNER });
    const today = raise({ terms: terms("2026-04-01T12:00:00Z") });
    await use(revisions, bare, 100);
    await use(revisions, first, 200);
    await use(revisions, today, 300);
    const entryAt = async (block: bigint) => {
      const { listings } = await of(open()).registryAt(usedAt(today, 300), { block });
      const [{ terms, refnum, tokenAddress } = {}] = listings;
      return { terms, refnum, tokenAddress };
    };
    const factsOf = ({ listings }: Registry) => {
      const [{ terms, refnum, tokenAddress } = {}] = listings;
      return { terms, refnum, tokenAddress };
    };
    expect(await entryAt(150n)).toEqual(factsOf(bare));
    expect(await entryAt(250n)).toEqual(factsOf(first));
    expect(await entryAt(300n)).toEqual(factsOf(today));
  });

  test("counts a change of just now as today's alone, and shows what is published today", async () => {
    const revisions = of(open());
    await use(revisions, registryWith({ 1: "One", 2: "Two" }), 100);
    const today = registryWith({ 1: "Changed" });
    const past = await revisions.registryAt(usedAt(today, 200), { block: 150n });
    expect(past.listings.map(({ title }) => title)).toEqual(["One"]);
    expect([...past.listingByPair.keys()]).toEqual(past.listings.map(pairKey));
    expect(past.hash).toBe(today.hash);
  });

  test("has what changed since the last revision, also in a process that has not seen that one", async () => {
    const [one, other] = [of(open()), of(open())];
    const at = (title: string, second: string) => registryWith({ 1: title, 2: second });
    for (const process of [one, other]) await use(process, at("One", "Two"), 100);
    await use(other, at("Wrong", "Two"), 200);
    await use(one, at("One", "Second"), 300);
    await use(other, at("One", "Second"), 301);
    const today = at("Last", "Second");
    await use(one, today, 400);
    const titleAt = async (block: bigint) =>
      (await of(open()).registryAt(usedAt(today, 400), { block })).listings.at(0)?.title;
    expect(await Promise.all([150n, 250n, 350n].map(titleAt))).toEqual(["One", "Wrong", "One"]);
  });

  test("logs nothing twice, and nothing during a backfill", async () => {
    const log = open();
    const one = registryWith({ 1: "One" });
    await of(log).record(usedAt(registryWith({ 1: "Zero" }), 10, false));
    await Promise.all([use(of(log), one, 100), use(of(log), one, 101)]);
    await use(of(open()), registryWith({ 1: "One" }), 102);
    const today = registryWith({ 1: "Two" });
    expect((await of(open()).registryAt(usedAt(today, 200), { block: 50n })).listings.at(0)?.title).toBe(
      "One",
    );
  });
});

test("the file has a line per revision with what it changed, and outlives a write that was cut off", async () => {
  const path = join(folder, "log.jsonl");
  const one = registryWith({ 1: "One", 2: "Two" });
  await use(of(inFile()), one, 100);
  await appendFile(path, '{"hash":"0x');
  await use(of(inFile()), registryWith({ 1: "One", 2: "Second" }), 200);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ hash: one.hash, signer: SIGNER, revision: null, block: "100", time: "1200" }),
    expect.objectContaining({ block: "200", texts: { lst_2: expect.objectContaining({ title: "Second" }) } }),
  ]);
  const today = registryWith({ 1: "One", 2: "Second" });
  expect((await of(inFile()).registryAt(usedAt(today, 200), { block: 150n })).listings.at(1)?.title).toBe(
    "Two",
  );
});

describe.skipIf(process.getuid?.() !== 0)("on a full disk", () => {
  test("a line that is cut off is written again once there is room", async () => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status).toBe(0);
    try {
      const path = join(disk, "log.jsonl");
      const log = of(revisionLogFile(path));
      const one = registryWith({ 1: "One", 2: "Two", 3: "Three" });
      const description = "T".repeat(4_000);
      const today = registryOf(
        ["1", "2", "3"].map((onchainId) => entryDraft({ onchainId, title: "Last", description })),
      );
      await use(log, one, 100);
      const ballast = join(disk, "ballast");
      await writeFile(ballast, Buffer.alloc(56 * 1024));
      await use(log, today, 200);
      const cut = await readFile(path, "utf8");
      expect(cut.endsWith("\n")).toBe(false);
      await rm(ballast);
      await use(log, today, 201);
      const later = of(revisionLogFile(path));
      const titleAt = async (block: bigint) =>
        (await later.registryAt(usedAt(today, 300), { block })).listings.at(0)?.title;
      expect([await titleAt(150n), await titleAt(250n)]).toEqual(["One", "Last"]);
      // As an earlier release left it: the line that was cut off, and the next one behind it.
      const [first, second] = (await readFile(path, "utf8")).split("\n");
      await writeFile(path, `${first}\n${second?.slice(0, 50)}${second}\n`);
      expect(await of(revisionLogFile(path)).registryAt(usedAt(today, 300), { block: 150n })).toBeDefined();
    } finally {
      spawnSync("umount", ["-l", disk]);
    }
  });
});

test("a log of before entries could have terms is read, and goes on with them", async () => {
  await use(of(inPostgres()), registryWith({ 1: "One" }), 100);
  await postgres.query("ALTER TABLE raisebook_registry.revision_text DROP COLUMN facts");
  const terms = {
    ...{ targetAmount: "5", minRaise: "1", couponRateBps: 1, tenorDays: 1, insuranceBps: 1 },
    ...{ pricingMode: "fixed", goLiveAt: "2026-03-01T12:00:00Z" },
  };
  const next = registryOf([entryDraft({ title: "One", terms })]);
  const titleAt = async (registry: Registry, block: bigint) =>
    (await of(inPostgres()).registryAt(usedAt(registry, 100), { block })).listings.at(0);
  expect((await titleAt(registryWith({ 1: "One" }), 50n))?.terms).toBeUndefined();
  await use(of(inPostgres()), next, 200);
  expect((await titleAt(next, 150n))?.terms).toBeUndefined();
  expect((await titleAt(next, 200n))?.terms).toEqual(next.listings.at(0)?.terms);
});

test("services that share a database have logs of their own, and each revision has one row", async () => {
  const ours = registryWith({ 1: "Ours" });
  await Promise.all(Array.from({ length: 4 }, () => use(of(inPostgres()), ours, 100)));
  await use(of(inPostgres("https://other.example")), registryWith({ 1: "Theirs" }), 100);
  const rows = await postgres.query(
    "SELECT number, hash, signer, revision, block, time FROM raisebook_registry.revision ORDER BY service, number",
  );
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual({
    ...{ number: 1, hash: ours.hash, signer: SIGNER, revision: null, block: "100", time: "1200" },
  });
});

test("many moments at once are read on two connections", async () => {
  await use(of(inPostgres()), registryWith({ 1: "One" }), 100);
  const today = registryWith({ 1: "Two" });
  await use(of(inPostgres()), today, 200);
  await postgres.query(`CREATE ROLE log_few LOGIN PASSWORD 'log_few' CONNECTION LIMIT 2;
    GRANT USAGE ON SCHEMA raisebook_registry TO log_few; GRANT SELECT ON ALL TABLES IN SCHEMA raisebook_registry TO log_few`);
  try {
    const log = inPostgres(undefined, urlOf("log_few"));
    const moments = Array.from({ length: 30 }, (_, index) => log.textsAt({ block: BigInt(100 + index) }));
    for (const texts of await Promise.all(moments))
      expect(texts.get("lst_1")).toMatchObject({ title: "One" });
  } finally {
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'log_few'`);
    await postgres.query("DROP OWNED BY log_few; DROP ROLE log_few");
  }
});

test("a database that cannot be reached is said to be silent", async () => {
  const log = inPostgres(undefined, `postgres://nobody@127.0.0.1:${await freePort()}/none`);
  await expect(log.textsAt({ block: 1n })).rejects.toThrow(DatabaseSilentError);
});

test("a role that can only read leaves the log to others, and reads it", async () => {
  await use(of(inPostgres()), registryWith({ 1: "One" }), 100);
  await postgres.query(`DROP ROLE IF EXISTS log_reads; CREATE ROLE log_reads LOGIN PASSWORD 'log_reads';
    GRANT USAGE ON SCHEMA raisebook_registry TO log_reads; GRANT SELECT ON ALL TABLES IN SCHEMA raisebook_registry TO log_reads`);
  try {
    const reading = of(inPostgres(undefined, urlOf("log_reads")));
    const today = registryWith({ 1: "Two" });
    await use(of(inPostgres()), today, 200);
    expect((await reading.registryAt(usedAt(today, 200), { block: 150n })).listings.at(0)?.title).toBe("One");
  } finally {
    await postgres.query("DROP OWNED BY log_reads; DROP ROLE log_reads");
  }
});
