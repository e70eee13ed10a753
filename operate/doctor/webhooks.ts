/**
 * The file with the targets of webhooks. Nothing is sent to them.
 * @module
 */
import type { Settings } from "../../config/environment.ts";
import { warnOfModes } from "../daemon/check-modes.ts";
import { loadTargets, WebhooksError } from "../webhooks/targets.ts";
import { createNotes, type Notes } from "./notes.ts";

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
      notes.problem("WEBHOOKS", problem, "Mend it there; raisebook deliver --check looks at it again.");
  }
  return notes;
}
