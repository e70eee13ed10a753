/**
 * An engineer's fork: the indexer follows a fork of a chain and shows the upstream's history and the fork's
 * together. The upstream is a chain of the test's own, or the public testnet when `BSC_TESTNET_RPC_URL` names an
 * endpoint; there the contracts are deployed on the fork, since the test has no key for the testnet.
 */
import { parseEther, zeroHash } from "viem";
import { beforeAll, expect, test } from "vitest";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { testDollarAbi } from "../../abis/TestDollar.ts";
import { type Deployment, deployDollar, deployEscrow } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

const publicTestnet = process.env.BSC_TESTNET_RPC_URL;

let upstream: LocalChain | undefined;
let fork: LocalChain;
let dollar: Deployment;
let escrow: Deployment;
let service: Service;

beforeAll(async () => {
  upstream = publicTestnet === undefined ? await startChain() : undefined;
  if (upstream !== undefined) {
    await open(upstream);
    await subscribe(upstream, 1, "400");
  }
  fork = await startChain({ forkUrl: publicTestnet ?? upstream?.rpcUrl });
  if (upstream === undefined) {
    await open(fork);
    await subscribe(fork, 1, "400");
  }
  service = await startService({
    rpcUrl: fork.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }, 1),
  });
});

/** Deploys dollar and escrow, and opens one raise of 1,000 dollars. */
async function open(chain: LocalChain): Promise<void> {
  dollar = await deployDollar(chain);
  escrow = await deployEscrow(chain, { dollar: dollar.address });
  const owner = chain.walletClient(0);
  const { timestamp } = await chain.publicClient.getBlock();
  const hash = await owner.writeContract({
    address: escrow.address,
    abi: listingEscrowAbi,
    functionName: "createListing",
    args: [
      owner.account.address,
      "RB00001",
      {
        targetAmount: parseEther("1000"),
        minRaise: parseEther("500"),
        couponRateBps: 1200,
        insuranceBps: 0,
        tenorDays: 90,
        pricingMode: 0,
        goLiveAt: timestamp,
        closeAt: 0n,
      },
      zeroHash,
    ],
  });
  await chain.receiptOf(hash);
}

async function subscribe(chain: LocalChain, account: number, dollars: string): Promise<bigint> {
  const wallet = chain.walletClient(account);
  const amount = parseEther(dollars);
  const backer = wallet.account.address;
  await wallet.writeContract({
    address: dollar.address,
    abi: testDollarAbi,
    functionName: "mint",
    args: [backer, amount],
  });
  await wallet.writeContract({
    address: dollar.address,
    abi: testDollarAbi,
    functionName: "approve",
    args: [escrow.address, amount],
  });
  const hash = await wallet.writeContract({
    address: escrow.address,
    abi: listingEscrowAbi,
    functionName: "subscribe",
    args: [1n, backer, amount, 0],
  });
  const { blockNumber, status } = await chain.receiptOf(hash);
  expect(status).toBe("success");
  return blockNumber;
}

test("the upstream's history and the fork's stand in one answer, and the upstream stays as it was", async () => {
  await service.indexed(await fork.publicClient.getBlockNumber());
  const before = await service.json("/v1/listings/RB00001");
  expect(before).toMatchObject({
    raisedAmount: parseEther("400").toString(),
    subscriberCount: 1,
    status: "funding",
  });

  await service.indexed(await subscribe(fork, 2, "600"));
  const after = await service.json("/v1/listings/RB00001");
  expect(after).toMatchObject({
    raisedAmount: parseEther("1000").toString(),
    subscriberCount: 2,
    status: "live",
  });

  const raised = await upstream?.publicClient.readContract({
    address: escrow.address,
    abi: listingEscrowAbi,
    functionName: "raisedAmount",
    args: [1n],
  });
  if (upstream !== undefined) expect(raised).toBe(parseEther("400"));
});
