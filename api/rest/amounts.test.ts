import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { DAY, entryDraft, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { checkedJson } from "../../test/harness/validate.ts";

/** Every field that the interface document, or the page that decides what it leaves open, calls an amount. */
const AMOUNTS = new Set([
  ...["targetAmount", "minRaise", "raisedAmount", "reserveBalance", "onchainId"],
  ...["refundedAmount", "repaidAmount", "outstandingPrincipal", "volume"],
  ...["openAmount", "openNotional", "volume24h", "volume30d", "volumeTotal"],
  ...["indexedBlock", "headBlock"],
]);

const json = await checkedJson(asking(await appIn()));

describe("amounts", () => {
  function* fields(value: unknown, name = ""): Generator<[string, unknown]> {
    if (Array.isArray(value)) for (const item of value) yield* fields(item, name);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) yield* fields(inner, key);
    } else yield [name, value];
  }

  it.each(["/v1/listings", "/v1/originators", "/v1/health"])(
    "%s has them as strings, and no big number",
    async (path) => {
      let seen = 0;
      for (const [name, value] of fields(await json(path))) {
        if (typeof value === "number") expect(Number.isSafeInteger(value), `${name} ${value}`).toBe(true);
        if (!AMOUNTS.has(name) || value === null) continue;
        expect(value, name).toMatch(/^(0|[1-9]\d*)$/);
        seen++;
      }
      expect(seen).toBeGreaterThan(1);
    },
  );

  it("are exact near 2^200", async () => {
    const big = 2n ** 200n;
    const amounts = {
      targetAmount: big + 1n,
      minRaise: big - 3n,
      raisedAmount: big - 1n,
      reserveBalance: big + 7n,
      refundedAmount: big + 11n,
      outstandingPrincipal: big - 13n,
      drawnAmount: big - 1n,
    };
    const row = listingRow({
      ...amounts,
      onchainId: 2n ** 256n - 1n,
      token: `0x${"cc".repeat(20)}`,
      repaidPrincipal: big + 17n,
      repaidInterest: big + 19n,
      drawnDownAt: NOW - DAY,
      maturityAt: NOW + DAY,
      closedAt: NOW - DAY,
    });
    const registry = registryOf([entryDraft({ publicId: "lst_big", onchainId: row.onchainId.toString() })]);
    const huge = asking(await appIn({ snapshot: await snapshotOf(tablesOf({ listings: [row] }), registry) }));
    expect(await json("/v1/listings/lst_big", huge)).toMatchObject({
      targetAmount: "1606938044258990275541962092341162602522202993782792835301377",
      minRaise: "1606938044258990275541962092341162602522202993782792835301373",
      raisedAmount: "1606938044258990275541962092341162602522202993782792835301375",
      reserveBalance: "1606938044258990275541962092341162602522202993782792835301383",
      refundedAmount: "1606938044258990275541962092341162602522202993782792835301387",
      outstandingPrincipal: "1606938044258990275541962092341162602522202993782792835301363",
      repaidAmount: (2n * big + 36n).toString(),
      onchainId: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    });
  });

  it("a closing time of 2^64 − 1 is the last second that ISO 8601 can say", async () => {
    const row = listingRow({ closeAt: 2n ** 64n - 1n });
    const snapshot = await snapshotOf(tablesOf({ listings: [row] }), registryOf([entryDraft()]));
    const listing = await json("/v1/listings/lst_1", asking(await appIn({ snapshot })));
    expect(listing).toMatchObject({ closeAt: "9999-12-31T23:59:59Z", status: "listed" });
  });
});
