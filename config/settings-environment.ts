/** @module The environment of a child process with the same settings. */
import { contractsVariables } from "./contracts-file.ts";
import { NO_DATA, type Settings } from "./environment.ts";
import type { DeployedContract } from "./values.ts";
import type { VariableName } from "./variables.ts";

/**
 * The inverse of `readSettings`, for a child process, with the contracts' module as its text. Unset variables are empty rather than
 * absent, so that neither the parent's environment nor an `.env` file fills them in.
 */
export function environmentOf(settings: Settings): Record<VariableName, string> {
  const at = (contract: DeployedContract | null) =>
    contract ? `${contract.address}@${contract.startBlock}` : "";
  const { database, registry } = settings;
  return {
    CHAIN_ID: String(settings.chainId),
    RPC_URLS: settings.rpcUrls.join(","),
    WS_URL: settings.wsUrl ?? "",
    ETH_GET_LOGS_RANGE: settings.logsRange === null ? "" : String(settings.logsRange),
    RPC_CONCURRENCY: String(settings.rpcConcurrency),
    FINALITY_DEPTH: String(settings.finalityDepth),
    FAST_FORWARD: String(settings.fastForward),
    LEDGER:
      settings.ledger === null ? "" : "path" in settings.ledger ? settings.ledger.path : settings.ledger.url,
    LOGS_PROVEN: settings.logsProven,
    CONTRACTS: settings.contracts?.path ?? "",
    ...contractsVariables(settings.contracts),
    ESCROWS: settings.escrows.map(at).join(","),
    ESCROW_FACTORY: at(settings.escrowFactory),
    DESK: at(settings.desk),
    HOLDERS: String(settings.holders),
    REGISTRY: "path" in registry ? registry.path : registry.url,
    REGISTRY_SIGNER: settings.registrySigner ?? "",
    KNOWLEDGE: settings.knowledge,
    PUBLIC_URL: settings.publicUrl,
    APP_URL: settings.appUrl ?? "",
    CONTACT: Object.values(settings.contact ?? {}).join(""),
    EXPLORER_URL: Object.values(settings.explorer ?? {})
      .filter((page) => page !== null)
      .join(","),
    PUBLIC_NODE: settings.publicNode ?? "",
    EMBED_ORIGINS:
      typeof settings.embedOrigins === "string"
        ? settings.embedOrigins
        : settings.embedOrigins.join(",") || "none",
    SITE_NAME: settings.siteName,
    SITE_LOGO: settings.siteLogo ?? "",
    SITE_ACCENT: settings.siteAccent,
    ALLOW_DIFFERENT_BOOK: String(settings.allowDifferentBook),
    EXPOSE_ACCOUNTS: String(settings.exposeAccounts),
    AUDIT_EVERY: settings.auditEvery === null ? "" : String(settings.auditEvery),
    PROOF_CALLS: String(settings.proofCalls),
    DATABASE_URL: database.kind === "postgres" ? database.connectionString : "",
    NOTICES_DATABASE_URL: database.kind === "postgres" ? (database.noticesUrl ?? "") : "",
    RAISEBOOK_DATA_DIR: database.kind === "pglite" ? database.dataDirectory : "",
    DATA_FILES: settings.dataDir ?? NO_DATA,
    MARKET_FILES: settings.marketDir ?? "",
    DATA_BLOCKS: String(settings.dataBlocks),
    DATA_LICENCE: settings.dataLicence ?? "",
    DATABASE_SCHEMA: settings.databaseSchema ?? "",
    DROP_SCHEMAS_AFTER: String(settings.dropSchemasAfter ?? 0),
    HOST: settings.host,
    PORT: String(settings.port),
    OPERATOR_PORT: String(settings.operatorPort),
    METRICS_PORT: settings.metricsPort === null ? "" : String(settings.metricsPort),
    RATE_LIMIT: settings.rateLimit === null ? "" : String(settings.rateLimit),
    MAX_STREAMS: String(settings.maxStreams),
    TRUSTED_PROXIES: settings.trustedProxies.join(","),
    WEBHOOKS: settings.webhooks ?? "",
    WEBHOOKS_READER: settings.webhooksReader ?? "",
    WEBHOOKS_METRICS_PORT: settings.webhooksMetricsPort === null ? "" : String(settings.webhooksMetricsPort),
    LOG_FORMAT: settings.logFormat,
    LOG_LEVEL: settings.logLevel,
    POLLING_INTERVAL: String(settings.pollingInterval),
  };
}
