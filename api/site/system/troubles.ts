/**
 * Why the service calls itself degraded, in words.
 * @module
 */
import type { Trouble } from "../../health/health.ts";

/** What each cause means for whoever reads the pages. */
export const TROUBLE_WORDS: Record<Trouble, string> = {
  node_silent:
    "The chain's node has not answered for more than a minute: what happened since then is not shown yet.",
  index_stalled:
    "The chain goes on and the index has stood still for more than a minute: what happened since then is not shown yet.",
  database_silent:
    "The database does not answer: the figures are those of the last indexed block that was read, and events cannot be read.",
  registry_refused:
    "The last update of the registry was not valid: names and texts are those of the last good copy.",
  audit_red: "The last audit found figures that differ from the chain: its findings are on the system page.",
};
