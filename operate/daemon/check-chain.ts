/** @module Probes every node for its chain and its head, and the most advanced one that answers for the configured contracts. */
import {
  blockRequest,
  callRpc,
  codeAt,
  isPassing,
  logsRequest,
  nodeName,
  nullIfRefused,
  RpcError,
} from "../../chain/call.ts";
import { askWebSocket } from "../../chain/web-socket.ts";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith, SettingsError, type Warning } from "../../config/problems.ts";
import { firstBlock } from "../../config/sources.ts";
import type { DeployedContract } from "../../config/values.ts";
import type { VariableName } from "../../config/variables.ts";
import { missingParts } from "../../src/contracts/contracts.ts";
import { type ContractVariable, otherKindOf, topicsOfKinds, wrongKind } from "./contract-kinds.ts";

/** A working node on the right chain. */
export type ChainEndpoint = {
  readonly url: string;
  /** Number of the newest block. */
  readonly head: number;
  /** Milliseconds per call. */
  readonly timeout: number;
};

/** Distance from the head at which single blocks are requested: the nodes behind one address are not all at the head. */
export const SETTLED_BLOCKS = 10;

/** Milliseconds for an answer to a command's probe. */
const COMMAND_TIMEOUT = 10_000;

export type ProbedEndpoints = {
  /** the most advanced first */
  readonly nodes: readonly ChainEndpoint[];
  readonly problems: readonly Problem[];
  /** about nodes that do not answer, if another does */
  readonly warnings: readonly Warning[];
};

/**
 * Probes all RPC URLs at once. A node that does not answer may recover: it prevents the start only if no other node
 * is usable.
 */
export async function probeEndpoints(settings: Settings, timeout: number): Promise<ProbedEndpoints> {
  const nodes: ChainEndpoint[] = [];
  const problems: Problem[] = [];
  const silent: Problem[] = [];
  const [contract] = configuredContracts(settings);
  const probes = settings.rpcUrls.map(async (url) => {
    const chainId = await reportRpcError("RPC_URLS", url, { problems: silent }, () =>
      callRpc({ url, method: "eth_chainId", timeout }),
    );
    if (chainId === undefined) return;
    await reportRpcError("RPC_URLS", url, { problems, passing: silent }, async () => {
      requireChain(chainId, settings.chainId);
      const newest = await callRpc({ url, method: "eth_blockNumber", timeout });
      const head = parseQuantity(newest, "eth_blockNumber");
      await requireLogs({ url, head, timeout }, contract?.address);
      await requireLogsOfBlock({ url, head, timeout });
      nodes.push({ url, head, timeout });
    });
  });
  await Promise.all(probes);
  if (nodes.length === 0) return { nodes, problems: [...silent, ...problems], warnings: [] };
  const warnings = silent.map((one) => warningOf(one, "the others are used until it does"));
  return { nodes: nodes.toSorted((a, b) => b.head - a.head), problems, warnings };
}

/** The WebSocket endpoint must be on the same chain. If it does not answer, blocks are polled for. */
export async function probeWebSocket(
  settings: Settings,
  timeout: number,
): Promise<Pick<ProbedEndpoints, "problems" | "warnings">> {
  const url = settings.wsUrl;
  const problems: Problem[] = [];
  const silent: Problem[] = [];
  if (url === null) return { problems, warnings: [] };
  const chainId = await reportRpcError("WS_URL", url, { problems: silent }, () =>
    askWebSocket(url, { method: "eth_chainId", timeout }),
  );
  if (chainId !== undefined)
    await reportRpcError("WS_URL", url, { problems }, async () => requireChain(chainId, settings.chainId));
  const warnings = silent.map((one) => warningOf(one, "new blocks are polled for until the next start"));
  return { problems, warnings };
}

function warningOf({ variable, problem, remedy }: Problem, instead: string): Warning {
  return { variable, warning: `${problem}; ${instead}`, remedy };
}

