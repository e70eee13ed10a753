/** @module Open streams. Wakes ten per millisecond so that other requests are not delayed. */
import { setTimeout as sleep } from "node:timers/promises";

export type Follower = {
  /** called after each change */
  wake(): void;
  /** whether the stream has to end; the follower reconnects and resumes */
  ended: boolean;
};

/** Followers written to at once, which takes a fifth of a millisecond, and the pause after them in milliseconds. */
const AT_ONCE = 10;
const PAUSE = 1;

export function createFollowers() {
  const members = new Set<Follower>();
  const asleep = new Set<Follower>();
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
  const remove = (member: Follower) => {
    members.delete(member);
    asleep.delete(member);
  };

  return {
    size: () => members.size,
    add: (member: Follower) => void members.add(member),
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
