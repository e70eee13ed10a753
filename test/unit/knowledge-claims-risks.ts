/** @module The claims on risks: what costs a backer money, by the rules of the contracts and of the pages. */
import { expect } from "vitest";
import { projectionOf } from "../../api/market/projection.ts";
import { warningsOf } from "../../api/market/sentences.ts";
import { repaymentAt } from "../../api/market/status.ts";
import { DAY, DOLLAR, DRAWN, listingRow, NOW } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";
import { ask } from "./knowledge-claims-asking.ts";

const LOAN = "test/contracts/loan.test.ts";
const DESK = "test/contracts/desk.test.ts";
const PAYOUTS = "test/contracts/payouts.test.ts";
const REFUNDS = "test/contracts/refunds.test.ts";
const WRITES_OFF = `${LOAN} › applies the reserve first and writes off the rest`;
const SHARED = `${PAYOUTS} › are shared by balance and cumulative, whenever they are claimed`;

const risks = (anchor: string, claims: Parameters<typeof section>[2]) => section("risks", anchor, claims);

const confirmed = {
  originatorOnChain: true,
  originatorVerified: true,
  metadataOnChain: true,
  metadataVerified: true,
};
const marks = (change: Partial<typeof confirmed>) =>
  warningsOf({ ...confirmed, ...change }, { kybStatus: "approved" }).map(({ mark }) => mark);

const RISK_CLAIMS = [
  risks("", [["You can lose all that you lend.", [`${LOAN} › defaults without a reserve to apply`]]]),
  risks("", []),
  risks("what-if-the-business-does-not-pay", [
    [
      "in grace for 7 days, then late, and in default after 90 days",
      () => {
        const due = { ...DRAWN, maturityAt: NOW };
        const states = [7n, 90n].flatMap((days) =>
          [0n, 1n].map((more) => repaymentAt(listingRow(due), NOW + days * DAY + more)),
        );
        expect(states).toEqual(["grace", "late", "late", "default"]);
      },
    ],
    ["The business can still pay.", ["contracts/EscrowLoan.sol#repay"]],
    [
      "At settlement the [reserve](/knowledge/refunds-and-reserve#what-is-the-reserve) pays missing principal as far as it goes; the rest is written off, and holders lose it in proportion to their tokens.",
      [WRITES_OFF, SHARED],
    ],
    ["If the business pays only a part, holders share that part.", [SHARED]],
    [
      "[Raises that ended with a loss](/?repayment=written_off) show what was recovered.",
      async () => expect((await ask("/?repayment=written_off")).status).toBe(200),
    ],
  ]),
  risks("how-much-can-i-lose", [
    ["All of it. Nothing is insured or guaranteed.", [`${LOAN} › defaults without a reserve to apply`]],
    [
      "Only the reserve protects you, and it covers principal, never interest.",
      ["contracts/EscrowLoan.sol#_applyReserve"],
    ],
    [
      "with a reserve of 5% and a business that pays nothing, 95 of 100 dollars lent are lost",
      () => {
        const lent = `${DRAWN.drawnAmount}`;
        const amounts = {
          targetAmount: lent,
          raisedAmount: lent,
          drawnAmount: lent,
          outstandingPrincipal: lent,
        };
        const open = { acceptsMoney: false, couponIsMaximum: false };
        const terms = { ...open, insuranceBps: 500, couponRateBps: 1450, tenorDays: 180 };
        const { reserveRequired } = projectionOf(
          { ...amounts, ...terms, reserveBalance: "0" },
          100n * DOLLAR,
        );
        expect(reserveRequired.lost).toBe(95n * DOLLAR);
      },
    ],
  ]),
  risks("what-does-verified-mean", [
    [
      "The operator has checked who the business is. A business without this check can raise too, and is marked as not verified.",
      () => {
        const [mark] = warningsOf(confirmed, { kybStatus: "submitted" });
        expect(mark?.mark).toBe("Business not verified");
      },
    ],
    [
      "It does not mean that the loan is safe. A [grade](/knowledge/grades) is about earlier raises; it promises nothing.",
      "definition",
    ],
  ]),
  risks("what-if-a-raise-was-not-created-by-the-business", [
    [
      "Then it shows a warning: its creator is none of the business's published addresses, and somebody may pretend to be it.",
      () => expect([marks({}), marks({ originatorVerified: false })]).toEqual([[], [expect.any(String)]]),
    ],
    ["Check with the business before you send money.", "advice"],
  ]),
  risks("who-writes-the-description-of-a-raise", [
    ["Titles and descriptions come from the business or the operator.", "definition"],
    [
      "A warning shows when a text differs from the one committed to on the chain.",
      () => expect(marks({ metadataVerified: false })).toHaveLength(1),
    ],
    ["A text without a warning can still be untrue.", "definition"],
  ]),
  risks("can-i-get-out-early", [
    [
      "between the close and the drawdown tokens are locked",
      [`${PAYOUTS} › is locked between a successful close and the drawdown, by allowance too`],
    ],
    [
      "on the desk a buyer may pay less than you lent",
      [`${DESK} › moves tokens and dollars, in parts, and rounds the price up`],
    ],
  ]),
  risks("can-the-operator-run-off-with-my-money", [
    [
      "The operator can close, cancel or void a raise",
      [
        "test/contracts/raise.test.ts › is the owner's before the deadline and anybody's at it",
        `${REFUNDS} › is the owner's, before the close`,
        `${REFUNDS} › is the owner's, after ListingClosed and before the drawdown, once`,
      ],
    ],
    [
      "but the contract pays your money only to the business, less a fee, or back to you",
      [
        "contracts/EscrowLoan.sol#drawDown",
        "contracts/EscrowRaise.sol#refund",
        "contracts/EscrowRaise.sol#withdraw",
      ],
    ],
    ["A fault in a contract, or a lost wallet key, can still cost you everything.", "definition"],
  ]),
];

export const CLAIMS_ON_RISKS: readonly Claim[] = RISK_CLAIMS.flat();
