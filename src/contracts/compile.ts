/**
 * Compiles a contracts module: checks its ABIs and handlers, and makes them ready for logs.
 * @module
 */
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { ADDRESS } from "../../config/values.ts";
import { LIFECYCLE_KINDS, type Lifecycle, lifecycleOf, unknowable } from "../fold/derived.ts";
import { MOST_PARTS } from "../fold/event-id.ts";
import { type EventContent, type ListingEvent, lower, UNKNOWN_ID } from "../fold/events.ts";
import type { AnomalyKind, EventKind } from "../fold/vocabulary.ts";
import { abiOf, declarationOf, eventNamed, hasAddress } from "./abi.ts";
import { type AnnouncingEvent, announcing, factoryOf } from "./announcement.ts";
import { checkedModule, isObject } from "./checked-module.ts";
import { DECIMALS, InvalidEventError, scaleOf, toDeskEvent, toListingEvent } from "./market-event.ts";
import type { ContractLog, ContractsModule, LogHandler } from "./module.ts";
import { problemOf } from "./promise.ts";
import { type Dollar, dollarOf, type EscrowViews, viewsOf } from "./views.ts";

/** The place of a log, as handlers are given it. */
export type LogPlace = {
  address: Hex;
  blockNumber: bigint;
  /** Unix seconds */
  blockTime: bigint;
  txHash: Hex;
  logIndex: number;
};

/** What a log means. `problem`: why it could not be mapped; null if it was. */
export type MappedLog = {
  content: Extract<EventContent, { source: "escrow" | "desk" }>;
  problem: string | null;
};

/** An event that is followed. */
export type FollowedEvent = {
  abiItem: AbiEvent;
  topic: Hex;
  /** as Ponder calls it: by its signature where another followed event has the same name */
  ponderName: string;
  /** @param args as viem or Ponder decoded them, which is undefined without parameters */
  map(args: unknown, place: LogPlace): MappedLog[];
};

export type Contracts = {
  name: string;
  escrow: {
    decimals: number;
    events: readonly FollowedEvent[];
    /** `hasClaims`: whether there is a token for each base unit that was subscribed and not refunded */
    token: (AnnouncingEvent & { hasClaims: boolean }) | null;
    views: EscrowViews;
    dollar: Dollar | null;
    /** whether raises have the ids 1, 2, 3, … */
    isNumbered: boolean;
  };
  factory: AnnouncingEvent | null;
  desk: { decimals: number; events: readonly FollowedEvent[] } | null;
  /** what has to be derived, as no handler maps an event to it */
  lifecycle: Lifecycle;
  /** anomalies that logs of these contracts cannot show */
  unknowable: ReadonlySet<AnomalyKind>;
  /** events of the ABIs without a handler: they are not followed */
  unhandled: readonly AbiEvent[];
  /** the events of escrow and desk */
  byTopic: ReadonlyMap<Hex | undefined, FollowedEvent>;
};

/**
 * @param problems gets every problem, with its place in the module
 * @param text of the module and of all that it imports; default: of its handlers
 */
export function compileModule(value: unknown, problems: string[], text?: string): Contracts {
  const module = checkedModule(value, problems);
  const { escrow, factory, desk } = module;
  const onchainId: (log: ContractLog) => unknown =
    escrow.onchainId ?? (({ args }: ContractLog) => args.onchainId);
  const escrowAbi = abiOf(escrow.abi, "escrow.abi", problems);
  const scale = scaleOf(decimalsOf(escrow.decimals, "escrow.decimals", problems));
  const emitted = kindsIn(text ?? Object.values(escrow.events).map(String).join("\n"));
  const escrowEvents = eventsOf(escrowAbi, escrow.events, "escrow.events", problems, (handler) => (log) => {
    let id = UNKNOWN_ID;
    let given: unknown;
    const toContent = (event: ListingEvent) => ({ source: "escrow" as const, onchainId: id, event });
    try {
      given = onchainId(log);
      id = idOf(given);
      const result = handler(log);
      given = result;
      return listOf(result).map((one) => ({
        content: toContent(named(toListingEvent(one, scale), emitted)),
        problem: null,
      }));
    } catch (error) {
      return [{ content: toContent(unmapped(log)), problem: problemOf(error, given) }];
    }
  });
  const deskScale = scaleOf(decimalsOf(desk?.decimals, "desk.decimals", problems));
  const deskAbi = desk === undefined ? [] : abiOf(desk.abi, "desk.abi", problems);
  const deskEvents = eventsOf(deskAbi, desk?.events ?? {}, "desk.events", problems, (handler) => (log) => {
    let given: unknown;
    try {
      const result = handler(log);
      given = result;
      return listOf(result).map((one) => ({
        content: { source: "desk", event: toDeskEvent(one, deskScale, log.address) },
        problem: null,
      }));
    } catch (error) {
      // Under the desk's own address.
      const content = { source: "escrow" as const, onchainId: UNKNOWN_ID, event: unmapped(log) };
      return [{ content, problem: problemOf(error, given) }];
    }
  });
  const byTopic = new Map([...escrowEvents, ...deskEvents].map((event) => [event.topic, event]));
  for (const { topic, abiItem } of deskEvents) {
    if (escrowEvents.some((event) => event.topic === topic))
      problems.push(`desk.events.${abiItem.name}: is an event of the escrow too`);
  }
  if (escrow.closesAtTarget === true && emitted.has("listing_closed"))
    problems.push(
      "escrow.closesAtTarget: a handler maps an event to listing_closed, which says when a raise closes",
    );
  const lifecycle = lifecycleOf(emitted, escrow.closesAtTarget ?? false);
  return {
    name: module.name,
    ...{ lifecycle, unknowable: unknowable(lifecycle) },
    escrow: {
      decimals: escrow.decimals ?? DECIMALS,
      events: escrowEvents,
      token: tokenOf(escrowAbi, escrow.token, problems),
      views: viewsOf(escrow.views, "escrow.views", problems),
      dollar: dollarOf(escrow.dollar, "escrow.dollar", problems),
      isNumbered: flagOf(escrow.numbered, "escrow.numbered", problems),
    },
    factory: factory === undefined ? null : factoryOf(factory, problems),
    desk: desk === undefined ? null : { decimals: desk.decimals ?? DECIMALS, events: deskEvents },
    unhandled: [...escrowAbi, ...deskAbi].filter((item) => !byTopic.has(toEventSelector(item))),
    byTopic,
  };
}