/**
 * Every configured address must hold code, and not of another kind of contract; no start block may be in the future.
 * @param nodes asked in this order, until one answers
 */
export async function checkContracts(
  settings: Settings,
  nodes: readonly ChainEndpoint[],
): Promise<readonly Problem[]> {
  const [newest] = nodes;
  if (newest === undefined) return [];
  const problems: Problem[] = [];
  for (const contract of configuredContracts(settings)) {
    const { variable, address, startBlock } = contract;
    if (startBlock > newest.head) {
      const head = `the chain's newest block is ${newest.head}`;
      const remedy = "Start it at the block of its deployment.";
      problems.push(problemWith(variable, `starts ${address} at block ${startBlock}, but ${head}`, remedy));
    }
    const unanswered: Problem[] = [];
    let found: readonly Problem[] | undefined;
    for (const node of nodes)
      found ??= await reportRpcError(variable, node.url, { problems: unanswered }, () =>
        checkContract(settings, node, contract),
      );
    problems.push(...(found ?? unanswered));
  }
  return problems;
}

/** The most advanced endpoint, for a command that reads the chain. @throws {SettingsError} where the settings do not fit it */
export async function checkedNode(settings: Settings): Promise<ChainEndpoint> {
  const { nodes, problems } = await probeEndpoints(settings, COMMAND_TIMEOUT);
  const [node] = nodes;
  const all = [...problems, ...missingParts(settings), ...(await checkContracts(settings, nodes))];
  if (node === undefined || all.length > 0) throw new SettingsError(all);
  return node;
}

/** @throws {RpcError} */
async function checkContract(
  settings: Settings,
  node: ChainEndpoint,
  { variable, address }: ConfiguredContract,
): Promise<readonly Problem[]> {
  const code = await codeAt(node, address);
  if (code === "0x") {
    const nothing = `names ${address}, where there is no contract at block ${node.head}`;
    return [problemWith(variable, nothing, "Take the address from the deployment on this chain.")];
  }
  const kind = await otherKindOf(node, { address, variable }, String(code), topicsOfKinds(settings));
  if (kind === null || kind === "unknown") return [];
  const { what, remedy } = wrongKind(variable, address, kind);
  return [problemWith(variable, what, remedy)];
}

type ConfiguredContract = DeployedContract & { readonly variable: ContractVariable };

export function configuredContracts(settings: Settings): ConfiguredContract[] {
  const { escrows, escrowFactory, desk } = settings;
  return [
    ...escrows.map((contract) => ({ variable: "ESCROWS" as const, ...contract })),
    ...(escrowFactory ? [{ variable: "ESCROW_FACTORY" as const, ...escrowFactory }] : []),
    ...(desk ? [{ variable: "DESK" as const, ...desk }] : []),
  ];
}

/** Runs a check and turns an RPC error into a problem with the variable, in `passing` if it may pass; undefined then. */
async function reportRpcError<Result>(
  variable: VariableName,
  url: string,
  { problems, passing = problems }: { problems: Problem[]; passing?: Problem[] },
  check: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const problem = problemWith(variable, `at ${nodeName(url)} ${error.message}`, error.remedy);
    (isPassing(error) ? passing : problems).push(problem);
    return undefined;
  }
}

function requireChain(answer: unknown, expected: number): void {
  const chainId = parseQuantity(answer, "eth_chainId");
  if (chainId === expected) return;
  const remedy = `Name an endpoint of chain ${expected}, or set CHAIN_ID=${chainId} if the contracts are on that chain.`;
  throw new RpcError("other", `is on chain ${chainId}; expected chain id ${expected} (CHAIN_ID)`, { remedy });
}

const ANOTHER = "Name another endpoint.";

