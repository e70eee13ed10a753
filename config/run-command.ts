/** @module Runs a command that needs the settings of the service. */
import { loadEnvFiles, readSettings, type Settings } from "./environment.ts";
import { SettingsError } from "./problems.ts";
import { type Redact, redactorOf } from "./redact.ts";

/**
 * Runs the work, and says on standard error why it failed, without secrets.
 * @param messageOf the message for the operator; null for a bug, which is thrown
 * @returns the exit code of the work, or 1
 */
export async function runCommand(
  work: (settings: Settings, redact: Redact) => Promise<number>,
  messageOf: (error: unknown) => string | null,
): Promise<number> {
  loadEnvFiles();
  let redact: Redact = (text) => text;
  try {
    const settings = readSettings(process.env);
    redact = redactorOf(settings);
    return await work(settings, redact);
  } catch (error) {
    const message = error instanceof SettingsError ? error.message : messageOf(error);
    if (message === null) throw error;
    process.stderr.write(`${redact(message)}\n`);
    return 1;
  }
}
