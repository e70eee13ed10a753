/**
 * The event that a proof carries for its log: whether it is one, whether it has the log's signature, and whether it is what the
 * reader knows of the contract.
 * @module
 */
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { EVENTS } from "./events.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";
import type { ContractAbi } from "./verdict.ts";

export type CarriedAbi = components["schemas"]["EventProof"]["abi"];

type Known = (typeof EVENTS)[number];

const BY_SELECTOR = new Map(EVENTS.map((event) => [toEventSelector(event.abi), event]));
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/;
const MOST_INPUTS = 50;

/**
 * The event with which to decode the log, and the project's own event with the same signature.
 * @param own the reader's ABI of the contract; null without one
 * @throws {Refusal} if the carried event is another than the log's, or has other names or topics than those that are known
 */
export function eventOf(
  topics: readonly Hex[],
  carried: CarriedAbi,
  own: ContractAbi | null,
): { abi: AbiEvent; known: Known | null } {
  const [topic = "0x"] = topics;
  must(isEvent(carried), "the proof carries no event of an ABI");
  const abi = carried as unknown as AbiEvent;
  must(selectorOf(abi) === topic, `the log is no ${abi.name} as the proof has it: its signature is another`);
  const indexed = abi.inputs.filter((input) => input.indexed === true);
  must(indexed.length === topics.length - 1, `${abi.name} has other topics than the log`);
  const known = BY_SELECTOR.get(topic) ?? null;
  must(
    known === null || isSame(known.abi, abi),
    `the proof names the arguments of ${abi.name} otherwise than the contracts' interface`,
  );
  if (own !== null) {
    const named = own.find((item) => isEvent(item) && selectorOf(item as AbiEvent) === topic);
    must(named !== undefined, `the ABI that you gave has no event ${abi.name} with this signature`);
    must(
      isSame(named as AbiEvent, abi),
      `the ABI that you gave names the arguments of ${abi.name} otherwise`,
    );
  }
  return { abi, known };
}

/** Whether it is an event whose names can be shown: an address or a control character must not pose as one. */
function isEvent(item: unknown): boolean {
  const { type, name, inputs } = (item ?? {}) as Record<string, unknown>;
  return type === "event" && typeof name === "string" && IDENTIFIER.test(name) && areInputs(inputs);
}

function areInputs(inputs: unknown): boolean {
  return (
    Array.isArray(inputs) &&
    inputs.length <= MOST_INPUTS &&
    inputs.every((input) => {
      const { name, type, components } = (input ?? {}) as Record<string, unknown>;
      const isNamed =
        name === "" || name === undefined || (typeof name === "string" && IDENTIFIER.test(name));
      return isNamed && typeof type === "string" && (components === undefined || areInputs(components));
    })
  );
}

function selectorOf(event: AbiEvent): Hex | null {
  try {
    return toEventSelector(event);
  } catch {
    return null;
  }
}

/** Whether both have the same names, types and topics. */
function isSame(one: AbiEvent, other: AbiEvent): boolean {
  return one.name === other.name && textOf(one.inputs) === textOf(other.inputs);
}

type Input = { name?: string; type: string; indexed?: boolean; components?: readonly Input[] };

function textOf(inputs: readonly unknown[]): string {
  const plain = (list: readonly Input[]): unknown[] =>
    list.map(({ name = "", type, indexed = false, components = [] }) => [
      name,
      type,
      indexed,
      plain(components),
    ]);
  return JSON.stringify(plain(inputs as readonly Input[]));
}
