import { describe, expect, it } from "vitest";
import { escrowLog, type LogName, rawTerms, tell, toListingEvent } from "../../test/harness/book.ts";
import { toLedgerArgs } from "./ledger.ts";

// The order of each enum as the interface of the escrow declares it.
const ENUMS = [
  ["Refunded", "reason", ["withdrawn", "outbid", "min_not_met", "cancelled", "voided"]],
  ["ReserveChanged", "reason", ["posted", "applied", "released"]],
  ["ListingClosed", "reason", ["filled", "deadline", "manual"]],
  ["ListingSettled", "outcome", ["repaid", "repaid_with_reserve", "defaulted"]],
] as const satisfies readonly (readonly [LogName, string, readonly string[]])[];

describe("toListingEvent", () => {
  it.each(ENUMS)("names the %s %s of each number", (eventName, argument, names) => {
    for (const [number, name] of names.entries()) {
      expect(toListingEvent(escrowLog(eventName, { [argument]: number })).args).toHaveProperty(
        argument,
        name,
      );
    }
  });

  it.each(ENUMS)("keeps a number that %s %s does not have", (eventName, argument, names) => {
    for (const number of [names.length, 255]) {
      expect(toListingEvent(escrowLog(eventName, { [argument]: number })).args).toHaveProperty(
        argument,
        `unknown_${number}`,
      );
    }
  });

  it.each([
    [0, "fixed"],
    [1, "auction"],
    [2, "unknown_2"],
    [255, "unknown_255"],
  ])("reads pricing mode %i as %s", (pricingMode, name) => {
    const terms = rawTerms({ pricingMode });
    for (const eventName of ["ListingCreated", "ListingTermsUpdated"] as const) {
      expect(toListingEvent(escrowLog(eventName, { terms })).args).toHaveProperty("terms.pricingMode", name);
    }
  });

  it("reads a closing time of 0 as none, and the largest one as it is", () => {
    const closeAt = (value: bigint) =>
      toListingEvent(escrowLog("ListingTermsUpdated", { terms: rawTerms({ closeAt: value }) }));
    expect(closeAt(0n).args).toHaveProperty("terms.closeAt", null);
    expect(closeAt(1n).args).toHaveProperty("terms.closeAt", 1n);
    expect(closeAt(2n ** 64n - 1n).args).toHaveProperty("terms.closeAt", 2n ** 64n - 1n);
  });

  it("replaces NUL in a refnum, which no text column can hold", () => {
    const raise = tell();
    const { anomalies, ledger } = raise.emit(1n, "ListingCreated", { refnum: "RB\u000000001\0" });
    expect(raise.row().refnum).toBe("RB\ufffd00001\ufffd");
    expect(JSON.stringify(ledger.args)).not.toContain("\\u0000");
    expect(anomalies.map(({ kind }) => kind)).toEqual(["bad_refnum"]);
  });

  it("lowers every address", () => {
    const mixed = `0x${"aB".repeat(20)}` as const;
    const addresses: [LogName, string[]][] = [
      ["ListingCreated", ["originator", "token"]],
      ["Subscribed", ["backer", "payer"]],
      ["Refunded", ["backer"]],
      ["ReserveChanged", ["account"]],
      ["DrawnDown", ["to"]],
      ["Repaid", ["payer"]],
      ["PayoutClaimed", ["holder"]],
    ];
    for (const [eventName, names] of addresses) {
      const args = Object.fromEntries(names.map((name) => [name, mixed]));
      const event = toListingEvent(escrowLog(eventName, args));
      expect(event.args).toMatchObject(
        Object.fromEntries(names.map((name) => [name, `0x${"ab".repeat(20)}`])),
      );
    }
  });
});

describe("toLedgerArgs", () => {
  it("keeps what the chain said, with big integers as decimal strings at any depth", () => {
    const { ledger } = tell().emit(7n, "ListingCreated", {
      terms: rawTerms({ targetAmount: 2n ** 200n + 1n, closeAt: 0n }),
    });
    expect(ledger).toMatchObject({ kind: "listing_created", blockTime: 7n, blockNumber: 1n, logIndex: 0 });
    expect(ledger.args).toMatchObject({
      refnum: "RB00001",
      terms: {
        targetAmount: "1606938044258990275541962092341162602522202993782792835301377",
        minRaise: "100",
        couponRateBps: 1450,
        closeAt: null,
      },
    });
  });

  it("is safe to put into JSON for every event", () => {
    const names: LogName[] = [
      "ListingCreated",
      "ListingTermsUpdated",
      "Subscribed",
      "Refunded",
      "ReserveChanged",
      "ListingClosed",
      "DrawnDown",
      "Repaid",
      "PayoutClaimed",
      "ListingSettled",
      "ListingCancelled",
      "ListingVoided",
    ];
    for (const name of names) {
      const { args } = toListingEvent(escrowLog(name));
      const kept = toLedgerArgs(args);
      expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
      expect(Object.keys(kept)).toEqual(Object.keys(args));
    }
  });
});
