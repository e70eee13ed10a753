import { zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import { RESERVE } from "../harness/enums.ts";
import { refuses } from "./reverts.ts";
import { setUpWorld } from "./setup.ts";
import { carol, closeAt, originator, owner, stranger, usd } from "./world.ts";

const world = setUpWorld();

const post = (amount: bigint) => world().act(originator, "postReserve", [1n, amount]);

describe("the reserve", () => {
  it("is posted by anybody, in steps, before and after the close", async () => {
    const { act, address, list } = world();
    await list();
    const [first] = await act(carol, "postReserve", [1n, usd(7)]);
    expect(first).toMatchObject({
      eventName: "ReserveChanged",
      args: { reason: RESERVE.posted, account: address(carol), amount: usd(7), reserveBalance: usd(7) },
    });
    const [second] = await post(usd(3));
    expect(second).toMatchObject({ args: { amount: usd(3), reserveBalance: usd(10) } });
    await refuses(post(0n), "ZeroAmount");
  });

  it("is neither posted nor kept once the raise has ended", async () => {
    const { act, list } = world();
    await list();
    await post(usd(10));
    await refuses(act(owner, "releaseReserve", [1n, usd(10)]), "ReserveStillNeeded", [1n]);
    await act(owner, "cancel", [1n, zeroHash]);
    await refuses(post(usd(1)), "ReserveNotNeeded", [1n]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a cancel", () => world().act(owner, "cancel", [1n, zeroHash])],
    ["a missed minimum", () => world().act(owner, "close", [1n])],
    ["a missed minimum that nobody closed", async () => world().warp(closeAt)],
    [
      "a void",
      () =>
        world()
          .act(owner, "close", [1n])
          .then(() => world().act(owner, "voidListing", [1n, zeroHash])),
    ],
  ])("goes back to the originator after %s", async (_, end) => {
    const { act, address, balance, dollar, list } = world();
    await list();
    await act(carol, "postReserve", [1n, usd(10)]);
    await end();
    await refuses(act(stranger, "releaseReserve", [1n, usd(10)]), "OwnableUnauthorizedAccount");
    await refuses(act(owner, "releaseReserve", [1n, usd(11)]), "ReserveTooSmall", [usd(10), usd(11)]);
    await refuses(act(owner, "releaseReserve", [1n, 0n]), "ZeroAmount");
    const [event] = await act(owner, "releaseReserve", [1n, usd(4)]);
    expect(event).toMatchObject({
      args: {
        reason: RESERVE.released,
        account: address(originator),
        amount: usd(4),
        reserveBalance: usd(6),
      },
    });
    await act(owner, "releaseReserve", [1n, usd(6)]);
    expect(await balance(dollar, originator)).toBe(usd(1_000_010));
  });
});
