/**
 * Cheap randomness for long histories: fast-check draws, keeps and shrinks one number a step, and each step rolls
 * its choices out of that number.
 * @module
 */
import fc from "fast-check";

export type Dice = {
  /** An integer from 0 to `sides` - 1. */
  below(sides: number): number;
  one<Choice>(choices: readonly Choice[]): Choice;
};

export function dice(seed: number): Dice {
  let rest = seed;
  const roll: Dice = {
    below(sides) {
      const rolled = rest % sides;
      rest = Math.floor(rest / sides);
      return rolled;
    },
    one(choices) {
      for (const choice of choices.slice(roll.below(choices.length))) return choice;
      throw new Error("there is nothing to choose from");
    },
  };
  return roll;
}

/** 0 to `most` seeds, every one and every length as likely as another. 53 bits last for about ten rolls. */
export function diceSeeds(most: number): fc.Arbitrary<number[]> {
  return fc.array(fc.noBias(fc.maxSafeNat()), { maxLength: most, size: "max" });
}
