/**
 * The environment, read into a typed, frozen object: the only place that knows its variables.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import type { LogFormat, LogLevel } from "./log.ts";
import { type DeployedContract, isLoopbackHost, type RegistrySource, shown } from "./values.ts";
import {
  DEFAULT_DATA_DIRECTORY,
  DEFAULT_HOST,
  DEFAULT_KNOWLEDGE,
  DEFAULT_POLLING_INTERVAL,
  DEFAULT_PORT,
  DEFAULT_SITE_ACCENT,
  DEFAULT_SITE_NAME,
  VARIABLE_NAMES,
  VARIABLES,
  type VariableName,
} from "./variables.ts";

export type { DeployedContract } from "./values.ts";

/** The chain of this deployment (interface document, "What the service does", 5). */
const CHAIN_ID = 97;

/** In place of a directory: an embedded database that keeps nothing. */
export const MEMORY = "memory://";

export type Environment = Readonly<Record<string, string | undefined>>;

type DatabaseSettings =
  /** `dataDirectory` is ours; `directory`, below it, belongs to the embedded database. Both are `memory://` or paths. */
  | { readonly kind: "pglite"; readonly dataDirectory: string; readonly directory: string }
  | { readonly kind: "postgres"; readonly connectionString: string };

export type Settings = {
  readonly chainId: typeof CHAIN_ID;
  readonly rpcUrls: readonly string[];
  readonly wsUrl: string | null;
  /** Blocks in one `eth_getLogs`; null: the indexer finds out what the endpoints allow. */
  readonly logsRange: number | null;
  readonly escrows: readonly DeployedContract[];
  readonly escrowFactory: DeployedContract | null;
  readonly desk: DeployedContract | null;
  /** Whether listing tokens' holders are counted. */
  readonly holders: boolean;
  readonly registry: RegistrySource;
  /** Folder of the knowledge base. */
  readonly knowledge: string;
  /** Site root without a trailing slash. */
  readonly publicUrl: string;
  /** Where a person goes to sign, without a trailing slash; null: no app is configured. */
  readonly appUrl: string | null;
  /** What the site is called. */
  readonly siteName: string;
  /** Path of the logo; null: the mark that comes with the service. */
  readonly siteLogo: string | null;
  /** `#rrggbb`. */
  readonly siteAccent: string;
  /** Whether events name the addresses of persons. */
  readonly exposeAccounts: boolean;
  /** Seconds between two audits; null: none by itself. */
  readonly auditEvery: number | null;
  readonly database: DatabaseSettings;
  /** Null: made from the code and the contracts (`config/schema-name.ts`). */
  readonly databaseSchema: string | null;
  readonly host: string;
  readonly port: number;
  /** Of the operator's own server, on loopback. */
  readonly operatorPort: number;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** Milliseconds. */
  readonly pollingInterval: number;
};

/** One thing that is wrong with the configuration, in words for the operator. */
export type Problem = {
  readonly variable: VariableName;
  readonly problem: string;
  readonly example: string;
};

/** The configuration cannot be used. Holds every problem, so that it is mended in one go. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(formatProblems(problems));
    this.problems = problems;
  }
}

/** The problems as a block of text: the variable and what is wrong, and an example below. */
export function formatProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const blocks = problems.map(
    (p) => `  ${p.variable} ${p.problem}\n    for example: ${p.variable}=${p.example}`,
  );
  return [`The configuration has ${count}:`, ...blocks].join("\n");
}

/** A problem with a variable, with the variable's own example. */
export function problemWith(variable: VariableName, problem: string): Problem {
  return { variable, problem, example: VARIABLES[variable].example };
}

/** What is probably not as it was meant, and keeps nothing from starting. */
export type Warning = {
  readonly variable: string;
  readonly warning: string;
};

