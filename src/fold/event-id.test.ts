import { describe, expect, it } from "vitest";
import {
  AFTER_ALL_EVENTS,
  blockOf,
  EVENT_ID_PATTERN,
  eventIdOf,
  firstEventIdAfter,
  firstEventIdAt,
  logIndexOf,
  partOf,
  partsOf,
} from "./event-id.ts";

const BLOCK = { number: 48_211_034n, timestamp: 1_795_000_000n };
/** As Ponder writes it: time, chain id, block, transaction, event type, log. */
const ID = `1795000000${"97".padStart(16, "0")}${"48211034".padStart(16, "0")}${"2".padStart(16, "0")}5${"13".padStart(16, "0")}`;

describe("an event id", () => {
  it("names its block and its log", () => {
    expect(ID).toMatch(new RegExp(`^${EVENT_ID_PATTERN}$`));
    expect(blockOf(ID)).toEqual(BLOCK);
    expect(logIndexOf(ID)).toBe(13);
    expect(partsOf(ID)).toEqual({ blockTime: "1795000000", blockNumber: "48211034", logIndex: "13" });
  });

  it("is above the first of its time, and below the first of the next second", () => {
    expect(firstEventIdAt(BLOCK.timestamp) < ID).toBe(true);
    expect(firstEventIdAt(BLOCK.timestamp + 1n) > ID).toBe(true);
    expect(ID < AFTER_ALL_EVENTS && "9".repeat(75) < AFTER_ALL_EVENTS).toBe(true);
  });

  it("is below the first after its block, which may have the same time", () => {
    const block = (number: string) => ID.replace("48211034", number);
    expect(firstEventIdAfter(ID) > block("48211034").replace(/.{33}$/, "9".repeat(33))).toBe(true);
    expect(firstEventIdAfter(ID) <= block("48211035").replace(/.{33}$/, "0".repeat(33))).toBe(true);
    expect(firstEventIdAfter(ID.replace("0048211034", "9999999999"))).toHaveLength(42);
  });

  it("sorts a later event of a log after its first, and before the next log's", () => {
    const parts = [0, 1, 9, 10, 99].map((part) => eventIdOf(ID, part));
    const next = `${ID.slice(0, -2)}14`;
    expect([...parts, next].toSorted()).toEqual([...parts, next]);
    expect(parts.map(partOf)).toEqual([0, 1, 9, 10, 99]);
    for (const id of parts) {
      expect(id).toMatch(new RegExp(`^(?:${EVENT_ID_PATTERN})$`));
      expect([logIndexOf(id), blockOf(id)]).toEqual([13, BLOCK]);
      expect(id < AFTER_ALL_EVENTS).toBe(true);
    }
  });

  it.each([
    [-5n, "0"],
    [0n, "0000000000"],
    [7n, "0000000007"],
    [10n ** 10n - 1n, "9999999999"],
  ])("begins at the second %s for a time from then on", (time, first) => {
    expect(firstEventIdAt(time) <= first.padEnd(75, "0")).toBe(true);
  });

  it("is the highest for a second beyond ten digits", () => {
    expect(firstEventIdAt(10n ** 10n)).toBe(AFTER_ALL_EVENTS);
  });
});