/** Many public endpoints, including BSC's own, refuse `eth_getLogs`, without which nothing can be indexed. */
async function requireLogs(
  { url, head, timeout }: ChainEndpoint,
  address: string | undefined,
): Promise<void> {
  const block = Math.max(0, head - SETTLED_BLOCKS);
  const logs = await callRpc({ url, timeout, ...logsRequest({ from: block, to: block, address }) });
  if (!Array.isArray(logs))
    throw new RpcError("other", "does not answer eth_getLogs with a list", { remedy: ANOTHER });
}

/** Logs of new blocks are requested by block hash: an endpoint without that supplies the history, but nothing after it. */
async function requireLogsOfBlock({ url, head, timeout }: ChainEndpoint): Promise<void> {
  const block = await callRpc({ url, timeout, ...blockRequest(Math.max(0, head - SETTLED_BLOCKS)) });
  const { hash } = (block ?? {}) as { hash?: unknown };
  // The nodes behind one address are not all at the head.
  if (typeof hash !== "string") return;
  try {
    const logs = await callRpc({ url, method: "eth_getLogs", params: [{ blockHash: hash }], timeout });
    if (!Array.isArray(logs))
      throw new RpcError("other", "does not answer eth_getLogs with a list", { remedy: BY_HASH });
  } catch (error) {
    if (!(error instanceof RpcError) || isPassing(error)) throw error;
    const message = `${error.message}, asked for the logs of one block by its blockHash: it has the history, but new blocks could not be indexed`;
    throw new RpcError("other", message, { remedy: BY_HASH });
  }
}

const BY_HASH = "Name an endpoint whose eth_getLogs takes blockHash (EIP-234).";

export function parseQuantity(answer: unknown, method: string): number {
  const value = typeof answer === "string" && /^0x[0-9a-fA-F]+$/.test(answer) ? Number(answer) : Number.NaN;
  if (!Number.isSafeInteger(value))
    throw new RpcError("other", `does not answer ${method} with a number`, { remedy: ANOTHER });
  return value;
}

/** Number of blocks in which to look for logs. */
const SAMPLE = 5;

/** Only warnings: a running index may no longer need the history. */
export async function warnOfHistory(
  settings: Settings,
  nodes: readonly ChainEndpoint[],
): Promise<readonly Warning[]> {
  const warnings = nodes.map(async (node): Promise<Warning[]> => {
    const reason = await lacksHistory(settings, node);
    if (reason === null) return [];
    const warning = `at ${nodeName(node.url)} does not have the history: ${reason}; a first indexing needs it`;
    return [{ variable: "RPC_URLS", warning, remedy: ARCHIVE }];
  });
  return (await Promise.all(warnings)).flat();
}

export const ARCHIVE = "Name an endpoint that keeps all blocks and logs (an archive node).";

/** The missing data; null if nothing is, or the endpoint limits its rate. */
export async function lacksHistory(
  settings: Settings,
  { url, head, timeout }: ChainEndpoint,
): Promise<string | null> {
  const first = Math.min(Number(firstBlock(settings)), head);
  const logsOf = (block: number, address?: string) =>
    callRpc({ url, timeout, ...logsRequest({ from: block, to: block, address }) });
  try {
    for (let block = first; block <= Math.min(head, first + SAMPLE - 1); block++) {
      const found = await callRpc({ url, timeout, ...blockRequest(block) });
      if (typeof found !== "object" || found === null || !("timestamp" in found))
        return `it has no block ${block}`;
      if (block === first) await logsOf(block, configuredContracts(settings)[0]?.address);
      if (!("logsBloom" in found) || !hasBits(found.logsBloom)) continue;
      // Some endpoints return no logs without an address.
      const logs = await logsOf(block).catch(nullIfRefused);
      return Array.isArray(logs) && logs.length === 0
        ? `it has no logs of block ${block}, which has some`
        : null;
    }
    return null;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return error.kind === "rate" ? null : `for block ${first} it ${error.message}`;
  }
}

function hasBits(bloom: unknown): boolean {
  return typeof bloom === "string" && /[1-9a-f]/i.test(bloom.slice(2));
}
