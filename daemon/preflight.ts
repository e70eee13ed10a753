/**
 * Everything that can be known to fail before the indexer starts, found at once.
 * @module
 */
import type { Problem, Settings } from "../config/environment.ts";
import type { Log } from "../config/log.ts";
import { checkChainIdentity } from "./chain-identity.ts";
import { checkBrand } from "./check-brand.ts";
import { type ChainNode, checkContracts, probeNodes, probeWebSocket } from "./check-chain.ts";
import { checkDatabase } from "./check-database.ts";
import { checkKnowledge } from "./check-knowledge.ts";
import { checkPort } from "./check-port.ts";
import { checkRegistry } from "./check-registry.ts";
import { nodeName } from "./json-rpc.ts";

const DEFAULT_TIMEOUT = 10_000;

export interface PreflightOptions {
  /** Hears what is being waited for. */
  readonly log?: Pick<Log, "info">;
  /** Milliseconds that a node may take for one answer. */
  readonly timeout?: number;
}

export interface Preflight {
  /** Empty when the indexer can start. */
  readonly problems: readonly Problem[];
  /** The node that is furthest, when any is usable. */
  readonly node: ChainNode | null;
}

/** Checks registry, knowledge base, logo, port, database, nodes, contracts and data directory. Changes nothing. */
export async function preflight(settings: Settings, options: PreflightOptions = {}): Promise<Preflight> {
  const timeout = options.timeout ?? DEFAULT_TIMEOUT;
  const names = [...new Set(settings.rpcUrls.map(nodeName))].join(", ");
  options.log?.info({ msg: "Asking the chain's nodes", nodes: names });
  const [registry, knowledge, brand, port, database, chain, webSocket] = await Promise.all([
    checkRegistry(settings),
    checkKnowledge(settings),
    checkBrand(settings),
    checkPort(settings),
    checkDatabase(settings, timeout),
    probeNodes(settings, timeout),
    probeWebSocket(settings, timeout),
  ]);
  const node = chain.nodes.toSorted((a, b) => b.head - a.head)[0] ?? null;
  const contracts = node ? await checkContracts(settings, node) : [];
  const identity = node ? await checkChainIdentity(settings, node) : [];
  const problems = [
    ...chain.problems,
    ...webSocket,
    ...contracts,
    ...registry,
    ...knowledge,
    ...brand,
    ...database,
    ...identity,
    ...port,
  ];
  if (node && problems.length === 0)
    options.log?.info({ msg: "The chain answers", chainId: settings.chainId, head: node.head });
  return { problems, node };
}
