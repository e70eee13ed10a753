/** @module The environment: Node, every value, and names that nothing reads. */

import { type Environment, readSettings, type Settings } from "../../config/environment.ts";
import { SettingsError } from "../../config/problems.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { warnOfEnvironment, warnOfModes, warnOfStray } from "../daemon/check-environment.ts";
import { checkBrand, checkFiles, checkKnowledge, checkRegistry } from "../daemon/check-files.ts";
import { loadTargets, WebhooksError } from "../webhooks/targets.ts";
import { failureOf } from "./ask.ts";
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
    // A module that is read may still not be usable.
    contractsOf(settings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    notes.take({ problems: [...error.problems, ...(await checkFiles(env))], warnings: warnOfStray(env) });
    return { notes, settings: null };
  }
  const problems = await Promise.all([checkKnowledge(settings), checkBrand(settings)]);
  notes.take({ problems: problems.flat(), warnings: warnOfEnvironment(env, settings) });
  return { notes, settings };
}

/** Answers by which a page is there, though programs may not see it. */
const GUARDED = [401, 403, 405, 429];

export async function examineLinks(settings: Settings, timeout: number): Promise<Notes> {
  const notes = createNotes("links");
  const { appUrl, explorer, escrows, escrowFactory } = settings;
  const { document } = await checkRegistry(settings);
  const [listing] = document?.listings ?? [];
  const address = escrows[0]?.address ?? escrowFactory?.address ?? "";
  const links = [
    ["APP_URL", appUrl === null ? null : appUrl + (listing ? `/listings/${listing.publicId}` : "")],
    ["EXPLORER_URL", explorer?.address?.replace("{address}", address) ?? null],
  ] as const;
  await Promise.all(
    links.map(async ([variable, url]) => {
      const reason = url === null ? null : await whyBroken(url, timeout);
      if (url === null || reason === null) return;
      const what = `leads nowhere: ${url} ${reason}`;
      notes.warn(variable, what, "Correct it, or leave it out until there is something.");
    }),
  );
  return notes;
}

async function whyBroken(url: string, timeout: number): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
    await response.body?.cancel();
    return response.ok || GUARDED.includes(response.status) ? null : `answers ${response.status}`;
  } catch (error) {
    return `cannot be reached (${failureOf(error)})`;
  }
}

export async function examineWebhooks({ webhooks }: Pick<Settings, "webhooks">): Promise<Notes> {
  const notes = createNotes("webhooks");
  if (webhooks === null) return notes;
  notes.take({ warnings: warnOfModes([webhooks]) });
  try {
    const targets = await loadTargets(webhooks);
    notes.fact(webhooks, { targets: targets.length });
  } catch (error) {
    if (!(error instanceof WebhooksError)) throw error;
    for (const problem of error.problems)
      notes.problem("WEBHOOKS", problem, "Fix it there; raisebook deliver --check looks at it again.");
  }
  return notes;
}
