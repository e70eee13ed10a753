import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePositions } from "../../src/fold/event-id.ts";
import { eventIdAt } from "../../test/harness/ledger-table.ts";
import { BEFORE_ALL, decodeRowId, encodeRowId, lastRowOf, momentOf } from "./row-id.ts";

const position = fc.record(
  {
    blockNumber: fc.bigInt(0n, 10n ** 20n - 1n),
    logIndex: fc.integer({ min: 0, max: 999_999_999 }),
    part: fc.integer({ min: 1, max: 99 }),
  },
  { requiredKeys: ["blockNumber", "logIndex"] },
);
const hash = fc.stringMatching(/^0x[0-9a-f]{64}$/);

describe("ids of rows", () => {
  it("have the form of the interface", () => {
    expect(encodeRowId({ blockNumber: 48_211_034n, logIndex: 7 }, `0xdeadbeef${"0".repeat(56)}`)).toBe(
      "48211034-7-deadbeef",
    );
  });

  it("are read as they were written", () => {
    fc.assert(
      fc.property(position, hash, (place, blockHash) => {
        const id = encodeRowId(place, blockHash);
        expect(decodeRowId(id)).toEqual({ ...place, hash: blockHash.slice(2, 10) });
      }),
    );
  });

  it("may say as of which final block they were sent", () => {
    const id = "48211034-7-deadbeef";
    const asOf = { number: 48_211_090n, timestamp: 1_772_366_400n };
    expect(momentOf(asOf)).toBe("@48211090.1772366400");
    expect(decodeRowId(id + momentOf(asOf))).toEqual({ ...(decodeRowId(id) as object), asOf });
  });

  it("are written in one way only", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = decodeRowId(text);
        if (read === null || read === BEFORE_ALL) return;
        expect(encodeRowId(read, read.hash) + (read.asOf ? momentOf(read.asOf) : "")).toBe(text);
      }),
    );
    for (const text of [
      "",
      "00",
      "1-2",
      "01-2-deadbeef",
      "1-02-deadbeef",
      "1-2.0-deadbeef",
      "1-2.01-deadbeef",
      "1-2-DEADBEEF",
      "1-2-deadbee",
      "-1-2-deadbeef",
      "1-2-deadbeef@",
      "1-2-deadbeef@3",
      "1-2-deadbeef@3.",
      "1-2-deadbeef@03.4",
      "1-2-deadbeef@3.04",
    ])
      expect(decodeRowId(text), text).toBeNull();
  });

  it("sort like the chain", () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const order = comparePositions(a, b);
        expect(Math.sign(order)).toBe(-Math.sign(comparePositions(b, a)) + 0);
        if (a.blockNumber < b.blockNumber) expect(order).toBeLessThan(0);
        if (a.blockNumber === b.blockNumber)
          expect(order).toBe(a.logIndex - b.logIndex || (a.part ?? 0) - (b.part ?? 0));
      }),
    );
  });
});

describe("the newest row", () => {
  const revision = (block: number, log: number, digits: string) =>
    `3/${eventIdAt({ time: 1_700_000_000, block, log })}/0x${digits.repeat(8)}`;

  it("is the later of the last rows of listings and of the desk", () => {
    const listings = revision(9, 4, "aaaaaaaa");
    const desk = revision(10, 1, "bbbbbbbb");
    expect(lastRowOf({ revisions: { listings, desk } })).toBe("10-1-bbbbbbbb");
    expect(lastRowOf({ revisions: { listings } })).toBe("9-4-aaaaaaaa");
    // The balances of holders are no rows of the ledger.
    expect(lastRowOf({ revisions: { listings, holders: revision(12, 0, "cccccccc") } })).toBe("9-4-aaaaaaaa");
  });

  it("is 0 in an empty ledger", () => {
    expect(lastRowOf({ revisions: {} })).toBe("0");
  });
});
