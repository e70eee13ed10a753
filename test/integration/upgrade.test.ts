/**
 * The databases of earlier releases under this version, as it is installed: the same answers, whether it takes over the tables or
 * folds the ledger in them into tables of its own.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { ledgerKey } from "../../operate/backfill/earlier.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { createDaemons, descendants, indexerOf } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { freePort } from "../harness/free-port.ts";
import { ask } from "../harness/load.ts";
import { installCopy } from "../harness/package.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import {
  loadRecordedChain,
  type Recording,
  readRecording,
  recordedDatabase,
  recordedReleases,
} from "../harness/recorded-release.ts";

const FOLDED = "Folded the ledger of an earlier version";
const WROTE = "Wrote the history";

const { runCommand } = createDaemons();
const folder = temporaryFolder();
let command: string;

beforeAll(() => {
  command = installCopy(folder);
});

describe.each(recordedReleases())("the database of %s", (release) => {
  let chain: LocalChain;
  let postgres: Postgres;
  let recording: Recording;
  let env: Record<string, string>;

  beforeAll(async () => {
    recording = readRecording(release);
    [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
    await loadRecordedChain(release, chain);
    await postgres.query(recordedDatabase(release));
    writeFileSync(join(folder, "registry.json"), JSON.stringify(recording.registry));
    env = {
      ...recording.followed,
      RPC_URLS: chain.rpcUrl,
      DATABASE_URL: postgres.connectionString,
      REGISTRY: "registry.json",
      PUBLIC_URL: "http://raises.localhost",
      APP_URL: "http://app.localhost",
      POLLING_INTERVAL: "100",
      LOG_FORMAT: "json",
    };
  });

  /** Starts the package, compares its answers, has it follow a block, and ends it. Returns its log. */
  async function answersOf(more: Record<string, string>): Promise<string> {
    const port = await freePort();
    const ports = { PORT: `${port}`, OPERATOR_PORT: `${await freePort()}` };
    const run = runCommand(folder, { ...env, ...ports, ...more }, process.execPath, [command, "start"]);
    const get = async (path: string) => {
      const { status, body } = await ask(port, { path });
      expect(status, `${path}\n${body}\n${run.output()}`).toBe(200);
      return JSON.parse(body);
    };
    await vi.waitFor(() => get("/v1/ready"), PATIENCE);
    expect(recording.answers).not.toEqual({});
    // Later versions may say more.
    for (const [path, answer] of Object.entries(recording.answers))
      expect(await get(path), path).toMatchObject({ ...(answer as object), ...corrected(recording, path) });
    const recorded = await chain.testClient.snapshot();
    await chain.testClient.mine({ blocks: 1 });
    const head = `${await chain.publicClient.getBlockNumber()}`;
    await vi.waitFor(async () => expect((await get("/v1/health")).indexedBlock).toBe(head), PATIENCE);
    run.child.kill("SIGINT");
    expect(await run.ended, run.output()).toBe(0);
    await chain.testClient.revert({ id: recorded });
    return run.output();
  }

  test("gives the same answers", async () => {
    const settings = readSettings(env);
    const log = await answersOf({});
    const isTheSame = schemaNameOf(settings) === recording.schema;
    expect(log.includes(WROTE)).toBe(!isTheSame);
    const isFolded = ledgerKey(settings) === recording.ledgerKey;
    expect(log.includes(FOLDED)).toBe(!isTheSame && isFolded);
    expect(log.includes("or were recorded by other code")).toBe(!isTheSame && !isFolded);
  });

  test("gives the same answers folded into a schema of its own", async () => {
    const log = await answersOf({ DATABASE_SCHEMA: "another" });
    expect(log).toContain(WROTE);
    const settings = readSettings(env);
    // Another version has a ledger of today's by the test before.
    const hasLedger =
      schemaNameOf(settings) !== recording.schema || ledgerKey(settings) === recording.ledgerKey;
    expect(log.includes(FOLDED)).toBe(hasLedger);
  });
});

describe("an installed package whose files become those of a release with other tables while it runs", () => {
  const release = recordedReleases().at(-1) ?? "";
  const ENDS = "The files of this release were replaced by those of one with other tables";

  test.each(["readers", "last reader", "indexer"])(
    "ends when its %s ends, and the next start is the new release",
    async (killed) => {
      const home = temporaryFolder();
      const installed = installCopy(home);
      const recording = readRecording(release);
      const [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
      await loadRecordedChain(release, chain);
      writeFileSync(join(home, "registry.json"), JSON.stringify(recording.registry));
      const port = await freePort();
      const env = {
        ...{ ...recording.followed, RPC_URLS: chain.rpcUrl, DATABASE_URL: postgres.connectionString },
        ...{ REGISTRY: "registry.json", PUBLIC_URL: "http://raises.localhost", LOG_FORMAT: "json" },
        ...{ PORT: `${port}`, OPERATOR_PORT: `${await freePort()}` },
      };
      const several = killed === "last reader" ? ["--processes", "2"] : [];
      const start = () => runCommand(home, env, process.execPath, [installed, "start", ...several]);
      const untilReady = () =>
        vi.waitFor(async () => expect((await ask(port, { path: "/v1/ready" })).status).toBe(200), PATIENCE);
      const old = start();
      await untilReady();
      appendFileSync(join(home, "node_modules/raisebook/ponder.schema.ts"), "\n// Another release.\n");
      const indexer = indexerOf(old.child);
      const [readers = 0] = descendants(old.child.pid).filter((one) => one !== indexer);
      const [first = readers, last = first] = descendants(readers);
      process.kill(killed === "indexer" ? indexer : first, "SIGKILL");
      if (last !== first) {
        await vi.waitFor(
          () => expect(old.output()).toContain("A reader ended and is not started again"),
          PATIENCE,
        );
        await untilReady();
        process.kill(last, "SIGKILL");
      }
      expect(await old.ended, old.output()).toBe(1);
      expect(old.output().split(ENDS)).toHaveLength(2);
      expect(old.output()).not.toContain("Another start has taken");
      const next = start();
      await untilReady();
      next.child.kill("SIGINT");
      expect(await next.ended, next.output()).toBe(0);
      expect(next.output()).toContain(WROTE);
    },
  );
});

/** What later versions correct in an answer: 0.1.0 gave money as due on raises that ended before a drawdown. */
function corrected({ answers }: Recording, path: string): object {
  const { listings } = answers["/v1/listings"] as { listings: { publicId: string; status: string }[] };
  const raise = listings.find(({ publicId }) => path === `/v1/listings/${publicId}/schedule`);
  return raise !== undefined && ["refunding", "voided", "cancelled"].includes(raise.status)
    ? { principal: "0", interest: "0", total: "0" }
    : {};
}
