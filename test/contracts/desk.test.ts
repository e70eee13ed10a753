import { type Address, type Log, parseEventLogs } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import { deployDesk } from "../../demo/deploy.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { alice, bob, carol, day, originator, stranger, usd } from "./world.ts";

const world = setUpWorld();
let desk: Address;

beforeAll(async () => {
  desk = (await deployDesk(world().chain, { dollar: world().dollar })).address;
});

const events = (logs: Log[]) => parseEventLogs({ abi: secondaryDeskAbi, logs });
const expiresAt = () => world().now() + day;

async function act(account: number, functionName: string, args: readonly unknown[], at?: bigint) {
  return events(await world().send(account, { to: desk, abi: secondaryDeskAbi, functionName, args, at }));
}

const approve = (account: number, token: Address, amount: bigint) =>
  world().send(account, { to: token, abi: listingTokenAbi, functionName: "approve", args: [desk, amount] });

/** A drawn raise of 1000, all alice's, of which the desk may move 100; bob and carol may pay. */
async function lend() {
  const token = await world().list({ insuranceBps: 0 });
  await world().subscribe(alice, usd(1000));
  await world().act(originator, "drawDown", [1n, world().address(originator)]);
  await approve(alice, token, usd(100));
  for (const buyer of [alice, bob, carol]) await approve(buyer, world().dollar, usd(1000));
  return token;
}

describe("offering", () => {
  it("announces the offer and leaves the tokens with the seller", async () => {
    const { address, balance } = world();
    const token = await lend();
    const until = expiresAt();
    const [event] = await act(alice, "createOffer", [token, usd(100), 9800n, until]);
    expect(event).toMatchObject({
      eventName: "OfferCreated",
      args: { offerId: 1n, seller: address(alice), amount: usd(100), priceBps: 9800n, expiresAt: until },
    });
    expect(event?.args).toMatchObject({ token: expect.stringMatching(new RegExp(token, "i")) });
    expect(await balance(token, alice)).toBe(usd(1000));
    const [second] = await act(alice, "createOffer", [token, 1n, 1n, until + day]);
    expect(second?.args.offerId).toBe(2n);
  });

  it("needs an amount, a price, a future, a token, a balance and an allowance", async () => {
    const { address, now } = world();
    const token = await lend();
    const offer = (...args: unknown[]) => act(alice, "createOffer", args);
    await refuses(offer(token, 0n, 9800n, expiresAt()), "ZeroAmount");
    await refuses(offer(token, 1n, 0n, expiresAt()), "ZeroPrice");
    await refuses(offer(token, 1n, 9800n, now() + 1n), "ExpiresInThePast");
    await refuses(offer(address(bob), 1n, 9800n, expiresAt()), "NotAToken", [address(bob)]);
    await refuses(offer(token, usd(1001), 9800n, expiresAt()), "BalanceTooSmall", [usd(1000), usd(1001)]);
    await refuses(offer(token, usd(101), 9800n, expiresAt()), "AllowanceTooSmall", [usd(100), usd(101)]);
  });
});

