import { describe, expect, it } from "vitest";
import type { BidEvent } from "../../market/bids.ts";
import { auctionSection } from "./auction.ts";

const ANN = `0x${"a1".repeat(20)}` as const;
const auction = {
  refnum: "RB00042",
  status: "funding",
  targetAmount: "100",
  minRaise: "50",
  raisedAmount: "80",
  couponRateBps: 1_500,
  acceptsMoney: true,
  couponIsMaximum: true,
} as const;
const bid = (rateBps: number, amount: bigint): BidEvent => ({ kind: "bid", backer: ANN, rateBps, amount });
const BIDS = [bid(900, 30n), bid(1_100, 50n)];

function wordsOf(changes: object, events: readonly BidEvent[] | null) {
  const { blocks } = auctionSection({ ...auction, ...changes }, events);
  return blocks.flatMap((block) => (block.kind === "paragraph" ? block.text : [])).join(" ");
}

describe("the bids of an auction", () => {
  it("say what would be if it closed now, and what it closed at", () => {
    expect(wordsOf({}, BIDS)).toMatch(/If it closed now, the rate would be 11\.00% per year\.$/);
    expect(wordsOf({ raisedAmount: "49" }, BIDS)).toMatch(
      /the minimum would be missed and every bid refunded\.$/,
    );
    const due = { status: "live", acceptsMoney: false };
    expect(wordsOf(due, BIDS)).toMatch(
      /Its closing time has come, and the rate will be 11\.00% per year once its close is recorded\.$/,
    );
    // No event tells of a close: the rate is that of the terms.
    expect(wordsOf({ ...due, couponIsMaximum: false }, BIDS)).toMatch(/the highest accepted rate\.$/);
    const closed = { status: "live", couponRateBps: 1_110, acceptsMoney: false, couponIsMaximum: false };
    expect(wordsOf(closed, [...BIDS, { kind: "closed" }])).toMatch(
      /This auction closed at 11\.10% per year\.$/,
    );
    expect(wordsOf({}, [])).toMatch(/all of them earn the highest accepted rate\.$/);
  });

  it("say that none was accepted where the raise failed, and that too many are not summed", () => {
    expect(wordsOf({ status: "refunding" }, BIDS)).toMatch(/no bid was accepted/);
    const closed: BidEvent[] = [...BIDS, { kind: "closed" }];
    expect(wordsOf({ status: "refunding" }, closed)).toMatch(/no bid was accepted/);
    expect(wordsOf({ status: "voided" }, closed)).toBe(
      "The raise was voided after the auction closed, so no bid counts any more, and all money goes back.",
    );
    expect(wordsOf({}, null)).toMatch(/too many bids to add them up/);
  });

  it("say that their rates are unknown where the contract does not tell them", () => {
    expect(wordsOf({}, [...BIDS, bid(0, 1n)])).toBe(
      "The contract of this auction does not tell the rates of its bids.",
    );
  });

  it("name nobody", () => {
    const charts = auctionSection(auction, BIDS).blocks.flatMap((block) =>
      block.kind === "chart" ? block.chart : [],
    );
    const said = charts.map(({ svg, table }) => `${svg} ${JSON.stringify(table)}`).join();
    expect(said).toContain("11.00%");
    expect(said).not.toContain(ANN);
  });
});
