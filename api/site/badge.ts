/**
 * How the service is doing, as a badge for somebody else's page: its name and a word. `/system` says the same at length.
 * @module
 */
import { makeBadge } from "badge-maker";
import type { Hono } from "hono";
import { createBody, createBodyCache } from "../http/body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { send } from "../http/respond.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { type Sync, syncOf } from "./system/sync.ts";

export const BADGE_PATH = "/system/badge.svg";

/** White reads on each with at least 4.5:1. The word on it says the same without colour. */
const COLOURS: Record<Sync["state"], string> = {
  ok: "#1b7346",
  syncing: "#8a5a00",
  starting: "#8a5a00",
  degraded: "#b3261e",
};
const LABEL_COLOUR = "#3a4249";

/** Adds the badge to the app of the site. */
export function addBadge(app: Hono, deps: SiteDependencies): void {
  // As many as there are words to say: one for each percent, and a few.
  const bodies = createBodyCache();
  app.get(BADGE_PATH, (c) => {
    const { state, percent } = syncOf(deps);
    const message = state === "syncing" && percent !== null ? `syncing ${percent}%` : state;
    const body = bodies(deps, message, () =>
      createBody("image/svg+xml", Buffer.from(badgeOf(deps.brand.name, message, COLOURS[state]))),
    );
    // Who shows it may keep a copy, but asks again each time: mostly for a 304.
    return send(c, body, { "Cache-Control": "no-cache" });
  });
  app.all(BADGE_PATH, methodNotAllowed);
}

/** The SVG, in which `name` is only text. It has no styles and refers to nothing: our policy holds when it is opened. */
function badgeOf(name: string, message: string, color: string): string {
  return makeBadge({ label: name, message, color, labelColor: LABEL_COLOUR, style: "flat-square" });
}
