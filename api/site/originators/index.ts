/** @module The pages on businesses. */
export { originatorsPage } from "./all.ts";
export { originatorPage } from "./one.ts";
