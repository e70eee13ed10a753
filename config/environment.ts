/** @module The settings of a service: the environment's variables, parsed into one frozen object. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { z } from "zod";
import type { LogsProven } from "./completeness.ts";
import { type ContractsFile, ContractsFileError, readContractsFile } from "./contracts-file.ts";
import {
  DEFAULT_CHAIN_ID,
  DEFAULT_EMBED_ORIGINS,
  DEFAULT_HOST,
  DEFAULT_KNOWLEDGE,
  DEFAULT_MAX_STREAMS,
  DEFAULT_PORT,
  DEFAULT_SITE_ACCENT,
  DEFAULT_SITE_NAME,
} from "./defaults.ts";
import type { LogFormat, LogLevel } from "./log.ts";
import { type Problem, problemWith, SettingsError } from "./problems.ts";
import { publicUrlOf } from "./service-urls.ts";
import type { Contact, EmbedOrigins, Explorer } from "./url-values.ts";
import {
  type DeployedContract,
  isLoopbackHost,
  type LedgerSource,
  quoted,
  type RegistrySource,
} from "./values.ts";
import { VARIABLE_NAMES, VARIABLES, type VariableName } from "./variables.ts";

/** In place of a directory: an embedded database that persists nothing. */
export const MEMORY = "memory://";

export type Environment = Readonly<Record<string, string | undefined>>;

type DatabaseSettings =
  /** `dataDirectory` is ours; `directory`, below it, is the embedded database's own. Both are `memory://` or a path. */
  | { readonly kind: "pglite"; readonly dataDirectory: string; readonly directory: string }
  | {
      readonly kind: "postgres";
      readonly connectionString: string;
      /** The primary of a replica, for notices of blocks; null: `connectionString` announces them. */
      readonly noticesUrl: string | null;
    };

export type Settings = {
  readonly chainId: number;
  /** Distinct. */
  readonly rpcUrls: readonly string[];
  readonly wsUrl: string | null;
  /** Blocks per `eth_getLogs` call; null: the indexer finds out what the endpoints allow. */
  readonly logsRange: number | null;
  /** Maximum number of concurrent requests during the backfill. */
  readonly rpcConcurrency: number;
  /** A ledger file from which a first start fills its tables; null: it reads the history from the chain. */
  readonly ledger: LedgerSource | null;
  /** Blocks below the head that are final while the endpoints do not say what is. */
  readonly finalityDepth: number;
  /** Whether the finalised history is fetched and written in bulk (`operate/backfill/`). */
  readonly fastForward: boolean;
  /** The blocks whose logs are proven to be all of them. */
  readonly logsProven: LogsProven;
  /** The module that says what the contracts' events mean; null: the contracts of the project. */
  readonly contracts: ContractsFile | null;
  readonly escrows: readonly DeployedContract[];
  readonly escrowFactory: DeployedContract | null;
  readonly desk: DeployedContract | null;
  /** Whether the holders of listing tokens are counted. */
  readonly holders: boolean;
  readonly registry: RegistrySource;
  /** The required signer of the registry; null: it need not be signed. */
  readonly registrySigner: `0x${string}` | null;
  readonly knowledge: string;
  /** Site root without a trailing slash. */
  readonly publicUrl: string;
  /** URL of the app in which people sign, without a trailing slash; null: no app is configured. */
  readonly appUrl: string | null;
  /** How to reach the operator, for the API description; null: not given. */
  readonly contact: Contact | null;
  /** Page URLs of a block explorer; null: no links to one. */
  readonly explorer: Explorer | null;
  /** A node that pages offer to visitors who prove a raise; null: they name one. */
  readonly publicNode: string | null;
  /** The origins of the sites that may show a raise in a frame; "*": every site. */
  readonly embedOrigins: EmbedOrigins;
  readonly siteName: string;
  /** Path of the logo; null: the built-in mark. */
  readonly siteLogo: string | null;
  /** `#rrggbb`. */
  readonly siteAccent: string;
  /** Whether readers may take over from another release with another book. */
  readonly allowDifferentBook: boolean;
  /** Whether events include the addresses of persons. */
  readonly exposeAccounts: boolean;
  /** Seconds between scheduled audits; null: no audits are scheduled. */
  readonly auditEvery: number | null;
  /** Maximum number of requests to the chain per minute for proofs. */
  readonly proofCalls: number;
  readonly database: DatabaseSettings;
  /** Null: derived from the code and the contracts (`config/schema-name.ts`). */
  readonly databaseSchema: string | null;
  /** Directory of the open data; null: none is written. */
  readonly dataDir: string | null;
  /** Directory of saved markets; null: none are saved. */
  readonly marketDir: string | null;
  /** Blocks in a file of the open data. */
  readonly dataBlocks: number;
  /** SPDX identifier or URL; null: no licence is granted. */
  readonly dataLicence: string | null;
  /** Seconds without use; null: schemas of earlier releases are kept. */
  readonly dropSchemasAfter: number | null;
  readonly host: string;
  readonly port: number;
  /** The port of the operator's server, on loopback. */
  readonly operatorPort: number;
  /** For the metrics of readers, on loopback; null: none for `npm run serve`, `readersMetricsPort` for `npm start`. */
  readonly metricsPort: number | null;
  /** Requests per minute and client; null: unlimited. */
  readonly rateLimit: number | null;
  /** Streams open at a time in a process. */
  readonly maxStreams: number;
  /** Addresses and CIDR blocks of the proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Path of the file with the webhook targets; null: no webhooks. */
  readonly webhooks: string | null;
  /** Root URL of the reader that supplies webhook events, without a trailing slash; null: the reader of these settings. */
  readonly webhooksReader: string | null;
  /** On loopback; null: no metrics for deliveries. */
  readonly webhooksMetricsPort: number | null;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** Milliseconds. */
  readonly pollingInterval: number;
};

