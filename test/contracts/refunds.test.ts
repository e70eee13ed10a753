import { padHex, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { REFUND, STAGE } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { alice, bob, carol, closeAt, originator, owner, stranger, usd } from "./world.ts";

const world = setUpWorld();
const reason = padHex(toHex("reason"), { size: 32 });

/** Three positions of 100, 50 and 25, of which one was reached in two steps. */
async function raiseSome() {
  const { list, subscribe } = world();
  const token = await list();
  await subscribe(alice, usd(60));
  await subscribe(bob, usd(50));
  await subscribe(alice, usd(40));
  await subscribe(carol, usd(25));
  return token;
}

async function expectFullRefunds(token: `0x${string}`, expectedReason: number) {
  const { act, address, balance, dollar, read } = world();
  const raised = usd(175);
  let total = 0n;
  for (const [backer, principal] of [
    [alice, usd(100)],
    [bob, usd(50)],
    [carol, usd(25)],
  ] as const) {
    total += principal;
    const [event] = await act(stranger, "refund", [1n, address(backer)]);
    expect(event).toMatchObject({
      eventName: "Refunded",
      args: { backer: address(backer), reason: expectedReason, amount: principal, totalRefunded: total },
    });
    expect(await balance(dollar, backer)).toBe(usd(1_000_000));
    expect(await balance(token, backer)).toBe(0n);
    await refuses(act(backer, "refund", [1n, address(backer)]), "NothingToRefund", [1n, address(backer)]);
  }
  expect(await read("raisedAmount")).toBe(raised);
  expect(await read("requiredBalance", [])).toBe(0n);
  await refuses(act(stranger, "refund", [1n, address(stranger)]), "NothingToRefund");
}

describe("every backer is refunded in full", () => {
  it("after a missed minimum", async () => {
    const token = await raiseSome();
    await world().act(stranger, "close", [1n], closeAt);
    await expectFullRefunds(token, REFUND.minNotMet);
  });

  it("after a missed minimum that nobody closed, which can still be closed then", async () => {
    const token = await raiseSome();
    world().warp(closeAt);
    await expectFullRefunds(token, REFUND.minNotMet);
    const [event] = await world().act(stranger, "close", [1n]);
    expect(event).toMatchObject({ args: { raisedAmount: usd(175), minRaiseMet: false } });
    await refuses(world().act(stranger, "refund", [1n, world().address(alice)]), "NothingToRefund");
  });

  it("after a cancel", async () => {
    const token = await raiseSome();
    const [event] = await world().act(owner, "cancel", [1n, reason]);
    expect(event).toMatchObject({ eventName: "ListingCancelled", args: { onchainId: 1n, reason } });
    await expectFullRefunds(token, REFUND.cancelled);
  });

  it("after a void of a raise that had succeeded", async () => {
    const { act, address, balance, dollar, list, subscribe } = world();
    const token = await list();
    await subscribe(alice, usd(1000));
    const [event] = await act(owner, "voidListing", [1n, reason]);
    expect(event).toMatchObject({ eventName: "ListingVoided", args: { onchainId: 1n, reason } });
    const [back] = await act(stranger, "refund", [1n, address(alice)]);
    expect(back).toMatchObject({ args: { reason: REFUND.voided, amount: usd(1000) } });
    expect(await balance(dollar, alice)).toBe(usd(1_000_000));
    expect(await balance(token, alice)).toBe(0n);
    await refuses(act(stranger, "refund", [1n, address(alice)]), "NothingToRefund");
  });

  it("after a void of a failed raise, whoever was refunded before it", async () => {
    const { act, address, balance, dollar } = world();
    await raiseSome();
    await act(owner, "close", [1n]);
    await act(stranger, "refund", [1n, address(alice)]);
    await act(owner, "voidListing", [1n, reason]);
    await refuses(act(stranger, "refund", [1n, address(alice)]), "NothingToRefund");
    const [event] = await act(stranger, "refund", [1n, address(bob)]);
    expect(event).toMatchObject({
      args: { reason: REFUND.voided, amount: usd(50), totalRefunded: usd(150) },
    });
    expect(await balance(dollar, bob)).toBe(usd(1_000_000));
  });

  it("with what is left after a withdrawal, and without touching other listings", async () => {
    const { act, address, list, read } = world();
    await raiseSome();
    await list();
    await act(bob, "subscribe", [2n, address(bob), usd(70), 0]);
    await act(alice, "withdraw", [1n, usd(30)]);
    await act(owner, "cancel", [1n, reason]);
    const [event] = await act(stranger, "refund", [1n, address(alice)]);
    expect(event).toMatchObject({ args: { amount: usd(70), totalRefunded: usd(100) } });
    expect(await read("raisedAmount", [2n])).toBe(usd(70));
    await refuses(act(stranger, "refund", [2n, address(bob)]), "NotRefunding", [2n]);
  });
});

describe("nobody is refunded", () => {
  it("while the raise is open, after it succeeded, or after the drawdown", async () => {
    const { act, address, list, subscribe } = world();
    const refund = () => act(alice, "refund", [1n, address(alice)]);
    await list({ insuranceBps: 0 });
    await subscribe(alice, usd(400));
    await refuses(refund(), "NotRefunding", [1n]);
    world().warp(closeAt);
    await refuses(refund(), "NotRefunding");
    await act(stranger, "close", [1n]);
    await refuses(refund(), "NotRefunding");
    await act(originator, "drawDown", [1n, address(originator)]);
    await refuses(refund(), "NotRefunding");
  });
});

describe("cancelling", () => {
  it("is the owner's, before the close", async () => {
    const { act, list, read } = world();
    await list();
    await refuses(act(stranger, "cancel", [1n, reason]), "OwnableUnauthorizedAccount");
    await refuses(act(owner, "cancel", [1n, reason], closeAt), "RaiseOver");
    await act(owner, "close", [1n]);
    await refuses(act(owner, "cancel", [1n, reason]), "RaiseOver");
    expect(await read("stageOf")).toBe(STAGE.failed);
  });

  it("goes until the last second, once, and ends the raise", async () => {
    const { act, list, subscribe } = world();
    await list();
    await act(owner, "cancel", [1n, reason], closeAt - 1n);
    await refuses(act(owner, "cancel", [1n, reason]), "RaiseOver");
    await refuses(act(owner, "close", [1n]), "RaiseOver");
    await refuses(act(owner, "voidListing", [1n, reason]), "NotVoidable", [1n]);
    await refuses(subscribe(alice, usd(1)), "RaiseOver");
  });

  it("goes at any time before ListingClosed without a closing time", async () => {
    await world().list({ closeAt: 0n });
    await world().act(owner, "cancel", [1n, reason], closeAt * 2n);
  });
});

describe("voiding", () => {
  it("is the owner's, after ListingClosed and before the drawdown, once", async () => {
    const { act, address, list, subscribe } = world();
    await list({ insuranceBps: 0 });
    await subscribe(alice, usd(400));
    await refuses(act(owner, "voidListing", [1n, reason]), "RaiseNotClosed", [1n]);
    await refuses(act(owner, "voidListing", [1n, reason], closeAt), "RaiseNotClosed");
    await act(owner, "close", [1n]);
    await refuses(act(stranger, "voidListing", [1n, reason]), "OwnableUnauthorizedAccount");
    await act(originator, "drawDown", [1n, address(originator)]);
    await refuses(act(owner, "voidListing", [1n, reason]), "NotVoidable", [1n]);
  });

  it("stops the drawdown and a second void", async () => {
    const { act, address, list, subscribe } = world();
    await list({ insuranceBps: 0 });
    await subscribe(alice, usd(1000));
    await act(owner, "voidListing", [1n, reason]);
    await refuses(act(owner, "voidListing", [1n, reason]), "NotVoidable");
    await refuses(act(originator, "drawDown", [1n, address(originator)]), "NotReadyForDrawdown", [1n]);
  });
});
