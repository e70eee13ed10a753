import fc from "fast-check";
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex } from "viem";
import { expect, it } from "vitest";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { createBook, ESCROW } from "../../test/harness/book.ts";
import { permittedHistory } from "../../test/harness/permitted-history.ts";
import { eventIdOf } from "../fold/event-id.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS, TERM_NAMES } from "../fold/event-kinds.ts";
import type { LocatedEvent } from "../fold/events.ts";
import { EVENT_KINDS } from "../fold/vocabulary.ts";
import { compileModule } from "./compile.ts";
import { mapRawLog } from "./contracts.ts";
import { scaleOf, toListingEvent } from "./market-event.ts";
import type { ContractLog, ContractsModule } from "./module.ts";

type Values = Record<string, unknown>;

/** The event as a handler would return it. */
const inputOf = ({ kind, args }: Pick<LocatedEvent, "kind" | "args">): Values => ({ kind, ...args });

/** An event's amounts times `factor`, also those of its terms. */
function multiplied(event: LocatedEvent, factor: bigint): LocatedEvent {
  const units: Record<string, ArgumentDescriptor> = EVENT_DESCRIPTORS[event.kind].args;
  const times = (values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === "bigint" && units[name]?.unit === "dollars" ? value * factor : value,
      ]),
    );
  const args = times(event.args as Values);
  if ("terms" in args) args.terms = times(args.terms as Values);
  return { ...event, args } as LocatedEvent;
}

/** What a contract without running totals does not tell. */
const TOTALS = new Set([
  "totalRaised",
  "totalRefunded",
  "reserveBalance",
  "outstandingPrincipal",
  "totalClaimed",
]);
const withoutTotals = (input: Values): Values =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => !TOTALS.has(name) && !(input.kind === "listing_closed" && name === "raisedAmount"),
    ),
  );

it("every event of any history is what a handler returns for it", () => {
  const property = fc.property(arbitraryHistory(), (events) => {
    for (const { kind, args } of events)
      expect(toListingEvent(inputOf({ kind, args } as LocatedEvent), 1n)).toEqual({ kind, args });
  });
  fc.assert(property, { numRuns: 100 });
});

const TYPES: Readonly<Record<ArgumentDescriptor["unit"], string>> = {
  ...{
    dollars: "uint256",
    tokens: "uint256",
    id: "uint256",
    price: "uint256",
    rate: "uint32",
    days: "uint32",
  },
  ...{
    time: "uint64",
    optionalTime: "uint64",
    flag: "bool",
    address: "address",
    person: "address",
    hash: "bytes32",
  },
  ...{ refnum: "string", text: "string", word: "string" },
};

/** An event's arguments with those of its terms, each with its type in Solidity. */
function flat({ kind, args }: LocatedEvent, tells: (input: Values) => Values) {
  const { terms = {}, ...own } = tells({ kind, ...args }) as { terms?: Values } & Values;
  const units: Record<string, ArgumentDescriptor> = EVENT_DESCRIPTORS[kind].args;
  return Object.entries({ ...own, ...terms }).flatMap(([name, value]) => {
    const unit = units[name]?.unit;
    return unit === undefined || value === undefined
      ? []
      : [{ name, type: TYPES[unit], value: unit === "optionalTime" ? (value ?? 0n) : value }];
  });
}

/** An integer from 0 to `sides` - 1. */
type Roll = (sides: number) => number;

/**
 * A contract that tells a history in events of its own: made-up names, one of several events for a kind, one event for several that
 * come together; and the module that maps them back.
 */
function foreignContract(roll: Roll, tells: (input: Values) => Values) {
  const abi: AbiEvent[] = [];
  const events: Record<string, (log: ContractLog) => never> = {};
  const known = new Map<string, AbiEvent>();
  const emit = (together: readonly LocatedEvent[]): { topics: Hex[]; data: Hex } => {
    const values = together.flatMap((event, index) =>
      flat(event, tells).map((one) => ({
        ...one,
        at: index,
        parameter: `p${index}_${[...one.name].toReversed().join("")}`,
      })),
    );
    const shape = [...together.map(({ kind }) => kind), ...values.map(({ name }) => name), roll(2)].join(" ");
    const item = known.get(shape) ?? {
      ...{ type: "event" as const, name: `Said${known.size}` },
      inputs: [
        { name: "raise", type: "uint256", indexed: roll(2) === 0 },
        ...values.map(({ parameter, type }) => ({ name: parameter, type, indexed: false })),
      ],
    };
    if (!known.has(shape)) {
      known.set(shape, item);
      abi.push(item);
      events[item.name] = ({ args }) =>
        together.map(({ kind }, index) => {
          const own = values
            .filter(({ at }) => at === index)
            .map(({ name, parameter }) => [name, args[parameter]] as const);
          const isTerm = ([name]: readonly [string, unknown]) =>
            "terms" in (together[index]?.args ?? {}) && (TERM_NAMES as readonly string[]).includes(name);
          const terms = own.filter(isTerm);
          return {
            kind,
            ...Object.fromEntries(own.filter((one) => !isTerm(one))),
            ...(terms.length > 0 && { terms: Object.fromEntries(terms) }),
          };
        }) as never;
    }
    const all = [{ parameter: "raise", value: 1n }, ...values];
    const topics = encodeEventTopics({ abi: [item], args: { raise: 1n } } as never) as Hex[];
    const plain = all.filter((_, index) => item.inputs[index]?.indexed !== true);
    const data = encodeAbiParameters(
      item.inputs.filter(({ indexed }) => indexed !== true),
      plain.map(({ value }) => value),
    );
    return { topics, data };
  };
  const module = {
    name: "Any",
    escrow: { abi, decimals: 6, onchainId: ({ args }: ContractLog) => args.raise, events },
  };
  return { emit, module: module as ContractsModule };
}

