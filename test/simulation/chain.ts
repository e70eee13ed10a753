/**
 * The chain of a run: a random market through the real contracts, two upstreams before it, and reorganisations in which
 * the market takes another course.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import { type Deployment, deployDesk, deployDollar, deployEscrow, deployFactory } from "../../demo/deploy.ts";
import { createHistory, type History } from "../harness/history/history.ts";
import { type ChainFinality, createChainFinality } from "./chain-finality.ts";
import { ancestorOf, type ChainRecord, createRecord, type RecordedBlock } from "./record.ts";
import { startUpstream, type Upstream } from "./upstreams.ts";

export type RunChain = {
  rpcUrl: string;
  port: number;
  record: ChainRecord;
  history: History;
  upstreams: readonly [Upstream, Upstream];
  escrows: readonly [announced: Deployment, listed: Deployment];
  factory: Deployment;
  desk: Deployment;
  /** Mines one block of the market. */
  mine(): Promise<RecordedBlock>;
  /** Mines empty blocks, one when not told, from the time of the last one on: the market does not notice. */
  idle(blocks?: number): Promise<void>;
  /**
   * Takes away so many blocks, and mines one more in their place. Unless `seen`, both upstreams show the old chain until
   * the new one is longer; the second goes on for some blocks more. When it does for longer than `APART`, each has a final block of
   * its own fork meanwhile.
   */
  reorganise(depth: number, options: { seen: boolean; disagreement: number }): Promise<void>;
  /** Ends the disagreement of the upstreams. */
  agree(): void;
  /** The chain's final block stands still, until it is released. */
  hold(): void;
  release(): void;
  finality: ChainFinality;
  stop(): Promise<void>;
};

/** Milliseconds for which a shorter chain can be seen. */
const SEEN = 250;

/** Blocks on the old fork above which each upstream has a final block of its own. */
const APART = 30;
/** Blocks of the market at the beginning and at the end of a fork; the others of a long one are empty. */
const BUSY = 13;

/** @param trail blocks from the final block to the head */
export async function startRunChain(seed: number, trail: number): Promise<RunChain> {
  const chain: LocalChain = await startChain({
    ...{ genesisTimestamp: 1_600_000_000, keptStates: 450, finalityDepth: trail },
  });
  const { address: dollar } = await deployDollar(chain);
  const factory = await deployFactory(chain);
  const announced = await deployEscrow(chain, { dollar, factory: factory.address, feeBps: 150 });
  const listed = await deployEscrow(chain, { dollar });
  const desk = await deployDesk(chain, { dollar });
  const escrows = [announced, listed] as const;
  const addresses = escrows.map(({ address }) => address);
  const history = await createHistory({
    ...{ chain, dollar, seed, escrows: addresses, desk: desk.address, log: () => {} },
  });
  const record = createRecord(chain.rpcUrl);
  const finality = createChainFinality(trail);
  const { head, follow } = record;
  const before = { rpcUrl: chain.rpcUrl, head, finalBelow: finality.below };
  const upstreams = await Promise.all([startUpstream(before), startUpstream(before)] as const);
  const [first, second] = upstreams;
  const marks = new Map<Hex, () => void>();
  marks.set((await follow()).hash, history.mark());
  let untilAgreed = 0;

  const release = () => {
    finality.move();
    for (const upstream of upstreams) upstream.lift("hold");
  };
  const agree = () => {
    untilAgreed = 0;
    first.lift("disagreement");
    second.lift("disagreement");
    finality.join();
  };
  const grown = async (blocks: number) => {
    const grownTo = await follow();
    marks.set(grownTo.hash, history.mark());
    finality.follow(grownTo);
    if (untilAgreed > blocks) untilAgreed -= blocks;
    else if (untilAgreed > 0) agree();
    return grownTo;
  };
  const mine = async () => {
    await history.step();
    return grown(1);
  };
  const idle = async (blocks = 1) => {
    await chain.testClient.setNextBlockTimestamp({ timestamp: head().timestamp });
    await chain.testClient.mine({ blocks });
    await grown(blocks);
  };
  return {
    ...{ rpcUrl: chain.rpcUrl, port: chain.port, record, history, upstreams, escrows, factory, desk },
    ...{ mine, idle, agree, release, finality },
    hold() {
      const block = finality.stand(head());
      for (const upstream of upstreams) upstream.disturb("hold", { final: () => block });
    },
    async reorganise(depth, { seen, disagreement }) {
      const before = head();
      const fork = ancestorOf(before, depth);
      // Blocks without a mark are empty.
      let marked = fork;
      while (!marks.has(marked.hash) && marked.parent !== null) marked = marked.parent;
      const back = marks.get(marked.hash);
      if (back === undefined) throw new Error(`the market does not remember block ${fork.number}`);
      const tip = () => before;
      if (!seen) for (const upstream of upstreams) upstream.disturb("reorg", { tip });
      if (disagreement > 0) second.disturb("disagreement", { tip });
      await chain.testClient.request({ method: "anvil_rollback", params: [depth] } as never);
      back();
      await follow();
      if (disagreement > APART) {
        finality.part(fork);
        // Its own fork's final block, also while it shows the other one: below that one's.
        first.disturb("disagreement", { final: () => finality.below(ancestorOf(head(), 2)) });
        for (const upstream of upstreams) upstream.lift("hold");
      }
      if (seen) await sleep(SEEN);
      const busy = Math.min(BUSY, (depth + 1) / 2);
      for (let block = 0; block < Math.floor(busy); block++) await mine();
      if (depth + 1 > 2 * busy) await idle(depth + 1 - 2 * busy);
      for (let block = 0; block < Math.ceil(busy); block++) await mine();
      untilAgreed = disagreement;
      for (const upstream of upstreams) upstream.lift("reorg");
    },
    async stop() {
      await Promise.all(upstreams.map((upstream) => upstream.stop()));
      await chain.stop();
    },
  };
}
