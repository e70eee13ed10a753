/** @module Defaults of settings that other modules need next to the table of `variables.ts`, and limits that no setting changes. */
import { fileURLToPath } from "node:url";

/** BSC testnet (interface document, "What the service does", 5). */
export const DEFAULT_CHAIN_ID = 97;
export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 42069;
/** The built-in pages, whatever the working directory. */
export const DEFAULT_KNOWLEDGE = fileURLToPath(new URL("../knowledge", import.meta.url));
/** A framed card has only links and shows what is public anyway. */
export const DEFAULT_EMBED_ORIGINS = "*";
export const DEFAULT_SITE_NAME = "Raisebook";
export const DEFAULT_SITE_ACCENT = "#0f6b74";
/** Streams in one process. Each takes a connection and some 20 kB. */
export const DEFAULT_MAX_STREAMS = 10_000;
/** Milliseconds that a process which is asked to end gives its open answers. Supervisors have to grant more. */
export const CLOSE_TIMEOUT = 40_000;
/** Blocks: BEP-619 has BNB Smart Chain final after 176 to 240 of them when votes are missing. */
export const LEAST_FINALITY_DEPTH = 240;
