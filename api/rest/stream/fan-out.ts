/**
 * Open streams, and what each of them is told. Followers with the same filter are a group; a block costs something only for the
 * groups that may want its rows, which are found by the rows' keys. Writing to ten thousand sockets takes a tenth of a second, so
 * it is done in short slices, between which other requests are answered.
 * @module
 */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { type Channel, type Piece, pieceOf } from "../../http/open-ended.ts";
import { keysFor, keysOf, type SharedFilter } from "./filter.ts";
import type { Item } from "./followed.ts";
import { HEARTBEAT } from "./frames.ts";
import type { Journal, Taken } from "./journal.ts";

export type Member = {
  /** shared by all with an equal one, once it is attached */
  filter: SharedFilter;
  readonly channel: Channel;
  /** the place in the journal up to which it has been told everything */
  heard: number;
  /** whether it did not take what was there to be told at its last turn */
  isBehind: boolean;
  /** the tick of the last write to it */
  toldAt: number;
  /** whether the stream has to end; the follower reconnects and resumes */
  ended: boolean;
  /** Reads rows again, since they were withdrawn. */
  readAgain(resend: NonNullable<Taken["resend"]>): void;
};

type Group = { filter: SharedFilter; keys: readonly string[]; members: Set<Member> };

/** Milliseconds of a slice, and between two; after `UNHURRIED` slices follow each other with one look for requests in between. */
const SLICE = 0.3;
const PAUSE = 1;
const UNHURRIED = 60;
/** Ticks without a word after which a follower is due a keep-alive. */
const QUIET_TICKS = 9;

export type FanOut = ReturnType<typeof createFanOut>;

