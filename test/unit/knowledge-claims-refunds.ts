/** @module The claims on refunds and the reserve, and on the test network. */
import { expect } from "vitest";
import { formatAmount } from "../../api/market/amount.ts";
import { projectionOf } from "../../api/market/projection.ts";
import { statusAt } from "../../api/market/status.ts";
import { REFUND_REASONS } from "../../src/fold/vocabulary.ts";
import { DOLLAR, listingRow, NOW } from "../harness/rows.ts";
import { SITE } from "../harness/snapshot.ts";
import { type Claim, section } from "./knowledge-claims.ts";
import { ask } from "./knowledge-claims-asking.ts";

const LOAN = "test/contracts/loan.test.ts";
const PAYOUTS = "test/contracts/payouts.test.ts";
const REFUNDS = "test/contracts/refunds.test.ts";

const WRITES_OFF = `${LOAN} › applies the reserve first and writes off the rest`;
const NEEDS_RESERVE = `${LOAN} › needs the reserve that the target asks for, to the last unit`;
const SHARED = `${PAYOUTS} › are shared by balance and cumulative, whenever they are claimed`;
const AFTER_MISSED = `${REFUNDS} › after a missed minimum`;
const CLEARS =
  "test/contracts/auction.test.ts › fills the cheapest, splits the marginal bid, and pays the rest back at once";

const refunds = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("refunds-and-reserve", anchor, claims);
const network = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("test-network", anchor, claims);

const REFUNDS_AND_RESERVE = [
  refunds("", [
    [
      "Money goes back when a raise fails, is cancelled or is voided.",
      [AFTER_MISSED, `${REFUNDS} › after a cancel`],
    ],
    ["After the drawdown it comes back as repayments.", ["contracts/EscrowLoan.sol#repay"]],
  ]),
  refunds("what-happens-below-the-minimum", [
    [
      "When the amount raised is below the minimum at the close, all backers are refunded in full. Exactly the minimum is enough for success.",
      () => {
        const closed = { frozenAt: NOW, closedAt: NOW, minRaise: 50n * DOLLAR };
        const raised = (amount: bigint) =>
          statusAt(listingRow({ ...closed, raisedAmount: amount }), NOW).status;
        expect([raised(50n * DOLLAR - 1n), raised(50n * DOLLAR)]).toEqual(["refunding", "live"]);
      },
    ],
    ["all backers are refunded in full", [AFTER_MISSED]],
  ]),
  refunds("how-do-i-get-a-refund", [
    [
      "Anyone may make the claim for a backer, the money always goes to the backer, and there is no deadline.",
      [
        "contracts/EscrowRaise.sol#refund",
        AFTER_MISSED,
        `${REFUNDS} › after a missed minimum that nobody closed, which can still be closed then`,
      ],
    ],
    ["Claim it in the app: refunds are not sent by themselves.", "advice"],
    ["Only outbid bids are paid back by the close itself.", [CLEARS]],
  ]),
  refunds("why-has-nothing-arrived-in-my-wallet", [
    [
      "Repayments too wait in the contract until you claim them in the app, without a deadline.",
      ["contracts/EscrowPayouts.sol#claimPayout", SHARED],
    ],
    [
      "If the raise's page shows none, the business has not paid: see [whether it is late](/knowledge/statuses#is-it-late-or-in-default).",
      "advice",
    ],
  ]),
  refunds("for-developers", [
    [
      "`refundableAmount` is what is still to be claimed: at 0 the raise is fully refunded.",
      [
        "api/market/refunds.test.ts › after a missed minimum is what was committed at the close, less what went back since",
      ],
    ],
    ["`insuranceBps` is the reserve required", [NEEDS_RESERVE]],
    [
      "`reserveBalance` what is really there",
      ["src/fold/money.test.ts › takes the chain's balance where ours would be another"],
    ],
  ]),
  refunds("reasons-for-a-refund", [
    [
      "`withdrawn` (taken out before the close)",
      () => expect(REFUND_REASONS).toEqual(["withdrawn", "outbid", "min_not_met", "cancelled", "voided"]),
    ],
    ["`outbid` (the auction did not accept the bid)", [CLEARS]],
    ["`min_not_met` (the raise closed below its minimum)", [AFTER_MISSED]],
    [
      "`cancelled` or `voided`.",
      [`${REFUNDS} › after a cancel`, `${REFUNDS} › after a void of a raise that had succeeded`],
    ],
    [
      "Only the first two lower `raisedAmount`.",
      [
        `src/fold/money.test.ts › raisedAmount is subscriptions less what was withdrawn or outbid`,
        "src/fold/money.ts#lowersTheRaise",
      ],
    ],
  ]),
  refunds("cancelled-or-voided-what-is-the-difference", [
    [
      "The operator can cancel a raise before the close, and void it after the close but before the drawdown (a failed raise too).",
      [
        `${REFUNDS} › is the owner's, before the close`,
        `${REFUNDS} › is the owner's, after ListingClosed and before the drawdown, once`,
        `${REFUNDS} › after a void of a failed raise, whoever was refunded before it`,
      ],
    ],
    ["every backer can claim all of their money", [`${REFUNDS} › every backer is refunded in full`]],
  ]),
  refunds("what-is-the-reserve", [
    ["a share of the target. It must be in the escrow before the drawdown.", [NEEDS_RESERVE]],
    [
      "5% of a target of 100,000 dollars is a reserve of 5,000 dollars",
      () => {
        const { targetAmount, insuranceBps } = listingRow();
        if (targetAmount === null || insuranceBps === null) throw new Error("a made-up listing has terms");
        expect([targetAmount, insuranceBps]).toEqual([100_000n * DOLLAR, 500]);
        expect((targetAmount * BigInt(insuranceBps)) / 10_000n).toBe(5_000n * DOLLAR);
      },
    ],
    [
      "It pays principal that is missing at the end; the rest goes back to the business.",
      [WRITES_OFF, "contracts/EscrowLoan.sol#releaseReserve"],
    ],
  ]),
  refunds("what-does-the-reserve-cover-and-in-which-order", [
    ["The business's own payments come first.", [WRITES_OFF, "contracts/EscrowLoan.sol#settle"]],
    [
      "At settlement after maturity the reserve pays principal that is still missing. The operator may apply it earlier.",
      [
        WRITES_OFF,
        `${LOAN} › takes of the reserve only what is outstanding`,
        "contracts/EscrowLoan.sol#applyReserve",
      ],
    ],
    [
      "Only what is missing after that is written off: 95 of 100 dollars when 5 are in reserve and nothing is paid.",
      () => {
        const all = {
          ...{ targetAmount: `${100n * DOLLAR}`, raisedAmount: `${100n * DOLLAR}` },
          ...{ drawnAmount: `${100n * DOLLAR}`, outstandingPrincipal: `${100n * DOLLAR}` },
          reserveBalance: "0",
        };
        const open = { acceptsMoney: false, couponIsMaximum: false };
        const terms = { ...open, insuranceBps: 500, couponRateBps: 1450, tenorDays: 180 };
        expect(projectionOf({ ...all, ...terms }, 100n * DOLLAR).reserveRequired.lost).toBe(95n * DOLLAR);
      },
    ],
    ["Holders bear this loss in proportion to their tokens.", [SHARED]],
    ["The reserve pays principal, never interest", ["contracts/EscrowLoan.sol#_applyReserve"]],
    [
      "What is left of it goes back to the business when the raise has ended.",
      [`test/contracts/reserve.test.ts › is neither posted nor kept once the raise has ended`],
    ],
  ]),
];

