import { rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { runProgram } from "../harness/run-program.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEMA = "deep";
const REFUSED = "everything is read from the chain again";

let chain: LocalChain;
let postgres: Postgres;
let escrow: Deployment;
let options: ServiceOptions;
const directory = temporaryFolder();
let service: Service | null = null;

const head = () => chain.publicClient.getBlockNumber();

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ genesisTimestamp: 1_600_000_000 }), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  await emit(chain, escrow.address, events.created(1n), events.subscribed(1n, 5n, 5n));
  await chain.testClient.mine({ blocks: 40 });
  options = {
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }, 3),
  };
});

async function start(where: Partial<ServiceOptions>): Promise<Service> {
  service = await startService({ ...options, ...where });
  return service;
}

/** The message of a service that refuses to continue with its tables, before or after its API answers. */
async function refusalOf(where: Partial<ServiceOptions>): Promise<string> {
  const started = await start(where).catch((error: Error) => error);
  if (started instanceof Error) {
    service = null;
    expect(started.message).toMatch(/ended with 1:/);
    return started.message;
  }
  const line = await started.says(REFUSED);
  expect(await started.stop()).toBe(1);
  return line;
}

async function indexed(at: Service): Promise<void> {
  await at.indexed(await head());
}

/** A subscription a block, each of one more. */
async function subscribe(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++)
    await emit(chain, escrow.address, events.subscribed(1n, 1n, BigInt(6 + block)));
}

/** Takes back this many blocks with their events, adds another event, and goes on with blocks of `interval` seconds. */
async function reorganise(depth: number, interval: number): Promise<void> {
  await chain.testClient.request({ method: "anvil_reorg", params: [depth, []] } as never);
  await emit(chain, escrow.address, events.subscribed(1n, 700n, 705n));
  await chain.testClient.mine({ blocks: 75, interval });
}

/** As the chain has them, in its own words. */
async function logsOfChain(): Promise<string[]> {
  const logs = await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n });
  return logs.map(
    ({ blockNumber, transactionHash, logIndex }) => `${blockNumber} ${transactionHash} ${logIndex}`,
  );
}

async function logsOf(at: Service): Promise<string[]> {
  const { events: shown } = await at.json<{
    events: { blockNumber: string; txHash: string; logIndex: number }[];
  }>("/v1/events?limit=200");
  return shown
    .toReversed()
    .map(({ blockNumber, txHash, logIndex }) => `${blockNumber} ${txHash} ${logIndex}`);
}

test("met while it follows the chain, on PostgreSQL: it ends, refuses to start, and starts over", async () => {
  const env = { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: SCHEMA };
  // Named by the operator, and so never dropped.
  const earlier = { ...env, DATABASE_SCHEMA: "earlier" };
  await indexed(await start({ env: earlier }));
  await service?.stop();
  // One that no endpoint confirms is forgotten.
  const { hash } = await chain.publicClient.getBlock({ blockNumber: 1n });
  const note = "earlier._deep_reorg";
  await postgres.query(`CREATE TABLE ${note} (finalized_block BIGINT, finalized_hash TEXT)`);
  await postgres.query(`INSERT INTO ${note} VALUES (1, '${hash}')`);
  await indexed(await start({ env: earlier }));
  expect(await postgres.query(`SELECT to_regclass('${note}')::text AS note`)).toEqual([{ note: null }]);
  await service?.stop();
  const following = await start({ env });
  await indexed(following);
  await subscribe(70);
  await indexed(following);
  // Two windows behind the head something has become final, of which this takes away a part.
  await reorganise(66, 3);
  expect(following.log.join("\n")).toContain("Folded the ledger of an earlier version");
  await following.says("Encountered unrecoverable reorg");
  await following.says("Received SIGINT");
  // The daemon starts it again: it has not been asked to end.
  expect(await following.stop()).toBe(75);

  expect(await refusalOf({ env })).toMatch(/below block \d+\b.*npm run db:prune -- --start-over/);

  const { code, output } = await runProgram(
    process.execPath,
    ["--import", "./config/bundle.mjs", "operate/daemon/prune-main.ts", "--start-over", "--yes"],
    {
      cwd: ROOT,
      env: { ...env, ESCROWS: `${options.escrows?.join()}`, REGISTRY: "r.json", RPC_URLS: chain.rpcUrl },
    },
  );
  expect([code, output]).toEqual([0, expect.stringContaining("reads everything from the chain again")]);
  expect(await postgres.query("SELECT FROM ponder_sync.logs WHERE chain_id = 97")).toEqual([]);

  expect(await refusalOf({ env: earlier })).toMatch(
    /Another schema of this chain was started over.*--start-over/,
  );
  const anew = await start({ env });
  await indexed(anew);
  expect(await logsOf(anew)).toEqual(await logsOfChain());
  expect(anew.log.join("\n")).not.toContain("Folded the ledger of an earlier version");
  await anew.stop();
});

test("while nothing ran, on the embedded database: it does not start until the directory is moved away", async () => {
  const dataDirectory = join(directory, "data");
  const before = await start({ dataDirectory });
  await indexed(before);
  expect(await logsOf(before)).toEqual(await logsOfChain());
  await before.stop();

  // One endpoint alone that says otherwise is not believed, in whatever order they are asked.
  const wrong = await startRpcProxy(chain.rpcUrl);
  const [last] = (await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n })).toReversed();
  const block = await chain.testClient.request({
    ...{ method: "eth_getBlockByNumber", params: [`0x${last?.blockNumber.toString(16)}`, false] },
  } as never);
  wrong.answers = ({ method, params: [number, isWhole] = [] }) =>
    method === "eth_getBlockByNumber" && isWhole === false && Number(number) === Number(last?.blockNumber)
      ? { ...(block as object), hash: `0x${"e".repeat(64)}` }
      : undefined;
  const beside = await start({ dataDirectory, rpcUrl: `${wrong.url},${chain.rpcUrl}` });
  await indexed(beside);
  const said = await beside.says("has another block than the tables");
  expect(said).toContain(new URL(wrong.url).host);
  await beside.stop();
  await wrong.stop();

  await reorganise(78, 20);

  expect(await refusalOf({ dataDirectory })).toMatch(/block \d+ was 0x\w+, and is 0x\w+.*move .* away/);

  await rename(dataDirectory, join(directory, "away"));
  const anew = await start({ dataDirectory });
  await indexed(anew);
  expect(await logsOf(anew)).toEqual(await logsOfChain());
});
