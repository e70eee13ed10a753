/**
 * A market in Kiva's shape, of any size: of a hundred raises one is alive, and the others ended long ago, a third as repaid loans and the rest
 * cancelled without a backer. About three events a raise over five years. Every fact follows from the raise's number, so that nothing is kept.
 * @module
 */
import { type EntryDraft, entryDraft, type OriginatorDraft } from "../../test/harness/rows.ts";
import { ESCROWS, GENESIS, UNIT } from "../chain.ts";

const DAY = 86_400;
const YEARS = 5;
const EVENTS_PER_BLOCK = 50;
const RAISES_OF_AN_ORIGINATOR = 25;
/** The fewest blocks, so that the events of a raise are in different ones. */
const FEWEST_BLOCKS = 100;
/** One raise in this many is alive. */
const ALIVE = 100;
/** Steps of the longest story, at intervals of this share of all blocks. */
const MOST_STEPS = 5;
const INTERVALS = 50;

export type Fate = "repaid" | "cancelled" | "funding" | "drawn";

/** The events of each fate, one a step. */
export const STEPS = {
  repaid: ["created", "subscribed", "drawn", "repaid", "settled"],
  cancelled: ["created", "cancelled"],
  funding: ["created", "subscribed"],
  drawn: ["created", "subscribed", "drawn"],
} as const satisfies Record<Fate, readonly string[]>;

export type Shape = ReturnType<typeof shapeOf>;

/** @param raises how many; numbered from 0, in the order of their creation */
export function shapeOf(raises: number) {
  const blocks = Math.max(FEWEST_BLOCKS, Math.ceil((3 * raises) / EVENTS_PER_BLOCK));
  const interval = Math.max(1, Math.floor(blocks / INTERVALS));
  const lastStart = blocks - MOST_STEPS * interval;
  const secondsPerBlock = Math.floor((YEARS * 365 * DAY) / blocks);
  const firstAlive = raises - Math.max(2, Math.floor(raises / ALIVE));
  const startOf = (raise: number) => 1 + Math.floor((raise * lastStart) / raises);
  const timeOf = (block: number) => GENESIS + secondsPerBlock * block;
  const fateOf = (raise: number): Fate => {
    if (raise >= firstAlive) return raise % 2 === 0 ? "funding" : "drawn";
    return mixed(raise) % 3 === 0 ? "repaid" : "cancelled";
  };
  return {
    ...{ raises, blocks, firstAlive, timeOf, fateOf },
    blockOf: (raise: number, step: number) => startOf(raise) + step * interval,
    /** The events of a block, by raise and step. */
    *eventsIn(block: number): Generator<{ raise: number; step: number }> {
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const start = block - step * interval;
        if (start < 1) break;
        const first = Math.max(0, Math.ceil(((start - 1) * raises) / lastStart) - 1);
        for (let raise = first; raise < raises && startOf(raise) <= start; raise += 1)
          if (startOf(raise) === start && step < STEPS[fateOf(raise)].length) yield { raise, step };
      }
    },
    factsOf: (raise: number) => ({
      escrow: ESCROWS[raise % ESCROWS.length] ?? "0x",
      id: BigInt(Math.floor(raise / ESCROWS.length) + 1),
      /** base units */
      amount: BigInt(1_000 + (mixed(raise + 1) % 99_000)) * UNIT,
      couponRateBps: 600 + (mixed(raise + 2) % 1_200),
      originator: originatorOf(raise),
      refnum: `R${String.fromCharCode(66 + Math.floor(raise / 100_000))}${String(raise % 100_000).padStart(5, "0")}`,
    }),
    events: () => {
      let count = 0;
      for (let raise = 0; raise < raises; raise += 1) count += STEPS[fateOf(raise)].length;
      return count;
    },
  };
}

/** A number from 0 to 2^32 - 1 that looks drawn by lot; the same one for the same raise. */
function mixed(value: number): number {
  let x = (value + 0x9e3779b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

const businessOf = (raise: number) => Math.floor(raise / RAISES_OF_AN_ORIGINATOR);

function originatorOf(raise: number): `0x${string}` {
  return `0x${businessOf(raise).toString(16).padStart(40, "a")}`;
}

export const WORDS =
  "working capital for a bakery on the harbour with second oven cold storage and two delivery vans that pays back from contracts with schools hotels grocers each month of season".split(
    " ",
  );

/** The registry's entry of a raise. */
export function entryOf({ factsOf }: Shape, raise: number): EntryDraft {
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => WORDS[mixed(raise * 64 + from + at) % WORDS.length]).join(" ");
  const { escrow, id } = factsOf(raise);
  return entryDraft({
    publicId: publicIdOf(raise),
    originator: `org_${businessOf(raise)}`,
    ...{ escrowAddress: escrow, onchainId: `${id}` },
    ...{ title: words(0, 4), description: `${words(4, 20)}.\n\n${words(24, 15)}.` },
  });
}

export const publicIdOf = (raise: number) => `lst_${String(raise).padStart(7, "0")}`;

export function* originatorsOf({ raises }: Shape): Generator<OriginatorDraft> {
  for (let raise = 0; raise < raises; raise += RAISES_OF_AN_ORIGINATOR) yield businessEntry(raise);
}

/** The registry's document, in pieces. @param changed a raise with another title */
export function* registryOf(shape: Shape, changed?: { raise: number; title: string }): Generator<string> {
  yield '{"originators":[';
  let before = "";
  for (const one of originatorsOf(shape)) {
    yield `${before}${JSON.stringify(one)}`;
    before = ",\n";
  }
  yield '],\n"listings":[';
  for (let raise = 0; raise < shape.raises; raise += 1) {
    const entry = entryOf(shape, raise);
    const title = changed?.raise === raise ? changed.title : entry.title;
    yield `${raise === 0 ? "" : ",\n"}${JSON.stringify({ ...entry, title })}`;
  }
  yield "]}\n";
}

function businessEntry(raise: number): OriginatorDraft {
  const number = businessOf(raise);
  return {
    ...{ publicId: `org_${number}`, legalName: `Northwind Trading ${number} Pte. Ltd.`, jurisdiction: "SG" },
    ...{ kybStatus: "approved", addresses: [originatorOf(raise)] },
  };
}
