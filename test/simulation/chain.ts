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
  /** Mines an empty block at the time of the last one: the market does not notice. */
  idle(): Promise<void>;
  /**
   * Takes away so many blocks, and mines one more in their place. Unless `seen`, both upstreams show the old chain until
   * the new one is longer; the second goes on for some blocks more.
   */
  reorganise(depth: number, options: { seen: boolean; disagreement: number }): Promise<void>;
  /** Ends the disagreement of the upstreams. */
  agree(): void;
  stop(): Promise<void>;
};

/** Milliseconds for which a shorter chain can be seen. */
const SEEN = 250;

export async function startRunChain(seed: number): Promise<RunChain> {
  const chain: LocalChain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 400 });
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
  const upstreams = await Promise.all([startUpstream(chain.rpcUrl), startUpstream(chain.rpcUrl)] as const);
  const [, second] = upstreams;
  const marks = new Map<Hex, () => void>();
  marks.set((await record.follow()).hash, history.mark());
  let untilAgreed = 0;

  const agree = () => {
    untilAgreed = 0;
    second.lift("disagreement");
  };
  const mine = async () => {
    await history.step();
    const head = await record.follow();
    marks.set(head.hash, history.mark());
    if (untilAgreed > 0 && --untilAgreed === 0) agree();
    return head;
  };
  return {
    ...{ rpcUrl: chain.rpcUrl, port: chain.port, record, history, upstreams, escrows, factory, desk },
    ...{ mine, agree },
    async idle() {
      const { timestamp } = record.head();
      await chain.testClient.setNextBlockTimestamp({ timestamp });
      await chain.testClient.mine({ blocks: 1 });
      marks.set((await record.follow()).hash, history.mark());
    },
    async reorganise(depth, { seen, disagreement }) {
      const before = record.head();
      const fork = ancestorOf(before, depth);
      const back = marks.get(fork.hash);
      if (back === undefined) throw new Error(`the market does not remember block ${fork.number}`);
      const tip = () => before;
      if (!seen) for (const upstream of upstreams) upstream.disturb("reorg", { tip });
      if (disagreement > 0) second.disturb("disagreement", { tip });
      await chain.testClient.request({ method: "anvil_rollback", params: [depth] } as never);
      back();
      await record.follow();
      if (seen) await sleep(SEEN);
      for (let block = 0; block <= depth; block++) await mine();
      untilAgreed = disagreement;
      for (const upstream of upstreams) upstream.lift("reorg");
    },
    async stop() {
      await Promise.all(upstreams.map((upstream) => upstream.stop()));
      await chain.stop();
    },
  };
}