const schema = z.object({
  RPC_URLS: VARIABLES.RPC_URLS.schema.optional(),
  WS_URL: VARIABLES.WS_URL.schema.optional(),
  ETH_GET_LOGS_RANGE: VARIABLES.ETH_GET_LOGS_RANGE.schema.optional(),
  ESCROWS: VARIABLES.ESCROWS.schema.optional(),
  ESCROW_FACTORY: VARIABLES.ESCROW_FACTORY.schema.optional(),
  DESK: VARIABLES.DESK.schema.optional(),
  HOLDERS: VARIABLES.HOLDERS.schema.optional(),
  REGISTRY: VARIABLES.REGISTRY.schema.optional(),
  KNOWLEDGE: VARIABLES.KNOWLEDGE.schema.optional(),
  PUBLIC_URL: VARIABLES.PUBLIC_URL.schema.optional(),
  APP_URL: VARIABLES.APP_URL.schema.optional(),
  SITE_NAME: VARIABLES.SITE_NAME.schema.optional(),
  SITE_LOGO: VARIABLES.SITE_LOGO.schema.optional(),
  SITE_ACCENT: VARIABLES.SITE_ACCENT.schema.optional(),
  EXPOSE_ACCOUNTS: VARIABLES.EXPOSE_ACCOUNTS.schema.optional(),
  AUDIT_EVERY: VARIABLES.AUDIT_EVERY.schema.optional(),
  DATABASE_URL: VARIABLES.DATABASE_URL.schema.optional(),
  RAISEBOOK_DATA_DIR: VARIABLES.RAISEBOOK_DATA_DIR.schema.optional(),
  DATABASE_SCHEMA: VARIABLES.DATABASE_SCHEMA.schema.optional(),
  HOST: VARIABLES.HOST.schema.optional(),
  PORT: VARIABLES.PORT.schema.optional(),
  OPERATOR_PORT: VARIABLES.OPERATOR_PORT.schema.optional(),
  LOG_FORMAT: VARIABLES.LOG_FORMAT.schema.optional(),
  LOG_LEVEL: VARIABLES.LOG_LEVEL.schema.optional(),
  POLLING_INTERVAL: VARIABLES.POLLING_INTERVAL.schema.optional(),
}) satisfies z.ZodType<Partial<Record<VariableName, unknown>>>;

type Values = z.output<typeof schema>;

/**
 * Reads the settings. An empty or blank variable counts as not set; a variable that is not ours is ignored.
 *
 * @throws {SettingsError} naming every problem.
 */
export function readSettings(env: Environment): Settings {
  const given = Object.fromEntries(
    VARIABLE_NAMES.map((name) => [name, env[name]?.trim() ? env[name] : undefined]),
  ) as Partial<Record<VariableName, string>>;
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => problemWith(issue.path[0] as VariableName, issue.message)),
    ...missing(given),
  ];
  if (!parsed.success || problems.length > 0) throw new SettingsError(inOrder(problems));
  return settingsOf(parsed.data);
}

