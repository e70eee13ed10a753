/** @module Finds all problems that would occur after the start, in one report. */
import type { LastGood } from "../../api/registry/copy.ts";
import type { RegistryKeeper } from "../../api/registry/registry-keeper.ts";
import { blockRequest, callRpc, nodeName, nullIfRefused } from "../../chain/call.ts";
import { EXIT_RETRYABLE } from "../../config/end-to-restart.ts";
import type { Environment, Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf, withClient } from "../../config/postgres-client.ts";
import { type Problem, problemWith, type Warning } from "../../config/problems.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { missingParts } from "../../src/contracts/contracts.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import type { Block } from "../../src/fold/events.ts";
import { checkChainIdentity } from "./chain-identity.ts";
import {
  type ChainEndpoint,
  checkContracts,
  probeEndpoints,
  probeWebSocket,
  warnOfHistory,
} from "./check-chain.ts";
import { checkCosts } from "./check-costs.ts";
import { checkDatabase, checkDataDirectory, checkDataDisk, openEmbedded } from "./check-database.ts";
import { warnOfEnvironment, warnOfModes } from "./check-environment.ts";
import { checkBrand, checkKnowledge, checkRegistry, warnOfImages, warnOfUnfollowed } from "./check-files.ts";
import { checkModule } from "./check-module.ts";
import { checkOperatorPort, checkPort } from "./check-port.ts";
import { checkPostgres } from "./check-postgres.ts";
import type { Range } from "./check-range.ts";

const DEFAULT_TIMEOUT = 10_000;

export type PreflightOptions = {
  /** The source of the settings, for misspelt variables. */
  readonly env?: Environment;
  /** The files from which the settings were read; their modes are checked. */
  readonly files?: readonly string[];
  /** Receives progress messages. */
  readonly log?: Pick<Logger, "info">;
  /** The good copy of the registry that an earlier run may have stored. */
  readonly lastGood?: LastGood | undefined;
  /** Whether a bad registry is only a warning where there is one. Default: true. */
  readonly fallsBack?: boolean;
  /** Spares the validation of the entries in it. */
  readonly saved?: RegistryKeeper | undefined;
  /** Milliseconds per answer of a node. */
  readonly timeout?: number;
};

export type Preflight = {
  /** Empty if the indexer can start. */
  readonly problems: readonly Problem[];
  /** Likely mistakes; the indexer starts anyway. */
  readonly warnings: readonly Warning[];
  /** Hash of the registry that will be in use; null if none can be. */
  readonly registry: string | null;
  /** The most advanced usable node. */
  readonly node: ChainEndpoint | null;
  /** Whether a WebSocket is configured and answers. */
  readonly hasWebSocket: boolean;
};

/** Checks registry, knowledge base, logo, port, database, nodes, contracts and data directory. Changes nothing. */
export async function preflight(settings: Settings, options: PreflightOptions = {}): Promise<Preflight> {
  const timeout = options.timeout ?? DEFAULT_TIMEOUT;
  const names = [...new Set(settings.rpcUrls.map(nodeName))].join(", ");
  options.log?.info({ msg: "Probing the chain's nodes", nodes: names });
  const [registry, knowledge, brand, port, database, chain, webSocket] = await Promise.all([
    checkRegistry(settings, options),
    checkKnowledge(settings),
    checkBrand(settings),
    checkPort(settings),
    checkPostgres(settings, { timeout }),
    probeEndpoints(settings, timeout),
    probeWebSocket(settings, timeout),
  ]);
  const node = chain.nodes[0] ?? null;
  const [contracts, identity, costs, history, unfollowed] = await Promise.all([
    checkContracts(settings, chain.nodes),
    node ? checkChainIdentity(settings, node) : [],
    checkCosts(settings, chain.nodes),
    warnOfHistory(settings, chain.nodes),
    registry.document === null ? [] : warnOfUnfollowed(registry.document, settings, node),
  ]);
  const fit = node === null ? [] : await warnOfModule(settings, node, costs.ranges.get(node.url));
  const problems = [
    ...chain.problems,
    ...webSocket.problems,
    ...missingParts(settings),
    ...contracts,
    ...costs.problems,
    ...registry.problems,
    ...knowledge,
    ...brand,
    ...database.problems,
    ...checkDataDirectory(settings),
    ...identity,
    ...port,
  ];
  const warnings = [
    ...warnOfEnvironment(options.env ?? {}, settings),
    ...warnOfModes(options.files ?? []),
    ...registry.warnings,
    ...unfollowed,
    ...(registry.document === null ? [] : await warnOfImages(registry.document, settings)),
    ...chain.warnings,
    ...webSocket.warnings,
    ...history,
    ...fit,
    ...costs.warnings,
    ...database.warnings,
  ];
  if (node && problems.length === 0) {
    options.log?.info({ msg: "The chain answers", chainId: settings.chainId, head: node.head });
    if (costs.firstIndexing) options.log?.info({ msg: "A first indexing needs", ...costs.firstIndexing });
    const { callsPerDay, callsPerEventBlock } = costs;
    if (callsPerDay) options.log?.info({ msg: "Following the chain needs", callsPerDay, callsPerEventBlock });
  }
  const hasWebSocket = settings.wsUrl !== null && webSocket.warnings.length === 0;
  return { problems, warnings, registry: registry.document?.hash ?? null, node, hasWebSocket };
}