type Schemas = { [Name in VariableName]: z.ZodOptional<(typeof VARIABLES)[Name]["schema"]> };

const schema = z.object(
  Object.fromEntries(VARIABLE_NAMES.map((name) => [name, VARIABLES[name].schema.optional()])) as Schemas,
);

type Values = z.output<typeof schema>;

/**
 * Loads `.env.local`, and `.env` which Ponder does not read, from the working directory. A variable that is set already wins, then the first file that sets it.
 * @returns the files found
 */
export function loadEnvFiles(): readonly string[] {
  const files = [".env.local", ".env"].filter((file) => existsSync(file));
  for (const file of files) loadEnvFile(file);
  return files;
}

/**
 * Reads the settings. Empty and blank variables count as not set; other programs' variables are ignored.
 *
 * @throws {SettingsError} with every problem.
 */
export function readSettings(env: Environment): Settings {
  const given = Object.fromEntries(
    VARIABLE_NAMES.map((name) => [name, env[name]?.trim() ? env[name] : undefined]),
  ) as Partial<Record<VariableName, string>>;
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => problemWith(issue.path[0] as VariableName, issue.message)),
    ...settingsProblems(given),
  ];
  if (!parsed.success || problems.length > 0) throw new SettingsError(inTableOrder(problems));
  return toSettings(parsed.data, contractsIn(parsed.data, env));
}

function contractsIn({ CONTRACTS: path }: Values, env: Environment): ContractsFile | null {
  if (path === undefined) return null;
  try {
    return readContractsFile(path, env);
  } catch (error) {
    if (!(error instanceof ContractsFileError)) throw error;
    throw new SettingsError([problemWith("CONTRACTS", error.message)]);
  }
}

/** Completes "REGISTRY_SIGNER …". */
export const NO_SIGNED_TABLE =
  "cannot be used with a table: rows carry no signature. Take a file, a folder or a URL, or leave it out";

/** Required variables that are not set, and ports that clash. Reads raw text, so that it can report along with invalid values. */
function settingsProblems(given: Partial<Record<VariableName, string>>): Problem[] {
  const problems: Problem[] = [];
  const report = (name: VariableName, problem: string) => void problems.push(problemWith(name, problem));
  if (given.RPC_URLS === undefined) report("RPC_URLS", "is required");
  if (given.ESCROWS === undefined && given.ESCROW_FACTORY === undefined)
    report("ESCROWS", "or ESCROW_FACTORY is required (both may be set)");
  if (given.REGISTRY === undefined) report("REGISTRY", "is required");
  if (given.REGISTRY_SIGNER !== undefined && /^postgres(?:ql)?:/i.test(given.REGISTRY?.trim() ?? ""))
    report("REGISTRY_SIGNER", NO_SIGNED_TABLE);
  const host = given.HOST?.trim() ?? DEFAULT_HOST;
  if (given.PUBLIC_URL === undefined && !isLoopbackHost(host))
    report("PUBLIC_URL", `is required when HOST is not a loopback address (it is ${quoted(host)})`);
  const port = given.PORT?.trim() ?? String(DEFAULT_PORT);
  if (given.OPERATOR_PORT?.trim() === port)
    report("OPERATOR_PORT", `must differ from PORT (both are ${port})`);
  const operatorPort = given.OPERATOR_PORT?.trim() ?? String(defaultOperatorPort(Number(port)));
  for (const [name, other] of Object.entries({ PORT: port, OPERATOR_PORT: operatorPort }))
    if (given.METRICS_PORT?.trim() === other)
      report("METRICS_PORT", `must differ from ${name} (both are ${other})`);
  return problems;
}

