/**
 * The claims on how a raise works. Most are rules of the reference escrow, proven on a local chain.
 * @module
 */
import { expect } from "vitest";
import { listingSchema } from "../../api/market/schema.ts";
import { statusAt } from "../../api/market/status.ts";
import { minimumMet } from "../../src/fold/rules.ts";
import { CLOSE_REASONS, PRICING_MODES } from "../../src/fold/vocabulary.ts";
import { listingRow } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";

const RAISE = "test/contracts/raise.test.ts";
const AUCTION = "test/contracts/auction.test.ts";
const TERMS = "test/contracts/terms.test.ts";
const LOAN = "test/contracts/loan.test.ts";
const PAYOUTS = "test/contracts/payouts.test.ts";
const REFUNDS = "test/contracts/refunds.test.ts";
const FREEZE = "src/fold/freeze.test.ts";

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
    ["An escrow contract holds the money.", [MINTS]],
    ["backers get one for each dollar of principal", [MINTS]],
    ["[The life of a raise](/knowledge/life-of-a-raise) has the steps.", "definition"],
  ]),
  how("who-holds-the-money", [
    [
      "Backers' money goes into an escrow contract on the chain, not to the company that runs the marketplace.",
      [MINTS],
    ],
    ["At the drawdown the contract pays it to the business.", [PAYS]],
  ]),
  how("target-and-minimum", [
    [
      "The target is what the business seeks, the minimum is the least with which the raise succeeds.",
      "definition",
    ],
    ["The minimum is never above the target.", [`${TERMS} › a minimum above the target`]],
    [
      "A raise in which nothing was raised always fails.",
      () => expect([minimumMet(0n, 0n), minimumMet(1n, 0n)]).toEqual([false, true]),
    ],
    ["A fixed raise takes no more than its target.", [FITS]],
  ]),
  how("how-much-can-i-lend", [
    [
      "any amount up to what is left of the target: there is no smallest amount",
      [FITS, `${RAISE} › refuses nothing, nobody, a bid, and a listing that does not exist`],
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
    [
      "A raise without a closing time has no deadline.",
      () => expect(statusAt(listingRow({ closeAt: null }), 2n ** 64n).status).toBe("listed"),
    ],
    [
      "From the close on the amount committed and the number of backers stand still; only an auction's clearing still changes them.",
      [
        `${FREEZE} › at ListingClosed`,
        `${FREEZE} › so outbid refunds lower raised, net and count until the first ListingClosed`,
        `${FREEZE} › and a fixed raise has no such exception`,
      ],
    ],
  ]),
  how("fixed-price-or-auction", [
    [
      "In a fixed raise the interest per year is given and everyone earns it.",
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
      "Until the close a backer can withdraw a part or all.",
      [
        `${RAISE} › gives back a part and the rest until the last second`,
        `${RAISE} › refuses more than the position, nothing, and anything once the raise is over`,
      ],
    ],
    [
      "From the drawdown on tokens can be sold",
      ["test/contracts/desk.test.ts › is not possible before the drawdown"],
    ],
  ]),
  how("can-the-terms-change", [
    [
      "Before the first subscription, all of them.",
      [`${TERMS} › changes anything before the first subscription`],
    ],
    [
      "After it only the closing time, to a later one, before the close.",
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
  how("what-does-a-raise-cost-the-business", [
    [
      "Interest to the backers, and the fee. It also has to put up the [reserve](/knowledge/refunds-and-reserve).",
      [PAYS, NEEDS_RESERVE, "contracts/EscrowLoan.sol#repay"],
    ],
  ]),
  how("repayment-and-payouts", [
    [
      "Principal and interest are due in one payment at maturity, not every month.",
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
    ["Every figure links to the events behind it.", ["api/site/listing/fields.ts#factOf"]],
    [
      '"Prove it" on a raise checks its events against your own node',
      [
        "test/browser/prove.test.ts › proves it by keyboard alone; nothing of the node goes to the service, or is kept",
      ],
    ],
  ]),
  how("for-developers", [
    ["A raise is a _listing_ in the API, a _deal_ in the tools.", "definition"],
    [
      "`targetAmount`, `minRaise`: target and minimum. `raisedAmount`, `subscriberCount`: committed, and by how many. `pricingMode` is `fixed` or `auction`;",
      () => {
        const names = ["targetAmount", "minRaise", "raisedAmount", "subscriberCount"];
        expect(Object.keys(listingSchema.shape)).toEqual(expect.arrayContaining(names));
        expect(PRICING_MODES).toEqual(["fixed", "auction"]);
      },
    ],
    [
      "`couponRateBps` is the rate, an auction's ceiling until the close and its clearing rate from then on.",
      ["api/market/project.test.ts › shows the coupon of the terms until the close fixes it"],
    ],
    [
      "`goLiveAt`, `closeAt` (or null) and `maturityAt` are the opening, the closing time and the due date; `tenorDays` is the term.",
      () => {
        const names = ["goLiveAt", "closeAt", "maturityAt", "tenorDays"];
        expect(Object.keys(listingSchema.shape)).toEqual(expect.arrayContaining(names));
      },
    ],
    [
      "The `reason` of `listing_closed` is `filled`, `deadline` or `manual`.",
      () => expect(CLOSE_REASONS).toEqual(["filled", "deadline", "manual"]),
    ],
    ["These are the rules of the reference escrow.", ["contracts/ListingEscrow.sol#ListingEscrow"]],
    [
      "What does not add up on the chain is at [/v1/anomalies](/v1/anomalies).",
      ["api/rest/anomalies.test.ts › has every anomaly, of invisible listings without a name"],
    ],
  ]),
];

const life = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("life-of-a-raise", anchor, claims);

const LIFE_OF_A_RAISE = [
  life("", [["Most raises go straight through: open, funded, repaying, repaid.", "definition"]]),
  life("what-happens-from-start-to-end", [
    [
      "The raise is created on the chain and published.",
      ["api/market/visibility.test.ts › when it is created, published and has gone live"],
    ],
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