describe("filling", () => {
  it("moves tokens and dollars, in parts, and rounds the price up", async () => {
    const { address, balance, dollar } = world();
    const token = await lend();
    await act(alice, "createOffer", [token, usd(100), 9801n, expiresAt()]);
    const sellerBefore = await balance(dollar, alice);
    const [first] = await act(bob, "fillOffer", [1n, usd(40)]);
    const cost = (usd(40) * 9801n) / 10_000n;
    expect(first).toMatchObject({
      eventName: "OfferFilled",
      args: { offerId: 1n, buyer: address(bob), amount: usd(40), cost, remaining: usd(60) },
    });
    expect(await balance(token, bob)).toBe(usd(40));
    expect(await balance(dollar, alice)).toBe(sellerBefore + cost);
    // 3 * 9801 / 10000 = 2.9403
    const [odd] = await act(carol, "fillOffer", [1n, 3n]);
    expect(odd).toMatchObject({ args: { amount: 3n, cost: 3n, remaining: usd(60) - 3n } });
    const [last] = await act(bob, "fillOffer", [1n, usd(60) - 3n]);
    expect(last).toMatchObject({ args: { remaining: 0n } });
    await refuses(act(bob, "fillOffer", [1n, 1n]), "NoSuchOffer", [1n]);
  });

  it("leaves earlier repayments with the seller and passes on later ones", async () => {
    const token = await lend();
    const { act: escrow, address, read } = world();
    await act(alice, "createOffer", [token, usd(100), 10_000n, expiresAt()]);
    await escrow(originator, "repay", [1n, usd(100), 0n]);
    await act(bob, "fillOffer", [1n, usd(100)]);
    await escrow(originator, "repay", [1n, usd(200), 0n]);
    expect(await read("claimable", [1n, address(alice)])).toBe(usd(100) + usd(180));
    expect(await read("claimable", [1n, address(bob)])).toBe(usd(20));
    expect(await read("claimable", [1n, desk])).toBe(0n);
  });

  it("ends at the expiry, to the second", async () => {
    const token = await lend();
    const until = expiresAt();
    await act(alice, "createOffer", [token, usd(100), 9800n, until]);
    await act(bob, "fillOffer", [1n, usd(1)], until - 1n);
    await refuses(act(bob, "fillOffer", [1n, usd(1)], until), "OfferExpired", [1n]);
  });

  it("refuses nothing, too much, and what is not on offer", async () => {
    const token = await lend();
    await act(alice, "createOffer", [token, usd(10), 9800n, expiresAt()]);
    await refuses(act(bob, "fillOffer", [1n, 0n]), "ZeroAmount");
    await refuses(act(bob, "fillOffer", [1n, usd(10) + 1n]), "AmountAboveOffer", [usd(10) + 1n, usd(10)]);
    await refuses(act(bob, "fillOffer", [2n, 1n]), "NoSuchOffer", [2n]);
    await refuses(act(stranger, "fillOffer", [1n, 1n]), "ERC20InsufficientAllowance");
  });

  it("moves no dollars where the seller has the tokens no more", async () => {
    const { address, balance, dollar, send } = world();
    const token = await lend();
    await act(alice, "createOffer", [token, usd(100), 9800n, expiresAt()]);
    const args = [address(carol), usd(950)];
    await send(alice, { to: token, abi: listingTokenAbi, functionName: "transfer", args });
    await refuses(act(bob, "fillOffer", [1n, usd(60)]), "ERC20InsufficientBalance");
    expect(await balance(dollar, bob)).toBe(usd(1_000_000));
  });

  it("is not possible before the drawdown", async () => {
    const { list, subscribe } = world();
    const token = await list();
    await subscribe(alice, usd(1000));
    await approve(alice, token, usd(1));
    await approve(bob, world().dollar, usd(1));
    await act(alice, "createOffer", [token, usd(1), 9800n, expiresAt()]);
    await refuses(act(bob, "fillOffer", [1n, usd(1)]), "NotTransferable");
  });

  it("lets the seller fill the own offer", async () => {
    const { balance, dollar } = world();
    const token = await lend();
    await act(alice, "createOffer", [token, usd(100), 9800n, expiresAt()]);
    const before = await balance(dollar, alice);
    const [event] = await act(alice, "fillOffer", [1n, usd(100)]);
    expect(event).toMatchObject({ args: { buyer: world().address(alice), cost: usd(98), remaining: 0n } });
    expect(await balance(dollar, alice)).toBe(before);
    expect(await balance(token, alice)).toBe(usd(1000));
  });
});

describe("cancelling", () => {
  it("is the seller's at any time and anybody's after the expiry", async () => {
    const token = await lend();
    const until = expiresAt();
    await act(alice, "createOffer", [token, usd(50), 9800n, until]);
    await act(alice, "createOffer", [token, usd(20), 9800n, until]);
    await act(bob, "fillOffer", [1n, usd(10)]);
    await refuses(act(bob, "cancelOffer", [1n], until - 1n), "NotTheSeller", [world().address(bob)]);
    const [expired] = await act(bob, "cancelOffer", [1n], until);
    expect(expired).toMatchObject({ eventName: "OfferCancelled", args: { offerId: 1n, remaining: usd(40) } });
    const [own] = await act(alice, "cancelOffer", [2n]);
    expect(own).toMatchObject({ args: { offerId: 2n, remaining: usd(20) } });
    await refuses(act(alice, "cancelOffer", [2n]), "NoSuchOffer", [2n]);
    await refuses(act(bob, "fillOffer", [2n, 1n]), "NoSuchOffer");
  });
});
