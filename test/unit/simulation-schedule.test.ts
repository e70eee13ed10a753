import { describe, expect, it } from "vitest";
import { FAULTS, type Fault, faultsIn, type Schedule, scheduleOf } from "../simulation/schedule.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);
const schedules = SEEDS.map((seed) => scheduleOf({ seed }));
/** The other faults that come with a fault. */
const PARTS: Partial<Record<Fault, Fault[]>> = {
  disagreement: ["reorg"],
  "deep-reorg": ["finality-stalled"],
  forks: ["finality-stalled"],
};
const blocksIn = ({ steps }: Schedule) => steps.filter(({ do: what }) => what === "mine").length;

describe("a schedule", () => {
  it("is decided by its seed alone", () => {
    for (const [index, seed] of SEEDS.entries()) expect(scheduleOf({ seed })).toEqual(schedules[index]);
    expect(new Set(schedules.map(({ hash }) => hash)).size).toBe(SEEDS.length);
  });

  it("has a block for every three seconds of its minutes", () => {
    for (const schedule of schedules) expect(blocksIn(schedule)).toBeGreaterThanOrEqual(60);
    expect(blocksIn(scheduleOf({ seed: 1, minutes: 5 }))).toBeGreaterThanOrEqual(100);
  });

  it("has every kind of fault in some of 200 seeds", () => {
    const found = new Set(schedules.flatMap((schedule) => [...faultsIn(schedule).keys()]));
    expect(FAULTS.filter((fault) => !found.has(fault))).toEqual([]);
  });

  it("starts the service once, before anything that needs it", () => {
    for (const { steps } of schedules) {
      const start = steps.findIndex(({ do: what }) => what === "start");
      const needs = steps.findIndex(({ do: what }) => ["kill", "switch", "reorg", "check"].includes(what));
      expect(steps.filter(({ do: what }) => what === "start")).toHaveLength(1);
      expect(start).toBeLessThan(needs);
    }
  });

  it("has ended every fault before a check, and ends with a check", () => {
    for (const { steps } of schedules) {
      const open = new Set<string>();
      for (const step of steps) {
        if (step.do === "begin") open.add(step.fault);
        if (step.do === "end") open.delete(step.fault);
        if (step.do === "check") expect([...open]).toEqual(step.unended ? ["finality-stalled"] : []);
      }
      expect(steps.at(-1)?.do).toBe("check");
    }
  });

  it("reorganises no block that the chain has called final, and no more than 400", () => {
    let deepest = 0;
    for (const { setup, steps } of schedules) {
      let standing: number | null = null;
      for (const step of steps) {
        const blocks = step.do === "idle" ? step.blocks : step.do === "mine" ? 1 : 0;
        if (standing !== null) standing += blocks;
        if (step.do === "begin" && step.fault === "finality-stalled") standing = 30;
        if (step.do === "end" && step.fault === "finality-stalled") standing = null;
        if (step.do !== "reorg") continue;
        expect(step.depth).toBeLessThanOrEqual(standing ?? Math.min(400, setup.trail ?? 25));
        // Longer, and what is 240 blocks below the head would be served as final.
        if (standing !== null) expect(standing).toBeLessThanOrEqual(240);
        deepest = Math.max(deepest, step.depth);
      }
    }
    expect(deepest).toBeGreaterThan(300);
  });

  it("leaves the embedded database what it does not have", () => {
    for (const { setup, steps } of schedules) {
      for (const step of steps) {
        if (setup.database === "postgres") continue;
        if (step.do === "begin") expect(step.fault).not.toMatch(/^(database|disk)-/);
        if (step.do === "kill") expect(["indexer", "daemon"]).toContain(step.who);
        expect(step.do).not.toBe("switch");
      }
    }
  });

  it("has only the faults that are asked for", () => {
    for (const fault of FAULTS) {
      const found = SEEDS.slice(0, 40).flatMap((seed) => [
        ...faultsIn(scheduleOf({ seed, only: [fault] })).keys(),
      ]);
      expect([...new Set(found)], fault).toContain(fault);
      expect(
        found.filter((one) => one !== fault && !PARTS[fault]?.includes(one)),
        fault,
      ).toEqual([]);
    }
  });
});
