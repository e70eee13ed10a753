/** @module The dependencies of the site. */
import type { Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { FollowedContracts } from "../../src/contracts/describe.ts";
import type { DataFolder } from "../data/folder.ts";
import type { AuditorState } from "../health/audit.ts";
import type { HealthMonitor } from "../health/health.ts";
import type { History } from "../history/as-of.ts";
import type { Knowledge } from "../knowledge/load.ts";
import type { Search } from "../knowledge/search.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { Brand } from "./brand/brand.ts";

export type ToolServer = {
  name: string;
  /** revision of the protocol, MCP */
  revisions: readonly string[];
  tools: readonly OfferedTool[];
};

export type OfferedTool = { name: string; title: string; description: string; inputSchema: object };

export type QueryLimits = Readonly<
  Record<
    | ("tokens" | "depth" | "aliases" | "alias" | "tests" | "variables" | "variableLevels")
    | ("cost" | "costOfEvents" | "costOfScope"),
    number
  >
>;

/** The GraphQL face, as its pages need it. */
type GraphqlConsole = {
  /** Answers the query of a URL: the status, and JSON. */
  run(parameters: URLSearchParams): Promise<{ status: number; text: string }>;
  types(): readonly GraphqlType[];
};

export type GraphqlType = {
  name: string;
  kind: "object" | "interface" | "enum" | "scalar";
  description: string;
  /** their fields are described there */
  interfaces: readonly string[];
  implementations: readonly string[];
  fields: readonly GraphqlField[];
  values: readonly { name: string; description: string }[];
};

export type GraphqlField = {
  name: string;
  /** as in the schema, such as `[Listing!]!` */
  type: string;
  /** the type without lists and non-null */
  named: string;
  description: string;
  arguments: readonly GraphqlField[];
};

export type ApiDescription = {
  paths?: Readonly<Record<string, { get?: unknown; post?: unknown }>> | undefined;
  tags?: readonly { name: string; description?: string }[] | undefined;
  servers?: readonly { url: string }[] | undefined;
  components?: { schemas?: object; headers?: object } | undefined;
};

export type SiteDependencies = {
  updater: MarketSource;
  history: History;
  ledger: LedgerQueries;
  knowledge: Knowledge;
  search: Search;
  health: HealthMonitor;
  audit: { state(): AuditorState };
  /** whether events include the addresses of persons */
  exposeAccounts: boolean;
  contracts: FollowedContracts;
  publicSettings: PublicSettings;
  brand: Brand;
  /** the first indexed block, where progress begins */
  firstBlock: bigint;
  toolServer: ToolServer;
  queryLimits: QueryLimits;
  graphql: GraphqlConsole;
  description(): ApiDescription;
  /** whether llms.txt contains every page of the knowledge base in full */
  isKnowledgeInLlms: boolean;
  /** the folder of open data; absent or null: none are published */
  data?: DataFolder | null;
  log: Logger;
};
