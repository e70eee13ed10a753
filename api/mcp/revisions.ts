/**
 * The revisions of the protocol that the endpoint speaks: what a handshake may agree on, what the server's card lists
 * and what an error about a version names (of those without a handshake alone, where the message has none).
 * @module
 */

/** Oldest first. Those before 2025-06-18 want batches answered, which this endpoint refuses. */
export const MCP_REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
