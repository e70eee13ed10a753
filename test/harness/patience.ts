/**
 * How long a test waits for a state that should come. On a loaded machine everything takes many times what it takes on a quiet
 * one, and a state that has come ends the wait, so this is only for what never comes.
 * @module
 */

/** Milliseconds. Longer than the supervisor takes to restart an indexer that has stalled. */
export const PATIENCE = { timeout: 400_000, interval: 50 } as const;
