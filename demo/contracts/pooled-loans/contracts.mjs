// The meaning of the events of contracts/examples/TranchedPools.sol: each tranche of a pool is a raise.
export default {
  name: "Pooled loans",
  escrow: {
    abi: [
      "event TrancheOpened(uint256 indexed trancheId, uint256 indexed poolId, address indexed borrower, address share, string code, uint256 target, uint256 minimum, uint32 rateBps, uint32 termDays, uint64 opensAt, uint64 closesAt)",
      "event DepositMade(address indexed investor, uint256 indexed trancheId, uint256 amount)",
      "event WithdrawalMade(address indexed investor, uint256 indexed trancheId, uint256 amount)",
      "event TrancheLocked(uint256 indexed trancheId, uint256 amount)",
      "event TrancheCancelled(uint256 indexed trancheId, bool wasLocked)",
      "event DrawdownMade(uint256 indexed trancheId, uint256 amount, uint64 dueAt)",
      "event PaymentApplied(uint256 indexed trancheId, uint256 interest, uint256 principal)",
      "event TrancheRepaid(uint256 indexed trancheId)",
      "event ProceedsCollected(address indexed investor, uint256 indexed trancheId, uint256 amount)",
    ],
    decimals: 6,
    onchainId: ({ args }) => args.trancheId,
    events: {
      TrancheOpened: ({ args }) => ({
        kind: "listing_created",
        originator: args.borrower,
        token: args.share,
        refnum: args.code,
        terms: {
          targetAmount: args.target,
          minRaise: args.minimum,
          couponRateBps: args.rateBps,
          // A junior tranche takes the first loss; nobody posts a reserve.
          insuranceBps: 0,
          tenorDays: args.termDays,
          pricingMode: "fixed",
          goLiveAt: args.opensAt,
          closeAt: args.closesAt,
        },
      }),
      DepositMade: ({ args }) => ({ kind: "subscribed", backer: args.investor, amount: args.amount }),
      WithdrawalMade: ({ args }) => ({ kind: "refunded", backer: args.investor, amount: args.amount }),
      TrancheLocked: ({ args }) => ({ kind: "listing_closed", raisedAmount: args.amount }),
      // Before it was locked a tranche is cancelled, afterwards it is undone.
      TrancheCancelled: ({ args }) => ({ kind: args.wasLocked ? "listing_voided" : "listing_cancelled" }),
      DrawdownMade: ({ args }) => ({ kind: "drawn_down", amount: args.amount, maturityAt: args.dueAt }),
      PaymentApplied: ({ args }) => ({ kind: "repaid", principal: args.principal, interest: args.interest }),
      TrancheRepaid: () => ({ kind: "listing_settled" }),
      ProceedsCollected: ({ args }) => ({
        kind: "payout_claimed",
        holder: args.investor,
        amount: args.amount,
      }),
    },
    views: {
      raisedAmount: { function: "function depositedIn(uint256 trancheId) view returns (uint256)" },
      outstandingPrincipal: { function: "function owedOn(uint256 trancheId) view returns (uint256)" },
    },
    dollar: "function dollar() view returns (address)",
  },
};
