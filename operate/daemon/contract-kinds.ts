/** @module Identifies a contract by the events in its code. */
import { type Hex, toEventSelector } from "viem";
import { callRpc, type RpcCall, RpcError } from "../../chain/call.ts";
import type { Settings } from "../../config/environment.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";

type Node = Pick<RpcCall, "url" | "timeout">;

/** The variables that name contracts. */
export type ContractVariable = "ESCROWS" | "ESCROW_FACTORY" | "DESK";

export type Kind = ContractVariable | "TOKEN";
export type TopicsOfKinds = Readonly<Record<Kind, readonly Hex[]>>;

/** The topics of each kind's events. Order matters: a factory's code contains an escrow's code, and that contains a token's. */
export function topicsOfKinds(settings: Pick<Settings, "contracts">): TopicsOfKinds {
  const { escrow, factory, desk } = contractsOf(settings);
  return {
    ESCROW_FACTORY: factory === null ? [] : [factory.topic],
    ESCROWS: escrow.events.map(({ topic }) => topic),
    DESK: (desk?.events ?? []).map(({ topic }) => topic),
    TOKEN: [toEventSelector("Transfer(address,address,uint256)")],
  };
}

export const NAMES: Readonly<Record<Kind, string>> = {
  ESCROWS: "a listing escrow",
  ESCROW_FACTORY: "an escrow factory",
  DESK: "a secondary desk",
  TOKEN: "a token",
};

/**
 * The contract's kind, or "unknown", if it cannot emit the events that the variable requires. Null if it can, or if the node does
 * not say.
 * @param code the code at the contract's address
 */
export async function otherKindOf(
  node: Node,
  { address, variable }: { address: string; variable: ContractVariable },
  code: string,
  topics: TopicsOfKinds,
): Promise<Kind | "unknown" | null> {
  if (!/^0x[0-9a-f]/i.test(code)) return null;
  if (!delegates(code)) return otherKindIn(code, variable, topics);
  // A proxy, or code whose events may be in a library.
  if (hasOneOf(topics[variable], code)) return null;
  const implementation = await implementationCode(node, address, code);
  if (implementation === null || delegates(implementation)) return null;
  return otherKindIn(implementation, variable, topics);
}

/** The problem of a variable that names such a contract. */
export function wrongKind(variable: ContractVariable, address: string, kind: Kind) {
  const what = `names ${address}, which is ${NAMES[kind]}, not ${NAMES[variable]}`;
  const remedy = kind === "TOKEN" ? fromDeployment(variable) : `Take it out, or name it in ${kind}.`;
  return { what, remedy };
}

export function fromDeployment(variable: ContractVariable): string {
  return `Take the address of ${NAMES[variable]} from the deployment on this chain.`;
}

function hasOneOf(topics: readonly Hex[], code: string): boolean {
  // A compiler pushes a constant without its leading zeros.
  return topics.some((topic) => code.includes(topic.slice(2).replace(/^(?:00)+/, "")));
}

function otherKindIn(
  code: string,
  variable: ContractVariable,
  topics: TopicsOfKinds,
): Kind | "unknown" | null {
  if (hasOneOf(topics[variable], code)) return null;
  const kinds = Object.keys(topics) as Kind[];
  return kinds.find((kind) => hasOneOf(topics[kind], code)) ?? "unknown";
}

/** EIP-1167. */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/i;
/** EIP-1967. */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** Null if there is none or the node does not say. */
async function implementationCode(
  { url, timeout }: Node,
  address: string,
  code: string,
): Promise<string | null> {
  const ask = (method: string, ...params: string[]) =>
    callRpc({ url, method, params: [...params, "latest"], timeout });
  try {
    const [, clone] = CLONE.exec(code) ?? [];
    const target = clone ?? String(await ask("eth_getStorageAt", address, IMPLEMENTATION_SLOT)).slice(-40);
    const found = await ask("eth_getCode", `0x${target}`);
    return typeof found === "string" && found !== "0x" ? found : null;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

const [PUSH1, PUSH32, CALLCODE, DELEGATECALL] = [0x60, 0x7f, 0xf2, 0xf4];

/** Whether the code can delegate calls to other code. */
function delegates(code: string): boolean {
  const bytes = Buffer.from(withoutMetadata(code).slice(2), "hex");
  for (let at = 0; at < bytes.length; at++) {
    const operation = bytes[at] ?? 0;
    if (operation === CALLCODE || operation === DELEGATECALL) return true;
    if (operation >= PUSH1 && operation <= PUSH32) at += operation - PUSH1 + 1;
  }
  return false;
}

/** Solidity appends a CBOR map and its length in two bytes. The hash in it may look like any operation. */
function withoutMetadata(code: string): string {
  const start = code.length - 4 - 2 * Number.parseInt(code.slice(-4), 16);
  return /^a[1-4]6/.test(code.slice(start, start + 3)) ? code.slice(0, start) : code;
}
