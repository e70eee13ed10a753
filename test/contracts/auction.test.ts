import { zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import { CLOSE, PRICING, REFUND } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import {
  alice,
  bob,
  carol,
  closeAt,
  type EscrowLog,
  originator,
  owner,
  stranger,
  type Terms,
  usd,
} from "./world.ts";

const world = setUpWorld();

const auction = (changes: Partial<Terms> = {}) =>
  world().list({ pricingMode: PRICING.auction, couponRateBps: 1500, ...changes });

const clear = () => world().act(stranger, "close", [1n], closeAt);

/** The bids that lost, in the order in which they were paid back, and the close. */
function outcomeOf(events: EscrowLog[]) {
  const last = events.at(-1);
  if (last?.eventName !== "ListingClosed") throw new Error("the last event is not the close");
  const outbid = events.slice(0, -1).map((event) => {
    if (event.eventName !== "Refunded") throw new Error(`unexpected ${event.eventName}`);
    expect(event.args.reason).toBe(REFUND.outbid);
    return [event.args.backer, event.args.amount];
  });
  return { outbid, close: last.args };
}

describe("bidding", () => {
  it("takes rates from 1 to the ceiling", async () => {
    const { subscribe } = world();
    await auction();
    await refuses(subscribe(alice, usd(10), 0), "BidRateOutOfRange", [0, 1500]);
    await refuses(subscribe(alice, usd(10), 1501), "BidRateOutOfRange", [1501, 1500]);
    await subscribe(alice, usd(10), 1);
    const [event] = await subscribe(alice, usd(10), 1500);
    expect(event).toMatchObject({
      eventName: "Subscribed",
      args: { bidRateBps: 1500, totalRaised: usd(20) },
    });
  });

  it("goes past the target and does not close itself there", async () => {
    const { read, subscribe } = world();
    await auction();
    await subscribe(alice, usd(1000), 900);
    const events = await subscribe(bob, usd(500), 800);
    expect(events).toHaveLength(1);
    expect(await read("raisedAmount")).toBe(usd(1500));
  });

  it("takes no bid below a two-hundredth of the target, neither new nor left over", async () => {
    const { act, subscribe } = world();
    await auction();
    await refuses(subscribe(alice, usd(5) - 1n, 900), "BidTooSmall", [usd(5) - 1n, usd(5)]);
    await subscribe(alice, usd(5), 900);
    await subscribe(alice, usd(20), 800);
    await refuses(act(alice, "withdraw", [1n, usd(16)]), "BidTooSmall", [usd(4), usd(5)]);
    await act(alice, "withdraw", [1n, usd(15)]);
  });

  it("withdraws the newest bids first, and only the backer's own", async () => {
    const { act, address, read, subscribe } = world();
    await auction();
    await subscribe(alice, usd(100), 700);
    await subscribe(bob, usd(60), 900);
    await subscribe(alice, usd(200), 800);
    await subscribe(carol, usd(80), 600);
    const [event] = await act(alice, "withdraw", [1n, usd(250)]);
    expect(event).toMatchObject({ args: { reason: REFUND.withdrawn, amount: usd(250) } });
    expect(await read<unknown>("bidsOf")).toEqual([
      { backer: address(alice), rateBps: 700, amount: usd(50) },
      { backer: address(bob), rateBps: 900, amount: usd(60) },
      { backer: address(carol), rateBps: 600, amount: usd(80) },
    ]);
  });
});

describe("clearing", () => {
  it("fills the cheapest, splits the marginal bid, and pays the rest back at once", async () => {
    const { address, balance, dollar, subscribe } = world();
    const token = await auction();
    await subscribe(alice, usd(300), 1200);
    await subscribe(bob, usd(600), 700);
    await subscribe(carol, usd(500), 900);
    await subscribe(alice, usd(100), 1400);
    // 600 at 700, then 400 of the 500 at 900; nothing at 1200 and 1400.
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toEqual([
      [address(carol), usd(100)],
      [address(alice), usd(300)],
      [address(alice), usd(100)],
    ]);
    expect(close).toEqual({
      onchainId: 1n,
      reason: CLOSE.deadline,
      raisedAmount: usd(1000),
      minRaiseMet: true,
      couponRateBps: 900,
    });
    expect(await balance(token, bob)).toBe(usd(600));
    expect(await balance(token, carol)).toBe(usd(400));
    expect(await balance(token, alice)).toBe(0n);
    expect(await balance(dollar, alice)).toBe(usd(1_000_000));
    expect(await balance(dollar, carol)).toBe(usd(1_000_000 - 400));
  });

  it("prefers the earlier of equal bids", async () => {
    const { address, subscribe } = world();
    await auction();
    await subscribe(carol, usd(700), 800);
    await subscribe(alice, usd(200), 900);
    await subscribe(bob, usd(200), 900);
    await subscribe(alice, usd(50), 900);
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toEqual([
      [address(bob), usd(100)],
      [address(alice), usd(50)],
    ]);
    expect(close.couponRateBps).toBe(900);
  });

  it("keeps the order of arrival where an earlier bid was withdrawn", async () => {
    const { act, address, subscribe } = world();
    await auction();
    await subscribe(alice, usd(10), 900);
    await subscribe(bob, usd(600), 900);
    await subscribe(carol, usd(600), 900);
    await act(alice, "withdraw", [1n, usd(10)]);
    expect(outcomeOf(await clear()).outbid).toEqual([[address(carol), usd(200)]]);
  });

  it("takes everything between the minimum and the target, at the dearest bid's rate", async () => {
    const { subscribe } = world();
    await auction();
    await subscribe(alice, usd(300), 1100);
    await subscribe(bob, usd(100), 600);
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toEqual([]);
    expect(close).toMatchObject({ raisedAmount: usd(400), minRaiseMet: true, couponRateBps: 1100 });
  });

  it("ignores a dearer bid that begins exactly where the target ends", async () => {
    const { address, subscribe } = world();
    await auction();
    await subscribe(bob, usd(10), 1300);
    await subscribe(alice, usd(1000), 1100);
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toEqual([[address(bob), usd(10)]]);
    expect(close.couponRateBps).toBe(1100);
  });

  it("clears when the owner closes early", async () => {
    await auction();
    await world().subscribe(alice, usd(1200), 1100);
    const { close } = outcomeOf(await world().act(owner, "close", [1n]));
    expect(close).toMatchObject({ reason: CLOSE.manual, raisedAmount: usd(1000), couponRateBps: 1100 });
  });

  it("clears nothing below the minimum; everybody is refunded then", async () => {
    const { act, address, balance, dollar, subscribe } = world();
    await auction();
    await subscribe(alice, usd(399), 100);
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toEqual([]);
    expect(close).toMatchObject({ raisedAmount: usd(399), minRaiseMet: false, couponRateBps: 1500 });
    const [event] = await act(stranger, "refund", [1n, address(alice)]);
    expect(event).toMatchObject({ args: { reason: REFUND.minNotMet, amount: usd(399) } });
    expect(await balance(dollar, alice)).toBe(usd(1_000_000));
  });

  it("pays only the accepted principal to the originator, and refunds only that after a void", async () => {
    const { act, address, balance, dollar, subscribe } = world();
    await auction({ insuranceBps: 0 });
    await subscribe(alice, usd(900), 500);
    await subscribe(bob, usd(900), 600);
    await clear();
    const restore = await world().snapshot();
    const [event] = await act(originator, "drawDown", [1n, address(originator)]);
    expect(event).toMatchObject({ args: { amount: usd(1000), fee: 0n } });
    await restore();
    await act(owner, "voidListing", [1n, zeroHash]);
    await act(stranger, "refund", [1n, address(bob)]);
    expect(await balance(dollar, bob)).toBe(usd(1_000_000));
  });
});

describe("a full book", () => {
  it("takes 200 bids, and clears the worst order of them within one transaction", async () => {
    const { subscribe } = world();
    await auction();
    // The rates fall, so that each bid is sorted to the front; 199 bids of 5 and the last of 1000 at the lowest.
    for (let i = 0; i < 199; i++) await subscribe(alice, usd(5), 1500 - i);
    await subscribe(bob, usd(1000), 100);
    await refuses(subscribe(carol, usd(500), 50), "TooManyBids", [200n]);
    const { outbid, close } = outcomeOf(await clear());
    expect(outbid).toHaveLength(199);
    expect(close).toMatchObject({ raisedAmount: usd(1000), couponRateBps: 100 });
  });
});
