/**
 * Records what this version leaves behind, for the upgrade tests of later ones:
 *
 *     DATABASE_URL=postgresql://… npm run record:release
 *
 * The database must be empty, and one that the `pg_dump` of this machine knows. A release is recorded once, before it is tagged;
 * what is recorded is never recorded again by later code.
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { hexToBytes } from "viem";
import { VERSION } from "../api/version.ts";
import { readSettings } from "../config/environment.ts";
import { schemaNameOf } from "../config/schema-name.ts";
import { type LocalChain, startChain } from "../demo/chain.ts";
import { addressAndBlock, deployDesk, deployDollar, deployEscrow, deployFactory } from "../demo/deploy.ts";
import { ledgerKey } from "../operate/backfill/earlier.ts";
import { createHistory } from "./harness/history/history.ts";
import { RELEASES, type Recording } from "./harness/recorded-release.ts";
import { startService } from "./harness/service.ts";

const SEED = 16;
const MOVES = 150;
/** More than what Ponder takes for not final yet. */
const LAST_BLOCKS = 40;
const PATHS = ["/v1/listings", "/v1/originators", "/v1/events?limit=200", "/v1/stats", "/v1/anomalies"];

async function record(databaseUrl: string): Promise<string> {
  const folder = join(RELEASES, VERSION);
  if (existsSync(folder))
    throw new Error(`${VERSION} has been recorded: a later version cannot do it again.`);
  const chain = await startChain({ genesisTimestamp: 1_600_000_000 });
  try {
    const { followed, registry } = await play(chain);
    const env = { ...followed, DATABASE_URL: databaseUrl };
    const head = await chain.publicClient.getBlockNumber();
    const service = await startService({ rpcUrl: chain.rpcUrl, registry, env });
    await service.indexed(head);
    const { listings } = await service.json<{ listings: { publicId: string }[] }>("/v1/listings");
    const ofListings = listings.map(({ publicId }) => `/v1/listings/${publicId}/schedule`);
    const answers: Record<string, unknown> = {};
    for (const path of [...PATHS, ...ofListings]) {
      const { status, text } = await service.get(path);
      if (status !== 200) throw new Error(`${path} is answered with ${status}: ${text}`);
      answers[path] = JSON.parse(text);
    }
    await service.stop();
    const settings = readSettings({ ...env, RPC_URLS: chain.rpcUrl, REGISTRY: "registry.json" });
    const recording: Recording = {
      ...{ followed, registry, schema: schemaNameOf(settings), ledgerKey: ledgerKey(settings) },
      ...{ head: Number(head), answers },
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "recording.json"), `${JSON.stringify(recording, null, 1)}\n`);
    writeFileSync(join(folder, "chain.gz"), hexToBytes(await chain.testClient.dumpState()));
    writeFileSync(join(folder, "database.sql.gz"), gzipSync(dump(databaseUrl), { level: 9 }));
    return folder;
  } finally {
    await chain.stop();
  }
}

/** A market of two escrows and a desk, one of them announced by a factory. */
async function play(chain: LocalChain): Promise<Pick<Recording, "followed" | "registry">> {
  const { address: dollar } = await deployDollar(chain);
  const factory = await deployFactory(chain);
  const announced = await deployEscrow(chain, { dollar, factory: factory.address });
  const listed = await deployEscrow(chain, { dollar });
  const desk = await deployDesk(chain, { dollar });
  const escrows = [announced.address, listed.address];
  const history = await createHistory({ chain, dollar, escrows, desk: desk.address, seed: SEED });
  await history.playUntil(MOVES);
  await history.finish();
  await chain.testClient.mine({ blocks: LAST_BLOCKS });
  return {
    followed: {
      ESCROWS: addressAndBlock(listed),
      ESCROW_FACTORY: addressAndBlock(factory),
      DESK: addressAndBlock(desk),
    },
    registry: history.registry(),
  };
}

/** Statements alone: neither what only psql understands, nor what belongs to the server. */
function dump(databaseUrl: string): string {
  const text = execFileSync("pg_dump", ["--inserts", "--no-owner", "--no-privileges", databaseUrl], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  return text
    .split("\n")
    .filter((line) => !/^(--|\\|SET transaction_timeout|$)/.test(line))
    .join("\n");
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) {
  console.error("DATABASE_URL is required: an empty database.");
  process.exit(2);
}
console.log(await record(DATABASE_URL));
