/**
 * What is found out about a proof.
 * @module
 */
import type { components } from "./schema.js";
export type EventProof = components["schemas"]["EventProof"];
export type ListingProof = components["schemas"]["ListingProof"];
/** One thing that was checked, in a few words. */
export type Check = {
    about: string;
    holds: boolean;
    detail: string;
};
export type Verdict = {
    proven: boolean;
    /** what is proven, or why it is not, in a sentence */
    sentence: string;
    /** what it does not say, in sentences */
    notProven: string[];
    checks: Check[];
};
