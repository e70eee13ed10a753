import { text } from "node:stream/consumers";
import type { Hex } from "viem";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FinalitySource } from "../../config/table-names.ts";
import { serve } from "../../test/harness/serve.ts";
import { createFinality } from "./finality.ts";
import type { OpenBlock } from "./ponder.ts";

type Named = { number: number; fork?: string } | null | "silent" | "refused" | "limited";

/** An endpoint whose final block is what `named` is now. */
async function endpoint(named: Named) {
  const state = { named, asked: 0 };
  const { url, stop } = await serve(async (request, response) => {
    state.asked += 1;
    const parsed = JSON.parse(await text(request));
    const answer = ({ id }: { id: number }) => {
      const head = { jsonrpc: "2.0", id };
      if (state.named === "refused")
        return { ...head, error: { code: -32602, message: "invalid block tag" } };
      const named = state.named as Exclude<Named, string>;
      return { ...head, result: named && rawBlock(named.number, named.fork) };
    };
    if (state.named === "silent") return void response.writeHead(503).end();
    if (state.named === "limited") return void response.writeHead(429, { "retry-after": "1" }).end();
    response.end(JSON.stringify(Array.isArray(parsed) ? parsed.map(answer) : answer(parsed)));
  });
  onTestFinished(stop);
  return Object.assign(state, { url });
}

function rawBlock(number: number, fork = "a") {
  const hash = (of: number): Hex => `0x${fork.repeat(8)}${of}`;
  return {
    ...{ number: `0x${number.toString(16)}` as Hex, hash: hash(number), parentHash: hash(number - 1) },
    timestamp: "0x1" as Hex,
  };
}

/** The blocks after `floor`, up to the head. */
function openBlocks(floor: number, head: number, { events = [] as number[], fork = "a" } = {}): OpenBlock[] {
  return Array.from({ length: head - floor }, (_, index) => {
    const number = floor + 1 + index;
    return { ...rawBlock(number, fork), hasEvents: events.includes(number) };
  });
}

/** Follows a chain whose index is at block 1,000 and has blocks up to `floor` that it cannot take back. */
function following(endpoints: readonly { url: string }[]) {
  const lines: { msg: string }[] = [];
  const nudges: number[] = [];
  const chain = { head: 0 };
  const notes: { source: FinalitySource; byDepth: number | null }[] = [];
  const log = {
    info: (line: object) => lines.push(line as never),
    warn: (line: object) => lines.push(line as never),
  };
  const finality = createFinality({
    settings: { rpcUrls: endpoints.map(({ url }) => url), finalityDepth: 240 },
    ...{ log: log as never, floor: 600 },
    note: async ({ source, byDepth }) =>
      notes.push({ source, byDepth: byDepth === null ? null : Number(byDepth.number) }),
    announced: () => chain.head,
    nudge: () => nudges.push(0),
  });
  /** The block that is final with this head, if it is a new one. */
  const at = async (floor: number, head: number, options: Parameters<typeof openBlocks>[2] = {}) => {
    await finality.ask();
    const block = finality.settled(
      openBlocks(floor, head, { events: [floor + 1], ...options }),
      rawBlock(floor),
    );
    await new Promise(setImmediate);
    return block === undefined ? null : Number(block.number);
  };
  return { finality, lines, notes, nudges, chain, at };
}

describe("what becomes final", () => {
  test("is the lowest of the endpoints' final blocks", async () => {
    const { at, notes, finality } = following([
      await endpoint({ number: 997 }),
      await endpoint({ number: 995 }),
    ]);
    expect(await at(990, 1_000)).toBe(995);
    expect(finality.floor()).toBe(995);
    expect(notes).toEqual([{ source: "finalized", byDepth: null }]);
  });

  test("is never a block of a fork that is not indexed, and nothing while endpoints follow different forks", async () => {
    const [one, other] = [await endpoint({ number: 997 }), await endpoint({ number: 997, fork: "b" })];
    expect(await following([one]).at(990, 1_000, { fork: "b" })).toBeNull();
    const { at } = following([one, other]);
    expect(await at(990, 1_000)).toBeNull();
    expect(await at(990, 1_000, { fork: "b" })).toBeNull();
    other.named = { number: 998 };
    expect(await at(990, 1_001)).toBe(997);
  });

  test("waits until the index has the block", async () => {
    const { at } = following([await endpoint({ number: 997 })]);
    expect(await at(990, 996)).toBeNull();
    expect(await at(990, 997)).toBe(997);
  });

  test("does not go backwards with the endpoint, which is logged once", async () => {
    const one = await endpoint({ number: 997 });
    const { at, finality, lines } = following([one]);
    expect(await at(990, 1_000)).toBe(997);
    one.named = { number: 980 };
    expect(await at(997, 1_001)).toBeNull();
    one.named = { number: 979 };
    expect(await at(997, 1_002)).toBeNull();
    expect(finality.floor()).toBe(997);
    expect(lines).toMatchObject([{ msg: expect.stringContaining("goes backwards"), from: 997, to: 980 }]);
    one.named = { number: 999 };
    expect(await at(997, 1_003)).toBe(999);
  });

  test("is awaited while a block with events is not final, and noticed when an endpoint names another block", async () => {
    const one = await endpoint({ number: 995 });
    const { at, finality, nudges } = following([one]);
    await at(990, 1_000, { events: [] });
    expect(finality.isAwaited()).toBe(false);
    await at(995, 1_000, { events: [998] });
    expect(finality.isAwaited()).toBe(true);
    expect(nudges).toHaveLength(1);
    one.named = { number: 998 };
    await finality.ask();
    expect(nudges).toHaveLength(2);
  });

  test("is asked for less often where an endpoint limits its rate", async () => {
    const [one, other] = [await endpoint("limited"), await endpoint({ number: 995 })];
    const { finality } = following([one, other]);
    for (let time = 0; time < 3; time += 1) await finality.ask();
    expect([one.asked, other.asked]).toEqual([1, 3]);
    // It names one second, and is asked every four seconds at most.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 3_000);
    await finality.ask();
    clock.mockImplementation(() => now() + 4_001);
    await finality.ask();
    clock.mockRestore();
    expect([one.asked, other.asked]).toEqual([2, 5]);
  });

  test("is never below the block of the start", async () => {
    expect(following([await endpoint({ number: 997 })]).finality.floor()).toBe(600);
  });

  test("is told at once where events are, else now and then", async () => {
    const one = await endpoint({ number: 995 });
    const { at } = following([one]);
    expect(await at(990, 1_000, { events: [] })).toBe(995);
    one.named = { number: 997 };
    expect(await at(995, 1_000, { events: [998] })).toBeNull();
    expect(await at(995, 1_000, { events: [997] })).toBe(997);
  });
});

