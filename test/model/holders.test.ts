import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import { balancesOf } from "./holders.ts";
import { ALICE, BOB, CAROL, TOKEN } from "./tell.ts";

const told = (from: string, to: string, value: bigint, token: string = TOKEN) => ({ token, from, to, value });

test("an address with some of this token left is a holder; the zero address never is", () => {
  const transfers = [
    told(zeroAddress, ALICE, 100n),
    told(zeroAddress, BOB, 50n),
    told(BOB, ALICE, 50n),
    told(ALICE, CAROL, 30n),
    told(CAROL, CAROL, 30n),
    told(CAROL, BOB, 0n),
    told(ALICE, zeroAddress, 20n),
    told(zeroAddress, BOB, 7n, CAROL),
  ];
  expect(balancesOf(transfers, TOKEN.toUpperCase().replace("0X", "0x"))).toEqual(
    new Map([
      [ALICE, 100n],
      [CAROL, 30n],
    ]),
  );
  expect(balancesOf(transfers, BOB).size).toBe(0);
});
