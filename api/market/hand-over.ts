/**
 * The words for the hand-over to a person, who alone can sign: one place, so that no face points at an app where none is
 * configured.
 * @module
 */
import type { Site } from "./listing.ts";

export const NO_APP = "No app to sign in is configured for this service.";

/** What an agent does at the end, as the end of a sentence such as "Recommend, and …". */
export function handOver({ appUrl }: Pick<Site, "appUrl">): string {
  return appUrl === null
    ? "hand over the url of the raise: no app to sign in is configured here, so appUrl is null"
    : "hand over the appUrl of the raise: there the person checks it and signs";
}
