/** @module The claims on how a raise works. Most are rules of the reference escrow, proven on a local chain. */
import { expect } from "vitest";
import { listingSchema } from "../../api/market/schema.ts";
import { statusAt } from "../../api/market/status.ts";
import { minimumMet } from "../../src/fold/rules.ts";
import { PRICING_MODES } from "../../src/fold/vocabulary.ts";
import { DOLLAR, listingRow, NOW } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";
import { ask } from "./knowledge-claims-asking.ts";

const RAISE = "test/contracts/raise.test.ts";
const AUCTION = "test/contracts/auction.test.ts";
const TERMS = "test/contracts/terms.test.ts";
const LOAN = "test/contracts/loan.test.ts";
const PAYOUTS = "test/contracts/payouts.test.ts";
const REFUNDS = "test/contracts/refunds.test.ts";
const SOLD = "test/contracts/desk.test.ts › is not possible before the drawdown";

const MINTS = `${RAISE} › mints the principal to the backer and takes the money from the payer`;
const OPENS = `${RAISE} › opens at goLiveAt and ends before closeAt, to the second`;
const FITS = `${RAISE} › takes what fits under the target, and closes itself there`;
const WHO_CLOSES = `${RAISE} › says Manual where the owner closes early, and Deadline where late`;
const PAYS = `${LOAN} › pays the raise less the fee, and starts the term`;
const SETTLES_ITSELF = `${LOAN} › lowers the principal by principal only, and settles itself at zero`;
const WRITES_OFF = `${LOAN} › applies the reserve first and writes off the rest`;
const NEEDS_RESERVE = `${LOAN} › needs the reserve that the target asks for, to the last unit`;
const SHARED = `${PAYOUTS} › are shared by balance and cumulative, whenever they are claimed`;
const AFTER_MISSED = `${REFUNDS} › after a missed minimum`;
const CLEARS = `${AUCTION} › fills the cheapest, splits the marginal bid, and pays the rest back at once`;

const how = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("how-raises-work", anchor, claims);

