/** @module One block of a history. */
import {
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import type { LocalChain } from "../../../demo/chain.ts";
import type { Call } from "./cast.ts";

/** Enough for what a move costs, and within what one transaction may ask for. */
const GAS = numberToHex(15_000_000);

/**
 * Sends the calls and mines them into one block, the refused ones too. The chain must not mine by itself, and must
 * let every address act.
 * @param client one that sends what is asked together in one request
 * @param timestamp unix seconds, not before the last block's
 */
export async function mine(
  chain: LocalChain,
  client: PublicClient,
  calls: readonly Call[],
  timestamp: bigint,
): Promise<TransactionReceipt[]> {
  const wallet = createWalletClient({ transport: http(chain.rpcUrl) });
  const hashes: Hex[] = [];
  // One after the other: the order of arrival is the order in the block, and the seed's.
  for (const { from, to, data } of calls) {
    const transaction = { from, to, data, gas: GAS, gasPrice: "0x0" } as const;
    hashes.push(await wallet.request({ method: "eth_sendTransaction", params: [transaction] }));
  }
  await chain.testClient.setNextBlockTimestamp({ timestamp });
  await chain.testClient.mine({ blocks: 1 });
  return Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
}
