import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANOMALY_KINDS } from "../../src/fold/vocabulary.ts";
import { decodeAnomalyCursor, decodeEventCursor, encodeAnomalyCursor, encodeEventCursor } from "./cursor.ts";

const place = fc.record(
  {
    blockNumber: fc.bigInt(0n, 10n ** 20n - 1n),
    logIndex: fc.nat(999_999_999),
    part: fc.integer({ min: 1, max: 99 }),
  },
  { requiredKeys: ["blockNumber", "logIndex"] },
);
const eventId = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 75, maxLength: 75 });
const anomalyPlace = fc.record({ eventId, kind: fc.constantFrom(...ANOMALY_KINDS) });

describe("a cursor", () => {
  it("decodes to the place from which it was made", () => {
    expect(encodeEventCursor({ blockNumber: 120n, logIndex: 3 })).toBe("MTIwLjM");
    fc.assert(
      fc.property(place, (one) => {
        expect(decodeEventCursor(encodeEventCursor(one))).toEqual(one);
      }),
    );
    fc.assert(
      fc.property(anomalyPlace, (one) => {
        expect(decodeAnomalyCursor(encodeAnomalyCursor(one))).toEqual(one);
      }),
    );
  });

  it("needs no escape in a URL", () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(encodeEventCursor(one)).toMatch(/^[\w-]+$/);
      }),
    );
    fc.assert(
      fc.property(anomalyPlace, (one) => {
        expect(encodeAnomalyCursor(one)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  it("has one text only: any other that decodes alike is refused", () => {
    const respellings = (cursor: string) => [
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      `${cursor}!`,
      `${cursor}A`,
    ];
    fc.assert(
      fc.property(place, (one) => {
        for (const text of respellings(encodeEventCursor(one))) {
          const read = decodeEventCursor(text);
          expect(read === null || encodeEventCursor(read) === text).toBe(true);
        }
        expect(decodeEventCursor(`${encodeEventCursor(one)}=`)).toBeNull();
      }),
    );
  });

  it.each([
    "",
    "abc",
    "0x1.2",
    "-1.2",
    "1.-2",
    "01.2",
    "1.02",
    "1.2.3.4",
    "1.2.0",
    "1.2.01",
    "1,2",
    "1e3.2",
    "1.1000000000",
    `${10n ** 20n}.1`,
    "１.２",
    "1.2\0",
  ])("is not made of %j", (text) => {
    expect(decodeEventCursor(Buffer.from(text).toString("base64url"))).toBeNull();
  });

  it.each([
    `${"1".repeat(75)}.nothing`,
    `${"1".repeat(74)}.zero_amount`,
    `${"1".repeat(75)}.__proto__`,
    `${"1".repeat(75)}.zero_amount `,
    `${"x".repeat(75)}.zero_amount`,
  ])("is refused by the list of anomalies if it is made of %j", (text) => {
    expect(decodeAnomalyCursor(Buffer.from(text).toString("base64url"))).toBeNull();
  });

  it("is refused by the other kind of page", () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(decodeAnomalyCursor(encodeEventCursor(one))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(anomalyPlace, (one) => {
        expect(decodeEventCursor(encodeAnomalyCursor(one))).toBeNull();
      }),
    );
  });

  it("can be any text without a throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        decodeEventCursor(text);
        decodeAnomalyCursor(text);
      }),
    );
  });
});
