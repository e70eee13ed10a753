/**
 * Where the pages lead: the app where people sign, and the block explorer.
 * @module
 */
import type { Settings } from "../../config/environment.ts";
import { checkRegistry } from "../daemon/check-files.ts";
import { failureOf } from "./ask.ts";
import { createNotes, type Notes } from "./notes.ts";

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
