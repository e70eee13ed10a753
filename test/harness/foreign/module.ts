/**
 * The contracts of a market that is not ours: other names, six decimals, no running totals, one event that says two things by a flag and one that is
 * two of ours, and words where ours has numbers. `foreign.ts` makes its logs.
 * @module
 */
import type { ContractsModule } from "../../../src/contracts/module.ts";

const kindOfReturn = ["withdrawn", "outbid", "min_not_met", "cancelled", "voided"] as const;

/** The module cannot tell to which raise its events belong. */
export const LOST_RAISE = 404n;

const foreign: ContractsModule = {
  name: "Harbour",
  escrow: {
    decimals: 6,
    abi: [
      "event RaiseOpened(uint256 indexed raiseId, address indexed owner, address indexed receipt, string code, uint256 goal, uint256 floor, uint32 rate, uint32 cover, uint32 term, bool bidding, uint64 opens, uint64 deadline, bytes32 text)",
      "event RaiseChanged(uint256 indexed raiseId, uint256 goal, uint256 floor, uint64 deadline)",
      "event Deposited(uint256 indexed raiseId, address indexed investor, uint256 amount)",
      "event Deposited(uint256 indexed raiseId, address indexed investor, address indexed by, uint256 amount)",
      "event Moved(uint256 indexed raiseId, address indexed from, address indexed to, uint256 amount)",
      "event Returned(uint256 indexed raiseId, address indexed investor, uint8 why, uint256 amount)",
      "event Cushion(uint256 indexed raiseId, int256 change)",
      "event RaiseClosed(uint256 indexed raiseId, bool byDeadline)",
      "event Lent(uint256 indexed raiseId, uint256 amount, uint64 due)",
      "event PaymentMade(uint256 indexed raiseId, uint256 principal, uint256 interest)",
      "event LumpSum(uint256 indexed raiseId, uint256 amount)",
      "event PaidOut(uint256 indexed raiseId, address indexed holder, uint256 amount)",
      "event Done(uint256 indexed raiseId, string how)",
      { type: "event", name: "Noise", inputs: [{ name: "value", type: "uint256", indexed: false }] },
    ],
    onchainId: ({ args }) => {
      if (args.raiseId === LOST_RAISE) throw new Error("of a raise that is lost");
      return args.raiseId;
    },
    dollar: "function currency() view returns (address)",
    views: {
      raisedAmount: { function: "function raised(uint256 raiseId) view returns (uint256)" },
      refundedAmount: { function: "function returned(uint256 raiseId) view returns (uint256)" },
      reserveBalance: { function: "function cushion(uint256 raiseId) view returns (uint256)" },
      outstandingPrincipal: { function: "function owed(uint256 raiseId) view returns (uint256)" },
      claimedAmount: { function: "function paid(uint256 raiseId) view returns (uint256)" },
    },
    events: {
      RaiseOpened: ({ args }) => ({
        kind: "listing_created",
        originator: args.owner,
        token: args.receipt,
        refnum: args.code,
        metadataHash: args.text,
        terms: {
          targetAmount: args.goal,
          minRaise: args.floor,
          couponRateBps: args.rate,
          insuranceBps: args.cover,
          tenorDays: args.term,
          pricingMode: args.bidding ? "auction" : "fixed",
          goLiveAt: args.opens,
          closeAt: args.deadline,
        },
      }),
      RaiseChanged: ({ args }) => ({
        kind: "listing_terms_updated",
        terms: { targetAmount: args.goal, minRaise: args.floor, closeAt: args.deadline },
      }),
      "Deposited(uint256,address,uint256)": ({ args }) => ({
        kind: "subscribed",
        backer: args.investor,
        amount: args.amount,
      }),
      "Deposited(uint256,address,address,uint256)": ({ args }) => ({
        kind: "subscribed",
        backer: args.investor,
        payer: args.by,
        amount: args.amount,
      }),
      Moved: ({ args: { from, to, amount } }) => [
        { kind: "refunded", backer: from, reason: "withdrawn", amount },
        { kind: "subscribed", backer: to, amount },
      ],
      Returned: ({ args }) => ({
        kind: "refunded",
        backer: args.investor,
        reason: kindOfReturn[args.why as number] ?? "unknown_9",
        amount: args.amount,
      }),
      Cushion: ({ args: { change } }) => ({
        kind: "reserve_changed",
        reason: change < 0n ? "released" : "posted",
        amount: change < 0n ? -change : change,
      }),
      RaiseClosed: ({ args }) => ({
        kind: "listing_closed",
        reason: args.byDeadline ? "deadline" : "manual",
      }),
      Lent: ({ args }) => ({ kind: "drawn_down", amount: args.amount, maturityAt: args.due }),
      PaymentMade: ({ args }) => ({ kind: "repaid", principal: args.principal, interest: args.interest }),
      LumpSum: ({ args }) => ({ kind: "repaid", amount: args.amount }),
      PaidOut: ({ args }) => ({ kind: "payout_claimed", holder: args.holder, amount: args.amount }),
      Done: ({ args }) => {
        if (args.how === "called off") return { kind: "listing_cancelled" };
        if (args.how === "undone") return { kind: "listing_voided" };
        if (args.how === "settled") return { kind: "listing_settled" };
        throw new Error(`an end that is not known: ${args.how}`);
      },
    },
  },
};

// biome-ignore lint/style/noDefaultExport: what a module has to have
export default foreign;
