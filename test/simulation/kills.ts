/** @module Kills of the indexer at random moments of what it may be doing, each followed by a check. Pure. */
import { random as seeded } from "../harness/history/random.ts";
import { hashOf, type Schedule, type Step } from "./schedule.ts";

const MOMENTS = ["prefetch", "backfill", "live", "reorg", "schema switch", "registry reload"] as const;
type Moment = (typeof MOMENTS)[number];

/** Most milliseconds from the line of its log, or from the kill's turn, until the kill. */
const WITHIN: Record<Moment, number> = {
  prefetch: 3_000,
  backfill: 1_000,
  live: 0,
  reorg: 2_000,
  "schema switch": 3_000,
  "registry reload": 300,
};

/**
 * Two runs' worth of kills, as only without holders a new schema is folded from the old one's ledger, and only with them
 * everything is fetched.
 * @param count kills in all; the moments take turns
 */
export function killsOf(seed: number, count: number): { schedule: Schedule; moments: Moment[] }[] {
  const all = Array.from({ length: count }, (_, index) => MOMENTS[index % MOMENTS.length] ?? "live");
  const isFetched = (moment: Moment) => moment === "prefetch" || moment === "backfill";
  return [true, false].flatMap((holders) => {
    const moments = all.filter((moment) => isFetched(moment) === holders);
    return moments.length > 0 ? [{ schedule: scheduleOf(seed, holders, moments), moments }] : [];
  });
}

function scheduleOf(seed: number, holders: boolean, moments: readonly Moment[]): Schedule {
  const random = seeded(seed ^ (holders ? 0x0b00 : 0xdead));
  const setup = { database: "postgres", holders, webSocket: false, prefix: random.between(60, 90) } as const;
  const mined = (count: number): Step[] =>
    Array.from({ length: count }, () => ({ do: "mine", pause: random.between(40, 200) }));
  const steps: Step[] = [{ do: "start" }, ...mined(2), { do: "check" }];
  for (const moment of moments) {
    const after = random.below(WITHIN[moment] + 1);
    const kill = (line: string | null): Step => ({
      ...{ do: "kill", who: "indexer", signal: "SIGKILL", moment: { line, after } },
    });
    steps.push(...mined(random.between(1, 5)));
    if (moment === "prefetch") steps.push(kill("Started fetching the history"), { do: "switch" });
    else if (moment === "backfill") steps.push(kill("Created database tables"), { do: "switch" });
    else if (moment === "schema switch") steps.push(kill("Connected to database"), { do: "switch" });
    else if (moment === "live") steps.push(kill(null));
    else if (moment === "registry reload") steps.push(kill(null), { do: "publish" });
    else steps.push(kill(null), { do: "reorg", depth: random.between(1, 25), seen: true, disagreement: 0 });
    steps.push(...mined(2), { do: "check" });
  }
  const decided = { seed, setup, steps };
  return { ...decided, hash: hashOf(decided) };
}