/** The kinds of a lifecycle that a text names: what handlers return depends on the log, but a kind that none names, none returns. */
function kindsIn(text: string): ReadonlySet<EventKind> {
  return new Set(LIFECYCLE_KINDS.filter((kind) => new RegExp(`["'\`]${kind}["'\`]`).test(text)));
}

/** The event, whose kind the text has to name if it would be derived as well. @throws {InvalidEventError} */
function named(event: ListingEvent, kinds: ReadonlySet<EventKind>): ListingEvent {
  if (kinds.has(event.kind) || !LIFECYCLE_KINDS.includes(event.kind)) return event;
  throw new InvalidEventError(
    `kind: write "${event.kind}" out in the module: a kind that its text does not name is derived`,
  );
}

function decimalsOf(decimals: unknown, place: string, problems: string[]): number {
  if (decimals === undefined) return DECIMALS;
  if (Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= DECIMALS)
    return Number(decimals);
  problems.push(`${place}: expected a whole number from 0 to ${DECIMALS}`);
  return DECIMALS;
}

function eventsOf<Event>(
  abi: readonly AbiEvent[],
  handlers: Readonly<Record<string, LogHandler<Event>>>,
  place: string,
  problems: string[],
  mapper: (handler: LogHandler<Event>) => (log: ContractLog) => MappedLog[],
): FollowedEvent[] {
  const byTopic = new Map<Hex, string>();
  const events = Object.entries(handlers).flatMap(([key, handler]): FollowedEvent[] => {
    const at = `${place}.${key}`;
    const abiItem = eventNamed(abi, key, at, problems);
    if (abiItem === null) return [];
    if (abiItem.anonymous === true) problems.push(`${at}: an anonymous event cannot be followed`);
    else if (typeof handler !== "function") problems.push(`${at}: expected a function`);
    else {
      const topic = toEventSelector(abiItem);
      const other = byTopic.get(topic);
      byTopic.set(topic, key);
      if (other !== undefined) problems.push(`${at}: handles the same event as ${place}.${other}`);
      const map = mapper(handler);
      const { name } = abiItem;
      const isPlain = !abiItem.inputs.some(hasAddress);
      return [
        {
          ...{ abiItem, topic, ponderName: name },
          map: (args: unknown = {}, { address, blockNumber, blockTime, txHash, logIndex }: LogPlace) =>
            map({
              name,
              args: (isPlain ? args : lowered(args)) as ContractLog["args"],
              address,
              block: { number: blockNumber, timestamp: blockTime },
              transactionHash: txHash,
              logIndex,
            }),
        },
      ];
    }
    return [];
  });
  const isOverloaded = (name: string) => events.filter(({ abiItem }) => abiItem.name === name).length > 1;
  return events.map((event) =>
    isOverloaded(event.abiItem.name) ? { ...event, ponderName: declarationOf(event.abiItem) } : event,
  );
}

const ADDRESS_LENGTH = 42;

/** A copy with every address in lowercase. */
export function lowered(value: unknown): unknown {
  if (typeof value === "string")
    return value.length === ADDRESS_LENGTH && ADDRESS.test(value) ? lower(value as Hex) : value;
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) copy[name] = lowered(inner);
  return copy;
}

function idOf(id: unknown): bigint {
  const found = typeof id === "number" && Number.isSafeInteger(id) ? BigInt(id) : id;
  if (typeof found === "bigint" && found >= 0n && found < UNKNOWN_ID) return found;
  if (found === undefined)
    throw new InvalidEventError("onchainId: missing, as the event has no such argument");
  throw new InvalidEventError(
    "onchainId: expected a whole number from 0, such as BigInt(args.id) of an id that is hex",
  );
}

function tokenOf(
  abi: readonly AbiEvent[],
  token: ContractsModule["escrow"]["token"],
  problems: string[],
): Contracts["escrow"]["token"] {
  if (token === undefined) return null;
  if (!isObject(token)) {
    problems.push("escrow.token: expected an object with event and parameter");
    return null;
  }
  const event = announcing(abi, token, "escrow.token", problems);
  const hasClaims = flagOf(token.claims, "escrow.token.claims", problems);
  return event && { ...event, hasClaims };
}

function flagOf(flag: unknown, place: string, problems: string[]): boolean {
  if (flag !== undefined && typeof flag !== "boolean") problems.push(`${place}: expected true or false`);
  return flag === true;
}

/** @throws {InvalidEventError} for more events than there are places for in a log */
function listOf<Event>(result: Event | readonly Event[] | null): readonly Event[] {
  if (result === null) return [];
  const events = Array.isArray(result) ? (result as readonly Event[]) : [result as Event];
  if (events.length > MOST_PARTS)
    throw new InvalidEventError(`expected at most ${MOST_PARTS} events for a log, got ${events.length}`);
  return events;
}

/** No log is lost: one that cannot be mapped stays in the ledger as what it is. */
function unmapped({ name }: ContractLog): ListingEvent {
  return { kind: "unmapped", args: { logName: name } };
}