/** What is required, some of it depending on other variables. Looks at the text, so that it counts beside bad values. */
function missing(given: Partial<Record<VariableName, string>>): Problem[] {
  const problems: Problem[] = [];
  if (given.RPC_URLS === undefined) problems.push(problemWith("RPC_URLS", "is required"));
  if (given.ESCROWS === undefined && given.ESCROW_FACTORY === undefined) {
    problems.push(problemWith("ESCROWS", "or ESCROW_FACTORY is required (both may be set)"));
  }
  if (given.REGISTRY === undefined) problems.push(problemWith("REGISTRY", "is required"));
  const host = given.HOST?.trim() ?? DEFAULT_HOST;
  if (given.PUBLIC_URL === undefined && !isLoopbackHost(host)) {
    problems.push(
      problemWith("PUBLIC_URL", `is required when HOST is not a loopback address (it is ${shown(host)})`),
    );
  }
  const port = given.PORT?.trim() ?? String(DEFAULT_PORT);
  if (given.OPERATOR_PORT?.trim() === port) {
    problems.push(problemWith("OPERATOR_PORT", `must differ from PORT (both are ${port})`));
  }
  return problems;
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => VARIABLE_NAMES.indexOf(problem.variable);
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function settingsOf(values: Values): Settings {
  const host = values.HOST ?? DEFAULT_HOST;
  const port = values.PORT ?? DEFAULT_PORT;
  const publicUrl = values.PUBLIC_URL ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { RPC_URLS: rpcUrls, REGISTRY: registry } = values;
  // `missing` has refused both already; said again for the types.
  if (rpcUrls === undefined || registry === undefined) throw new SettingsError([]);
  return Object.freeze({
    chainId: CHAIN_ID,
    rpcUrls,
    wsUrl: values.WS_URL ?? null,
    logsRange: values.ETH_GET_LOGS_RANGE ?? null,
    escrows: values.ESCROWS ?? [],
    escrowFactory: values.ESCROW_FACTORY ?? null,
    desk: values.DESK ?? null,
    holders: values.HOLDERS ?? false,
    registry,
    knowledge: values.KNOWLEDGE ?? DEFAULT_KNOWLEDGE,
    publicUrl,
    appUrl: values.APP_URL ?? null,
    siteName: values.SITE_NAME ?? DEFAULT_SITE_NAME,
    siteLogo: values.SITE_LOGO ?? null,
    siteAccent: values.SITE_ACCENT ?? DEFAULT_SITE_ACCENT,
    exposeAccounts: values.EXPOSE_ACCOUNTS ?? false,
    auditEvery: values.AUDIT_EVERY ?? null,
    database: databaseOf(values),
    databaseSchema: values.DATABASE_SCHEMA ?? null,
    host,
    port,
    operatorPort: values.OPERATOR_PORT ?? operatorPortBeside(port),
    logFormat: values.LOG_FORMAT ?? "pretty",
    logLevel: values.LOG_LEVEL ?? "info",
    pollingInterval: values.POLLING_INTERVAL ?? DEFAULT_POLLING_INTERVAL,
  });
}

/** The operator's port when none is set. */
export function operatorPortBeside(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}

function databaseOf(values: Values): DatabaseSettings {
  if (values.DATABASE_URL !== undefined) return { kind: "postgres", connectionString: values.DATABASE_URL };
  const dataDirectory = values.RAISEBOOK_DATA_DIR ?? DEFAULT_DATA_DIRECTORY;
  // The database insists on an empty directory of its own when it is made; ours holds other files beside it.
  const directory = dataDirectory === MEMORY ? MEMORY : join(dataDirectory, "pglite");
  return { kind: "pglite", dataDirectory, directory };
}

/**
 * The environment that reads back as these settings, for a child process. What is not set is empty, so that neither
 * the parent's environment nor an `.env` file fills it in.
 */
export function environmentOf(settings: Settings): Record<VariableName, string> {
  const at = (contract: DeployedContract | null) =>
    contract ? `${contract.address}@${contract.startBlock}` : "";
  const { database, registry } = settings;
  return {
    RPC_URLS: settings.rpcUrls.join(","),
    WS_URL: settings.wsUrl ?? "",
    ETH_GET_LOGS_RANGE: settings.logsRange === null ? "" : String(settings.logsRange),
    ESCROWS: settings.escrows.map(at).join(","),
    ESCROW_FACTORY: at(settings.escrowFactory),
    DESK: at(settings.desk),
    HOLDERS: String(settings.holders),
    REGISTRY: registry.kind === "file" ? registry.path : registry.url,
    KNOWLEDGE: settings.knowledge,
    PUBLIC_URL: settings.publicUrl,
    APP_URL: settings.appUrl ?? "",
    SITE_NAME: settings.siteName,
    SITE_LOGO: settings.siteLogo ?? "",
    SITE_ACCENT: settings.siteAccent,
    EXPOSE_ACCOUNTS: String(settings.exposeAccounts),
    AUDIT_EVERY: settings.auditEvery === null ? "" : String(settings.auditEvery),
    DATABASE_URL: database.kind === "postgres" ? database.connectionString : "",
    RAISEBOOK_DATA_DIR: database.kind === "pglite" ? database.dataDirectory : "",
    DATABASE_SCHEMA: settings.databaseSchema ?? "",
    HOST: settings.host,
    PORT: String(settings.port),
    OPERATOR_PORT: String(settings.operatorPort),
    LOG_FORMAT: settings.logFormat,
    LOG_LEVEL: settings.logLevel,
    POLLING_INTERVAL: String(settings.pollingInterval),
  };
}
