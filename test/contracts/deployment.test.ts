import { encodeFunctionData, parseEventLogs } from "viem";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { escrowFactoryAbi } from "../../abis/EscrowFactory.ts";
import { escrowFactoryEventsAbi } from "../../abis/EscrowFactoryEvents.ts";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { rogueEscrowAbi } from "../../contracts/artifacts/RogueEscrow.ts";
import { deployDollar, deployEscrow, deployFactory } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chain: LocalChain;

beforeAll(async () => {
  chain = await startChain({ genesisTimestamp: 1_700_000_000 });
});

describe("the local chain", () => {
  it("names a busy port, and frees its own when stopped", async () => {
    await expect(startChain({ port: chain.port })).rejects.toThrow(`port ${chain.port} is in use`);
    const second = await startChain();
    await second.stop();
    await second.stop();
    const third = await startChain({ port: second.port });
    expect(await third.publicClient.getChainId()).toBe(97);
    await third.stop();
  });

  it("forks another one", async () => {
    const { address } = await deployDollar(chain);
    const fork = await startChain({ forkUrl: chain.rpcUrl });
    expect(await fork.publicClient.getCode({ address })).toBe(await chain.publicClient.getCode({ address }));
    await fork.stop();
  });

  it("says why it did not start, and which accounts it has", async () => {
    await expect(startChain({ forkUrl: "http://127.0.0.1:1" })).rejects.toThrow("did not start");
    expect(() => chain.walletClient(10)).toThrow("there is no index 10");
  });
});

describe("the factory", () => {
  it("deploys an escrow for its owner and announces it", async () => {
    const { address: dollar } = await deployDollar(chain);
    const { address: factory } = await deployFactory(chain);
    const owner = chain.walletClient(3).account.address;
    const { address, blockNumber } = await deployEscrow(chain, { dollar, factory, feeBps: 75, owner });
    const logs = await chain.publicClient.getLogs({ address: factory, fromBlock: blockNumber });
    const [announced] = parseEventLogs({ abi: escrowFactoryEventsAbi, logs });
    expect(announced?.args.escrow.toLowerCase()).toBe(address);
    const ask = (functionName: "owner" | "feeBps" | "feeRecipient") =>
      chain.publicClient.readContract({ address, abi: listingEscrowAbi, functionName });
    expect([await ask("owner"), await ask("feeBps"), await ask("feeRecipient")]).toEqual([owner, 75, owner]);
  });

  it("is its owner's, and refuses a fee of everything", async () => {
    const { address: dollar } = await deployDollar(chain);
    const { address } = await deployFactory(chain);
    const simulate = (account: number, feeBps: number) => {
      const owner = chain.walletClient(account).account.address;
      const args = [dollar, owner, feeBps, owner] as const;
      return chain.publicClient.simulateContract({
        address,
        abi: [...escrowFactoryAbi, ...listingEscrowAbi],
        functionName: "deploy",
        args,
        account: owner,
      });
    };
    await expect(simulate(1, 0)).rejects.toThrow("OwnableUnauthorizedAccount");
    await expect(simulate(0, 10_000)).rejects.toThrow("FeeTooHigh");
    await simulate(0, 9_999);
  });
});

describe("the rogue escrow", () => {
  it("has a function for each event that the indexer follows", () => {
    const names = rogueEscrowAbi.filter((item) => item.type === "function").map(({ name }) => name);
    const events = [...listingEscrowEventsAbi, ...secondaryDeskEventsAbi, ...escrowFactoryEventsAbi];
    expect(events).toHaveLength(16);
    for (const { name } of events) expect(names).toContain(`emit${name}`);
  });

  it("emits several events in one transaction, with the topics of the real ones", async () => {
    const { address } = await deployRogueEscrow(chain);
    const wallet = chain.walletClient(0);
    const who = wallet.account.address;
    const calls = [
      encodeFunctionData({
        abi: rogueEscrowAbi,
        functionName: "emitSubscribed",
        args: [7n, who, who, 0n, 1, 2n],
      }),
      encodeFunctionData({ abi: rogueEscrowAbi, functionName: "emitRefunded", args: [7n, who, 4, 5n, 6n] }),
    ];
    const hash = await wallet.writeContract({
      address,
      abi: rogueEscrowAbi,
      functionName: "batch",
      args: [calls],
    });
    const { logs } = await chain.receiptOf(hash);
    expect(
      parseEventLogs({ abi: listingEscrowEventsAbi, logs }).map((log) => [log.eventName, log.args]),
    ).toEqual([
      ["Subscribed", { onchainId: 7n, backer: who, payer: who, amount: 0n, bidRateBps: 1, totalRaised: 2n }],
      ["Refunded", { onchainId: 7n, backer: who, reason: 4, amount: 5n, totalRefunded: 6n }],
    ]);
    for (const { address: emitter } of logs) expect(emitter.toLowerCase()).toBe(address);
  });
});
