/** @module A raise of the market of `module.ts` for proofs, and its events as the model reads them. Amounts in units of six decimals. */
import type { Hex } from "viem";
import type { Foreign } from "../../model/proof.ts";
import { ALICE, BOB, ROUTER } from "../book.ts";
import type { Story } from "../proven-chain.ts";
import { logOf } from "./foreign.ts";

const SCALE = 10n ** 12n;
const TEXT: Hex = `0x${"7e".repeat(32)}`;
const DUE = 4_100_000_000n;

const opened = (id: bigint) =>
  logOf(
    ...([
      "RaiseOpened",
      id,
      ROUTER,
      `0x${`${id}`.repeat(40)}`,
      "RB00001",
      1_000n,
      100n,
      1450,
      500,
      90,
    ] as const),
    ...([false, 1n, 4_000_000_000n, TEXT] as const),
  );

/** Listing 1 from its creation to the payment that pays all; listing 2 has a deposit. */
export const FOREIGN_STORY: Story = [
  [
    [{ call: opened(1n) }, { call: opened(2n) }],
    [{ call: logOf("Deposited", 1n, ALICE, 400n) }],
    [{ call: logOf("Deposited", 1n, BOB, ROUTER, 60n) }, { call: logOf("Deposited", 2n, BOB, 400n) }],
  ],
  [
    [{ call: logOf("Returned", 1n, BOB, 0, 10n) }],
    [{ call: logOf("Cushion", 1n, 50n) }, { call: logOf("Cushion", 1n, -20n) }],
    [{ call: logOf("RaiseClosed", 1n, true) }],
    [{ call: logOf("Lent", 1n, 450n, DUE) }],
  ],
  [
    [{ call: logOf("PaymentMade", 1n, 100n, 7n) }],
    [{ call: logOf("PaidOut", 1n, ALICE, 90n) }, { call: logOf("PaidOut", 1n, BOB, 17n) }],
    [{ call: logOf("LumpSum", 1n, 50n) }],
    // 300 of it are principal.
    [{ call: logOf("LumpSum", 1n, 310n) }],
    // Its module fails on this one.
    [{ call: logOf("Done", 2n, "eaten by a whale") }],
  ],
];

/** The figures of listing 1, added up by hand, in the base units of the answers. */
export const FOREIGN_TOTALS = {
  raisedAmount: `${450n * SCALE}`,
  refundedAmount: `${10n * SCALE}`,
  reserveBalance: `${30n * SCALE}`,
  outstandingPrincipal: "0",
  claimedAmount: `${107n * SCALE}`,
  repaidAmount: `${467n * SCALE}`,
};

const dollars = (amount = -1n) => `${amount * SCALE}`;
const address = (value = 0n) => `0x${value.toString(16).padStart(40, "0")}`;

/** The market's events, written down again. */
export const FOREIGN: Foreign = {
  events: [
    [
      "RaiseOpened",
      "uint256 raiseId,address owner,address receipt",
      "string code,uint256 goal,uint256 floor,uint32 rate,uint32 cover,uint32 term,bool bidding,uint64 opens,uint64 deadline,bytes32 text",
    ],
    ["Deposited", "uint256 raiseId,address investor", "uint256 amount"],
    ["Deposited", "uint256 raiseId,address investor,address by", "uint256 amount"],
    ["Returned", "uint256 raiseId,address investor", "uint8 why,uint256 amount"],
    ["Cushion", "uint256 raiseId", "int256 change"],
    ["RaiseClosed", "uint256 raiseId", "bool byDeadline"],
    ["Lent", "uint256 raiseId", "uint256 amount,uint64 due"],
    ["PaymentMade", "uint256 raiseId", "uint256 principal,uint256 interest"],
    ["LumpSum", "uint256 raiseId", "uint256 amount"],
    ["PaidOut", "uint256 raiseId,address holder", "uint256 amount"],
    ["Done", "uint256 raiseId", "string how"],
  ],
  read(name, { goal, floor, owner, investor, by, amount, why, change, principal, interest, holder }) {
    switch (name) {
      case "RaiseOpened":
        return {
          ...{ kind: "listing_created", originatorAddress: address(owner), targetAmount: dollars(goal) },
          ...{ minRaise: dollars(floor), couponRateBps: 1450, pricingMode: "fixed" },
        };
      case "Deposited":
        return {
          ...{ kind: "subscribed", backer: address(investor), payer: address(by ?? investor) },
          ...{ amount: dollars(amount), totalRaised: null },
        };
      case "Returned":
        return {
          ...{ kind: "refunded", backer: address(investor), amount: dollars(amount) },
          reason: why === 0n ? "withdrawn" : "cancelled",
        };
      case "Cushion": {
        const signed = BigInt.asIntN(256, change ?? 0n);
        const isPosted = signed >= 0n;
        const kind = { kind: "reserve_changed", reason: isPosted ? "posted" : "released" };
        return { ...kind, amount: dollars(isPosted ? signed : -signed), reserveBalance: null };
      }
      case "RaiseClosed":
        return { kind: "listing_closed", raisedAmount: null };
      case "Lent":
        return { kind: "drawn_down", amount: dollars(amount), fee: "0" };
      case "PaymentMade":
        return { kind: "repaid", principal: dollars(principal), interest: dollars(interest) };
      case "LumpSum":
        return { kind: "repaid", principal: null, interest: null, paidAmount: dollars(amount) };
      case "Done":
        return { kind: "unmapped", logName: "Done" };
      default:
        return { kind: "payout_claimed", holder: address(holder), amount: dollars(amount) };
    }
  },
};
