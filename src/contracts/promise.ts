/**
 * Promises in what a module's functions return, which must not be async.
 * @module
 */
import { messageOf } from "./abi.ts";

/** An event's terms are the deepest: list, event, terms, value. */
const DEPTH = 3;

/** Why what a function has given cannot be used. @param given what it returned, if it did */
export function problemOf(error: unknown, given: unknown): string {
  return hasPromise(given, DEPTH) ? "a promise: handlers must not be async" : messageOf(error);
}

/** Handles the rejection of each promise, which would end the process otherwise. */
function hasPromise(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    if ("then" in value && typeof value.then === "function") {
      Promise.resolve(value).catch(() => {});
      return true;
    }
    return depth > 0 && Object.values(value).filter((one) => hasPromise(one, depth - 1)).length > 0;
  } catch {
    // A getter of the module's failed.
    return false;
  }
}
