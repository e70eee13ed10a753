/** @module A fault of an otherwise healthy set-up, and the findings that it must cause, with their remedies: these and no others. */
import type { ExamineOptions } from "../../../operate/doctor/doctor.ts";
import type { SetUp } from "./set-up.ts";

type Severity = "problem" | "warning";
/** Patterns of the finding and of its remedy. */
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