/** Where a row stands on the chain, which differs when one log tells what several told, and what only totals tell. */
const PLACE: ReadonlySet<string> = new Set([
  ...["eventId", "updatedEventId", "createdEventId", "blockNumber", "updatedBlock", "createdBlock"],
  ...["txHash", "updatedTx", "logIndex", "part", "args"],
]);
const placeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value instanceof Map ? [...value] : value, (key, one) => {
      if (PLACE.has(key)) return undefined;
      if (one instanceof Map) return [...one];
      return typeof one === "bigint" ? `${one}` : one;
    }),
  );

const ROLLS = fc.array(fc.nat(5), { minLength: 40, maxLength: 40 });

it("a history told in any other events is mapped back to the same market", () => {
  const property = fc.property(permittedHistory(), ROLLS, fc.boolean(), (transactions, rolls, hasTotals) => {
    let rolled = 0;
    const roll: Roll = (sides) => (rolls[rolled++ % rolls.length] ?? 0) % sides;
    const tells = hasTotals ? (input: Values) => input : withoutTotals;
    const { emit, module } = foreignContract(roll, tells);
    const [ours, theirs] = [createBook(), createBook()];
    const told: { at: LocatedEvent["at"]; log: { topics: Hex[]; data: Hex } }[] = [];
    for (const { events } of transactions) {
      for (const event of events) ours.record(multiplied(event, scaleOf(6)));
      for (let start = 0; start < events.length; ) {
        const together = events.slice(start, start + 1 + roll(3));
        const [first] = together;
        if (first !== undefined) told.push({ at: first.at, log: emit(together) });
        start += together.length;
      }
    }
    const problems: string[] = [];
    const contracts = compileModule(module, problems, JSON.stringify(EVENT_KINDS));
    expect(problems).toEqual([]);
    for (const { at, log } of told) {
      const { blockNumber, blockTime, txHash, logIndex } = at;
      const place = { address: ESCROW, blockNumber, blockTime, txHash, logIndex };
      const found = mapRawLog(contracts, log, place);
      expect(found.map(({ problem }) => problem)).toEqual(found.map(() => null));
      for (const [part, { content }] of found.entries())
        theirs.record({
          ...content.event,
          at: { ...at, eventId: eventIdOf(at.eventId, part), part },
        } as LocatedEvent);
    }
    for (const table of ["listings", "positions", "anomalies", "ledger"] as const)
      expect(placeless(theirs[table]), table).toEqual(placeless(ours[table]));
  });
  fc.assert(property, { numRuns: 100 });
});

it.each([
  ["before a drawdown all of it is interest", [], 0n, 5n],
  ["principal first, up to what is owed", [{ kind: "drawn_down", amount: 4n }], 4n, 1n],
])("a payment in one amount: %s", (_, before, principal, interest) => {
  const book = createBook();
  const at = {
    escrowAddress: `0x${"e1".repeat(20)}`,
    onchainId: 1n,
    txHash: "0x",
    logIndex: 0,
    part: 0,
  } as const;
  const events = [...before, { kind: "repaid", amount: 5n }];
  const recorded = events.map((input, index) =>
    book.record({
      ...toListingEvent(input, 1n),
      at: { ...at, eventId: `${index}`, blockNumber: BigInt(index), blockTime: BigInt(index) },
    } as LocatedEvent),
  );
  expect(recorded.at(-1)?.listing).toMatchObject({ repaidPrincipal: principal, repaidInterest: interest });
  expect(recorded.at(-1)?.typed).toMatchObject({ row: { principal, interest, payer: null } });
});

it("takes texts as PostgreSQL keeps them: without NUL, and no half of a character", () => {
  const created = { kind: "listing_created", refnum: "RB\0\ud83d", terms: {} } as const;
  expect(toListingEvent(created, scaleOf(18))).toMatchObject({ args: { refnum: "RB\ufffd\ufffd" } });
});
