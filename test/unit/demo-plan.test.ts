/** The demo's market before it is played: every promise of it, for many seeds. */
import { describe, expect, test } from "vitest";
import { gradeAt } from "../../api/market/grade.ts";
import { BUSINESS_NAMES, BUSINESSES } from "../../demo/market/cast.ts";
import { dollars, formatDollars, interestOn, split } from "../../demo/market/money.ts";
import { genesisOf, type MarketPlan, planMarket } from "../../demo/market/plan.ts";
import { clearAuction } from "../../demo/market/raising.ts";
import { createRandom } from "../../demo/market/random.ts";
import { followPlan } from "../harness/planned-raises.ts";

const END = 1_790_000_000;
const SEEDS = Array.from({ length: 25 }, (_, index) => index * 7_919);

/** The plan as text, with times counted from its end. */
function relative({ steps, raises, genesisAt, end }: MarketPlan): string {
  const isTime = (key: string) => ["at", "goLiveAt", "closeAt", "createdAt", "expiresAt"].includes(key);
  return JSON.stringify({ steps, raises, genesisAt: genesisAt - end }, (key, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    return typeof value === "number" && isTime(key) ? value - end : value;
  });
}

describe("a plan", () => {
  test("is the same for the same seed, and another for another", () => {
    const first = planMarket({ seed: 1, end: END });
    expect(planMarket({ seed: 1, end: END })).toEqual(first);
    expect(relative(planMarket({ seed: 2, end: END }))).not.toBe(relative(first));
  });

  test("only moves with its end", () => {
    const first = relative(planMarket({ seed: 1, end: END }));
    for (const end of [END + 1, END - 86_399, 1_600_000_000, 2_100_000_003]) {
      expect(relative(planMarket({ seed: 1, end }))).toBe(first);
    }
  });

  test.each(SEEDS)("has every step in its time, in order (seed %i)", (seed) => {
    const { steps, genesisAt, end } = planMarket({ seed, end: END });
    const times = steps.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((at) => Number.isSafeInteger(at) && at > genesisAt + 86_400 && at < end)).toBe(true);
    expect(genesisAt).toBe(genesisOf(END));
    expect((end - genesisAt) / 86_400).toBeGreaterThan(729);
    const blocks = new Set(times).size;
    expect(blocks).toBeGreaterThan(500);
    expect(blocks).toBeLessThan(1_500);
    expect(steps.length - blocks).toBeGreaterThan(100);
  });
});

