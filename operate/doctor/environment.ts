/**
 * The environment: Node, every value, and names that nothing reads.
 * @module
 */
import { type Environment, readSettings, type Settings } from "../../config/environment.ts";
import { SettingsError } from "../../config/problems.ts";
import { warnOfEnvironment, warnOfStray } from "../daemon/check-environment.ts";
import { checkBrand, checkFiles, checkKnowledge } from "../daemon/check-files.ts";
import { warnOfModes } from "../daemon/check-modes.ts";
import { createNotes, type Notes } from "./notes.ts";

export type ExaminedEnvironment = {
  readonly notes: Notes;
  /** null when they cannot be used */
  readonly settings: Settings | null;
};

/** @param files that it was read from */
export async function examineEnvironment(
  env: Environment,
  files: readonly string[],
): Promise<ExaminedEnvironment> {
  const notes = createNotes("environment");
  notes.fact("Node.js", { version: process.versions.node });
  notes.take({ warnings: warnOfModes(files) });
  let settings: Settings;
  try {
    settings = readSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    notes.take({ problems: [...error.problems, ...(await checkFiles(env))], warnings: warnOfStray(env) });
    return { notes, settings: null };
  }
  const problems = await Promise.all([checkKnowledge(settings), checkBrand(settings)]);
  notes.take({ problems: problems.flat(), warnings: warnOfEnvironment(env, settings) });
  return { notes, settings };
}
