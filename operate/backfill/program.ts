/**
 * The indexer's program, and what the files that Ponder loads through Vite import from it: one copy of both.
 * @module
 */
export * from "ponder";
export { startPonder } from "./start.ts";
