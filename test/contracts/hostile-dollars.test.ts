import { type Abi, decodeErrorResult, encodeFunctionData, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { reentrantDollarAbi } from "../../contracts/artifacts/ReentrantDollar.ts";
import { OUTCOME } from "../harness/enums.ts";
import { deployFeeDollar, deployReentrantDollar } from "../harness/rogue.ts";
import { audit } from "./audit.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { alice, bob, closeAt, originator, owner, stranger, usd } from "./world.ts";

describe("a dollar that keeps 1% of each transfer", () => {
  const world = setUpWorld({ deployDollar: (chain) => deployFeeDollar(chain, 100n) });

  it("counts what the escrow received, everywhere", async () => {
    const { act, address, balance, list, subscribe } = world();
    const token = await list();
    const [subscribed] = await subscribe(alice, usd(100));
    expect(subscribed).toMatchObject({ args: { amount: usd(99), totalRaised: usd(99) } });
    expect(await balance(token, alice)).toBe(usd(99));
    const [posted] = await act(originator, "postReserve", [1n, usd(50)]);
    expect(posted).toMatchObject({ args: { amount: usd("49.5"), reserveBalance: usd("49.5") } });
    await act(stranger, "close", [1n], closeAt);
    const [refund] = await act(stranger, "refund", [1n, address(alice)]);
    expect(refund).toMatchObject({ args: { amount: usd(99) } });
    expect(await world().read("requiredBalance", [])).toBe(usd("49.5"));
  });

  it("closes the raise when what was received reaches the target", async () => {
    const { act, list, subscribe } = world();
    await list();
    // 1000 fit and 990 arrive; 10 fit and 9.9 arrive; so it goes on, and never past the target.
    expect(await subscribe(alice, usd(5000))).toMatchObject([{ args: { amount: usd(990) } }]);
    expect(await subscribe(alice, usd(5000))).toMatchObject([{ args: { totalRaised: usd("999.9") } }]);
    let events = await subscribe(bob, usd(5000));
    for (let tries = 0; events.length === 1 && tries < 20; tries++) events = await subscribe(bob, usd(5000));
    expect(events.at(-1)).toMatchObject({ eventName: "ListingClosed", args: { raisedAmount: usd(1000) } });
    await refuses(act(stranger, "close", [1n]), "RaiseOver");
  });

  it("counts a repayment's shortfall as interest first lost", async () => {
    const { act, address, list, read, subscribe } = world();
    await list({ insuranceBps: 0, minRaise: 0n });
    await subscribe(alice, usd(100));
    await act(owner, "close", [1n]);
    await act(originator, "drawDown", [1n, address(originator)]);
    // 60 are sent and 59.4 arrive: 50 of principal and 9.4 of interest.
    const [first] = await act(originator, "repay", [1n, usd(50), usd(10)]);
    expect(first).toMatchObject({
      args: { principal: usd(50), interest: usd("9.4"), outstandingPrincipal: usd(49) },
    });
    const [second] = await act(originator, "repay", [1n, usd(40), 0n]);
    expect(second).toMatchObject({
      args: { principal: usd("39.6"), interest: 0n, outstandingPrincipal: usd("9.4") },
    });
    // 9.5 are sent and 9.405 arrive.
    const last = await act(originator, "repay", [1n, usd(20), usd("0.1")]);
    expect(last).toMatchObject([
      { args: { principal: usd("9.4"), interest: usd("0.005"), outstandingPrincipal: 0n } },
      { args: { outcome: OUTCOME.repaid } },
    ]);
    expect(await read("claimable", [1n, address(alice)])).toBe(usd("108.405"));
    await act(alice, "claimPayout", [1n]);
  });
});

describe("a dollar that takes everything", () => {
  const world = setUpWorld({ deployDollar: (chain) => deployFeeDollar(chain, 10_000n) });

  it("buys no position", async () => {
    await world().list();
    await refuses(world().subscribe(alice, usd(1)), "NothingReceived");
  });
});

describe("a dollar that calls back", () => {
  const world = setUpWorld({ deployDollar: deployReentrantDollar });

  const arm = (functionName: string, args: readonly unknown[]) => {
    const abi: Abi = listingEscrowAbi;
    const data = encodeFunctionData({ abi, functionName, args });
    const { dollar, escrow, send } = world();
    return send(stranger, { to: dollar, abi: reentrantDollarAbi, functionName: "arm", args: [escrow, data] });
  };

  /** The call back was made, and the escrow refused it. */
  const expectRefusedInside = async () => {
    const read = (functionName: "called" | "succeeded" | "result") =>
      world().chain.publicClient.readContract({
        address: world().dollar,
        abi: reentrantDollarAbi,
        functionName,
      });
    expect(await read("called")).toBe(true);
    expect(await read("succeeded")).toBe(false);
    const data = (await read("result")) as `0x${string}`;
    expect(decodeErrorResult({ abi: listingEscrowAbi, data }).errorName).toBe("ReentrancyGuardReentrantCall");
  };

  it("cannot be refunded twice in one refund", async () => {
    const { act, address, balance, dollar, list, subscribe } = world();
    await list();
    await subscribe(alice, usd(100));
    await subscribe(bob, usd(100));
    await act(owner, "cancel", [1n, zeroHash]);
    await arm("refund", [1n, address(alice)]);
    await act(stranger, "refund", [1n, address(alice)]);
    await expectRefusedInside();
    expect(await balance(dollar, alice)).toBe(usd(1_000_000));
    await act(stranger, "refund", [1n, address(bob)]);
  });

  it.each<[string, readonly unknown[]]>([
    ["refund", [1n, `0x${"11".repeat(20)}`]],
    ["withdraw", [1n, 1n]],
    ["subscribe", [1n, `0x${"11".repeat(20)}`, 1n, 0]],
    ["close", [1n]],
    ["repay", [1n, 1n, 0n]],
    ["claimPayout", [1n]],
    ["drawDown", [1n, `0x${"11".repeat(20)}`]],
    ["postReserve", [1n, 1n]],
    ["beforeTokenTransfer", [1n, `0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`]],
  ])("reaches no %s in the middle of a subscription", async (functionName, args) => {
    await world().list();
    await arm(functionName, args);
    await world().subscribe(alice, usd(100));
    await expectRefusedInside();
  });

  it("cannot pass what it sends by itself off as a subscription", async () => {
    const { address, balance, dollar, escrow, list, send, subscribe } = world();
    const token = await list();
    const mint = encodeFunctionData({
      abi: reentrantDollarAbi,
      functionName: "mint",
      args: [escrow, usd(7)],
    });
    await send(stranger, { to: dollar, abi: reentrantDollarAbi, functionName: "arm", args: [dollar, mint] });
    const [event] = await subscribe(alice, usd(100));
    expect(event).toMatchObject({
      args: { amount: usd(100), totalRaised: usd(100), backer: address(alice) },
    });
    expect(await balance(token, alice)).toBe(usd(100));
    world().sentDirectly = usd(7);
    await audit(world());
    await world().act(alice, "withdraw", [1n, usd(100)]);
  });
});
