// How much the heap may grow until its next full collection, in percent of what the last one left. Plain JavaScript: `bundle.mjs` loads it.
import { setFlagsFromString } from "node:v8";

/** By default V8 lets a heap grow to two or three times its content. */
const USUAL = 40;
/** For reads whose data stays: collections would free nothing. */
const FREELY = 400;

export const growAsUsual = () => setFlagsFromString(`--heap-growing-percent=${USUAL}`);
export const growFreely = () => setFlagsFromString(`--heap-growing-percent=${FREELY}`);
