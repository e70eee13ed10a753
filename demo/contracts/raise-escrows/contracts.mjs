// The meaning of the events of contracts/examples/RaiseEscrow.sol: each raise has an escrow, which a factory deploys. Nothing says what its
// terms are, when it closes, or that its money is taken: the terms are in the registry, and the rest follows from them.
export default {
  name: "Raise escrows",
  escrow: {
    abi: [
      "event Deposited(address indexed backer, uint256 amount)",
      "event Withdrawn(address indexed backer, uint256 amount)",
      "event Repaid(uint256 amount)",
    ],
    onchainId: () => 1n,
    closesAtTarget: true,
    events: {
      Deposited: ({ args }) => ({ kind: "subscribed", backer: args.backer, amount: args.amount }),
      Withdrawn: ({ args }) => ({ kind: "refunded", backer: args.backer, amount: args.amount }),
      Repaid: ({ args }) => ({ kind: "repaid", amount: args.amount }),
    },
    dollar: "function dollar() view returns (address)",
  },
  factory: { event: "event RaiseDeployed(address indexed raise, address indexed owner)", escrow: "raise" },
};
