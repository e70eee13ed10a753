import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { testDollarAbi } from "../../abis/TestDollar.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { alice, bob, carol, closeAt, originator, owner, stranger, usd } from "./world.ts";

const world = setUpWorld();

const transfer = (token: Address, from: number, to: number, amount: bigint) =>
  world().send(from, {
    to: token,
    abi: listingTokenAbi,
    functionName: "transfer",
    args: [world().address(to), amount],
  });

const claimable = (holder: number) => world().read("claimable", [1n, world().address(holder)]);
const repay = (principal: bigint, interest: bigint) =>
  world().act(originator, "repay", [1n, principal, interest]);

/** 600 of alice and 200 of bob, drawn down. */
async function lend() {
  const token = await world().list({ insuranceBps: 0 });
  await world().subscribe(alice, usd(600));
  await world().subscribe(bob, usd(200));
  await world().act(owner, "close", [1n]);
  await world().act(originator, "drawDown", [1n, world().address(originator)]);
  return token;
}

describe("the token", () => {
  it("carries the refnum, 18 decimals and the supply of what was raised", async () => {
    const token = await lend();
    const ask = (functionName: "symbol" | "decimals" | "totalSupply") =>
      world().chain.publicClient.readContract({ address: token, abi: listingTokenAbi, functionName });
    expect([await ask("symbol"), await ask("decimals"), await ask("totalSupply")]).toEqual([
      "RB00001",
      18,
      usd(800),
    ]);
  });

  it("is locked while open, after the close, after a failure and after a cancel", async () => {
    const { act, list, subscribe } = world();
    const token = await list();
    await subscribe(alice, usd(399));
    const locked = () => refuses(transfer(token, alice, bob, 1n), "NotTransferable", [1n]);
    await locked();
    await refuses(transfer(token, alice, alice, 1n), "NotTransferable");
    const restore = await world().snapshot();
    await act(owner, "cancel", [1n, `0x${"00".repeat(32)}`]);
    await locked();
    await restore();
    await act(stranger, "close", [1n], closeAt);
    await locked();
  });

  it("is locked between a successful close and the drawdown, by allowance too", async () => {
    const { act, address, list, send, subscribe } = world();
    const token = await list({ insuranceBps: 0 });
    await subscribe(alice, usd(1000));
    await refuses(transfer(token, alice, bob, 1n), "NotTransferable");
    await send(alice, {
      to: token,
      abi: listingTokenAbi,
      functionName: "approve",
      args: [address(bob), usd(1)],
    });
    const args = [address(alice), address(bob), 1n];
    const pull = { to: token, abi: listingTokenAbi, functionName: "transferFrom", args };
    await refuses(send(bob, pull), "NotTransferable");
    await act(originator, "drawDown", [1n, address(originator)]);
    await send(bob, pull);
  });

  it("is minted and burned by its escrow only, and asks nobody else", async () => {
    const { act, address, send } = world();
    const token = await lend();
    for (const functionName of ["mint", "burn"]) {
      const call = { to: token, abi: listingTokenAbi, functionName, args: [address(alice), 1n] };
      await refuses(send(owner, call), "NotTheEscrow", [address(owner)]);
    }
    const hook = act(stranger, "beforeTokenTransfer", [1n, address(alice), address(bob)]);
    await refuses(hook, "NotTheToken", [address(stranger)]);
  });
});

