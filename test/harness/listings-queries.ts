/** @module Random markets and queries of their listings, and what a query finds by one plain filter after the other. */
import fc from "fast-check";
import { SORTS } from "../../api/market/listings-order.ts";
import type { ListingsQuery } from "../../api/market/listings-query.ts";
import { GRADES, type Listing, REPAYMENTS, STATUSES } from "../../api/market/schema.ts";
import { sorted } from "../model/listings-order.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

const [first] = (await snapshotOf(tablesOf())).market.listings;
if (first === undefined) throw new Error("the made-up market is empty");
export const base: Listing = first;

const TIMES = [
  "2026-01-01T00:00:00Z",
  "2026-03-01T12:00:00Z",
  "2026-03-01T12:00:01Z",
  "9999-12-31T23:59:59Z",
];
const ORIGINATORS = ["org_one", "org_two", "org_three"];
/** Nothing is known of the third. */
export const BUSINESSES = new Map([
  ["org_one", { legalName: "Käserei Nord GmbH", jurisdiction: "DE" }],
  ["org_two", { legalName: "Tide Pools Ltd.", jurisdiction: "SG" }],
]);
const TITLES = ["Crème brûlée oven", "COLD trucks", "A second oven for Nord", ""];
/** Each word, and the letters that it is found by, written out by hand. */
const WORDS: Readonly<Record<string, string>> = {
  oven: "oven",
  OVEN: "oven",
  creme: "creme",
  CRÈME: "creme",
  brûl: "brul",
  käserei: "kaserei",
  KASEREI: "kaserei",
  nord: "nord",
  pools: "pools",
  RB0: "rb0",
  lst_a: "lst_a",
  nothing: "nothing",
};
/** The same by hand for every text that is searched. */
const PLAIN: Readonly<Record<string, string>> = {
  "Crème brûlée oven": "creme brulee oven",
  "COLD trucks": "cold trucks",
  "A second oven for Nord": "a second oven for nord",
  "": "",
  RB00001: "rb00001",
  OLD00007: "old00007",
  org_one: "kaserei nord gmbh",
  org_two: "tide pools ltd.",
  org_three: "",
};

const listing = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    originatorGrade: fc.constantFrom(...GRADES),
    originator: fc.constantFrom(...ORIGINATORS),
    repayment: fc.constantFrom(...REPAYMENTS),
    title: fc.constantFrom(...TITLES),
    refnum: fc.constantFrom("RB00001", "OLD00007"),
    tenorDays: fc.constantFrom(0, 90, 180, 65_535),
    couponRateBps: fc.constantFrom(0, 900, 1450, 4_294_967_295),
    goLiveAt: fc.constantFrom(...TIMES),
    closeAt: fc.option(fc.constantFrom(...TIMES)),
    maturityAt: fc.option(fc.constantFrom(...TIMES)),
    outstandingPrincipal: fc.constantFrom("0", "7"),
    targetAmount: fc.constantFrom("0", "10", "40", "1000000000000000000000"),
    raisedAmount: fc.constantFrom("0", "9", "10", "1000000000000000000000", `${2n ** 256n - 1n}`),
    subscriberCount: fc.constantFrom(0, 1, 12),
  })
  .map((fields) => ({
    ...base,
    ...fields,
    acceptsMoney: fields.status === "listed" || fields.status === "funding",
  }));

/** A market in its own order, with public ids of which no two are the same. */
export const market = fc
  .uniqueArray(
    fc.tuple(
      fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", "B", "_", "9", "-") }),
      listing,
    ),
    {
      maxLength: 25,
      selector: ([id]) => id,
    },
  )
  .map((entries) =>
    sorted(
      entries.map(([id, fields]): Listing => ({ ...fields, publicId: `lst_${id}` })),
      "newest",
    ),
  );

export const query = fc.record(
  {
    status: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
    grade: fc.uniqueArray(fc.constantFrom(...GRADES), { minLength: 1 }),
    originator: fc.constantFrom(...ORIGINATORS, "org_nobody"),
    q: fc
      .array(fc.constantFrom(...Object.keys(WORDS)), { maxLength: 2 })
      .map((words) => ` ${words.join("  ")}`),
    jurisdiction: fc.uniqueArray(fc.constantFrom("DE" as const, "SG" as const, "FR" as const), {
      minLength: 1,
    }),
    repayment: fc.uniqueArray(fc.constantFrom(...REPAYMENTS), { minLength: 1 }),
    maxTenorDays: fc.constantFrom(0, 89, 90, 179, 65_535),
    minTenorDays: fc.constantFrom(0, 90, 91, 65_535),
    minCouponBps: fc.constantFrom(0, 900, 901, 4_294_967_295),
    maxCouponBps: fc.constantFrom(0, 899, 900, 4_294_967_295),
    closingBefore: fc.constantFrom(...TIMES).map((time) => BigInt(Date.parse(time) / 1000)),
    sort: fc.constantFrom(...SORTS),
  },
  { requiredKeys: [] },
);

/** One filter after the other over the whole answer. */
export function bruteForce(listings: readonly Listing[], asked: ListingsQuery): Listing[] {
  let left = [...listings];
  if (asked.status) left = left.filter((one) => [...(asked.status ?? [])].includes(one.status));
  if (asked.grade) left = left.filter((one) => [...(asked.grade ?? [])].includes(one.originatorGrade));
  if (asked.originator) left = left.filter((one) => one.originator === asked.originator);
  if (asked.minCouponBps) left = left.filter((one) => !(one.couponRateBps < Number(asked.minCouponBps)));
  if (asked.repayment)
    left = left.filter((one) => asked.repayment?.join().split(",").includes(one.repayment));
  if (asked.maxTenorDays !== undefined) {
    left = left.filter((one) => !(one.tenorDays > Number(asked.maxTenorDays)));
  }
  if (asked.minTenorDays !== undefined) {
    left = left.filter((one) => !(one.tenorDays < Number(asked.minTenorDays)));
  }
  if (asked.maxCouponBps !== undefined) {
    left = left.filter((one) => !(one.couponRateBps > Number(asked.maxCouponBps)));
  }
  if (asked.jurisdiction) {
    const at = { DE: ["org_one"], SG: ["org_two"], FR: [] };
    const there = Object.entries(at).flatMap(([code, all]) =>
      asked.jurisdiction?.join().includes(code) ? all : [],
    );
    left = left.filter((one) => there.includes(one.originator));
  }
  for (const word of (asked.q ?? "").split(" ").filter((one) => one !== "")) {
    left = left.filter(({ title, refnum, publicId, originator }) =>
      [PLAIN[title], PLAIN[refnum], publicId.toLowerCase(), PLAIN[originator]].some((text) =>
        text?.includes(WORDS[word] ?? "unknown"),
      ),
    );
  }
  if (asked.closingBefore !== undefined) {
    const limit = new Date(Number(asked.closingBefore) * 1000);
    left = left.filter((one) => one.closeAt !== null && new Date(one.closeAt) < limit);
  }
  return sorted(left, asked.sort ?? "newest");
}
