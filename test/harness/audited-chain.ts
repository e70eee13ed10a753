/** @module A random history that was indexed without the one creation of a second escrow, and audits of its tables. */
import { type Address, createPublicClient, getAbiItem, http, toEventSelector, zeroHash } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { createChainClient } from "../../chain/client.ts";
import { readSettings } from "../../config/environment.ts";
import { startChain } from "../../demo/chain.ts";
import { addressAndBlock, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { type AuditParameters, audit } from "../../operate/audit/audit.ts";
import { connectTables, readIndexedState } from "../../operate/audit/indexed-state.ts";
import { compareWithLogs } from "../../operate/audit/logs.ts";
import * as tables from "../../ponder.schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { indexBook } from "./audit-command.ts";
import { TERMS } from "./emit.ts";
import { createHistory } from "./history/history.ts";
import { startPostgres } from "./postgres.ts";
import { startRpcProxy } from "./rpc-proxy.ts";

const ORIGINATOR: Address = "0x00000000000000000000000000000000000000a1";

/** `lonely` is the escrow whose creation is missing; `otherChain` has none of the blocks. */
export async function startAuditedChain() {
  const [chain, otherChain, postgres] = await Promise.all([
    startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 }),
    startChain({ genesisTimestamp: 1_600_000_000 }),
    startPostgres(),
  ]);
  const proxy = await startRpcProxy(chain.rpcUrl);
  const { address: dollar } = await deployDollar(chain);
  const escrow = await deployEscrow(chain, { dollar, feeBps: 150 });
  const lonely = await deployEscrow(chain, { dollar });
  const hash = await chain.walletClient(0).writeContract({
    address: lonely.address,
    abi: listingEscrowAbi,
    functionName: "createListing",
    args: [ORIGINATOR, "RB90001", TERMS, zeroHash],
  });
  await chain.receiptOf(hash);
  const history = await createHistory({ chain, dollar, escrows: [escrow.address], seed: 7 });
  await history.playUntil(250);
  await history.finish();
  await chain.testClient.mine({ blocks: 40 });
  await otherChain.testClient.mine({ blocks: 2_000 });

  const escrows = [escrow, lonely].map(addressAndBlock);
  const env = {
    DATABASE_URL: postgres.connectionString,
    DATABASE_SCHEMA: "book",
    RPC_URLS: chain.rpcUrl,
    ESCROWS: escrows.join(","),
    REGISTRY: "registry.json",
  };
  const created = toEventSelector(getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" }));
  proxy.alters = (logs) =>
    logs.filter(({ address, topics }) => address !== lonely.address || topics[0] !== created);
  const head = await chain.publicClient.getBlockNumber();
  await indexBook(postgres, { rpcUrl: proxy.url, escrows, registry: history.registry() }, head);
  const connection = await connectTables(postgres.connectionString, "book");

  /** Audits the tables without `lonely`, whose one listing is missing, unless told otherwise. */
  const look = (change: Partial<AuditParameters> = {}) =>
    audit({
      readState: () => readIndexedState(connection.database, tables),
      client: createPublicClient({ transport: http(chain.rpcUrl) }),
      contracts: contractsOf({ contracts: null }),
      escrows: [],
      followsHolders: () => true,
      wait: async () => {},
      ...change,
    });

  const withLogs = () => {
    const settings = { ...readSettings(env), escrows: readSettings(env).escrows.slice(0, 1) };
    const client = createChainClient({ urls: [chain.rpcUrl], concurrency: 2 });
    const { database } = connection;
    return look({
      compareMore: (state) => compareWithLogs({ state, client, settings, database, onProgress: () => {} }),
    });
  };

  const stop = async () => {
    await connection.end();
    await proxy.stop();
    await postgres.stop();
    await chain.stop();
    await otherChain.stop();
  };
  return { chain, otherChain, postgres, proxy, lonely, env, look, withLogs, stop };
}