const TEST_NETWORK = [
  network("", [["All values here are test data.", "definition"]]),
  network("for-developers", [
    [
      "`chainId` names the network.",
      ["test/integration/sources.test.ts › every face names the configured chain"],
    ],
  ]),
  network("who-is-behind-this-and-is-it-regulated", [
    ["An operator runs the marketplace.", "definition"],
    [
      "Its company, country and licences are not stated here; a contact, if it gives one, is in `/openapi.json`.",
      ["test/unit/openapi.test.ts › names the operator's contact where one is configured"],
    ],
    ["This is a test network, not a licensed offer of real investments.", "definition"],
  ]),
  network("where-do-i-get-test-money", [
    ["For gas, the price of a transaction, use a faucet; each has its own limit.", "advice"],
    [
      "USD-test of this project can be minted by anyone, without limit; others are given out by their operator.",
      ["contracts/TestDollar.sol#mint"],
    ],
  ]),
  network("for-developers", [
    [
      "`/system` has it and the contracts' addresses.",
      async () => {
        const { text } = await ask("/system.md");
        for (const fact of [`\`${SITE.chainId}\``, `\`${listingRow().escrowAddress}\``])
          expect(text).toContain(fact);
      },
    ],
    ["For RPC take any node of that chain.", "advice"],
    ["Each event's ABI is in its proof", ["api/rest/proof-schema.ts#eventProofSchema"]],
    ["the Solidity in this project's source.", ["contracts/ListingEscrow.sol#ListingEscrow"]],
  ]),
  network("is-this-real-money", [
    ["The contracts are on an EVM test network, a blockchain for trials.", "definition"],
    [
      "It is not the asset of the same name on any other chain and has no real value. Nothing here is an offer or financial advice.",
      "definition",
    ],
    ["The dollar is a test token, shown as USD-test.", () => expect(formatAmount("0")).toMatch(/ USD-test$/)],
  ]),
  network("what-happens-when-contracts-are-deployed-anew", [
    [
      "Contracts may be redeployed at any time.",
      [
        "test/integration/sources.test.ts › an escrow that is announced while the service runs is picked up without a restart",
      ],
    ],
    [
      "`onchainId` then starts again at 1; the `publicId` stays.",
      [
        "test/contracts/terms.test.ts › numbers from 1 and announces the terms and a token of its own",
        "test/integration/time-and-registry.test.ts › an entry that is pointed at another pair, as after a redeploy, keeps its public id",
      ],
    ],
    [
      "A refnum never changes, because it is fixed in the token; older raises may keep an older prefix.",
      [`${PAYOUTS} › carries the refnum, 18 decimals and the supply of what was raised`],
    ],
  ]),
];

export const CLAIMS_ON_REFUNDS: readonly Claim[] = REFUNDS_AND_RESERVE.flat();
export const CLAIMS_ON_THE_TEST_NETWORK: readonly Claim[] = TEST_NETWORK.flat();
