import { zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { CLOSE, PRICING, REFUND, STAGE } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { alice, bob, closeAt, day, genesis, owner, stranger, usd } from "./world.ts";

const world = setUpWorld();

describe("subscribing to a fixed raise", () => {
  it("mints the principal to the backer and takes the money from the payer", async () => {
    const { act, address, balance, dollar, list } = world();
    const token = await list();
    const events = await act(alice, "subscribe", [1n, address(bob), usd(30), 0]);
    expect(events.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      {
        eventName: "Subscribed",
        args: {
          onchainId: 1n,
          backer: address(bob),
          payer: address(alice),
          amount: usd(30),
          bidRateBps: 0,
          totalRaised: usd(30),
        },
      },
    ]);
    expect(await balance(token, bob)).toBe(usd(30));
    expect(await balance(token, alice)).toBe(0n);
    expect(await balance(dollar, alice)).toBe(usd(1_000_000 - 30));
    expect(await balance(dollar, bob)).toBe(usd(1_000_000));
  });

  it("opens at goLiveAt and ends before closeAt, to the second", async () => {
    const { list, subscribe } = world();
    const goLiveAt = genesis + day;
    await list({ goLiveAt });
    await refuses(subscribe(alice, usd(1), 0, goLiveAt - 1n), "NotLiveYet", [goLiveAt]);
    await subscribe(alice, usd(1), 0, goLiveAt);
    await subscribe(alice, usd(1), 0, closeAt - 1n);
    await refuses(subscribe(alice, usd(1), 0, closeAt), "RaiseOver", [1n]);
  });

  it("stays open without a closing time", async () => {
    await world().list({ closeAt: 0n });
    await world().subscribe(alice, usd(1), 0, genesis + 3650n * day);
  });

  it("refuses zero, the zero address, bids and unknown listings", async () => {
    const { act, address, list, subscribe } = world();
    await refuses(subscribe(alice, usd(1)), "UnknownListing", [1n]);
    await list();
    await refuses(subscribe(alice, 0n), "ZeroAmount");
    await refuses(act(alice, "subscribe", [1n, zeroAddress, usd(1), 0]), "ZeroAddress");
    await refuses(subscribe(alice, usd(1), 5), "BidInFixedRaise", [5]);
    await refuses(
      act(stranger, "subscribe", [1n, address(stranger), usd(1), 0]),
      "ERC20InsufficientAllowance",
    );
  });

  it("takes what fits under the target, and closes itself there", async () => {
    const { balance, dollar, list, read, subscribe } = world();
    await list();
    await subscribe(alice, usd(999));
    const events = await subscribe(bob, usd(50));
    expect(events.map(({ eventName, args }) => ({ eventName, args }))).toMatchObject([
      { eventName: "Subscribed", args: { amount: usd(1), totalRaised: usd(1000) } },
      {
        eventName: "ListingClosed",
        args: { reason: CLOSE.filled, raisedAmount: usd(1000), minRaiseMet: true, couponRateBps: 1450 },
      },
    ]);
    expect(await balance(dollar, bob)).toBe(usd(1_000_000 - 1));
    expect(await read("stageOf")).toBe(STAGE.succeeded);
    await refuses(subscribe(alice, 1n), "RaiseOver");
  });
});

describe("withdrawing", () => {
  it("gives back a part and the rest until the last second", async () => {
    const { act, balance, dollar, list, subscribe } = world();
    const token = await list();
    await subscribe(alice, usd(30));
    const [event] = await act(alice, "withdraw", [1n, usd(10)]);
    expect(event).toMatchObject({
      eventName: "Refunded",
      args: { reason: REFUND.withdrawn, amount: usd(10), totalRefunded: usd(10) },
    });
    await act(alice, "withdraw", [1n, usd(20)], closeAt - 1n);
    expect(await balance(token, alice)).toBe(0n);
    expect(await balance(dollar, alice)).toBe(usd(1_000_000));
  });

  it("refuses more than the position, nothing, and anything once the raise is over", async () => {
    const { act, list, subscribe } = world();
    await list();
    await subscribe(alice, usd(500));
    await refuses(act(alice, "withdraw", [1n, usd(501)]), "AmountAbovePosition", [usd(501), usd(500)]);
    await refuses(act(bob, "withdraw", [1n, 1n]), "AmountAbovePosition", [1n, 0n]);
    await refuses(act(alice, "withdraw", [1n, 0n]), "ZeroAmount");
    await refuses(act(alice, "withdraw", [1n, 1n], closeAt), "RaiseOver");
    await act(stranger, "close", [1n]);
    await refuses(act(alice, "withdraw", [1n, 1n]), "RaiseOver");
  });

  it("makes room for others", async () => {
    const { act, list, subscribe } = world();
    await list();
    await subscribe(alice, usd(999));
    await act(alice, "withdraw", [1n, usd(900)]);
    const events = await subscribe(bob, usd(950));
    expect(events.at(-1)).toMatchObject({ eventName: "ListingClosed", args: { raisedAmount: usd(1000) } });
    expect(events[0]).toMatchObject({ eventName: "Subscribed", args: { amount: usd(901) } });
  });
});

describe("closing", () => {
  it.each([
    ["one unit short of the minimum", usd(400) - 1n, false, STAGE.failed],
    ["exactly at the minimum", usd(400), true, STAGE.succeeded],
  ])("records a raise %s", async (_, amount, minRaiseMet, expectedStage) => {
    const { act, list, read, subscribe } = world();
    await list();
    await subscribe(alice, amount);
    const [event] = await act(stranger, "close", [1n], closeAt);
    expect(event).toMatchObject({
      eventName: "ListingClosed",
      args: { reason: CLOSE.deadline, raisedAmount: amount, minRaiseMet, couponRateBps: 1450 },
    });
    expect(await read("stageOf")).toBe(expectedStage);
  });

  it("never calls a raise of nothing met", async () => {
    await world().list({ minRaise: 0n });
    const [event] = await world().act(stranger, "close", [1n], closeAt);
    expect(event).toMatchObject({ args: { raisedAmount: 0n, minRaiseMet: false } });
  });

  it("is the owner's before the deadline and anybody's at it", async () => {
    const { act, list, subscribe } = world();
    await list();
    await subscribe(alice, usd(400));
    await refuses(act(stranger, "close", [1n], closeAt - 1n), "DeadlineNotReached", [closeAt]);
    await act(stranger, "close", [1n], closeAt);
    await refuses(act(owner, "close", [1n]), "RaiseOver", [1n]);
  });

  it("says Manual where the owner closes early, and Deadline where late", async () => {
    const { act, list } = world();
    await list();
    await list();
    const [early] = await act(owner, "close", [1n], closeAt - 1n);
    const [late] = await act(owner, "close", [2n], closeAt);
    expect(early).toMatchObject({ args: { reason: CLOSE.manual } });
    expect(late).toMatchObject({ args: { reason: CLOSE.deadline } });
  });

  it("is the owner's alone without a closing time", async () => {
    const { act, list, subscribe } = world();
    await list({ closeAt: 0n, pricingMode: PRICING.auction });
    await subscribe(alice, usd(400), 900);
    await refuses(act(stranger, "close", [1n], genesis + 3650n * day), "DeadlineNotReached", [0n]);
    const [event] = await act(owner, "close", [1n]);
    expect(event).toMatchObject({ args: { reason: CLOSE.manual, minRaiseMet: true, couponRateBps: 900 } });
  });
});
