/**
 * The stored data of targets and their keys.
 * @module
 */
import { z } from "zod";

/** Names contain no slash. */
export const KEYS = {
  /** a `TargetState` */
  state: (name: string) => `target/${name}`,
  /** the id of the last row sent of a listing, for targets with final rows */
  lastRow: (name: string, listing: string) => `row/${name}/${listing}`,
  /** a `DeadLetter` */
  deadLetter: (name: string, id: string) => `dead/${name}/${id}`,
  deadLetters: "dead/",
  states: "target/",
} as const;

export const deadLetter = z.object({
  id: z.string(),
  body: z.string(),
  /** milliseconds by the machine's clock: of the first attempt and of the last */
  since: z.number(),
  givenUpAt: z.number(),
  failures: z.int(),
  reason: z.string().nullable(),
});
/** A message that was given up. */
export type DeadLetter = z.output<typeof deadLetter>;
