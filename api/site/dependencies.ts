/**
 * What the site needs.
 * @module
 */
import type { Log } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { AuditorState } from "../health/audit.ts";
import type { HealthMonitor } from "../health/health.ts";
import type { Knowledge } from "../knowledge/load.ts";
import type { Search } from "../knowledge/search.ts";
import type { LedgerReader } from "../ledger/read.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { Brand } from "./brand/brand.ts";

/** The tool server, as far as the pages say something about it. */
export type ToolServer = {
  name: string;
  /** of the protocol */
  revisions: readonly string[];
  tools: readonly OfferedTool[];
};

/** A tool as an agent in the browser gets it. */
export type OfferedTool = { name: string; title: string; description: string; inputSchema: object };

/** Bounds of a query in GraphQL. */
export type QueryLimits = { tokens: number; depth: number; aliases: number; cost: number };

/** What is read of the description of the read interface (OpenAPI). */
export type ApiDescription = {
  paths?: Readonly<Record<string, { get?: unknown; post?: unknown }>> | undefined;
  tags?: readonly { name: string; description?: string }[] | undefined;
  servers?: readonly { url: string }[] | undefined;
};

export type SiteDependencies = {
  feed: MarketSource;
  ledger: LedgerReader;
  knowledge: Knowledge;
  search: Search;
  health: HealthMonitor;
  audit: { state(): AuditorState };
  /** whether events name the addresses of persons */
  exposeAccounts: boolean;
  publicSettings: PublicSettings;
  /** name, logo and accent of the pages */
  brand: Brand;
  /** the first block that is followed: where progress begins */
  firstBlock: bigint;
  toolServer: ToolServer;
  queryLimits: QueryLimits;
  description: ApiDescription;
  /** whether llms.txt has every page of the knowledge base whole */
  isKnowledgeInLlms: boolean;
  log: Log;
};
