/** Whose turn it is among the readers of two releases, and who sees whom: readers without a market or a server. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type Generation,
  type GenerationParameters,
  GONE_AFTER,
  joinGeneration,
} from "../../operate/daemon/generation.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

/** Each case is a service of its own. */
describe.concurrent("generations", () => {
  const TIMES = { provenAfter: 1_500, fewerAfter: 4_000 };
  const open: Generation[] = [];
  afterAll(() => {
    for (const generation of open) generation.close();
  });

  type Reader = { generation: Generation; serves(): boolean; left(): boolean };
  function reader(service: number, schema: string, change: Partial<GenerationParameters> = {}): Reader {
    const generation = joinGeneration({
      ...{ connectionString: postgres.connectionString, schema, service, ...TIMES },
      log: { info: () => {}, debug: () => {} },
      hasMarket: () => true,
      isReady: () => true,
      isFollowed: async () => true,
      ...change,
    });
    open.push(generation);
    let serves = false;
    let left = false;
    generation.mayListen.then(() => {
      serves = true;
    });
    generation.replaced.then(() => {
      generation.close();
      left = true;
    });
    return { generation, serves: () => serves && !left, left: () => left };
  }
  const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), PATIENCE);
  /** Longer than any wait of theirs. */
  const settled = () => sleep(TIMES.fewerAfter + 1_500);

  it("has the release that began to serve last win, back and forth", async () => {
    const first = [reader(1, "one"), reader(1, "one")];
    await until(() => first.every(({ serves }) => serves()));
    let isReady = false;
    const second = [
      reader(1, "two", { isReady: () => isReady }),
      reader(1, "two", { isReady: () => isReady }),
    ];
    await settled();
    expect([...first, ...second].map(({ serves }) => serves())).toEqual([true, true, false, false]);
    isReady = true;
    await until(() => first.every(({ left }) => left()) && second.every(({ serves }) => serves()));
    // Fewer are enough after a while.
    const back = reader(1, "one");
    await until(() => second.every(({ left }) => left()) && back.serves());
  });

  it("has the readers of an old release stay when those of the new one crash again and again", async () => {
    const stays = reader(2, "one");
    await until(stays.serves);
    for (let crashes = 0; crashes < 4; crashes++) {
      const crashing = reader(2, "two");
      await until(crashing.serves);
      await sleep(TIMES.provenAfter / 2);
      crashing.generation.close();
    }
    await settled();
    expect(stays.left()).toBe(false);
  });

  it("does not make an old release the newest when its connection is cut", async () => {
    const old = reader(3, "cut_one");
    await until(old.serves);
    const next = reader(3, "cut_two");
    await until(next.serves);
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut_one_reader'",
    );
    await until(old.left);
    await settled();
    expect(next.left()).toBe(false);
  });

  it("has no release take over before it is ready, whatever happens to the connections of the old one", async () => {
    const old = reader(6, "held_one");
    await until(old.serves);
    const isReady = () => false;
    const next = reader(6, "held_two", { isReady });
    await sleep(1_500);
    for (let cuts = 0; cuts < 3; cuts++) {
      await postgres.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'held_one_reader'",
      );
      await sleep(1_500);
    }
    expect([next.serves(), old.left()]).toEqual([false, false]);
  });

  it("has no refused release take over while the old one's connections are down, or after it has ended", async () => {
    const old = reader(9, "kept_one");
    await until(old.serves);
    const refuse = { mayReplace: async (schema: string) => schema !== "kept_one" };
    const next = reader(9, "kept_two", refuse);
    await sleep(1_500);
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kept_one_reader'",
    );
    await sleep(3_000);
    expect([next.serves(), old.left()]).toEqual([false, false]);
    old.generation.close();
    await sleep(GONE_AFTER + 2_000);
    expect(next.serves()).toBe(false);
    const back = reader(9, "kept_one", { isReady: () => false });
    await until(back.serves);
    back.generation.close();
    next.generation.close();
    // One that starts alone has nothing to be compared with.
    await until(reader(9, "kept_two", refuse).serves);
  });

  it.each<[string, number, GenerationParameters["mayReplace"]]>([
    ["has not been possible yet", 10, async () => null],
    ["fails", 11, () => Promise.reject(new Error("permission denied"))],
    ["takes without end", 12, () => new Promise(() => {})],
  ])("has a release whose comparison %s take over from one that is gone", async (_, service, mayReplace) => {
    const old = reader(service, "one");
    await until(old.serves);
    const next = reader(service, "two", { mayReplace });
    await settled();
    expect(next.serves()).toBe(false);
    old.generation.close();
    await until(next.serves);
  });

  it("has a refused release stay refused when it cannot be compared again", async () => {
    const old = reader(13, "one");
    await until(old.serves);
    let asked = 0;
    const mayReplace = async () => {
      asked += 1;
      if (asked > 1) throw new Error("silent");
      return false;
    };
    const next = reader(13, "two", { mayReplace });
    await until(() => asked > 1);
    old.generation.close();
    await sleep(GONE_AFTER + 2_000);
    expect(next.serves()).toBe(false);
  });

  it("has readers of tables that nobody indexes any more leave to fewer at once", async () => {
    const patient = { fewerAfter: 600_000 };
    const frozen = { ...patient, isFollowed: async () => false };
    const left = [reader(7, "one", frozen), reader(7, "one", frozen)];
    const stays = [reader(8, "one", patient), reader(8, "one", patient)];
    await until(() => [...left, ...stays].every(({ serves }) => serves()));
    const next = [reader(7, "two", patient), reader(8, "two", patient)];
    await until(() => left.every((one) => one.left()));
    await settled();
    expect([...next, ...stays].map(({ serves }) => serves())).toEqual([true, true, true, true]);
  });

  it("takes neither another service nor another application for a release", async () => {
    const stays = reader(4, "one");
    await until(stays.serves);
    const other = reader(5, "two", { isReady: () => false, hasMarket: () => false });
    const application = new pg.Client({ connectionString: postgres.connectionString });
    await application.connect();
    await application.query("SELECT pg_advisory_lock_shared(4, 2147483647)");
    await until(other.serves);
    await settled();
    expect([stays.left(), other.left()]).toEqual([false, false]);
    await application.end();
  });
});
