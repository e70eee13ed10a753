/**
 * The deliverer of webhooks and the readers of its service: they share a random key, kept where the deliverer keeps its places.
 * @module
 */

/** The header by which the deliverer shows the key. */
export const DELIVERER_HEADER = "X-Raisebook-Deliverer";
/** Under which the places keep it. */
export const DELIVERER_KEY = "reader-key";
/** The schema of the places in PostgreSQL, and their folder in the data directory. */
export const PLACES = { schema: "raisebook_webhooks", folder: "webhooks" } as const;
