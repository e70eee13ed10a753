import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { FIRST, memorySource } from "../../test/harness/data-source.ts";
import { type Duck, openDuck } from "../../test/harness/duckdb.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { openFolder } from "./folder.ts";
import { filesOf, type Manifest } from "./manifest.ts";
import { type DataSource, writeData } from "./write.ts";

const OPTIONS = { pause: async () => {} };
const newFolder = async () => openFolder(temporaryFolder());

/** Writes up to a final block, and expects a manifest. */
async function written(folder: Awaited<ReturnType<typeof newFolder>>, source: DataSource, final: bigint) {
  const manifest = await writeData(folder, source, final, OPTIONS);
  if (manifest === null || "reason" in manifest) throw new Error("there is no manifest");
  return manifest;
}

async function filesIn(path: string): Promise<Map<string, string>> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const hashes = await Promise.all(
    names.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return [name, createHash("sha256").update(bytes).digest("hex")] as const;
    }),
  );
  return new Map(hashes.toSorted());
}

const spans = ({ tables }: Manifest) =>
  tables.ledger.files.map(({ fromBlock, toBlock, rows }) => [
    BigInt(fromBlock) - FIRST,
    BigInt(toBlock) - FIRST,
    rows,
  ]);

let duck: Duck;
beforeEach(async () => {
  duck ??= await openDuck();
});
afterAll(() => duck.close());

