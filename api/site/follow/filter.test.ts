import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import { followedApp, ledgerOf, subscription } from "../../../test/harness/followed.ts";
import { business } from "../../../test/harness/market.ts";
import { DAY, entryDraft, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";

/** Three open raises: of 10%, 12% and 14% a year, in Singapore, Singapore and Germany. */
const listings = [1n, 2n, 3n].map((onchainId) =>
  listingRow({
    onchainId,
    couponRateBps: 800 + 200 * Number(onchainId),
    closeAt: NOW + onchainId * DAY,
  }),
);
const registry = registryOf(
  listings.map(({ onchainId }) =>
    entryDraft({
      onchainId: `${onchainId}`,
      title: `Raise ${onchainId}`,
      originator: onchainId === 3n ? "org_sun" : "org_northwind",
    }),
  ),
  [business(), business({ publicId: "org_sun", jurisdiction: "DE", addresses: [] })],
);
const ledger = ledgerOf([subscription(40n, 1n), subscription(41n, 2n), subscription(42n, 3n)]);
const { ask } = await followedApp(await snapshotOf(tablesOf({ listings }), registry), {
  ledger: ledger.reader,
});

const raisesIn = (text: string) =>
  [...new Set([...text.matchAll(/listings\/lst_(\d)/g)].map(([, id]) => Number(id)))].toSorted();

/** By hand, for each filter of `/v1/listings` that tells these raises apart. */
const FILTERED: readonly (readonly [string, readonly number[]])[] = [
  ["", [1, 2, 3]],
  ["minCouponBps=1200", [2, 3]],
  ["maxCouponBps=1200", [1, 2]],
  ["minCouponBps=1200&maxCouponBps=1200", [2]],
  ["jurisdiction=DE", [3]],
  ["jurisdiction=DE,SG&originator=org_northwind", [1, 2]],
  ["jurisdiction=DE&jurisdiction=SG", [1, 2, 3]],
  ["q=raise+2", [2]],
  ["status=live", []],
  ["minTenorDays=181", []],
  [`closingBefore=${isoTime(NOW + DAY + 1n)}`, [1]],
];

describe.each(["/feed.atom", "/calendar.ics"])("%s", (path) => {
  it.each(FILTERED)("takes the filter %j", async (query, expected) => {
    const answer = await ask(query === "" ? path : `${path}?${query}`);
    expect(answer.status).toBe(200);
    expect(raisesIn(answer.text)).toEqual(expected);
  });

  it.each([
    ["grade=F", "grade", '"F" is not allowed'],
    ["minCouponBps=ten", "minCouponBps", '"ten" is not allowed'],
    ["closingBefore=soon", "closingBefore", '"soon" is not allowed'],
    ["interest=8", "interest", "There is no such parameter"],
  ])("refuses %s, and says what is allowed", async (query, parameter, detail) => {
    const answer = await ask(`${path}?${query}`);
    expect(answer.status).toBe(400);
    const problem = JSON.parse(answer.text);
    expect(problem).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
    expect(problem.errors[0].detail).toContain(detail);
    expect(problem.errors[0].allowed.length).toBeGreaterThan(0);
  });
});

it("names the filter, and itself with it", async () => {
  const { text } = await ask("/feed.atom?grade=A,NR&status=listed,funding");
  expect(text).toContain("<title>Raises (status: listed, funding; grade: A, NR) – ");
  expect(text).toContain('<link rel="self" type="application/atom+xml" href="');
  expect(text).toMatch(/href="[^"]*\/feed\.atom\?status=listed,funding&amp;grade=A,NR"/);
});

it("leaves a raise's own feed as it is", async () => {
  const [whole, asked] = await Promise.all(
    ["", "?grade=F"].map((query) => ask(`/listings/lst_1/feed.atom${query}`)),
  );
  expect(asked?.text).toBe(whole?.text);
});
