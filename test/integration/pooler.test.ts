/** The service behind PgBouncer: it works in session mode, and is refused where connections are handed out by transaction. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { examine } from "../../operate/doctor/doctor.ts";
import { createDaemons, type DaemonPlace, type DaemonRun, startDaemonChain } from "../harness/daemon.ts";
import { PATIENCE } from "../harness/patience.ts";
import { hasPgBouncer, startPgBouncer } from "../harness/pgbouncer.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

let chain: LocalChain;
let postgres: Postgres;
const { run, place } = createDaemons();

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startDaemonChain(), startPostgres()]);
});

/** Runs the daemon behind PgBouncer. */
async function behind(
  mode: Parameters<typeof startPgBouncer>[1],
  work: (start: (...options: string[]) => DaemonRun, at: DaemonPlace, url: string) => Promise<void>,
): Promise<void> {
  const [at, pooler] = [await place(chain.rpcUrl), await startPgBouncer(postgres.connectionString, mode)];
  const env = { ...at.env, RAISEBOOK_DATA_DIR: "", DATABASE_URL: pooler.connectionString };
  try {
    await work((...options) => run(at.folder, env, ...options), at, pooler.connectionString);
  } finally {
    await pooler.stop();
  }
}

describe.skipIf(!hasPgBouncer())("behind PgBouncer", () => {
  it("npm start gets ready and follows the chain with pool_mode=session and PgBouncer's defaults", () =>
    behind("session", async (start, { port }) => {
      const daemon = start();
      const get = (path: string) => fetch(`http://127.0.0.1:${port}/v1/${path}`);
      await vi.waitFor(async () => expect((await get("ready")).status).toBe(200), PATIENCE);
      await chain.testClient.mine({ blocks: 1 });
      const head = `${await chain.publicClient.getBlockNumber()}`;
      await vi.waitFor(
        async () => expect(await (await get("health")).json()).toMatchObject({ indexedBlock: head }),
        PATIENCE,
      );
      daemon.child.kill("SIGTERM");
      expect(await daemon.ended).toBe(0);
      expect(daemon.output()).not.toMatch(/unsupported startup parameter|does not answer/);
    }));

  it.each(["transaction", "statement"] as const)("--check and the doctor refuse pool_mode=%s", (mode) =>
    behind(mode, async (start, { env }, url) => {
      const check = start("--check");
      expect([await check.ended, check.output()]).toEqual([
        1,
        expect.stringMatching(/DATABASE_URL leads to a pooler that .*\n.*pool_mode=session/),
      ]);
      const { findings } = await examine(
        { ...env, RAISEBOOK_DATA_DIR: "", DATABASE_URL: url },
        { timeout: 5_000 },
      );
      expect(findings.filter(({ variable }) => variable === "DATABASE_URL")).toMatchObject([
        {
          severity: "problem",
          what: expect.stringMatching(/^leads to a pooler that/),
          remedy: expect.stringContaining("pool_mode=session"),
        },
      ]);
    }),
  );

  it("--check accepts pool_mode=session", () =>
    behind("session", async (start) => {
      const check = start("--check");
      expect([await check.ended, check.output()]).toEqual([0, expect.not.stringContaining("DATABASE_URL")]);
    }));
});