const HOW_RAISES_WORK = [
  how("", [
    [
      "This site shows the raises of a marketplace. A business borrows money for a fixed term in a **raise**. Those who lend are **backers**.",
      "definition",
    ],
    ["[The life of a raise](/knowledge/life-of-a-raise) has the steps.", "definition"],
  ]),
  how("how-do-i-start", [
    ["Read [the risks](/knowledge/risks), and choose an open raise on [the board](/).", "advice"],
    ["Get a wallet and [test money](/knowledge/test-network#where-do-i-get-test-money).", "advice"],
    ["Open the raise in the app, sign in, and commit an amount.", "advice"],
  ]),
  how("what-is-the-token-for", [
    ["Each raise has its own token: backers get one for each dollar of principal.", [MINTS]],
    ["It is a share of the loan: whoever holds it gets the repayments.", [SHARED]],
    ["From the drawdown on it can be sold.", [SOLD]],
  ]),
  how("who-holds-the-money", [
    [
      "Backers' money goes into an escrow contract on the chain, not to the company that runs the marketplace.",
      [MINTS],
    ],
    [
      "Until the drawdown it can only go back to the backers; then the contract pays it to the business.",
      ["contracts/EscrowRaise.sol#withdraw", "contracts/EscrowRaise.sol#refund", PAYS],
    ],
  ]),
  how("target-and-minimum", [
    [
      "The target is what the business seeks, the minimum is the least with which the raise succeeds.",
      "definition",
    ],
    ["The minimum is never above the target.", [`${TERMS} › a minimum above the target`]],
    [
      "With the minimum met the business gets what was raised, even if the target was not reached; otherwise backers are refunded.",
      () => {
        const closed = { frozenAt: NOW, closedAt: NOW, minRaise: 50n * DOLLAR, targetAmount: 100n * DOLLAR };
        const raised = (raisedAmount: bigint) =>
          statusAt(listingRow({ ...closed, raisedAmount }), NOW).status;
        expect([raised(50n * DOLLAR), raised(49n * DOLLAR)]).toEqual(["live", "refunding"]);
      },
    ],
    [
      "A raise in which nothing was raised always fails.",
      () => expect([minimumMet(0n, 0n), minimumMet(1n, 0n)]).toEqual([false, true]),
    ],
    ["A fixed raise takes no more than its target.", [FITS]],
  ]),
  how("how-much-can-i-lend", [
    [
      "any amount up to what is left of the target: there is no smallest amount",
      [FITS, `${RAISE} › refuses zero, the zero address, bids and unknown listings`],
    ],
    [
      "An auction's smallest bid is 1/200 of the target.",
      [`${AUCTION} › takes no bid below a two-hundredth of the target, neither new nor left over`],
    ],
  ]),
  how("how-much-has-been-raised-and-by-how-many", [
    [
      "what backers have committed so far",
      ["src/fold/money.test.ts › raisedAmount is subscriptions less what was withdrawn or outbid"],
    ],
    [
      "how many have backed it",
      [
        "src/fold/money.test.ts › counts the same backer twice as one",
        "src/fold/money.test.ts › counts out and in again as one",
      ],
    ],
  ]),
  how("when-does-a-raise-close", [
    ["it reaches its target (a fixed raise), its closing time comes", [FITS, WHO_CLOSES]],
    ["or the operator closes it early", [WHO_CLOSES]],
  ]),
  how("fixed-price-or-auction", [
    [
      "In a fixed raise the business's terms set the interest per year, and everyone earns it. In an auction backers decide: each bids a rate",
      ["contracts/EscrowLoan.sol#repay"],
    ],
    ["from 0.01% up to a ceiling", [`${AUCTION} › takes rates from 1 to the ceiling`]],
    ["Bids may go past the target.", [`${AUCTION} › goes past the target and does not close itself there`]],
    ["the cheapest bids are accepted until the target is full", [CLEARS]],
    ["of equal bids the earlier wins", [`${AUCTION} › prefers the earlier of equal bids`]],
    [
      "Every accepted bid earns the highest accepted rate",
      [`${AUCTION} › takes everything between the minimum and the target, at the dearest bid's rate`],
    ],
    ["Bids that are too high are outbid and paid back at once.", [CLEARS]],
    [
      "up to 200 bids",
      [`${AUCTION} › takes 200 bids, and clears the worst order of them within one transaction`],
    ],
  ]),
  how("can-i-take-my-money-out-before-the-close", [
    [
      "Until the close a backer can withdraw all or a part",
      [
        `${RAISE} › gives back a part and the rest until the last second`,
        `${RAISE} › refuses more than the position, nothing, and anything once the raise is over`,
      ],
    ],
    [
      "but leave no bid below the smallest.",
      [`${AUCTION} › takes no bid below a two-hundredth of the target, neither new nor left over`],
    ],
    ["From the drawdown on tokens can be sold", [SOLD]],
  ]),
  how("can-the-terms-change", [
    [
      "Until the first subscription, all; after it only the closing time, to a later one.",
      [
        `${TERMS} › only postpones the close after the first subscription`,
        `${TERMS} › postpones until the last second before the close, and not at it`,
      ],
    ],
  ]),
  how("drawdown-maturity-and-fee", [
    ["once the reserve is posted", [NEEDS_RESERVE]],
    ["draws down all that was raised, less a fee", [PAYS]],
    ["The fee is part of the principal owed", [PAYS, "contracts/EscrowLoan.sol#drawDown"]],
    ["The money is tied up for the term: it is due back at the drawdown plus the term.", [PAYS]],
    [
      "If the business never takes the money, the operator can void the raise, and backers are refunded.",
      [
        `${REFUNDS} › is the owner's, after ListingClosed and before the drawdown, once`,
        `${REFUNDS} › after a void of a raise that had succeeded`,
      ],
    ],
  ]),
  how("what-are-the-fees", [
    [
      "Backers pay no fee, neither to lend nor on the desk",
      [MINTS, "test/contracts/desk.test.ts › moves tokens and dollars, in parts, and rounds the price up"],
    ],
    ["but the network charges gas for each transaction", "definition"],
    [
      "The business pays interest, and at the drawdown the fee: a share of what was raised, for an address set by the operator. It also has to put up the [reserve](/knowledge/refunds-and-reserve).",
      [PAYS, NEEDS_RESERVE, "contracts/EscrowLoan.sol#repay", "contracts/EscrowFactory.sol#deploy"],
    ],
    [
      "Reading this site is free.",
      async () => {
        for (const path of ["/", "/v1/listings"]) expect((await ask(path)).status, path).toBe(200);
      },
    ],
  ]),
  how("how-can-my-business-raise-money", [
    [
      "To borrow, ask the operator, who creates and publishes all raises; what it requires is not stated here.",
      ["contracts/EscrowListings.sol#createListing"],
    ],
    [
      "The raise has to reach its minimum, and the business to post the reserve, before it gets the money.",
      [NEEDS_RESERVE],
    ],
  ]),
  how("can-a-business-have-several-raises-at-once", [
    [
      "Yes, even with an unpaid loan: no rule of the contract stops it, only the operator can.",
      ["contracts/EscrowListings.sol#createListing"],
    ],
    [
      "Its page shows its other loans, and one that is unpaid [lowers its grade](/knowledge/grades#caps-after-a-failure).",
      ["api/market/grade.ts#gradeAt"],
    ],
  ]),
  how("repayment-and-payouts", [
    [
      "Principal and interest are due in one payment at maturity (the drawdown plus the term), not every month.",
      [
        "api/market/schedule.ts#scheduleOf",
        "api/market/schedule.test.ts › is what was drawn, with every payment and the sums of all",
      ],
    ],
    ["The business may pay back earlier or in parts.", [SETTLES_ITSELF]],
    [
      "shared by balance among those who hold tokens at that moment; they claim their repayments themselves",
      [SHARED, `${PAYOUTS} › stay with whoever held the token at the repayment`],
    ],
  ]),
  how("can-i-check-the-figures-myself", [
    ["Every amount that moved links to the events behind it.", ["api/site/listing/fields.ts#factOf"]],
    [
      '"Prove it" on a raise checks its events against your own node',
      [
        "test/browser/prove.test.ts › proves it by keyboard alone; nothing of the node goes to the service, or is kept",
      ],
    ],
    [
      "[The system page](/system) has the audit: it compares each amount with the contracts.",
      [
        "test/integration/audit.test.ts › shows in the figures of its listing, whatever moved money; in all of them with the logs",
      ],
    ],
    ["No outside auditor is known.", "definition"],
    ["Names, texts and the check of a business rest on the operator's word.", "definition"],
  ]),
  how("for-developers", [
    [
      "`minRaise` is the minimum, `raisedAmount` what was committed, by `subscriberCount` backers. `pricingMode` is `fixed` or `auction`;",
      () => {
        const names = ["minRaise", "raisedAmount", "subscriberCount"];
        expect(Object.keys(listingSchema.shape)).toEqual(expect.arrayContaining(names));
        expect(PRICING_MODES).toEqual(["fixed", "auction"]);
      },
    ],
    [
      "`couponRateBps` is the rate, an auction's ceiling until the close and its clearing rate from then on.",
      ["api/market/project.test.ts › shows the coupon of the terms until the close fixes it"],
    ],
    [
      "`closeAt` (or null) and `maturityAt` are the closing time and the due date.",
      () => {
        const names = ["closeAt", "maturityAt"];
        expect(Object.keys(listingSchema.shape)).toEqual(expect.arrayContaining(names));
      },
    ],
    ["These are the rules of the reference escrow.", ["contracts/ListingEscrow.sol#ListingEscrow"]],
  ]),
];

