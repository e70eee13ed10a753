/**
 * The result of verifying a proof.
 * @module
 */
import type { components } from "./schema.js";
export type EventProof = components["schemas"]["EventProof"];
export type ListingProof = components["schemas"]["ListingProof"];
/** Items of a contract's ABI, as compilers and explorers give it. */
export type ContractAbi = readonly unknown[];
/** One check, in a few words. */
export type Check = {
    about: string;
    holds: boolean;
    detail: string;
};
export type Verdict = {
    proven: boolean;
    /** what is proven, or why it is not, in a sentence */
    sentence: string;
    /** what the proof leaves open, in sentences */
    notProven: string[];
    checks: Check[];
};