/** Calls for logs at a start: the doctor looks further. */
const MODULE_CALLS = 4;

async function warnOfModule(
  settings: Settings,
  node: ChainEndpoint,
  range: Range | undefined,
): Promise<readonly Warning[]> {
  if (settings.contracts === null || range === undefined) return [];
  const look = { node, blocksPerCall: range.blocksPerCall, mostCalls: MODULE_CALLS };
  return (await checkModule(settings, look)).warnings;
}

/**
 * Transient problems that make a restart of the indexer pointless. Far fewer than `preflight` finds: a bad registry update or
 * one failing node of several must not keep a running service down.
 */
export async function findObstacles(
  settings: Settings,
  /** the indexer's exit code */
  code: number,
): Promise<readonly Problem[]> {
  const [port, database, chain] = await Promise.all([
    // Separate readers keep the public port.
    settings.database.kind === "postgres" ? checkOperatorPort(settings) : checkPort(settings),
    checkDatabase(settings, DEFAULT_TIMEOUT),
    probeEndpoints(settings, DEFAULT_TIMEOUT),
  ]);
  const behind = code === EXIT_RETRYABLE ? await checkBehind(settings, chain.nodes, DEFAULT_TIMEOUT) : [];
  const disk = checkDataDisk(settings);
  return [...port, ...database, ...disk, ...(chain.nodes.length > 0 ? [] : chain.problems), ...behind];
}

/** A problem if no node has reached it. Only while no indexer runs: the embedded database is opened. */
async function checkBehind(
  settings: Settings,
  nodes: readonly ChainEndpoint[],
  timeout: number,
): Promise<readonly Problem[]> {
  const final = await indexedFinalBlock(settings, timeout);
  if (final === null || nodes.length === 0) return [];
  const times = await Promise.all(nodes.map(headTime));
  if (times.some((time) => time === null || time >= final.timestamp)) return [];
  const problem =
    `are behind the index, whose final block is ${final.number}, and are waited for. If they are at the head, the chain was ` +
    "reorganised beyond what is taken for final: docs/decisions/0024-deep-reorgs.md has the way back";
  return [problemWith("RPC_URLS", problem)];
}

/** The timestamp of the node's head, in seconds; null if the node does not say. */
async function headTime({ url, head, timeout }: ChainEndpoint): Promise<number | null> {
  const block = await callRpc({ url, timeout, ...blockRequest(head) }).catch(nullIfRefused);
  const { timestamp } = Object(block) as { timestamp?: unknown };
  return typeof timestamp === "string" ? Number(timestamp) : null;
}

/** From Ponder's checkpoint; null before the first, and if the database does not say. */
export async function indexedFinalBlock(settings: Settings, timeout: number): Promise<Block | null> {
  const { database } = settings;
  const checkpoint =
    database.kind === "postgres"
      ? await checkpointIn(database.connectionString, schemaNameOf(settings), timeout)
      : await openEmbedded(settings).catch(() => null);
  return checkpoint === null ? null : blockOf(checkpoint);
}

async function checkpointIn(
  connectionString: string,
  schema: string,
  timeout: number,
): Promise<string | null> {
  const client = postgresClientOf(connectionString, timeout);
  const query = `SELECT finalized_checkpoint AS final FROM ${client.escapeIdentifier(schema)}._ponder_checkpoint`;
  return withClient(client, () => client.query<{ final: string }>(query)).then(
    ({ rows }) => rows[0]?.final ?? null,
    () => null,
  );
}