describe("payouts", () => {
  it("are shared by balance and cumulative, whenever they are claimed", async () => {
    const { act, address, balance, dollar } = world();
    await lend();
    await repay(usd(80), usd(8));
    expect(await claimable(alice)).toBe((usd(88) * 600n) / 800n);
    const [first] = await act(alice, "claimPayout", [1n]);
    expect(first).toMatchObject({
      eventName: "PayoutClaimed",
      args: { holder: address(alice), amount: usd(66), totalClaimed: usd(66) },
    });
    await repay(usd(40), 0n);
    // bob has both repayments due: 128 * 200 / 800
    const [second] = await act(bob, "claimPayout", [1n]);
    expect(second).toMatchObject({ args: { holder: address(bob), amount: usd(32), totalClaimed: usd(98) } });
    const [third] = await act(alice, "claimPayout", [1n]);
    expect(third).toMatchObject({ args: { amount: usd(30), totalClaimed: usd(128) } });
    expect(await balance(dollar, bob)).toBe(usd(1_000_000 - 200 + 32));
  });

  it("are claimed once, and not by those who hold nothing", async () => {
    const { act, address } = world();
    await lend();
    await repay(usd(80), 0n);
    await act(alice, "claimPayout", [1n]);
    await refuses(act(alice, "claimPayout", [1n]), "NothingToClaim", [1n, address(alice)]);
    await refuses(act(stranger, "claimPayout", [1n]), "NothingToClaim", [1n, address(stranger)]);
  });

  it("stay with whoever held the token at the repayment", async () => {
    const { act } = world();
    const token = await lend();
    await repay(usd(80), 0n);
    await transfer(token, alice, carol, usd(600));
    expect(await claimable(alice)).toBe(usd(60));
    expect(await claimable(carol)).toBe(0n);
    await repay(usd(160), 0n);
    expect(await claimable(alice)).toBe(usd(60));
    expect(await claimable(carol)).toBe(usd(120));
    expect(await claimable(bob)).toBe(usd(60));
    await transfer(token, carol, bob, usd(300));
    await transfer(token, bob, bob, usd(500));
    await repay(usd(80), 0n);
    // bob now has 500 of 800, carol 300
    expect(await claimable(bob)).toBe(usd(60) + usd(50));
    expect(await claimable(carol)).toBe(usd(120) + usd(30));
    for (const holder of [alice, bob, carol]) await act(holder, "claimPayout", [1n]);
    expect(await world().read("claimedAmount")).toBe(usd(320));
    expect(await world().read("requiredBalance", [])).toBe(0n);
  });

  it("cannot be claimed again by passing the token on", async () => {
    const { act } = world();
    const token = await lend();
    await repay(usd(80), 0n);
    await act(alice, "claimPayout", [1n]);
    await transfer(token, alice, carol, usd(600));
    await refuses(act(carol, "claimPayout", [1n]), "NothingToClaim");
    await transfer(token, carol, alice, usd(600));
    await refuses(act(alice, "claimPayout", [1n]), "NothingToClaim");
  });

  it("round down and keep the rest for the next claim, so that nothing is lost and nothing made", async () => {
    const { act, balance, dollar, escrow, list, subscribe } = world();
    await list({ insuranceBps: 0, minRaise: 0n });
    const holders = [alice, bob, carol];
    for (const backer of holders) await subscribe(backer, usd(1));
    await act(owner, "close", [1n]);
    await act(originator, "drawDown", [1n, world().address(originator)]);
    await repay(100n, 0n);
    await repay(1n, 0n);
    // 101 / 3 = 33.67 each
    for (const holder of holders) {
      expect(await act(holder, "claimPayout", [1n])).toMatchObject([{ args: { amount: 33n } }]);
    }
    expect(await balance(dollar, escrow)).toBe(2n);
    // 102 / 3 = 34 each
    await repay(1n, 0n);
    for (const holder of holders) {
      expect(await act(holder, "claimPayout", [1n])).toMatchObject([{ args: { amount: 1n } }]);
    }
    expect(await balance(dollar, escrow)).toBe(0n);
  });

  it("cannot be locked by a payment too large to share", async () => {
    const { act, address, send, dollar } = world();
    const token = await lend();
    const huge = 2n ** 200n;
    const abi = testDollarAbi;
    await send(stranger, { to: dollar, abi, functionName: "mint", args: [address(stranger), huge] });
    await send(stranger, { to: dollar, abi, functionName: "approve", args: [world().escrow, huge] });
    const limit = (2n ** 256n - 1n) / usd(800) - usd(800);
    await refuses(act(stranger, "repay", [1n, 0n, huge]), "RepaymentTooLarge", [huge, limit]);
    await act(stranger, "repay", [1n, 0n, limit]);
    await transfer(token, alice, carol, usd(600));
    await act(alice, "claimPayout", [1n]);
    await act(bob, "claimPayout", [1n]);
    const events = await repay(usd(800), 0n);
    expect(events.at(-1)).toMatchObject({ eventName: "ListingSettled" });
    await act(carol, "claimPayout", [1n]);
  });

  it("go on after the settlement", async () => {
    const { act } = world();
    const token = await lend();
    await repay(usd(800), usd(80));
    await transfer(token, bob, carol, usd(200));
    const [event] = await act(bob, "claimPayout", [1n]);
    expect(event).toMatchObject({ args: { amount: usd(220) } });
    await refuses(act(carol, "claimPayout", [1n]), "NothingToClaim");
  });

  it("are paid from their own listing, not from another", async () => {
    const { act, address, list } = world();
    await lend();
    await list({ insuranceBps: 0 });
    await act(carol, "subscribe", [2n, address(carol), usd(1000), 0]);
    await act(originator, "drawDown", [2n, address(originator)]);
    await repay(usd(80), 0n);
    await refuses(act(carol, "claimPayout", [2n]), "NothingToClaim", [2n, address(carol)]);
    await refuses(act(carol, "claimPayout", [1n]), "NothingToClaim", [1n, address(carol)]);
  });
});
