/**
 * How long a test waits for a state. It is for what never comes: on a loaded machine everything takes many times what it takes on
 * a quiet one, and a state that has come ends the wait.
 * @module
 */

/** Milliseconds. */
export const PATIENCE = { timeout: 240_000, interval: 50 } as const;