describe("by depth", () => {
  test.each<["names none" | "refuses", Named]>([
    ["names none", null],
    ["refuses", "refused"],
  ])("where no endpoint has the tag: one that %s", async (_, named) => {
    const { at, notes } = following([await endpoint(named)]);
    expect(await at(600, 1_000)).toBeNull();
    expect(notes).toEqual([{ source: "depth", byDepth: 760 }]);
  });

  test("an endpoint without the tag leaves it to the others", async () => {
    const { at } = following([await endpoint(null), await endpoint({ number: 997 })]);
    expect(await at(990, 1_000)).toBe(997);
  });

  test("once the final block has stood still for so many blocks, until it moves again", async () => {
    const one = await endpoint({ number: 700 });
    const { at, notes, lines } = following([one]);
    expect(await at(690, 703)).toBe(700);
    expect(await at(700, 943)).toBeNull();
    expect(notes.at(-1)).toEqual({ source: "finalized", byDepth: null });
    expect(await at(700, 944)).toBeNull();
    expect(notes.at(-1)).toEqual({ source: "stalled", byDepth: 704 });
    expect(lines).toMatchObject([{ msg: expect.stringContaining("stands still"), block: 700, depth: 240 }]);
    one.named = { number: 950 };
    expect(await at(700, 953)).toBe(950);
    expect(notes.at(-1)).toEqual({ source: "finalized", byDepth: null });
  });

  test("not while the index catches up with a chain far ahead", async () => {
    const one = await endpoint({ number: 5_000 });
    const { at, notes, chain } = following([one]);
    chain.head = 5_020;
    expect(await at(600, 700)).toBeNull();
    expect(await at(600, 1_300)).toBeNull();
    expect(notes).toEqual([{ source: "finalized", byDepth: null }]);
  });

  test("not while it catches up after a deep reorganisation, below which the final block was all the time", async () => {
    const one = await endpoint({ number: 570 });
    const { at, notes, chain } = following([one]);
    chain.head = 1_000;
    await at(600, 1_000);
    chain.head = 1_001;
    one.named = { number: 571 };
    for (const head of [680, 800, 1_001]) await at(600, head, { fork: "b" });
    expect(notes).toEqual([{ source: "finalized", byDepth: null }]);
    chain.head = 1_242;
    await at(600, 1_242, { fork: "b" });
    expect(notes.at(-1)).toEqual({ source: "stalled", byDepth: 1_002 });
  });

  test("though an endpoint names final blocks that the chain does not have yet", async () => {
    const one = await endpoint({ number: 1_005, fork: "b" });
    const { at, notes, chain } = following([one]);
    for (const head of [1_000, 1_100, 1_240, 1_241]) {
      chain.head = head;
      one.named = { number: head + 5, fork: "b" };
      await at(990, head);
    }
    expect(notes.at(-1)).toEqual({ source: "stalled", byDepth: 1_001 });
  });

  test("not because an endpoint is silent at first", async () => {
    const one = await endpoint("silent");
    const { at, notes } = following([one]);
    expect(await at(600, 1_000)).toBeNull();
    expect(notes).toEqual([{ source: "finalized", byDepth: null }]);
  });
});

describe("an endpoint", () => {
  test("is waited for up to five minutes while it is silent, and again once it has answered", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const [one, other] = [await endpoint({ number: 997 }), await endpoint("silent")];
    const { at } = following([one, other]);
    expect(await at(990, 1_000)).toBeNull();
    vi.advanceTimersByTime(299_999);
    expect(await at(990, 1_000)).toBeNull();
    vi.advanceTimersByTime(1);
    expect(await at(990, 1_000)).toBe(997);
    one.named = { number: 999 };
    other.named = { number: 995 };
    expect(await at(997, 1_003)).toBeNull();
    other.named = { number: 998 };
    expect(await at(997, 1_003)).toBe(998);
  });

  test("counts with a final block named earlier while its newest one is ahead of the index", async () => {
    const one = await endpoint({ number: 995 });
    const { at, finality } = following([one]);
    await finality.ask();
    one.named = { number: 998 };
    expect(await at(990, 996)).toBe(995);
  });
});
