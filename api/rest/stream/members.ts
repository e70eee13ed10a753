/**
 * Those who follow, and how all of them hear of something: a few each millisecond, so that whoever asks for anything else meanwhile
 * waits for no more than these, and finds the processor free most of the time.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";

export type Member = {
  /** called after each change */
  wake(): void;
  /** whether the stream has to end: the follower comes back, and is told where to go on */
  ended: boolean;
};

export type Members = {
  size(): number;
  add(member: Member): void;
  remove(member: Member): void;
  wakeAll(): void;
  /** Ends the streams of all, at once. */
  endAll(): void;
};

/** Followers that are written to at once, which takes a fifth of a millisecond, and milliseconds until the next ones. */
const AT_ONCE = 10;
const PAUSE = 1;

export function createMembers(): Members {
  const members = new Set<Member>();
  const asleep = new Set<Member>();
  let isWaking = false;

  const wakeThem = async () => {
    isWaking = true;
    while (asleep.size > 0) {
      let woken = 0;
      for (const member of asleep) {
        asleep.delete(member);
        member.wake();
        woken += 1;
        if (woken === AT_ONCE) break;
      }
      await sleep(PAUSE);
    }
    isWaking = false;
  };
  const remove = (member: Member) => {
    members.delete(member);
    asleep.delete(member);
  };

  return {
    size: () => members.size,
    add: (member) => void members.add(member),
    remove,
    wakeAll() {
      for (const member of members) asleep.add(member);
      if (!isWaking) void wakeThem();
    },
    endAll() {
      for (const member of members) {
        remove(member);
        member.ended = true;
        member.wake();
      }
    },
  };
}
