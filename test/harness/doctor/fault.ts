/**
 * A fault of a set-up that is healthy otherwise, and what must be found of it: that, its remedy, and nothing else.
 * @module
 */
import type { ExamineOptions } from "../../../operate/doctor/doctor.ts";
import type { SetUp } from "./set-up.ts";

type Severity = "problem" | "warning";
/** What is found and its remedy begin or go on like this. */
type Found = readonly [Severity, variable: string | RegExp | null, what: RegExp, remedy: RegExp];

export type Seeded = { env?: Record<string, string>; options?: ExamineOptions };

export type Fault = {
  name: string;
  /** Changes of the environment, or what makes them. */
  seed: Record<string, string> | ((setUp: SetUp, onEnd: (end: () => unknown) => void) => Promise<Seeded>);
  finds: readonly Found[];
  /** whether other problems can only be found once it is fixed */
  isCutShort?: boolean;
  /** what `--verbose` prints */
  measures?: RegExp;
  proposes?: (setUp: SetUp) => Record<string, string>;
};
