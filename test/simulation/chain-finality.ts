/** @module The final part of a run's chain, as the chain itself names it, and the rows that may be served as final. */
import { ancestorOf, type RecordedBlock } from "./record.ts";

/** Blocks from the final block to the head, when not told otherwise. */
export const TRAIL = 30;
/** Blocks below the head that are served as final while the final block stands still for as long. */
const DEPTH = 240;
/** Blocks by which the service may have seen it move earlier or later. */
const SOONER = 60;
const LATER = 25;

export type ChainFinality = {
  /** what a node with this head calls final */
  below(tip: RecordedBlock): RecordedBlock;
  /** Told of each new head. */
  follow(head: RecordedBlock): void;
  /** It stands still at what is final for this head, until it moves again. @returns the block */
  stand(head: RecordedBlock): RecordedBlock;
  move(): void;
  /** Nodes follow forks of this block, and each has a final block of its own, until they are joined. */
  part(fork: RecordedBlock): void;
  join(): void;
  /** the highest block that may have been served as final by now */
  most(): bigint;
  /** the block up to which everything must be served as final once nothing else is wrong */
  due(): bigint;
  /** whether it has stood still for so long that what is deep enough below the head is final */
  isStalled(): boolean;
};

/** @param trail blocks from the final block to the head */
export function createChainFinality(trail: number): ChainFinality {
  let head: RecordedBlock | null = null;
  let standing: RecordedBlock | null = null;
  /** the highest block that is final on all forks, while there are several */
  let shared: RecordedBlock | null = null;
  let most = 0n;
  /** the number of the head when the final block last moved */
  let movedAt = 0n;

  const below = (tip: RecordedBlock) => {
    const own = standing ?? ancestorOf(tip, trail);
    return shared !== null && shared.number > own.number ? shared : own;
  };
  const numberOf = () => head?.number ?? 0n;
  const current = () => (head === null ? 0n : (shared ?? below(head)).number);
  const deep = () => numberOf() - BigInt(DEPTH);
  const stoodFor = (blocks: number) => numberOf() - movedAt > BigInt(blocks);
  const isStalled = () => stoodFor(DEPTH + LATER);
  const settle = () => {
    if (current() > most) {
      most = current();
      movedAt = numberOf();
    }
    if (stoodFor(DEPTH - SOONER) && deep() > most) most = deep();
  };
  return {
    below,
    follow(next) {
      head = next;
      settle();
    },
    stand(tip) {
      standing = below(tip);
      return standing;
    },
    move() {
      standing = null;
      settle();
    },
    part(fork) {
      shared = below(fork);
      standing = null;
    },
    join() {
      shared = null;
      settle();
    },
    most: () => most,
    due: () => (isStalled() && deep() > current() ? deep() : current()),
    isStalled,
  };
}
