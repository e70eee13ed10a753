/** @module All environment variables of Raisebook: the table behind `readSettings` and `npm start -- --help`. */
import { LOGS_PROVEN } from "./completeness.ts";
import * as defaults from "./defaults.ts";
import { LOG_FORMATS, LOG_LEVELS } from "./log.ts";
import * as urls from "./url-values.ts";
import * as values from "./values.ts";

const port = values.integer(1, 65_535);
const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** A default that is an example too. */
const byDefault = <const T extends string | number | boolean>(initial: T) => ({
  ...{ initial, fallback: String(initial), example: String(initial) },
});

/** `fallback` is the default as the help shows it. */
export const VARIABLES = {
  CHAIN_ID: {
    schema: values.integer(1, Number.MAX_SAFE_INTEGER),
    about: "id of the chain, which is a test network; every endpoint must be on it",
    ...byDefault(defaults.DEFAULT_CHAIN_ID),
  },
  RPC_URLS: {
    schema: values.httpUrls,
    about: "JSON-RPC URLs of the chain, comma separated, with eth_getLogs; several are compared",
    fallback: "required",
    example: "https://bsc-testnet.rpc.example/v2/KEY",
  },
  WS_URL: {
    schema: values.webSocketUrl,
    about: "WebSocket endpoint that announces new blocks at once",
    fallback: "none",
    example: "wss://bsc-testnet.rpc.example/v2/KEY",
  },
  ETH_GET_LOGS_RANGE: {
    schema: values.integer(1, 1_000_000),
    about: "blocks per eth_getLogs call during the backfill, 1 to 1000000",
    fallback: "probed",
    example: "2000",
  },
  RPC_CONCURRENCY: {
    schema: values.integer(1, 1_000),
    about: "most requests at the same time during the backfill, 1 to 1000",
    ...byDefault(32),
  },
  FINALITY_DEPTH: {
    schema: values.integer(defaults.LEAST_FINALITY_DEPTH, 10_000),
    about: "blocks below the head that are final while no endpoint reports a final one, 240 to 10000",
    ...byDefault(defaults.LEAST_FINALITY_DEPTH),
  },
  FAST_FORWARD: {
    schema: values.yesOrNo,
    about: "whether the finalised history is written in bulk instead of event by event",
    ...byDefault(true),
  },
  LEDGER: {
    schema: values.ledgerSource,
    about: "a ledger file, by https URL or path, from which a first start fills its tables",
    fallback: "none: the history is read from the chain",
    example: "https://raises.example/book.ledger.gz",
  },
  LOGS_PROVEN: {
    schema: values.oneOf(LOGS_PROVEN),
    about: "blocks whose logs are proven complete: events, possible (every header too) or none",
    fallback: "events",
    example: "possible",
  },
  CONTRACTS: {
    schema: values.plainText,
    about: "a module that says what the events of your own contracts mean: .mjs, .js or .ts",
    fallback: "the contracts of the project",
    example: "./contracts.mjs",
  },
  ESCROWS: {
    schema: values.contracts,
    about: "escrow contracts, each with the block to start from, comma separated",
    fallback: "required without ESCROW_FACTORY",
    example: `${ADDRESS}@48000000`,
  },
  ESCROW_FACTORY: {
    schema: values.contract,
    about: "a factory that announces escrow deployments, so that a redeploy needs no restart",
    fallback: "required without ESCROWS",
    example: `${ADDRESS}@48000000`,
  },
  DESK: {
    schema: values.contract,
    about: "the secondary desk",
    fallback: "none",
    example: `${ADDRESS}@48000000`,
  },
  HOLDERS: {
    schema: values.yesOrNo,
    about: "whether to count the holders of listing tokens; costs one more eth_getLogs call per block",
    fallback: "false",
    example: "true",
  },
  REGISTRY: {
    schema: values.registrySource,
    about: "the registry: a file, a folder (ends in /), an https URL, or tables (postgres://…)",
    fallback: "required",
    example: "./registry.json",
  },
  REGISTRY_SIGNER: {
    schema: values.address,
    about: "address of the key that the registry must be signed with",
    fallback: "none: the registry need not be signed",
    example: ADDRESS,
  },
  KNOWLEDGE: {
    schema: values.plainText,
    about: "folder of the knowledge base: Markdown files, read at startup",
    fallback: "the built-in pages",
    example: "./knowledge",
  },
  PUBLIC_URL: {
    schema: urls.siteRoot,
    about: "root of the public site; every absolute link begins with it",
    fallback: "http://HOST:PORT when HOST is loopback, else required",
    example: "https://raises.example",
  },
  APP_URL: {
    schema: urls.pageUrl,
    about: "the app where people sign; the service only links to it",
    fallback: "none: appUrl is null, and the texts say that no app is configured",
    example: "https://app.raises.example",
  },
  CONTACT: {
    schema: urls.contact,
    about: "the operator's contact in the API description: a page or an e-mail address",
    fallback: "none",
    example: "https://raises.example/contact",
  },
  EXPLORER_URL: {
    schema: urls.explorer,
    about: "a block explorer to link to: its root, or pages with {tx}, {address} and {block}",
    fallback: "none: hashes and addresses are not links",
    example: "https://testnet.bscscan.com",
  },
  PUBLIC_NODE: {
    schema: urls.publicNode,
    about: "a node (JSON-RPC) offered to visitors who prove a raise; shown to all, with any key in it",
    fallback: "none: visitors name a node",
    example: "https://bsc-testnet-rpc.publicnode.com",
  },
  EMBED_ORIGINS: {
    schema: urls.embedOrigins,
    about: "sites that may show a raise in a frame: origins, comma separated; * for all, or none",
    fallback: "*: every site",
    example: "https://blog.example,https://news.example",
  },
  SITE_NAME: {
    schema: values.siteName,
    about: "name of the site on its pages, 1 to 60 characters",
    ...byDefault(defaults.DEFAULT_SITE_NAME),
  },
  SITE_LOGO: {
    schema: values.plainText,
    about: "the site's logo: an SVG (shapes only) or PNG file of at most 100 KB, ideally square",
    fallback: "the built-in mark, in the colour of SITE_ACCENT",
    example: "./logo.svg",
  },
  SITE_ACCENT: {
    schema: values.hexColour,
    about: "colour of links and buttons, 3 or 6 hex digits; readable shades are derived from it",
    fallback: defaults.DEFAULT_SITE_ACCENT,
    // Without #, which starts a comment in an env file.
    example: defaults.DEFAULT_SITE_ACCENT.slice(1),
  },
  EXPOSE_ACCOUNTS: {
    schema: values.yesOrNo,
    about: "whether events include people's addresses (backer, payer, holder, seller, …)",
    ...byDefault(false),
  },
  AUDIT_EVERY: {
    schema: values.integer(10, 86_400),
    about: "seconds between scheduled audits of the tables against the chain, 10 to 86400",
    fallback: "none: only npm run audit",
    example: "600",
  },
  PROOF_CALLS: {
    schema: values.integer(0, 100_000),
    about: "requests to the chain a minute that proofs may cause, for all clients, 0 to 100000",
    // A proof takes two if its block is not cached.
    ...byDefault(60),
  },
  DATABASE_URL: {
    schema: values.postgresUrl,
    about: "PostgreSQL database for the tables",
    fallback: "none: an embedded database in RAISEBOOK_DATA_DIR",
    example: "postgres://raisebook:secret@127.0.0.1:5432/raisebook",
  },
  NOTICES_DATABASE_URL: {
    schema: values.postgresUrl,
    about: "for readers whose DATABASE_URL is a replica: its primary, which announces new blocks",
    fallback: "none: DATABASE_URL announces them",
    example: "postgres://raisebook:secret@127.0.0.1:5000/raisebook",
  },
  RAISEBOOK_DATA_DIR: {
    schema: values.plainText,
    about: "directory of the embedded database; memory:// persists nothing",
    ...byDefault(".raisebook"),
  },
  DATA_FILES: {
    schema: values.plainText,
    about: "directory of the open data, Parquet files below /data/; none: no files are written",
    fallback: "data in RAISEBOOK_DATA_DIR; none with DATABASE_URL",
    example: "/var/cache/raisebook/data",
  },
  DATA_BLOCKS: {
    schema: values.integer(10, 10_000_000),
    about: "blocks in a file of the open data, 10 to 10000000",
    // About a day of BNB Smart Chain.
    ...byDefault(100_000),
  },
  DATA_LICENCE: {
    schema: values.licence,
    about: "licence of the open data: an SPDX identifier or a URL",
    fallback: "none: no licence is granted",
    example: "CC-BY-4.0",
  },
  MARKET_FILES: {
    schema: values.plainText,
    about: "directory where readers save large markets and registries, so that they start in seconds",
    fallback: "none: every start reads all rows and entries",
    example: "/var/cache/raisebook",
  },
  DATABASE_SCHEMA: {
    schema: values.schemaName,
    about: "database schema of the tables",
    fallback: "derived from the code and the contracts, and new whenever either changes",
    example: "raisebook_live",
  },
  DROP_SCHEMAS_AFTER: {
    schema: values.integer(0, 31_536_000),
    about: "seconds after which an unused schema of an earlier release is dropped; 0 keeps it",
    // A day.
    ...byDefault(86_400),
  },
  ALLOW_DIFFERENT_BOOK: {
    schema: values.yesOrNo,
    about: "whether a release may take over from another although its book differs",
    ...byDefault(false),
  },
  HOST: {
    schema: values.hostName,
    about: "address to listen on",
    fallback: defaults.DEFAULT_HOST,
    example: "0.0.0.0",
  },
  PORT: { schema: port, about: "port to listen on", ...byDefault(defaults.DEFAULT_PORT) },
  OPERATOR_PORT: {
    schema: port,
    about: "port on 127.0.0.1 for the operator only: the indexer's metrics, and audits",
    fallback: "the one after PORT",
    example: "42070",
  },
  METRICS_PORT: {
    schema: port,
    about: "port on 127.0.0.1 for the readers' metrics, with DATABASE_URL",
    fallback: "npm start: the one after OPERATOR_PORT; npm run serve: none",
    example: "42071",
  },
  RATE_LIMIT: {
    schema: values.integer(1, 100_000),
    about: "requests a minute of one client, 1 to 100000; more get a 429",
    fallback: "none: no client is limited",
    example: "600",
  },
  MAX_STREAMS: {
    schema: values.integer(1, 100_000),
    about: "streams (/v1/stream) open at a time in a process, 1 to 100000; more get a 503",
    ...byDefault(defaults.DEFAULT_MAX_STREAMS),
  },
  TRUSTED_PROXIES: {
    schema: values.networks,
    about: "proxies whose X-Forwarded-For names the client: addresses or CIDR blocks, comma separated",
    fallback: "none: the address that connects is the client",
    example: "127.0.0.1,10.0.0.0/8",
  },
  WEBHOOKS: {
    schema: values.plainText,
    about: "for raisebook deliver: the JSON file with the targets of webhooks",
    fallback: "none: no webhooks",
    example: "./webhooks.json",
  },
  WEBHOOKS_READER: {
    schema: urls.serviceRoot,
    about: "for raisebook deliver: root of the URL of the reader that webhooks are made from",
    fallback: "http://HOST:PORT",
    example: "http://127.0.0.1:42069",
  },
  WEBHOOKS_METRICS_PORT: {
    schema: port,
    about: "for raisebook deliver: port on 127.0.0.1 for its metrics",
    fallback: "none",
    example: "42072",
  },
  LOG_FORMAT: {
    schema: values.oneOf(LOG_FORMATS),
    about: LOG_FORMATS.join(" or "),
    fallback: "pretty",
    example: "json",
  },
  LOG_LEVEL: { schema: values.oneOf(LOG_LEVELS), about: LOG_LEVELS.join(", "), ...byDefault("info") },
  POLLING_INTERVAL: {
    schema: values.integer(100, 60_000),
    about: "milliseconds between polls for the chain's head, 100 to 60000",
    ...byDefault(1000),
  },
} as const;

export type VariableName = keyof typeof VARIABLES;

export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];