/** @param journal that followers read now; it is replaced when all streams are ended */
export function createFanOut(journal: () => Journal) {
  const members = new Set<Member>();
  /** those up to date with the tables, by the keys of their filters */
  const groups = new Map<string, Group>();
  const byKey = new Map<string, Set<Group>>();
  /** what is to be done, a step at a time, in this order */
  let work: { steps: Iterator<void>; since: number }[] = [];
  let isWorking = false;
  let tick = 0;
  let beaten = Promise.withResolvers<void>();
  /** the place of the newest head in the journal; -1 before the first */
  let headPlace = -1;

  const run = async () => {
    isWorking = true;
    for (let [job] = work; job !== undefined; [job] = work) {
      const until = performance.now() + SLICE;
      while (performance.now() < until) {
        if (!job.steps.next().done) continue;
        work.shift();
        break;
      }
      await (performance.now() - job.since > UNHURRIED ? turn() : sleep(PAUSE));
    }
    isWorking = false;
  };
  const begin = (steps: Iterator<void>) => {
    work.push({ steps, since: performance.now() });
    if (!isWorking) void run();
  };

  const detach = (member: Member) => {
    const group = groups.get(member.filter.key);
    if (!group?.members.delete(member) || group.members.size > 0) return;
    groups.delete(member.filter.key);
    for (const key of group.keys) {
      const found = byKey.get(key);
      found?.delete(group);
      if (found?.size === 0) byKey.delete(key);
    }
  };
  const remove = (member: Member) => {
    members.delete(member);
    detach(member);
  };
  const end = (member: Member) => {
    remove(member);
    member.ended = true;
    member.channel.end();
  };
  const write = (member: Member, piece: Piece) => {
    member.toldAt = tick;
    member.channel.write(piece);
  };

  /** Tells a member what there is up to a place, as far as its client takes it. */
  const tell = (member: Member, until: number, take: (place: number) => Taken | null) => {
    member.isBehind = false;
    while (member.heard < until) {
      if (!member.channel.isReady()) {
        member.isBehind = true;
        return;
      }
      const taken = take(member.heard);
      if (taken === null) return end(member);
      member.heard = taken.next;
      if (taken.piece !== null) write(member, taken.piece);
      if (taken.resend === null) continue;
      detach(member);
      return member.readAgain(taken.resend);
    }
  };
  const tellNow = (member: Member) => {
    const of = journal();
    tell(member, of.end(), (place) => of.take(place, of.end(), member.filter));
  };

  /** The groups that may want one of the items. */
  function* groupsFor(items: readonly Item[]): Generator<Group> {
    const keys = new Set<string>();
    for (const item of items) {
      const ofItem = keysFor(item);
      if (ofItem === null) return yield* groups.values();
      for (const key of ofItem) keys.add(key);
    }
    const seen = new Set<Group>();
    for (const key of keys)
      for (const group of byKey.get(key) ?? []) {
        if (!seen.has(group)) yield group;
        seen.add(group);
      }
  }

  /** Tells those groups the items between two places. Pieces are encoded once for each group. */
  function* telling(from: number, until: number, candidates: Iterable<Group>): Generator<void> {
    const of = journal();
    for (const { filter, members } of candidates) {
      const known = new Map<number, Taken | null>();
      const take = (place: number) => {
        const taken = known.get(place) ?? of.take(place, until, filter);
        known.set(place, taken);
        return taken;
      };
      const first = take(from);
      const isNothing = first?.piece === null && first.resend === null && first.next === until;
      // Members that join meanwhile have heard more already.
      for (const member of isNothing ? [] : members) {
        if (!member.isBehind && member.heard < until) {
          member.heard = Math.max(member.heard, from);
          tell(member, until, take);
        }
        yield;
      }
      yield;
    }
  }

  /** Gives a sign of life to all that have been told nothing for a while: the newest head, where they lack it. */
  function* beating(head: Item & { kind: "head" }, until: number, headPlace: number): Generator<void> {
    const pieces = { all: pieceOf([head.bytes]), final: pieceOf([head.ofFinal]) };
    for (const { filter, members } of groups.values()) {
      const piece = filter.finalOnly ? pieces.final : pieces.all;
      for (const member of members) {
        if (tick - member.toldAt >= QUIET_TICKS && !member.isBehind && member.channel.isReady()) {
          write(member, member.heard <= headPlace ? piece : HEARTBEAT);
          member.heard = Math.max(member.heard, until);
        }
        yield;
      }
    }
  }

  return {
    size: () => members.size,
    add: (member: Member) => void members.add(member),
    remove,
    end,
    endAll() {
      work = [];
      headPlace = -1;
      for (const member of members) end(member);
    },
    /** Tells a member from now on what comes after the place that it has heard. */
    attach(member: Member) {
      const { filter } = member;
      const known = groups.get(filter.key);
      const group: Group = known ?? { filter, keys: keysOf(filter), members: new Set() };
      member.filter = group.filter;
      member.toldAt = tick;
      group.members.add(member);
      if (known === undefined) {
        groups.set(filter.key, group);
        for (const key of group.keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(group));
      }
      tellNow(member);
    },
    /** The client of a member takes more. */
    ready(member: Member) {
      if (member.isBehind && !member.ended) tellNow(member);
    },
    /** Tells all what the journal has from this place on. */
    tellAll(from: number) {
      const items = journal().since(from);
      if (items === null) {
        // They were more than the journal holds: followers resume from the tables.
        for (const group of groups.values()) for (const member of group.members) end(member);
        return;
      }
      const head = items.findLastIndex(({ kind }) => kind === "head");
      if (head !== -1) headPlace = from + head;
      begin(telling(from, from + items.length, groupsFor(items)));
    },
    /** To be called each second. @param head the newest, which is in the journal or before it */
    beat(head: Item & { kind: "head" }) {
      tick += 1;
      begin(beating(head, journal().end(), headPlace));
      if (tick % QUIET_TICKS !== 0) return;
      const { resolve } = beaten;
      beaten = Promise.withResolvers();
      resolve();
    },
    /** Resolves when a keep-alive is due, for members that are not attached. */
    nextBeat: () => beaten.promise,
  };
}