function inTableOrder(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => VARIABLE_NAMES.indexOf(problem.variable);
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function toSettings(values: Values, contracts: ContractsFile | null): Settings {
  const host = values.HOST ?? DEFAULT_HOST;
  const port = values.PORT ?? DEFAULT_PORT;
  const publicUrl = publicUrlOf(values);
  const { RPC_URLS: rpcUrls, REGISTRY: registry } = values;
  // `settingsProblems` has reported both already; repeated for the types.
  if (rpcUrls === undefined || registry === undefined) throw new SettingsError([]);
  return Object.freeze({
    chainId: values.CHAIN_ID ?? DEFAULT_CHAIN_ID,
    rpcUrls,
    wsUrl: values.WS_URL ?? null,
    logsRange: values.ETH_GET_LOGS_RANGE ?? null,
    rpcConcurrency: values.RPC_CONCURRENCY ?? VARIABLES.RPC_CONCURRENCY.initial,
    finalityDepth: values.FINALITY_DEPTH ?? VARIABLES.FINALITY_DEPTH.initial,
    fastForward: values.FAST_FORWARD ?? VARIABLES.FAST_FORWARD.initial,
    ledger: values.LEDGER ?? null,
    logsProven: values.LOGS_PROVEN ?? "events",
    contracts,
    escrows: values.ESCROWS ?? [],
    escrowFactory: values.ESCROW_FACTORY ?? null,
    desk: values.DESK ?? null,
    holders: values.HOLDERS ?? false,
    registry,
    registrySigner: values.REGISTRY_SIGNER ?? null,
    knowledge: values.KNOWLEDGE ?? DEFAULT_KNOWLEDGE,
    publicUrl,
    appUrl: values.APP_URL ?? null,
    contact: values.CONTACT ?? null,
    explorer: values.EXPLORER_URL ?? null,
    publicNode: values.PUBLIC_NODE ?? null,
    embedOrigins: values.EMBED_ORIGINS ?? DEFAULT_EMBED_ORIGINS,
    siteName: values.SITE_NAME ?? DEFAULT_SITE_NAME,
    siteLogo: values.SITE_LOGO ?? null,
    siteAccent: values.SITE_ACCENT ?? DEFAULT_SITE_ACCENT,
    allowDifferentBook: values.ALLOW_DIFFERENT_BOOK ?? VARIABLES.ALLOW_DIFFERENT_BOOK.initial,
    exposeAccounts: values.EXPOSE_ACCOUNTS ?? VARIABLES.EXPOSE_ACCOUNTS.initial,
    auditEvery: values.AUDIT_EVERY ?? null,
    proofCalls: values.PROOF_CALLS ?? VARIABLES.PROOF_CALLS.initial,
    database: databaseOf(values),
    databaseSchema: values.DATABASE_SCHEMA ?? null,
    dataDir: dataDirOf(values),
    marketDir: values.MARKET_FILES ?? null,
    dataBlocks: values.DATA_BLOCKS ?? VARIABLES.DATA_BLOCKS.initial,
    dataLicence: values.DATA_LICENCE ?? null,
    // 0 means never.
    dropSchemasAfter: (values.DROP_SCHEMAS_AFTER ?? VARIABLES.DROP_SCHEMAS_AFTER.initial) || null,
    host,
    port,
    operatorPort: values.OPERATOR_PORT ?? defaultOperatorPort(port),
    metricsPort: values.METRICS_PORT ?? null,
    rateLimit: values.RATE_LIMIT ?? null,
    maxStreams: values.MAX_STREAMS ?? DEFAULT_MAX_STREAMS,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    webhooks: values.WEBHOOKS ?? null,
    webhooksReader: values.WEBHOOKS_READER ?? null,
    webhooksMetricsPort: values.WEBHOOKS_METRICS_PORT ?? null,
    logFormat: values.LOG_FORMAT ?? "pretty",
    logLevel: values.LOG_LEVEL ?? VARIABLES.LOG_LEVEL.initial,
    pollingInterval: values.POLLING_INTERVAL ?? VARIABLES.POLLING_INTERVAL.initial,
  });
}

/** The operator's port unless OPERATOR_PORT is set. */
export function defaultOperatorPort(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}

type Ports = Pick<Settings, "port" | "operatorPort" | "metricsPort">;

/** The port for the metrics of the readers of `npm start`. */
export function readersMetricsPort({ port, operatorPort, metricsPort }: Ports): number {
  if (metricsPort !== null) return metricsPort;
  const next = operatorPort + 1 === port ? operatorPort + 2 : operatorPort + 1;
  return next <= 65_535 ? next : Math.min(port, operatorPort) - 1;
}

function databaseOf(values: Values): DatabaseSettings {
  const { DATABASE_URL: connectionString, NOTICES_DATABASE_URL: noticesUrl = null } = values;
  if (connectionString !== undefined) return { kind: "postgres", connectionString, noticesUrl };
  const dataDirectory = values.RAISEBOOK_DATA_DIR ?? VARIABLES.RAISEBOOK_DATA_DIR.initial;
  return { kind: "pglite", dataDirectory, directory: embeddedIn(dataDirectory) };
}

/** The directory of the embedded database: PGlite initialises only an empty directory, and ours holds other files too. */
export const embeddedIn = (dataDirectory: string): string =>
  dataDirectory === MEMORY ? MEMORY : join(dataDirectory, "pglite");

/** In place of a directory: no open data. */
export const NO_DATA = "none";

/** With PostgreSQL no directory is the service's own, so one has to be named. */
function dataDirOf(values: Values): string | null {
  if (values.DATA_FILES !== undefined) return values.DATA_FILES === NO_DATA ? null : values.DATA_FILES;
  const database = databaseOf(values);
  return database.kind === "postgres" || database.dataDirectory === MEMORY
    ? null
    : join(database.dataDirectory, "data");
}
