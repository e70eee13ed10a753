import { zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { OUTCOME, RESERVE, STAGE } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import {
  alice,
  bob,
  carol,
  closeAt,
  day,
  originator,
  owner,
  stranger,
  type Terms,
  treasury,
  usd,
} from "./world.ts";

const feeBps = 250;
const world = setUpWorld({ feeBps });

const post = (amount: bigint) => world().act(originator, "postReserve", [1n, amount]);
const draw = (by = originator, to = originator) => world().act(by, "drawDown", [1n, world().address(to)]);
const repay = (principal: bigint, interest: bigint) =>
  world().act(originator, "repay", [1n, principal, interest]);

/** Raises 800 of 1000, closes, and posts a reserve of 100. */
async function raise(changes: Partial<Terms> = {}) {
  await world().list(changes);
  await world().subscribe(alice, usd(600));
  await world().subscribe(bob, usd(200));
  await world().act(owner, "close", [1n]);
  await post(usd(100));
}

describe("the drawdown", () => {
  it("pays the raise less the fee, and starts the term", async () => {
    const { address, balance, dollar, now, read } = world();
    await raise();
    const [event] = await draw(originator, carol);
    const maturityAt = now() + 180n * day;
    // 2.5% of 800
    expect(event).toMatchObject({
      eventName: "DrawnDown",
      args: { to: address(carol), amount: usd(800), fee: usd(20), maturityAt },
    });
    expect(await balance(dollar, carol)).toBe(usd(1_000_780));
    expect(await balance(dollar, treasury)).toBe(usd(20));
    expect(await read("outstandingPrincipal")).toBe(usd(800));
    expect(await read("maturityOf")).toBe(maturityAt);
    expect(await read("requiredBalance", [])).toBe(usd(100));
  });

  it("needs the close, the minimum, the originator and somewhere to go", async () => {
    const { act, list, subscribe } = world();
    await list({ insuranceBps: 0 });
    await subscribe(alice, usd(399));
    await refuses(draw(), "NotReadyForDrawdown", [1n]);
    await refuses(draw(owner), "NotOriginator");
    world().warp(closeAt);
    await refuses(draw(), "NotReadyForDrawdown");
    await act(stranger, "close", [1n]);
    await refuses(draw(), "NotReadyForDrawdown");
  });

  it("happens once, and not to the zero address", async () => {
    await raise();
    await refuses(world().act(originator, "drawDown", [1n, zeroAddress]), "ZeroAddress");
    await draw();
    await refuses(draw(), "NotReadyForDrawdown");
  });

  it("needs the reserve that the target asks for, to the last unit", async () => {
    const { act, list, subscribe } = world();
    await list();
    await subscribe(alice, usd(400));
    await act(owner, "close", [1n]);
    await post(usd(100) - 1n);
    await refuses(draw(), "ReserveTooSmall", [usd(100) - 1n, usd(100)]);
    await post(1n);
    await draw();
  });
});

describe("repayment", () => {
  it("lowers the principal by principal only, and settles itself at zero", async () => {
    const { address, balance, dollar, read } = world();
    await raise();
    await refuses(repay(usd(1), 0n), "NotRepaying", [1n]);
    await draw();
    const [first] = await repay(usd(300), usd(40));
    expect(first).toMatchObject({
      eventName: "Repaid",
      args: {
        payer: address(originator),
        principal: usd(300),
        interest: usd(40),
        outstandingPrincipal: usd(500),
      },
    });
    const [interestOnly] = await repay(0n, usd(5));
    expect(interestOnly).toMatchObject({
      args: { principal: 0n, interest: usd(5), outstandingPrincipal: usd(500) },
    });
    await refuses(repay(0n, 0n), "ZeroAmount");
    const before = await balance(dollar, originator);
    // 900 offered of which 500 are owed: the rest stays with the payer.
    const events = await repay(usd(900), usd(10));
    expect(events).toMatchObject([
      { eventName: "Repaid", args: { principal: usd(500), interest: usd(10), outstandingPrincipal: 0n } },
      { eventName: "ListingSettled", args: { outcome: OUTCOME.repaid, writtenOffPrincipal: 0n } },
    ]);
    expect(await balance(dollar, originator)).toBe(before - usd(510));
    expect(await read("stageOf")).toBe(STAGE.settled);
    await refuses(repay(0n, usd(1)), "NotRepaying");
  });

  it("is settled with the reserve's help where that was applied", async () => {
    const { act, address } = world();
    await raise();
    await refuses(act(owner, "applyReserve", [1n, usd(1)]), "NotRepaying");
    await draw();
    await refuses(act(stranger, "applyReserve", [1n, usd(1)]), "OwnableUnauthorizedAccount");
    await refuses(act(owner, "applyReserve", [1n, usd(101)]), "ReserveTooSmall", [usd(100), usd(101)]);
    await refuses(act(owner, "applyReserve", [1n, 0n]), "ZeroAmount");
    const events = await act(owner, "applyReserve", [1n, usd(30)]);
    expect(events).toMatchObject([
      {
        eventName: "ReserveChanged",
        args: {
          reason: RESERVE.applied,
          account: address0x(world().escrow),
          amount: usd(30),
          reserveBalance: usd(70),
        },
      },
      { eventName: "Repaid", args: { principal: usd(30), interest: 0n, outstandingPrincipal: usd(770) } },
    ]);
    const last = await repay(usd(770), 0n);
    expect(last.at(-1)).toMatchObject({
      eventName: "ListingSettled",
      args: { outcome: OUTCOME.repaidWithReserve },
    });
    const [released] = await act(owner, "releaseReserve", [1n, usd(70)]);
    expect(released).toMatchObject({ args: { account: address(originator), reserveBalance: 0n } });
  });

  it("takes of the reserve only what is outstanding", async () => {
    const { act } = world();
    await raise();
    await draw();
    await repay(usd(740), 0n);
    const events = await act(owner, "applyReserve", [1n, usd(100)]);
    expect(events).toMatchObject([
      { args: { amount: usd(60), reserveBalance: usd(40) } },
      { args: { principal: usd(60), outstandingPrincipal: 0n } },
      { eventName: "ListingSettled", args: { outcome: OUTCOME.repaidWithReserve, writtenOffPrincipal: 0n } },
    ]);
  });
});

describe("settlement", () => {
  it("is the owner's, at maturity", async () => {
    const { act, now } = world();
    await raise();
    await refuses(act(owner, "settle", [1n]), "NotRepaying", [1n]);
    await draw();
    const maturityAt = now() + 180n * day;
    await refuses(act(owner, "settle", [1n], maturityAt - 1n), "NotMatured", [maturityAt]);
    await refuses(act(stranger, "settle", [1n], maturityAt), "OwnableUnauthorizedAccount");
    await act(owner, "settle", [1n], maturityAt + 1n);
    await refuses(act(owner, "settle", [1n]), "NotRepaying");
  });

  it("applies the reserve first and writes off the rest", async () => {
    const { act, now, read } = world();
    await raise();
    await draw();
    await repay(usd(150), usd(20));
    const events = await act(owner, "settle", [1n], now() + 180n * day);
    expect(events).toMatchObject([
      {
        eventName: "ReserveChanged",
        args: { reason: RESERVE.applied, amount: usd(100), reserveBalance: 0n },
      },
      { eventName: "Repaid", args: { principal: usd(100), interest: 0n, outstandingPrincipal: usd(550) } },
      { eventName: "ListingSettled", args: { outcome: OUTCOME.defaulted, writtenOffPrincipal: usd(550) } },
    ]);
    expect(await read("outstandingPrincipal")).toBe(0n);
    expect(await read("claimable", [1n, world().address(bob)])).toBe((usd(270) * 200n) / 800n);
  });

  it("defaults without a reserve to apply", async () => {
    const { act, address, list, now, subscribe } = world();
    await list({ insuranceBps: 0 });
    await subscribe(alice, usd(1000));
    await act(originator, "drawDown", [1n, address(originator)]);
    const events = await act(owner, "settle", [1n], now() + 180n * day);
    expect(events).toMatchObject([
      { eventName: "ListingSettled", args: { outcome: OUTCOME.defaulted, writtenOffPrincipal: usd(1000) } },
    ]);
  });

  it("is no default where the reserve covers the rest", async () => {
    const { act, now } = world();
    await raise();
    await draw();
    await repay(usd(720), 0n);
    const events = await act(owner, "settle", [1n], now() + 180n * day);
    expect(events).toMatchObject([
      { args: { reason: RESERVE.applied, amount: usd(80), reserveBalance: usd(20) } },
      { eventName: "Repaid", args: { principal: usd(80), outstandingPrincipal: 0n } },
      { eventName: "ListingSettled", args: { outcome: OUTCOME.repaidWithReserve, writtenOffPrincipal: 0n } },
    ]);
  });
});

/** An address as a decoded event shows it. */
function address0x(address: string) {
  return expect.stringMatching(new RegExp(`^${address}$`, "i"));
}
