/**
 * Events that announce a contract: the factory's, of an escrow, and the escrow's, of a raise's token.
 * @module
 */
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { lower } from "../fold/events.ts";
import { eventNamed, isWide, itemOf } from "./abi.ts";
import type { ContractsModule } from "./module.ts";

/** An event whose parameter has the address of a contract to follow. */
export type AnnouncingEvent = {
  abiItem: AbiEvent;
  topic: Hex;
  parameter: string;
  /** Null in a log that is too short. Like Ponder, which reads nothing else of the log. */
  addressIn(log: { topics: readonly Hex[]; data: Hex }): Hex | null;
};

export function announcing(
  abi: readonly AbiEvent[],
  { event, parameter }: { event: string; parameter: string },
  place: string,
  problems: string[],
): AnnouncingEvent | null {
  const abiItem = eventNamed(abi, String(event), `${place}.event`, problems);
  return abiItem && withParameter(abiItem, parameter, place, problems);
}

export function factoryOf(
  { event, escrow }: NonNullable<ContractsModule["factory"]>,
  problems: string[],
): AnnouncingEvent | null {
  const abiItem = itemOf(event, "factory.event", problems);
  if (abiItem === null) return null;
  if (abiItem.type === "event") return withParameter(abiItem, escrow, "factory.escrow", problems);
  problems.push("factory.event: expected an event");
  return null;
}

function withParameter(
  abiItem: AbiEvent,
  parameter: string,
  place: string,
  problems: string[],
): AnnouncingEvent | null {
  const input = abiItem.inputs.find(({ name }) => name === parameter);
  if (input?.type !== "address") {
    problems.push(`${place}: ${abiItem.name} has no address named ${parameter}`);
    return null;
  }
  const alike = abiItem.inputs.filter(({ indexed }) => (indexed === true) === (input.indexed === true));
  const before = alike.slice(0, alike.indexOf(input));
  if (input.indexed !== true && before.some(isWide)) {
    problems.push(
      `${place}: ${parameter} comes after a struct or an array of fixed length, where it is not looked for`,
    );
    return null;
  }
  const start = 2 + 64 * before.length;
  const wordIn = ({ topics, data }: { topics: readonly Hex[]; data: Hex }) =>
    input.indexed === true ? topics[1 + before.length]?.slice(2) : data.slice(start, start + 64);
  const addressIn: AnnouncingEvent["addressIn"] = (log) => {
    const word = wordIn(log);
    return word?.length === 64 ? lower(`0x${word.slice(24)}`) : null;
  };
  return { ...{ abiItem, parameter, addressIn }, topic: toEventSelector(abiItem) };
}
