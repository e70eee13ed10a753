/**
 * The followed contracts in words, for health, pages and descriptions: each event, and what it means.
 * @module
 */
import type { AbiEvent, AbiParameter } from "viem";
import type { ContractsFile } from "../../config/contracts-file.ts";
import type { Lifecycle } from "../fold/derived.ts";
import type { EventKind } from "../fold/vocabulary.ts";
import { declarationOf } from "./abi.ts";
import type { Contracts } from "./compile.ts";
import { contractsOf } from "./contracts.ts";

export type FollowedContracts = {
  name: string;
  /** whether `CONTRACTS` names a module; the project's own contracts otherwise */
  isModule: boolean;
  /** what follows without an event */
  lifecycle: Lifecycle;
  /** of the dollar on the chain; answers have 18 */
  decimals: number;
  events: readonly DescribedEvent[];
};

type DescribedEvent = {
  /** as in Solidity, such as `Deposited(uint256 indexed raiseId, uint256 amount)` */
  declaration: string;
  emitter: "escrow" | "desk";
  /** in the order of the trials; empty where none of them says it */
  kinds: readonly EventKind[];
};

export function describeContracts(settings: { contracts: ContractsFile | null }): FollowedContracts {
  const { name, lifecycle, escrow, desk } = contractsOf(settings);
  const describe =
    (emitter: DescribedEvent["emitter"]) => (event: Contracts["escrow"]["events"][number]) => ({
      declaration: declarationOf(event.abiItem),
      emitter,
      kinds: kindsOf(event),
    });
  return {
    name,
    isModule: settings.contracts !== null,
    lifecycle,
    decimals: escrow.decimals,
    events: [...escrow.events.map(describe("escrow")), ...(desk?.events ?? []).map(describe("desk"))],
  };
}

/** Numbers to try: 0, and more than an enum usually has. */
const NUMBERS = Array.from({ length: 9 }, (_, index) => index);
const NOWHERE = `0x${"0".repeat(40)}` as const;
const PLACE = {
  address: NOWHERE,
  blockNumber: 0n,
  blockTime: 0n,
  txHash: `0x${"0".repeat(64)}`,
  logIndex: 0,
} as const;

/** A handler is a function: what it answers to made-up logs tells the kinds of events that it makes. */
function kindsOf({ abiItem, map }: Contracts["escrow"]["events"][number]): EventKind[] {
  const made = NUMBERS.flatMap((number) =>
    [false, true].flatMap((flag) => map(argumentsOf(abiItem, number, flag), PLACE)),
  );
  const kinds = made.filter(({ problem }) => problem === null).map(({ content }) => content.event.kind);
  return [...new Set(kinds)];
}

/** As viem decodes them: by name if all have one, else in a list. */
function argumentsOf({ inputs }: AbiEvent, number: number, flag: boolean): unknown {
  const values = inputs.map((input) => madeUp(input, number, flag));
  if (inputs.some(({ name }) => name === undefined || name === "")) return values;
  return Object.fromEntries(inputs.map(({ name }, index) => [name, values[index]]));
}

function madeUp(parameter: AbiParameter, number: number, flag: boolean): unknown {
  const { type } = parameter;
  if (/\[\d*\]$/.test(type)) {
    const [, length = ""] = /\[(\d*)\]$/.exec(type) ?? [];
    const item = { ...parameter, type: type.replace(/\[\d*\]$/, "") };
    return Array.from({ length: Number(length) }, () => madeUp(item, number, flag));
  }
  if ("components" in parameter)
    return argumentsOf({ inputs: parameter.components } as AbiEvent, number, flag);
  const [, bits] = /^u?int(\d*)$/.exec(type) ?? [];
  if (bits !== undefined) return Number(bits || 256) <= 48 ? number : BigInt(number);
  if (type === "bool") return flag;
  if (type === "address") return NOWHERE;
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  return bytes === undefined ? (type === "bytes" ? "0x" : "") : `0x${"0".repeat(2 * Number(bytes))}`;
}
