/** @module The least that settings need, and the problems of others. */
import { type Environment, readSettings } from "../../config/environment.ts";
import { type Problem, SettingsError } from "../../config/problems.ts";

export const A = `0x${"a1".repeat(20)}`;
export const B = `0x${"b2".repeat(20)}`;
export const LEAST: Environment = {
  RPC_URLS: "http://127.0.0.1:8545",
  ESCROWS: `${A}@7`,
  REGISTRY: "./registry.json",
};

export function problemsOf(env: Environment): readonly Problem[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

export function problem(env: Environment): string {
  return problemsOf({ ...LEAST, ...env })
    .map((one) => `${one.variable} ${one.problem}`)
    .join("; ");
}
