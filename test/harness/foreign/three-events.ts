/**
 * The contracts of a market with the least that can be told: each raise has its own escrow, found through a factory, with three
 * events and no terms.
 * @module
 */
import type { ContractsModule } from "../../../src/contracts/module.ts";

const threeEvents = {
  name: "Quarry",
  escrow: {
    decimals: 6,
    abi: [
      "event PaidIn(address indexed who, uint256 value)",
      "event PaidBack(address indexed who, uint256 value)",
      "event Serviced(uint256 value)",
    ],
    onchainId: () => 1n,
    closesAtTarget: true,
    events: {
      PaidIn: ({ args }) => ({ kind: "subscribed", backer: args.who, amount: args.value }),
      PaidBack: ({ args }) => ({ kind: "refunded", backer: args.who, amount: args.value }),
      Serviced: ({ args }) => ({ kind: "repaid", amount: args.value }),
    },
  },
  factory: { event: "event Quarried(address indexed raise, address owner)", escrow: "raise" },
} satisfies ContractsModule;

// biome-ignore lint/style/noDefaultExport: what a module has to have
export default threeEvents;
