import { createConfig } from "ponder";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";

export default createConfig({
  database: { kind: "postgres", connectionString: process.env.DATABASE_URL },
  chains: { escrowChain: { id: 97, rpc: process.env.RPC_URLS, pollingInterval: 100 } },
  contracts: {
    ListingEscrow: {
      chain: "escrowChain",
      abi: listingEscrowEventsAbi,
      address: (process.env.ESCROWS ?? "").split(",") as `0x${string}`[],
      startBlock: 1,
    },
  },
});
