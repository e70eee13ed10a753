/** @module The state of the service as a badge for other sites: the site's name and a word. */
import { makeBadge } from "badge-maker";
import type { Hono } from "hono";
import { isolated } from "../../config/format/untrusted-text.ts";
import { createBody, createBodyCache } from "../http/etagged-body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { send } from "../http/respond.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { type Sync, syncOf } from "./system/sync.ts";

export const BADGE_PATH = "/system/badge.svg";

/** White text has a contrast of at least 4.5:1 on each. The word says the same without colour. */
const COLOURS: Record<Sync["state"], string> = {
  ok: "#1b7346",
  syncing: "#8a5a00",
  starting: "#8a5a00",
  degraded: "#b3261e",
};
const LABEL_COLOUR = "#3a4249";

export function addBadge(app: Hono, deps: SiteDependencies): void {
  // One badge per message: one for each percent, and a few more.
  const bodies = createBodyCache();
  app.get(BADGE_PATH, (c) => {
    const { state, percent } = syncOf(deps);
    const message = state === "syncing" && percent !== null ? `syncing ${percent}%` : state;
    const body = bodies(deps, message, () =>
      createBody("image/svg+xml", Buffer.from(badgeOf(deps.brand.name, message, COLOURS[state]))),
    );
    // Clients may keep a copy but must revalidate it: mostly a 304.
    return send(c, body, { "Cache-Control": "no-cache" });
  });
  app.all(BADGE_PATH, methodNotAllowed);
}

/** The SVG; `name` is escaped. It contains no styles and no references, so it passes our policy when opened directly. */
function badgeOf(name: string, message: string, color: string): string {
  return makeBadge({ label: isolated(name), message, color, labelColor: LABEL_COLOUR, style: "flat-square" });
}
