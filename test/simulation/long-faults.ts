/**
 * Faults of the chain itself, each over hundreds of blocks: its final block stands still, it is reorganised deeply, its nodes follow
 * different forks. What the chain called final stays: the final block trails far enough, or stands still meanwhile. Pure.
 * @module
 */
import type { Random } from "../harness/history/random.ts";
import type { Setup, Step } from "./schedule.ts";

export const LONG_FAULTS = ["finality-stalled", "deep-reorg", "forks"] as const;
/** Blocks from the final block to the head, of which the deepest reorganisation takes away so many. */
export const LONG_TRAIL = 430;
const DEEPEST = 400;
/** The deepest one above a final block that stands still: for longer, and what is deep enough would be final. */
const DEEPEST_STANDING = 220;
/** Milliseconds, for the service to have what there is. */
const SEEN = 1_500;

/** The steps of a fault that takes hundreds of blocks, most of them empty, without other faults. It ends with them. */
export function longOf(random: Random, fault: (typeof LONG_FAULTS)[number], { trail }: Setup): Step[] {
  const standing = (steps: Step[]): Step[] => [
    { do: "begin", fault: "finality-stalled", upstreams: "both", amount: 0 },
    ...steps,
    { do: "end", fault: "finality-stalled" },
  ];
  const some = (): Step[] => [...mined(random, 2), { do: "mine", pause: SEEN }];
  const idle = (from: number, to = from): Step => ({ do: "idle", blocks: random.between(from, to) });
  const seen = random.chance(0.5);
  if (fault === "finality-stalled")
    return standing([...some(), idle(270, 330), ...some(), { do: "check", unended: true }]);
  if (fault === "forks") {
    const depth = random.between(61, 90);
    const disagreement = random.between(31, 60);
    const reorg: Step = { do: "reorg", depth, seen, disagreement };
    return standing([...some(), idle(depth - 30), ...some(), reorg, ...some(), idle(disagreement)]);
  }
  if (trail !== undefined) {
    const depth = random.between(DEEPEST_STANDING, DEEPEST);
    return [...some(), { do: "reorg", depth, seen, disagreement: 0 }, ...some()];
  }
  const depth = random.between(31, DEEPEST_STANDING);
  const reorg: Step = { do: "reorg", depth, seen, disagreement: 0 };
  return standing([...some(), ...(depth > 30 ? [idle(depth - 30)] : []), ...some(), reorg, ...some()]);
}

/** Blocks alone. */
export function mined(random: Random, count: number): Step[] {
  return Array.from({ length: count }, () => ({ do: "mine", pause: random.between(40, 400) }));
}
