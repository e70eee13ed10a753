/** @module How readers recognise the deliverer of webhooks, and where it stores positions. */

/** The header with which the deliverer sends the key. */
export const DELIVERER_HEADER = "X-Raisebook-Deliverer";
/** The name under which the key is stored. */
export const DELIVERER_KEY = "reader-key";
/** The places where positions are stored: the schema in PostgreSQL, or the folder in the data directory. */
export const PLACES = { schema: "raisebook_webhooks", folder: "webhooks" } as const;
