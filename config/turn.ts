/** @module The message by which an indexer learns that it is its turn to write the tables. */

/** The environment variable with the token, for the indexer. */
export const TENURE_VARIABLE = "RAISEBOOK_TENURE";

/** Set for an indexer that waits for a message with the token. */
export const WAITS_VARIABLE = "RAISEBOOK_WAITS";

/**
 * The modules that an indexer loads while it waits: `everything` while it stands by for another start, or the `reader` of the history alone
 * while the daemon checks the settings, so that nothing but the daemon reports what is wrong with them.
 */
export type Waiting = "everything" | "reader";

/** From the daemon to an indexer that waits. */
export type TurnMessage = { readonly kind: "turn"; readonly tenure: string };

function isTurn(message: unknown): message is TurnMessage {
  return (message as { kind?: unknown } | null)?.kind === "turn";
}

/** Resolves to the token once the daemon says that it is the indexer's turn. */
export function untilTurn(): Promise<string> {
  return new Promise((resolve) => {
    process.on("message", (message) => isTurn(message) && resolve(message.tenure));
  });
}
