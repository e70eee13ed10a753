/**
 * The script of one raise while it is written: its steps so far, and who holds what.
 * @module
 */
import type { RaiseAction, RaiseId, Step, Terms } from "./actions.ts";
import { type Actor, BACKERS, type Backer } from "./cast.ts";
import type { RaiseStory } from "./raise-story.ts";
import type { Random } from "./random.ts";

export const HOUR = 3_600;
export const DAY = 86_400;

/** A raise with everything but what happens to it. */
export type PlannedRaise = {
  readonly story: RaiseStory;
  readonly id: RaiseId;
  readonly refnum: string;
  /** As they stand at the end of the market. */
  readonly terms: Terms;
  readonly createdAt: number;
};

export type Script = {
  readonly raise: PlannedRaise;
  /** The end of the market; nothing is written after it. */
  readonly end: number;
  readonly random: Random;
  readonly steps: readonly Step[];
  /** Base units of principal by backer, none of them zero. */
  readonly positions: Map<Backer, bigint>;
  /** @throws when the time lies after the end: then the story and the calendar do not fit */
  add(at: number, by: Actor, action: RaiseAction): void;
  /** Leaves out what would come after the end. */
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

/** The reserve that the terms ask for, in base units. */
export function reserveOf({ targetAmount, insuranceBps }: Terms): bigint {
  return (targetAmount * BigInt(insuranceBps)) / 10_000n;
}

/** Somebody of the crowd. */
export function anybody(random: Random): Backer {
  return random.pick(BACKERS);
}

export function total(positions: ReadonlyMap<Backer, bigint>): bigint {
  return [...positions.values()].reduce((sum, amount) => sum + amount, 0n);
}
