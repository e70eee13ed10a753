/**
 * Random histories through the real contracts: the model, which was written from the documents, holds against the
 * contracts' own view functions. Again with another seed: `SEED=7 npx vitest run test/integration/history.test.ts`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Address } from "viem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deployDesk, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { type Coverage, coverageOf } from "../harness/history/coverage.ts";
import { createHistory, type History, playHistory } from "../harness/history/history.ts";
import { chosenSeed } from "../harness/history/random.ts";
import { predict } from "../model/answers.ts";
import {
  answerTotals,
  expectedAnswers,
  fetchDeskLogs,
  fetchLogs,
  fetchTransfers,
  headAt,
  modelTotals,
  viewTotals,
} from "../model/compare.ts";
import { modelHoldings, modelRemainders, viewHoldings, viewRemainders } from "../model/desk-views.ts";
import { differences } from "../model/differences.ts";

/** Ones whose histories reach everything that is asked for below. */
const PROVEN_SEED = 37;
const PROVEN_SEED_WITH_DESK = 60;
const ACTIONS = 1000;
const CHECKPOINTS = 10;
const urls = { publicUrl: "http://raises.localhost", appUrl: "http://app.localhost" };

type Deployed = { dollar: Address; escrows: Address[]; desk?: Address };

let chain: LocalChain;

beforeEach(async () => {
  chain = await startChain({ genesisTimestamp: 1_600_000_000 });
});

afterEach(() => chain.stop());

async function deployTwo(): Promise<Deployed> {
  const { address: dollar } = await deployDollar(chain);
  const { address: one } = await deployEscrow(chain, { dollar, feeBps: 100 });
  const { address: other } = await deployEscrow(chain, { dollar });
  return { dollar, escrows: [one, other] };
}

async function deployWithDesk(): Promise<Deployed & { desk: Address }> {
  const deployed = await deployTwo();
  const { address: desk } = await deployDesk(chain, deployed);
  return { ...deployed, desk };
}

/** Plays a whole history; at every checkpoint the model's figures are those of the contracts. */
async function playChecked(
  deployed: Deployed,
  seed: number,
): Promise<{ history: History; seen: Coverage[] }> {
  const { publicClient: client } = chain;
  const { desk } = deployed;
  const escrows = deployed.escrows.map((address) => ({ address }));
  const history = await createHistory({ chain, ...deployed, seed });
  const seen: Coverage[] = [];

  for (let checkpoint = 1; checkpoint <= CHECKPOINTS; checkpoint++) {
    await history.playUntil((checkpoint * ACTIONS) / CHECKPOINTS);
    const head = await headAt(client);
    const logs = await fetchLogs(client, escrows, head.number);
    const views = await viewTotals(client, escrows, head.number);
    const where = `seed ${seed}, block ${head.number}`;
    expect(differences(views, modelTotals(logs)), where).toEqual([]);

    const deskLogs = desk ? await fetchDeskLogs(client, { address: desk }, head.number) : [];
    if (desk) {
      const remainders = await viewRemainders(client, desk, head.number);
      expect(differences(remainders, modelRemainders(deskLogs)), where).toEqual([]);
    }
    const transfers = await fetchTransfers(client, logs, head.number);
    const holdings = await viewHoldings(client, transfers, head.number);
    expect(differences(holdings, modelHoldings(transfers)), where).toEqual([]);

    const chainFacts = { logs, desk: desk ?? null, deskLogs, transfers, head };
    const prediction = predict({ ...urls, ...chainFacts, registry: history.registry() });
    const shown = answerTotals(prediction.listings.listings);
    const viewsOfShown = Object.fromEntries(Object.keys(shown).map((pair) => [pair, views[pair]]));
    expect(differences(viewsOfShown, shown), where).toEqual([]);
    seen.push(coverageOf(logs, prediction, { logs: deskLogs, now: head.timestamp }));
  }
  await history.finish();
  console.info(JSON.stringify({ moves: history.tally(), atTheEnd: seen.at(-1) }, null, 2));
  expect(history.moves()).toBeGreaterThanOrEqual(ACTIONS);
  return { history, seen };
}

/** The moves that always succeeded, and those that never did. */
function oneSided(history: History): string[] {
  const moves = Object.entries(history.tally());
  return moves.flatMap(([name, { made, refused }]) => (refused === 0 || refused === made ? [name] : []));
}

