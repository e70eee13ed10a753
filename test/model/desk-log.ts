/** @module The events of the secondary desk, decoded. */
import { decodeEventLog, type Hex, toEventSelector } from "viem";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { type Place, placeOf, type RawLog } from "./chain-log.ts";

function decoded({ data, topics }: RawLog) {
  return decodeEventLog({ abi: secondaryDeskEventsAbi, data, topics });
}

type DeskEvent = ReturnType<typeof decoded>;

/** Every event of `SecondaryDesk` by name, with its arguments. */
export type DeskArgs = { [Event in DeskEvent as Event["eventName"]]: Event["args"] };

type AnyDeskLog = {
  [Name in keyof DeskArgs]: Place & { name: Name; args: DeskArgs[Name] };
}[keyof DeskArgs];

/** One event of the desk and where it stands. `name` tells which `args` there are. */
export type DeskLog<Name extends keyof DeskArgs = keyof DeskArgs> = Extract<AnyDeskLog, { name: Name }>;

const SELECTORS: readonly Hex[] = secondaryDeskEventsAbi.map((event) => toEventSelector(event));

export function isOfDesk({ topics: [selector] }: RawLog): boolean {
  return selector !== undefined && SELECTORS.includes(selector);
}

/** @param at the time of the log's block, unix seconds */
export function toDeskLog(log: RawLog, at: bigint): DeskLog {
  const { eventName: name, args } = decoded(log);
  // The pair came out of one decoded event, which the compiler cannot see through two variables.
  return { ...placeOf(log, at), name, args } as DeskLog;
}

/** The desk's logs with the name, in the order they had. */
export function deskLogs<Name extends keyof DeskArgs>(logs: readonly DeskLog[], name: Name): DeskLog<Name>[] {
  return logs.filter((log) => log.name === name) as DeskLog<Name>[];
}
