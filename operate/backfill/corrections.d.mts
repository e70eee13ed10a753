/** For the modules of Ponder that are loaded from now on. */
export function correctPonder(): void;
/** Codes of PostgreSQL's errors that pass. */
export const PASSING: RegExp;
