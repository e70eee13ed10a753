/**
 * The claims on how a raise works. Most are rules of the reference escrow, proven on a local chain.
 * @module
 */
import { expect } from "vitest";
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
    ["This site shows the raises of a marketplace.", "definition"],
    [
      "A business (the **originator**) borrows money for a fixed term in a **raise**: a _listing_ in the API, a _deal_ in the tools. Those who lend are **backers**.",
      "definition",
    ],
    ["An escrow contract holds the money.", [MINTS]],
    ["backers get one for each dollar of principal", [MINTS]],
  ]),
  how("from-listing-to-repayment", [
    [
      "The raise is created on the chain with its terms and is published.",
      ["api/market/visibility.test.ts › when it is created, published and has gone live"],
    ],
    ["It opens at `goLiveAt`.", [OPENS]],
    ["Backers subscribe until the close.", [OPENS]],
    ["At the close the amount raised is compared with the minimum.", ["src/fold/rules.ts#minimumMet"]],
    ["Below it everyone [is refunded](/knowledge/refunds-and-reserve).", [AFTER_MISSED]],
    ["the originator draws the money down. The term begins.", [PAYS]],
    ["The originator repays principal and interest. Token holders claim their shares.", [SHARED]],
    ["With no principal left the raise is settled.", [SETTLES_ITSELF]],
    ["the reserve covers as far as it goes; the rest is written off", [WRITES_OFF]],
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
      "`targetAmount` is what the business seeks, `minRaise` is the least with which the raise succeeds.",
      "definition",
    ],
    ["The minimum is never above the target.", [`${TERMS} › a minimum above the target`]],
    [
      "A raise in which nothing was raised always fails.",
      () => expect([minimumMet(0n, 0n), minimumMet(1n, 0n)]).toEqual([false, true]),
    ],
    ["A fixed raise takes no more than its target.", [FITS]],
  ]),
  how("how-much-has-been-raised-and-by-how-many", [
    [
      "`raisedAmount` is what backers have committed so far",
      ["src/fold/money.test.ts › raisedAmount is subscriptions less what was withdrawn or outbid"],
    ],
    [
      "`subscriberCount` how many have backed the raise",
      [
        "src/fold/money.test.ts › counts the same backer twice as one",
        "src/fold/money.test.ts › counts out and in again as one",
      ],
    ],
  ]),
  how("when-does-a-raise-close", [
    [
      "the `reason` of the event `listing_closed`",
      () => expect(CLOSE_REASONS).toEqual(["filled", "deadline", "manual"]),
    ],
    ["`filled`: a fixed raise reached its target.", [FITS]],
    ["`deadline`: `closeAt` came.", [WHO_CLOSES]],
    ["`manual`: the operator closed it early.", [WHO_CLOSES]],
    [
      "A raise whose `closeAt` is null has no deadline.",
      () => expect(statusAt(listingRow({ closeAt: null }), 2n ** 64n).status).toBe("listed"),
    ],
    [
      "From the close on `raisedAmount` and `subscriberCount` stand still; only an auction's clearing still changes them.",
      [
        `${FREEZE} › at ListingClosed`,
        `${FREEZE} › so outbid refunds lower raised, net and count until the first ListingClosed`,
        `${FREEZE} › and a fixed raise has no such exception`,
      ],
    ],
  ]),
  how("fixed-price-or-auction", [
    ["With `pricingMode` `fixed`", () => expect(PRICING_MODES).toEqual(["fixed", "auction"])],
    [
      "from 1 basis point up to the ceiling in `couponRateBps`",
      [`${AUCTION} › takes rates from 1 to the ceiling`],
    ],
    ["Bids may go past the target.", [`${AUCTION} › goes past the target and does not close itself there`]],
    ["the cheapest bids are accepted until the target is full", [CLEARS]],
    ["of equal bids the earlier wins", [`${AUCTION} › prefers the earlier of equal bids`]],
    [
      "All accepted bids earn the rate of the dearest accepted one",
      [`${AUCTION} › takes everything between the minimum and the target, at the dearest bid's rate`],
    ],
    [
      "which `couponRateBps` shows from then on",
      ["api/market/project.test.ts › shows the coupon of the terms until the close fixes it"],
    ],
    ["The others are paid back at once (`outbid`).", [CLEARS]],
    [
      "up to 200 bids, each of at least 1/200 of the target",
      [
        `${AUCTION} › takes 200 bids, and clears the worst order of them within one transaction`,
        `${AUCTION} › takes no bid below a two-hundredth of the target, neither new nor left over`,
      ],
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
      "After it only `closeAt`, to a later time, before the close.",
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
    ["`maturityAt`, when the money is due back, is the drawdown plus the term, `tenorDays`.", [PAYS]],
  ]),
  how("what-does-a-raise-cost-the-business", [
    [
      "Interest to the backers, and the fee. It also has to put up the [reserve](/knowledge/refunds-and-reserve).",
      [PAYS, NEEDS_RESERVE, "contracts/EscrowLoan.sol#repay"],
    ],
  ]),
  how("repayment-and-payouts", [
    [
      "Principal and interest are due in one payment at maturity",
      [
        "api/market/schedule.ts#scheduleOf",
        "api/market/schedule.test.ts › is what was drawn, with every payment and the sums of all",
      ],
    ],
    ["The originator may pay earlier or in parts.", [SETTLES_ITSELF]],
    [
      "shared by balance among those who hold tokens at that moment; they claim their shares themselves",
      [SHARED, `${PAYOUTS} › stay with whoever held the token at the repayment`],
    ],
    ["These are the rules of the reference escrow.", ["contracts/ListingEscrow.sol#ListingEscrow"]],
    [
      "What does not add up on the chain is at [/v1/anomalies](/v1/anomalies).",
      ["api/rest/anomalies.test.ts › has every anomaly, of invisible listings without a name"],
    ],
  ]),
];

export const CLAIMS_ON_RAISES: readonly Claim[] = HOW_RAISES_WORK.flat();
