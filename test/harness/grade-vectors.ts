/** @module The vectors of the grade. Days are relative to now; `units` in the file says the rest. */
import vectors from "../vectors/grade.json" with { type: "json" };

export type VectorRaise = {
  principal: number;
  maturedDaysAgo: number;
  repaidDaysLate: number | null;
  settledDaysAgo?: number;
  lossShare?: number;
  times?: number;
};

type Vector = {
  name: string;
  kybStatus?: string;
  raises: VectorRaise[];
  expect: Partial<Record<"n" | "lossBps" | "lateBps" | "x" | "adjustedBps", number>> & {
    grade: string;
    cap?: string;
  };
};

export const METHOD: string = vectors.method;
export const CASES: readonly Vector[] = vectors.cases;
