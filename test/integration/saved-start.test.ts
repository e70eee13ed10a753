/** A reader that starts from the files in MARKET_FILES: the market and the registry that a reader before it has saved. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { chainStub } from "../../bench/harness/chain-stub.ts";
import { type MadeMarket, makeMarket } from "../../bench/harness/market.ts";
import { checkpoint, fillTables, SCHEMA } from "../../bench/harness/tables.ts";
import { createDaemons, type DaemonRun } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { HEAD, listingRow } from "../harness/rows.ts";

/** With the businesses more entries than are read within a moment, and more than a thousand that have ended. */
const LISTINGS = 5_000;
/** The log's lines on markets that were saved and loaded. */
const [MADE, REGISTRY] = ["Built the market from all rows", "Loaded the saved registry"];

const { serve } = createDaemons();
let postgres: Postgres;
const folder = temporaryFolder();
let saved: string;
let market: MadeMarket;
let registry: MadeMarket["registry"];
let env: Record<string, string>;

beforeAll(async () => {
  saved = join(folder, "cache");
  postgres = await startPostgres();
  market = makeMarket(LISTINGS);
  registry = market.registry;
  await fillTables(postgres.connectionString, market);
  await writeRegistry();
  env = {
    ...{ DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: SCHEMA },
    ...{ REGISTRY: join(folder, "registry.json"), RPC_URLS: await chainStub() },
    ...{ ESCROWS: `${listingRow().escrowAddress}@1`, PUBLIC_URL: "https://raises.example" },
    ...{ MARKET_FILES: saved, LOG_LEVEL: "debug", LOG_FORMAT: "json" },
  };
});

const writeRegistry = () => writeFile(join(folder, "registry.json"), JSON.stringify(registry));

type Started = { reader: DaemonRun; answers: string[]; stop(): Promise<void>; said(message: string): number };

async function start(...options: string[]): Promise<Started> {
  const port = String(await freePort());
  const reader = serve(folder, { ...env, PORT: port }, ...options);
  const ready = vi.waitFor(
    async () => expect((await fetch(`http://127.0.0.1:${port}/v1/ready`)).status).toBe(200),
    PATIENCE,
  );
  await Promise.race([
    ready,
    reader.ended.then((code) => expect.unreachable(`ended with ${code}: ${reader.output()}`)),
  ]);
  const { publicId } = registry.listings[7] ?? {};
  const paths = [
    "/v1/listings?limit=100",
    "/v1/listings?status=voided",
    `/v1/listings/${publicId}`,
    "/v1/stats",
  ];
  const answers = paths.map(async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(response.status, path).toBe(200);
    return response.text();
  });
  return {
    reader,
    answers: await Promise.all(answers),
    said: (message) => reader.output().split(`"msg":"${message}"`).length - 1,
    async stop() {
      reader.child.kill("SIGTERM");
      expect(await reader.ended).toBe(0);
    },
  };
}

const untilSaved = ({ said }: Started) =>
  vi.waitFor(() => expect([said("Saved the market"), said("Saved the registry")]).toEqual([1, 1]), PATIENCE);

it("starts from what a reader before it has saved, and from the sources where that does not fit", async () => {
  const first = await start();
  expect([first.said(MADE), first.said(REGISTRY)]).toEqual([1, 0]);
  await untilSaved(first);
  await first.stop();
  expect((await readdir(saved)).map((name) => name.replace(/^.*\./, "")).sort()).toEqual([
    "market",
    "registry",
  ]);

  const second = await start();
  expect([second.said(MADE), second.said(REGISTRY)]).toEqual([0, 1]);
  expect(second.answers).toEqual(first.answers);
  await second.stop();

  // The primary process asks the source, and each of the others takes the file.
  const several = await start("--processes", "2");
  expect(several.answers).toEqual(first.answers);
  await vi.waitFor(() => expect(several.said(REGISTRY)).toBe(2), PATIENCE);
  await several.stop();

  const [changed] = registry.listings.splice(7, 1);
  registry.listings.splice(7, 0, { ...changed, title: "A title of today" } as (typeof registry.listings)[0]);
  await writeRegistry();
  const third = await start();
  expect([third.said(MADE), third.said(REGISTRY)]).toEqual([1, 0]);
  expect(third.answers[2]).toContain('"title":"A title of today"');
  await untilSaved(third);
  await third.stop();

  for (const name of await readdir(saved)) {
    const bytes = await readFile(join(saved, name));
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(join(saved, name), bytes);
  }
  const fourth = await start();
  expect([fourth.said(MADE), fourth.said(REGISTRY)]).toEqual([1, 0]);
  expect(fourth.answers).toEqual(third.answers);
  await fourth.stop();
});

it("reads all rows when the tables have a new event before the last one", async () => {
  const first = await start();
  await untilSaved(first);
  await first.stop();
  const { onchainId, escrowAddress } = market.rows.listing[7] ?? expect.unreachable();
  await postgres.query(
    `SET search_path TO ${SCHEMA};
     INSERT INTO ledger (escrow_address, onchain_id, event_id, kind, block_number, block_time, tx_hash, log_index, part, args, committed)
       VALUES ('${escrowAddress}', ${onchainId}, '${checkpoint(HEAD.number - 9n)}', 'subscribed', ${HEAD.number - 9n},
         ${HEAD.timestamp - 9n}, '0x01', 0, 0, '{"backer":"0x01","amount":"1000"}', 1000);
     UPDATE listing SET raised_amount = 777000 WHERE escrow_address = '${escrowAddress}' AND onchain_id = ${onchainId};
     UPDATE tally SET events = events + 1 WHERE family = 'listings'`,
  );
  const second = await start();
  expect(second.said(MADE)).toBe(1);
  expect(second.answers[2]).toContain('"raisedAmount":"777000"');
  await second.stop();
});
