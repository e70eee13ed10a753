/**
 * Finds all problems that would occur after the start, in one report.
 * @module
 */
import type { LastGood } from "../../api/registry/copy.ts";
import { nodeName } from "../../chain/call.ts";
import type { Environment, Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import type { Problem, Warning } from "../../config/problems.ts";
import { checkChainIdentity } from "./chain-identity.ts";
import { checkBehind } from "./check-behind.ts";
import { type ChainEndpoint, checkContracts, probeEndpoints, probeWebSocket } from "./check-chain.ts";
import { checkCosts } from "./check-costs.ts";
import { checkDatabase, checkDataDirectory } from "./check-database.ts";
import { checkDataDisk } from "./check-disk.ts";
import { warnOfEnvironment } from "./check-environment.ts";
import { checkBrand, checkKnowledge, checkRegistry, warnOfImages, warnOfUnfollowed } from "./check-files.ts";
import { warnOfHistory } from "./check-history.ts";
import { warnOfModes } from "./check-modes.ts";
import { checkOperatorPort, checkPort } from "./check-port.ts";
import { checkPostgres } from "./check-postgres.ts";
import { EXIT_RETRYABLE } from "./indexer.ts";

const DEFAULT_TIMEOUT = 10_000;

export type PreflightOptions = {
  /** The source of the settings, for misspelt variables. */
  readonly env?: Environment;
  /** The files from which the settings were read; their modes are checked. */
  readonly files?: readonly string[];
  /** Receives progress messages. */
  readonly log?: Pick<Logger, "info">;
  /** If given and an earlier run has stored a good copy, a bad registry is only a warning. */
  readonly lastGood?: LastGood | undefined;
  /** Milliseconds per answer of a node. */
  readonly timeout?: number;
};

export type Preflight = {
  /** Empty if the indexer can start. */
  readonly problems: readonly Problem[];
  /** Likely mistakes; the indexer starts anyway. */
  readonly warnings: readonly Warning[];
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
    checkRegistry(settings, options.lastGood),
    checkKnowledge(settings),
    checkBrand(settings),
    checkPort(settings),
    checkPostgres(settings, { timeout }),
    probeEndpoints(settings, timeout),
    probeWebSocket(settings, timeout),
  ]);
  const node = chain.nodes.toSorted((a, b) => b.head - a.head)[0] ?? null;
  const contracts = node ? await checkContracts(settings, node) : [];
  const identity = node ? await checkChainIdentity(settings, node) : [];
  const [costs, history, unfollowed] = await Promise.all([
    checkCosts(settings, chain.nodes),
    warnOfHistory(settings, chain.nodes),
    registry.document === null ? [] : warnOfUnfollowed(registry.document, settings, node),
  ]);
  const problems = [
    ...chain.problems,
    ...webSocket.problems,
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
    ...costs.warnings,
    ...database.warnings,
  ];
  if (node && problems.length === 0) {
    options.log?.info({ msg: "The chain answers", chainId: settings.chainId, head: node.head });
    if (costs.firstIndexing) options.log?.info({ msg: "A first indexing needs", ...costs.firstIndexing });
    if (costs.callsPerDay)
      options.log?.info({ msg: "Following the chain needs", callsPerDay: costs.callsPerDay });
  }
  return {
    problems,
    warnings,
    node,
    hasWebSocket: settings.wsUrl !== null && webSocket.warnings.length === 0,
  };
}

/**
 * Transient problems that make a restart of the indexer pointless. Far fewer than `preflight` finds: a bad registry update or
 * one failing node of several must not keep a running service down.
 */
export async function findObstacles(
  settings: Settings,
  /** the indexer's exit code */
  code: number,
  timeout = DEFAULT_TIMEOUT,
): Promise<readonly Problem[]> {
  const [port, database, chain] = await Promise.all([
    // Separate readers keep the public port.
    settings.database.kind === "postgres" ? checkOperatorPort(settings) : checkPort(settings),
    checkDatabase(settings, timeout),
    probeEndpoints(settings, timeout),
  ]);
  const behind = code === EXIT_RETRYABLE ? await checkBehind(settings, chain.nodes, timeout) : [];
  const disk = checkDataDisk(settings);
  return [...port, ...database, ...disk, ...(chain.nodes.length > 0 ? [] : chain.problems), ...behind];
}
