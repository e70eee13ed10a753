/** @module The script of a raise as it is written: its steps and positions so far. */
import type { RaiseAction, RaiseId, Step, Terms } from "./actions.ts";
import { type Actor, BACKERS, type Backer } from "./cast.ts";
import type { RaiseStory } from "./raise-story.ts";
import type { Random } from "./random.ts";

export const HOUR = 3_600;
export const DAY = 86_400;

/** A raise without its steps. */
export type PlannedRaise = {
  readonly story: RaiseStory;
  readonly id: RaiseId;
  readonly refnum: string;
  /** The terms at the end of the market. */
  readonly terms: Terms;
  readonly createdAt: number;
};

export type Script = {
  readonly raise: PlannedRaise;
  /** The end of the market; there are no steps after it. */
  readonly end: number;
  readonly random: Random;
  readonly steps: readonly Step[];
  /** Base units of principal by backer, none of them zero. */
  readonly positions: Map<Backer, bigint>;
  /** @throws if the time is after the end: the story does not fit the calendar */
  add(at: number, by: Actor, action: RaiseAction): void;
  /** Skips steps after the end. */
  addIfInTime(at: number, by: Actor, action: RaiseAction): void;
};

export function createScript(raise: PlannedRaise, end: number, random: Random): Script {
  const steps: Step[] = [];
  const addIfInTime: Script["addIfInTime"] = (at, by, action) => {
    const time = Math.round(at);
    if (time <= end) steps.push({ at: time, by, action: { ...action, raise: raise.id } });
  };
  return {
    raise,
    end,
    random,
    steps,
    positions: new Map(),
    addIfInTime,
    add(at, by, action) {
      if (at > end) throw new Error(`${raise.story.publicId}: ${action.kind} would come after the end`);
      addIfInTime(at, by, action);
    },
  };
}

/** The reserve required by the terms, in base units. */
export function reserveOf({ targetAmount, insuranceBps }: Terms): bigint {
  return (targetAmount * BigInt(insuranceBps)) / 10_000n;
}

export function anyBacker(random: Random): Backer {
  return random.pick(BACKERS);
}

export function total(positions: ReadonlyMap<Backer, bigint>): bigint {
  return [...positions.values()].reduce((sum, amount) => sum + amount, 0n);
}
