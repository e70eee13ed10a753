/** @module A stream of choices that one seed decides: the same seed, the same history. */

export type Random = {
  /** an integer from 0 to `sides` - 1 */
  below(sides: number): number;
  /** an integer from `least` to `most`, both possible */
  between(least: number, most: number): number;
  /** any of 0 to `most`, both possible; all that 256 bits hold can be asked for */
  amount(most: bigint): bigint;
  chance(probability: number): boolean;
  one<Choice>(choices: readonly Choice[]): Choice;
  /** a choice of weight 2 comes twice as often as one of weight 1; undefined when all weights are 0 */
  weighted<Choice>(choices: readonly (readonly [weight: number, Choice])[]): Choice | undefined;
};

export function random(seed: number): Random {
  let state = seed >>> 0;
  /** Steele and Vigna's mixing of a counter, in 32 bits. */
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const fraction = () => next() / 2 ** 32;
  const below = (sides: number) => Math.floor(fraction() * sides);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    amount(most) {
      const words = Array.from({ length: 9 }, () => BigInt(next()));
      return words.reduce((drawn, word) => (drawn << 32n) | word, 0n) % (most + 1n);
    },
    chance: (probability) => fraction() < probability,
    one(choices) {
      for (const choice of choices.slice(below(choices.length))) return choice;
      throw new Error("there is nothing to choose from");
    },
    weighted(choices) {
      let rest = fraction() * choices.reduce((total, [weight]) => total + weight, 0);
      for (const [weight, choice] of choices) {
        rest -= weight;
        if (rest < 0) return choice;
      }
      return undefined;
    },
  };
}

/** `--seed 7`, or `SEED=7` where a test runner keeps the arguments for itself, or else `fallback`. */
export function chosenSeed(fallback: number): number {
  const at = process.argv.indexOf("--seed");
  const named = process.argv.find((argument) => argument.startsWith("--seed="))?.slice("--seed=".length);
  const given = (at < 0 ? named : process.argv[at + 1]) ?? process.env.SEED;
  if (given === undefined) return fallback;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`a seed is an integer, not ${given}`);
  return seed;
}
