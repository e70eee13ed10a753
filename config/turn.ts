/** @module What the daemon says to its indexer of its turn to write the tables. */

/** The environment variable with the token, for the indexer. */
export const TENURE_VARIABLE = "RAISEBOOK_TENURE";

/** Set for an indexer that loads everything and then waits for a message with the token. */
export const WAITS_VARIABLE = "RAISEBOOK_WAITS";

/** From the daemon to an indexer that waits. */
export type TurnMessage = { readonly kind: "turn"; readonly tenure: string };

export function isTurn(message: unknown): message is TurnMessage {
  return (message as { kind?: unknown } | null)?.kind === "turn";
}