describe("writeData", () => {
  it("writes whole ranges of blocks that are final, and nothing before the first of them", async () => {
    const folder = await newFolder();
    const { source } = memorySource();
    expect(await writeData(folder, source, FIRST + 8n, OPTIONS)).toBeNull();
    expect(await readdir(folder.path)).toEqual([]);
    // 30 raises with four events each are 120 events, three in each block.
    const manifest = await written(folder, source, FIRST + 38n);
    expect(spans(manifest)).toEqual([
      [0n, 9n, 30],
      [10n, 19n, 30],
      [20n, 29n, 30],
    ]);
    expect(manifest).toMatchObject({
      fromBlock: "48000000",
      toBlock: "48000029",
      at: "2026-03-01T12:00:00Z",
    });
    for (const { path, bytes, sha256 } of filesOf(manifest)) {
      const content = await readFile(join(folder.path, path));
      expect(content.length).toBe(bytes);
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
    }
    const later = await written(folder, source, FIRST + 1_000n);
    expect(spans(later)).toEqual([...spans(manifest), [30n, 39n, 30]]);
    expect(later.tables.ledger.files.slice(0, 3)).toEqual(manifest.tables.ledger.files);
    expect(later.toBlock).toBe("48000999");
  });

  it("writes the same files at once and block by block, and after it was interrupted anywhere", async () => {
    const { source } = memorySource();
    const atOnce = await newFolder();
    const expected = await written(atOnce, source, FIRST + 39n);
    const stepwise = await newFolder();
    for (let block = 0n; block < 40n; block++) await writeData(stepwise, source, FIRST + block, OPTIONS);
    expect(await stepwise.manifest()).toEqual(expected);
    const broken = await newFolder();
    for (const failAt of [0, 1, 2, 3, 4]) {
      let calls = 0;
      const events: DataSource["events"] = async (after, until) => {
        calls += 1;
        if (calls > failAt) throw new Error("the database is silent");
        return source.events(after, until, 250);
      };
      const halves: DataSource = {
        ...source,
        events,
        marketAt: async () => Promise.reject(new Error("silent")),
      };
      await expect(writeData(broken, halves, FIRST + 39n, OPTIONS)).rejects.toThrow("silent");
    }
    expect(await written(broken, source, FIRST + 39n)).toEqual(expected);
    const named = (files: Map<string, string>) => [...files].filter(([name]) => name.endsWith(".parquet"));
    expect(named(await filesIn(broken.path))).toEqual(named(await filesIn(atOnce.path)));
    expect([...(await filesIn(broken.path)).keys()].filter((name) => name.includes("unfinished"))).toEqual(
      [],
    );
  });

  it("has each row of the ledger as it is, without addresses of persons", async () => {
    const folder = await newFolder();
    const { source, tables } = memorySource();
    const { tables: found } = await written(folder, source, FIRST + 39n);
    const paths = found.ledger.files.map(({ path }) => `'${join(folder.path, path)}'`);
    const rows = await duck.rows(
      `SELECT block_number, epoch(block_time)::BIGINT AS time, log_index, '0x' || lower(hex(tx_hash)) AS tx,
        escrow_address, onchain_id, kind, committed, refunded, rate_bps
      FROM read_parquet([${paths}]) ORDER BY block_number, log_index, part`,
    );
    const expected = tables.ledger
      .toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
      .map((row) => ({
        block_number: `${row.blockNumber}`,
        time: `${row.blockTime}`,
        log_index: row.logIndex,
        tx: row.txHash,
        escrow_address: row.escrowAddress,
        onchain_id: `${row.onchainId}`,
        kind: row.kind,
        // Each subscription is of 100.
        committed: row.kind === "subscribed" ? "100" : null,
        refunded: null,
        rate_bps: row.kind === "subscribed" ? "0" : null,
      }));
    expect(rows).toEqual(expected);
    const texts = await Promise.all(
      filesOf({ tables: found }).map(({ path }) => readFile(join(folder.path, path), "latin1")),
    );
    for (const person of ["a1", "b2"]) expect(texts.join("")).not.toContain(person.repeat(20));
  });

  it("has the raises and businesses as the market has them, in the order of their ids", async () => {
    const folder = await newFolder();
    const { source, snapshot } = memorySource();
    const { tables } = await written(folder, source, FIRST + 39n);
    const { listings } = tables;
    const [ofListings, ofOriginators] = [listings, tables.originators].map(
      ({ files }) => `'${join(folder.path, files[0]?.path ?? "")}'`,
    );
    const found = await duck.rows(
      `SELECT public_id, status, originator_grade, raised_amount, strftime(go_live_at, '%Y-%m-%dT%H:%M:%SZ') AS live,
        strftime(close_at, '%Y-%m-%dT%H:%M:%SZ') AS close, originator_verified FROM read_parquet(${ofListings})`,
    );
    const expected = [...snapshot.market.listings]
      .toSorted((a, b) => (a.publicId < b.publicId ? -1 : 1))
      .map((one) => ({
        ...{ public_id: one.publicId, status: one.status, originator_grade: one.originatorGrade },
        ...{ raised_amount: one.raisedAmount, live: one.goLiveAt, close: one.closeAt },
        originator_verified: one.originatorVerified,
      }));
    expect(found).toEqual(expected);
    // Names are those of the columns, and values those of the files.
    const described = (name: string) => listings.columns.find((column) => column.name === name)?.description;
    expect(described("originator_grade")).toMatch(/^`A` \(best\) to `E`/);
    expect(described("returned_amount")).toContain("`raised_amount`");
    expect(
      await duck.rows(`SELECT public_id, rating_grade, jurisdiction FROM read_parquet(${ofOriginators})`),
    ).toEqual(
      snapshot.market.originators.map(({ publicId, ratingGrade, jurisdiction }) => ({
        ...{ public_id: publicId, rating_grade: ratingGrade, jurisdiction },
      })),
    );
  });

  it("has the cohorts of every kind, in the order of the answers", async () => {
    const folder = await newFolder();
    const { source, snapshot } = memorySource();
    const { tables } = await written(folder, source, FIRST + 39n);
    const file = join(folder.path, tables.cohorts.files[0]?.path ?? "");
    const found = await duck.rows(`SELECT "by", cohort, loans, lent, outstanding, ended FROM '${file}'`);
    const drawn = snapshot.market.listings.filter(({ drawnDownAt }) => drawnDownAt !== null);
    const lent = drawn.reduce((sum, { drawnAmount }) => sum + BigInt(drawnAmount), 0n);
    for (const kind of ["month", "quarter", "year", "grade", "originator", "country"]) {
      const own = found.filter(({ by }) => by === kind);
      expect([kind, own.reduce((sum, row) => sum + Number(row.loans), 0)]).toEqual([kind, drawn.length]);
      expect(own.reduce((sum, row) => sum + BigInt(`${row.lent}`), 0n)).toBe(lent);
    }
    expect(found.map(({ by }) => by)).toEqual(
      ["month", "quarter", "year", "grade", "originator", "country"].flatMap((kind) =>
        found.filter(({ by }) => by === kind).map(() => kind),
      ),
    );
  });

  it("waits for the history of a market that is still being read", async () => {
    const folder = await newFolder();
    const { source } = memorySource();
    const marketAt: DataSource["marketAt"] = async (block) => {
      const found = await source.marketAt(block);
      return "reason" in found ? found : { ...found, market: { ...found.market, overTime: null } };
    };
    expect(await writeData(folder, { ...source, marketAt }, FIRST + 39n, OPTIONS)).toMatchObject({
      reason: "backfilling",
    });
    expect(await folder.manifest()).toBeNull();
  });

  it("moves an amount that does not fit to a column of its own", async () => {
    const folder = await newFolder();
    const { tables } = memorySource();
    const huge = 10n ** 38n;
    const ledger = tables.ledger.map((row, index) =>
      index === 0 ? { ...row, committed: huge, refunded: -huge, outstanding: huge - 1n } : row,
    );
    const manifest = await written(
      folder,
      memorySource({ tables: { ...tables, ledger } }).source,
      FIRST + 39n,
    );
    const path = join(folder.path, manifest.tables.ledger.files[0]?.path ?? "");
    expect(
      await duck.rows(
        `SELECT committed, refunded, outstanding, too_large FROM '${path}' WHERE too_large IS NOT NULL`,
      ),
    ).toEqual([
      {
        ...{ committed: null, refunded: null, outstanding: "9".repeat(38) },
        too_large: `{"committed":"1${"0".repeat(38)}","refunded":"-1${"0".repeat(38)}"}`,
      },
    ]);
  });

  it("writes a missing file again, everything when the book was replaced, and the manifest for another licence", async () => {
    const folder = await newFolder();
    const { source } = memorySource();
    const before = await written(folder, source, FIRST + 29n);
    await rm(join(folder.path, before.tables.ledger.files[1]?.path ?? ""));
    const after = await written(folder, source, FIRST + 39n);
    expect(after.tables.ledger.files.slice(0, 3)).toEqual(before.tables.ledger.files);
    const replaced: string[] = [];
    const other: DataSource = { ...source, rootAt: async () => `0x${"77".repeat(32)}` };
    const options = { ...OPTIONS, onReplaced: (block: string) => void replaced.push(block) };
    const rewritten = await writeData(folder, other, FIRST + 49n, options);
    expect(replaced).toEqual(["48000039"]);
    expect(rewritten).toMatchObject({ root: `0x${"77".repeat(32)}`, toBlock: "48000049" });
    const licensed = await written(folder, { ...other, licence: "CC0-1.0" }, FIRST + 49n);
    expect(licensed).toEqual({ ...(rewritten as Manifest), licence: "CC0-1.0" });
    expect(await folder.manifest()).toEqual(licensed);
  });

  it("writes files that reach the last final block again when the book was replaced", async () => {
    const folder = await newFolder();
    const before = memorySource();
    const first = await written(folder, before.source, FIRST + 39n);
    // Another row in the place of each: what was final is of a chain that is gone.
    const ledger = before.tables.ledger.map((row) => ({ ...row, txHash: `0x${"5e".repeat(32)}` as const }));
    const root = `0x${"77".repeat(32)}` as const;
    const { source } = memorySource({ tables: { ...before.tables, ledger }, rootAt: async () => root });
    // Not final on the new chain yet.
    expect(await written(folder, source, FIRST + 38n)).toEqual(first);
    const rewritten = await written(folder, source, FIRST + 39n);
    expect(rewritten).toMatchObject({ root, toBlock: first.toBlock });
    const paths = rewritten.tables.ledger.files.map(({ path }) => `'${join(folder.path, path)}'`);
    expect(
      await duck.rows(
        `SELECT DISTINCT '0x' || lower(hex(tx_hash)) AS tx, count(*)::INT AS rows FROM read_parquet([${paths}]) GROUP BY tx_hash`,
      ),
    ).toEqual([{ tx: `0x${"5e".repeat(32)}`, rows: 120 }]);
  });

  it("keeps old tables as long as a client may hold the previous manifest", async () => {
    const folder = await newFolder();
    const { source } = memorySource();
    for (const block of [9n, 19n, 29n, 39n]) await written(folder, source, FIRST + block);
    const kept = await readdir(join(folder.path, "listings"));
    expect(kept.map((name) => name.slice(0, 8)).toSorted()).toEqual(["48000029", "48000039"]);
    expect(await readdir(join(folder.path, "ledger"))).toHaveLength(4);
  });
});
