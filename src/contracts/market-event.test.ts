import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { createBook } from "../../test/harness/book.ts";
import { permittedHistory } from "../../test/harness/permitted-history.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS } from "../fold/event-kinds.ts";
import type { LocatedEvent } from "../fold/events.ts";
import { scaleOf, toListingEvent } from "./market-event.ts";

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

it("a market with six decimals and no running totals is the same market", () => {
  const scale = scaleOf(6);
  const property = fc.property(permittedHistory(), (transactions) => {
    const [ours, theirs] = [createBook(), createBook()];
    for (const event of transactions.flatMap(({ events }) => events)) {
      ours.record(multiplied(event, scale));
      theirs.record({
        ...toListingEvent(withoutTotals(inputOf(event)), scale),
        at: event.at,
      } as LocatedEvent);
    }
    expect(theirs.listings).toEqual(ours.listings);
    expect(theirs.positions).toEqual(ours.positions);
    expect(theirs.anomalies).toEqual(ours.anomalies);
    expect(theirs.ledger.map(({ args, ...row }) => row)).toEqual(ours.ledger.map(({ args, ...row }) => row));
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