const life = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("life-of-a-raise", anchor, claims);

const LIFE_OF_A_RAISE = [
  life("", [["Most raises go straight through: open, funded, repaying, repaid.", "definition"]]),
  life("what-happens-from-start-to-end", [
    ["Backers subscribe until [the close](/knowledge/how-raises-work#when-does-a-raise-close).", [OPENS]],
    ["At the close the amount raised is compared with the minimum.", ["src/fold/rules.ts#minimumMet"]],
    ["the business posts its reserve and draws the money down", [NEEDS_RESERVE, PAYS]],
    ["The term begins.", [PAYS]],
    ["The business pays back principal and interest; token holders claim their shares.", [SHARED]],
    ["With no principal left the raise is settled.", [SETTLES_ITSELF]],
  ]),
  life("how-else-can-it-end", [
    ["Below its minimum everyone [is refunded](/knowledge/refunds-and-reserve).", [AFTER_MISSED]],
    [
      "**Cancelled** before the close, or **voided** between the close and the drawdown: everyone is refunded.",
      [`${REFUNDS} › after a cancel`, `${REFUNDS} › after a void of a raise that had succeeded`],
    ],
    [
      "After the due date the reserve covers missing principal as far as it goes; at settlement the rest is written off.",
      [WRITES_OFF],
    ],
  ]),
];

export const CLAIMS_ON_RAISES: readonly Claim[] = [...HOW_RAISES_WORK, ...LIFE_OF_A_RAISE].flat();