describe("a history of a thousand actions over two escrows", () => {
  test("the model's totals are the escrows' at every checkpoint, and everything there is comes up", async () => {
    const seed = chosenSeed(PROVEN_SEED);
    const { history, seen } = await playChecked(await deployTwo(), seed);
    const atTheEnd = seen.at(-1);
    if (seed !== PROVEN_SEED) return;

    expect(Object.keys(atTheEnd?.statuses ?? {})).toEqual([
      "cancelled",
      "funding",
      "listed",
      "live",
      "matured",
      "refunding",
      "voided",
    ]);
    expect(Object.keys(atTheEnd?.events ?? {})).toHaveLength(12);
    expect(oneSided(history)).toEqual([]);
    expect(everSeen(seen, ({ repayments }) => repayments)).toEqual([
      "current",
      "default",
      "grace",
      "late",
      "not_drawn",
      "repaid",
      "written_off",
    ]);
    expect(everSeen(seen, ({ outcomes }) => outcomes)).toEqual([
      "defaulted",
      "none",
      "repaid",
      "repaid_with_reserve",
    ]);
    expect(everSeen(seen, ({ grades }) => grades)).toEqual(["A", "B", "C", "D", "E", "NR"]);
    expect(everSeen(seen, ({ caps }) => caps)).toEqual(["C", "D", "E", "none"]);
    expect(atTheEnd?.pricingModes).toMatchObject({ auction: expect.any(Number), fixed: expect.any(Number) });
    expect(atTheEnd?.sharedBlocks).toBeGreaterThan(20);
    expect(atTheEnd?.sameSecond).toBeGreaterThan(5);
    expect(atTheEnd?.bits).toBeGreaterThan(198);
    expect(atTheEnd?.unverified.originator).toBeGreaterThan(0);
    expect(atTheEnd?.unverified.metadata).toBeGreaterThan(0);
  });

  test("and with a desk: its offers and the tokens' holders too", async () => {
    const seed = chosenSeed(PROVEN_SEED_WITH_DESK);
    const { history, seen } = await playChecked(await deployWithDesk(), seed);
    const atTheEnd = seen.at(-1);
    if (seed !== PROVEN_SEED_WITH_DESK) return;

    expect(Object.keys(atTheEnd?.statuses ?? {})).toHaveLength(7);
    // Approvals are never refused.
    expect(oneSided(history)).toEqual(["approve"]);
    // Trades are too seldom for every moment to have recent ones, open offers and a yield.
    const mostOfDesk = (of: keyof Coverage["desk"]) => Math.max(...seen.map(({ desk }) => desk[of]));
    expect(atTheEnd?.desk.trades).toBeGreaterThan(20);
    for (const kind of ["selfTrades", "cancelled", "expired", "foreign"] as const) {
      expect(atTheEnd?.desk[kind], kind).toBeGreaterThan(1);
    }
    expect(mostOfDesk("open")).toBeGreaterThan(2);
    expect(mostOfDesk("trades24h")).toBeGreaterThan(0);
    expect(mostOfDesk("trades30d")).toBeGreaterThan(2);
    expect(mostOfDesk("yields")).toBeGreaterThan(0);
  });

  test("one seed is one history, and its registry is the file that was written", async () => {
    const folder = temporaryFolder();
    const seed = chosenSeed(PROVEN_SEED);
    const tellAll = async (registryPath: string) => {
      const deployed = await deployWithDesk();
      await playHistory({ chain, ...deployed, seed, actions: 120, registryPath });
      const escrows = deployed.escrows.map((address) => ({ address }));
      const registry = JSON.parse(await readFile(registryPath, "utf8"));
      const desk = { address: deployed.desk };
      const facts = { client: chain.publicClient, escrows, desk, holders: true, registry, ...urls };
      const told = await expectedAnswers(facts);
      return { ...told, overTime: told.overTime() };
    };
    const first = await tellAll(join(folder, "first.json"));
    await chain.stop();
    chain = await startChain({ genesisTimestamp: 1_600_000_000 });
    const second = await tellAll(join(folder, "second.json"));
    expect(first.listings.listings.length).toBeGreaterThan(3);
    expect(second).toEqual(first);
  });
});

function everSeen(seen: readonly Coverage[], of: (coverage: Coverage) => Record<string, number>): string[] {
  return [...new Set(seen.flatMap((coverage) => Object.keys(of(coverage))))].sort();
}
