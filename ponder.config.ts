/**
 * What Ponder follows: the escrows of a static list, the escrows that a factory announces, the desk, and the
 * listings' tokens.
 * Everything comes from the validated environment (`config/environment.ts`).
 * @module
 */
import { createConfig, factory } from "ponder";
import { readSettings } from "./config/environment.ts";
import { SettingsError } from "./config/problems.ts";
import { firstBlock, issuersOf, onlyConfigured } from "./config/sources.ts";
import { isLoopbackHost } from "./config/values.ts";
import type { AnnouncingEvent } from "./src/contracts/announcement.ts";
import { contractsOf, missingParts, transferAbi } from "./src/contracts/contracts.ts";

const settings = readSettings(process.env);
const { escrows, escrowFactory, desk } = settings;
// Without its event Ponder would follow every contract of the chain.
const missing = missingParts(settings);
if (missing.length > 0) throw new SettingsError(missing);
const followed = contractsOf(settings);
const escrowAbi = followed.escrow.events.map(({ abiItem }) => abiItem);
/** Ponder gives each URL 20 requests a second at first. A node on this machine gets more by being named so often. */
const LOOPBACK_SHARES = 16;

/** The contracts that this event of these addresses announces. What is not configured has no event, and is left out below. */
const announcedBy = (address: `0x${string}` | `0x${string}`[] | undefined, event: AnnouncingEvent | null) =>
  event === null ? undefined : factory({ address, event: event.abiItem, parameter: event.parameter });

const common = {
  chain: "escrowChain",
  // Not Ponder's: it brings what events mean into the hash by which Ponder knows that tables are stale, for a DATABASE_SCHEMA of the operator's.
  module: settings.contracts?.text,
} as const;
const contracts = {
  ListingEscrow: {
    ...common,
    abi: escrowAbi,
    address: escrows.map((escrow) => escrow.address),
    // One entry starts at the lowest; the handlers ignore what an address emitted before its own start.
    startBlock: Math.min(...escrows.map((escrow) => escrow.startBlock)),
    // Not Ponder's: it brings every start block into the hash by which Ponder knows that tables are stale.
    startBlocks: escrows.map((escrow) => `${escrow.address}@${escrow.startBlock}`),
  },
  ListingEscrowFromFactory: {
    ...common,
    abi: escrowAbi,
    address: announcedBy(escrowFactory?.address, followed.factory),
    startBlock: escrowFactory?.startBlock,
  },
  SecondaryDesk: {
    ...common,
    abi: (followed.desk?.events ?? []).map(({ abiItem }) => abiItem),
    address: desk?.address,
    startBlock: desk?.startBlock,
  },
  ListingToken: {
    ...common,
    abi: [transferAbi],
    address: announcedBy(issuersOf(settings), followed.escrow.token),
    startBlock: Number(firstBlock(settings)),
  },
} as const;

export default createConfig({
  database: settings.database,
  chains: {
    escrowChain: {
      id: settings.chainId,
      rpc: settings.rpcUrls.flatMap((url) =>
        Array(isLoopbackHost(new URL(url).hostname) ? LOOPBACK_SHARES : 1).fill(url),
      ),
      ws: settings.wsUrl ?? undefined,
      pollingInterval: settings.pollingInterval,
      // Set, it switches off Ponder's own search for the range that the endpoints allow.
      ethGetLogsBlockRange: settings.logsRange ?? undefined,
    },
  },
  contracts: onlyConfigured(contracts, settings),
});