describe("the market", () => {
  test.each(SEEDS)("keeps its promises (seed %i)", (seed) => {
    const outcomes = followPlan(planMarket({ seed, end: END }));
    const visible = outcomes.filter((outcome) => outcome.visible);
    expect(visible.length).toBeGreaterThanOrEqual(20);
    expect(new Set(visible.map(({ raise }) => raise.story.business)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(visible.map(({ status }) => status))).toEqual(
      new Set(["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"]),
    );
    expect(new Set(visible.map(({ repayment }) => repayment))).toEqual(
      new Set(["not_drawn", "current", "grace", "late", "default", "repaid", "written_off"]),
    );
    expect(new Set(visible.map(({ raise }) => raise.terms.pricingMode))).toEqual(
      new Set(["fixed", "auction"]),
    );
    expect(visible.some(({ raise, status }) => raise.terms.closeAt === null && status === "listed")).toBe(
      true,
    );
    expect(outcomes.filter((outcome) => !outcome.visible)).toHaveLength(2);
  });

  test.each(SEEDS)("grades its businesses from A to E, and some not (seed %i)", (seed) => {
    const outcomes = followPlan(planMarket({ seed, end: END }));
    const grades = BUSINESS_NAMES.map((business) => {
      const own = outcomes.filter(({ raise }) => raise.story.business === business);
      const records = own.flatMap(({ record }) => (record === null ? [] : [record]));
      const approved = BUSINESSES[business].kybStatus === "approved";
      return [business, gradeAt(records, approved, BigInt(END)).grade];
    });
    expect(Object.fromEntries(grades)).toEqual({
      meridian: "A",
      kilele: "B",
      alpenhof: "C",
      bluewater: "D",
      nordhavn: "E",
      tierra: "NR",
      lumen: "NR",
    });
  });

  test("still keeps them three weeks later, when nothing else happens", () => {
    const { steps, ...plan } = planMarket({ seed: 1, end: END });
    const later = followPlan({ ...plan, steps, end: END + 20 * 86_400 }).filter(({ visible }) => visible);
    expect(new Set(later.map(({ status }) => status)).size).toBe(7);
    expect(later.map(({ repayment }) => repayment)).toEqual(expect.arrayContaining(["late", "default"]));
  });

  test("numbers its raises from 1 in both escrows, under the old prefix and the current one", () => {
    const { raises } = planMarket({ seed: 1, end: END });
    for (const [escrow, first, pattern] of [
      ["legacy", "FL00011", /^FL\d{5}$/],
      ["current", "RB00001", /^RB\d{5}$/],
    ] as const) {
      const own = raises.filter(({ id }) => id.escrow === escrow);
      expect(own.map(({ id }) => id.onchainId)).toEqual(own.map((_, index) => index + 1));
      expect(own[0]?.refnum).toBe(first);
      expect(own.every(({ refnum }) => pattern.test(refnum))).toBe(true);
    }
    expect(new Set(raises.map(({ refnum }) => refnum)).size).toBe(raises.length);
    expect(new Set(raises.map(({ story }) => story.publicId)).size).toBe(raises.length);
  });

  test.each(SEEDS)("leaves somebody to be refunded, and trades on the desk (seed %i)", (seed) => {
    const plan = planMarket({ seed, end: END });
    const ended = followPlan(plan).filter(({ status }) =>
      ["refunding", "voided", "cancelled"].includes(status),
    );
    expect(ended.some(({ holders }) => holders > 0)).toBe(true);
    expect(ended.some(({ holders }) => holders === 0)).toBe(true);
    const kinds = plan.steps.map(({ action }) => action.kind);
    expect(kinds).toEqual(expect.arrayContaining(["createOffer", "fillOffer", "cancelOffer"]));
    const fills = plan.steps.filter(({ action }) => action.kind === "fillOffer");
    expect(fills.some(({ at }) => at > END - 86_400)).toBe(true);
    expect(plan.steps.some(({ by, action }) => action.kind === "subscribe" && by === "router")).toBe(true);
  });
});

describe("its parts", () => {
  test("an auction accepts the cheapest bids, of equal ones the earlier", () => {
    const bids = [
      { backer: "Ada Lindqvist", amount: 60n, rateBps: 900 },
      { backer: "Ben Okafor", amount: 50n, rateBps: 700 },
      { backer: "Chiara Ricci", amount: 60n, rateBps: 900 },
      { backer: "Elif Demir", amount: 10n, rateBps: 1_000 },
    ] as const;
    const { accepted, rateBps } = clearAuction(bids, 130n);
    expect([...accepted]).toEqual([
      ["Ben Okafor", 50n],
      ["Ada Lindqvist", 60n],
      ["Chiara Ricci", 20n],
    ]);
    expect(rateBps).toBe(900);
  });

  test("parts add up to the whole, and none is empty", () => {
    for (const seed of SEEDS) {
      const total = dollars(29_000 + seed);
      const parts = split(total, 11, createRandom(seed, "split"));
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
      expect(parts.every((part) => part > 0n)).toBe(true);
    }
  });

  test("amounts read as money, and interest is rounded down", () => {
    expect(formatDollars(1_234_567_890_000_000_000_000_999n)).toBe("1,234,567.89");
    expect(formatDollars(0n)).toBe("0.00");
    expect(interestOn(dollars(1_000), 1_450, 365)).toBe(dollars(145));
    expect(interestOn(1n, 1_450, 365)).toBe(0n);
  });

  test("chance is even, within its bounds, and a stream of its own for each name", () => {
    const random = createRandom(1, "a");
    const drawn = Array.from({ length: 6_000 }, () => random.integer(1, 6));
    for (let face = 1; face <= 6; face++) {
      expect(drawn.filter((value) => value === face).length).toBeGreaterThan(850);
    }
    expect(Math.max(...drawn)).toBe(6);
    expect(random.shuffled([1, 2, 3]).toSorted()).toEqual([1, 2, 3]);
    expect(createRandom(1, "b").next()).not.toBe(createRandom(1, "a").next());
    expect(() => random.pick([])).toThrow("nothing to pick from");
  });
});
